"""The examples of docs/extending.md are plugins that keep their contracts."""

import re
from pathlib import Path

import pytest

from tengen.checking.part_checks import check_part
from tengen.games.catalogue import make_game
from tengen.jit import COMPILED
from tengen.plugins import game_of_plugin, load_plugin
from tests.test_plugins import EXAMPLES, registered, written  # noqa: F401 - a fixture

PAGE = (Path(__file__).parent.parent / "docs" / "extending.md").read_text()
BLOCKS = [block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "@tg." in block]


@pytest.mark.plain
def test_the_page_has_an_example_of_each_kind(tmp_path):
    parts = [
        part for number, text in enumerate(BLOCKS) for part in load_plugin(written(tmp_path, text, f"{number}.py"))
    ]
    assert [part.kind for part in parts] == ["tree policy", "playout policy", "prior"]


@pytest.mark.plain
@pytest.mark.skipif(COMPILED, reason="compiled searches with the same short forms are checked elsewhere")
@pytest.mark.parametrize("text", BLOCKS, ids=["tree policy", "playout policy", "prior"])
def test_an_example_of_the_page_passes_the_checks(tmp_path, text):
    [part] = load_plugin(written(tmp_path, text))
    game = make_game(game_of_plugin(EXAMPLES / "tic_tac_toe.py"))
    assert [finding.problem for finding in check_part(part, game, seed=1)] == [""] * 4
