"""The pages: every block of code says how it is tested, commands parse, links and anchors lead somewhere."""

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest
import typer

import tengen
from tests.docs.command_lines import parse, tengen_arguments
from tests.docs.pages import PAGES, REPORTS, ROOT, Block, anchors_of, blocks_in, blocks_of, commands_in, links_of
from tests.test_plugins import registered  # noqa: F401 - a fixture: parts of plugins are forgotten after a page

BLOCKS = [block for page in PAGES for block in blocks_of(page)]
OWN = [block for block in BLOCKS if REPORTS not in block.page.parents]
"""Blocks of pages that people write."""
COMMANDS = [(block, line) for block in BLOCKS if block.language in ("", "sh") for line in commands_in(block.text)]
KINDS = {"run", "not run", "file"}
HIGHLIGHTED = {"", "sh", "python", "text", "toml", "json", "html"}


def pages() -> list[str]:
    return [str(path.relative_to(ROOT)) for path in PAGES]


def test_the_pages_are_found():
    assert {"README.md", "docs/index.md", "docs/extending.md", "docs/results/papers/README.md"} <= set(pages())
    assert len(OWN) > 60


@pytest.mark.parametrize("page", pages())
def test_every_block_of_code_says_whether_it_is_run(page):
    """See tests/docs/pages.py for the comments."""
    own = [block for block in OWN if block.page == ROOT / page]
    assert [str(block) for block in own if block.is_code and block.kind not in KINDS] == []
    assert [str(block) for block in own if block.kind in ("not run", "file") and not block.details] == []


@pytest.mark.parametrize("page", pages())
def test_blocks_have_known_languages(page):
    languages = {block.language.split()[0] if block.language else "" for block in OWN if block.page == ROOT / page}
    assert {language for language in languages if not language.startswith("{")} <= HIGHLIGHTED


def problem_of(line: str) -> str:
    """Return why a command line is refused; empty if it is not."""
    arguments = tengen_arguments(line)
    try:
        if arguments is not None:
            parse(arguments)
    except typer.Exit:  # of an option such as --example, which does its work while it is parsed
        pass
    except Exception as error:  # whatever the command line raises is shown
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("page", sorted({str(block.page.relative_to(ROOT)) for block, _ in COMMANDS}))
def test_every_command_of_a_page_is_accepted_by_the_command_line(page, tmp_path, monkeypatch, registered):  # noqa: F811
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for block in blocks_of(ROOT / page):
        if block.kind == "file":
            (tmp_path / block.details).write_text(block.text)
    monkeypatch.chdir(tmp_path)
    lines = [line for block, line in COMMANDS if block.page == ROOT / page]
    assert {line: problem for line in lines if (problem := problem_of(line))} == {}


@pytest.mark.parametrize(
    "line",
    [
        "tengen match uct",
        "tengen match uct mc-rav",
        "tengen match uct mc-rave:biass=1",
        "tengen mach uct mc-rave",
        "NUMBA_DISABLE_JIT=1 tengen match uct mc-rave --game-count 3",
        "python -m tengen play --level 11",
        "tengen train rlgo --epsilon 2 --out a.weights > log.txt",
    ],
)
def test_a_wrong_command_is_found(line):
    assert problem_of(line)


@pytest.mark.parametrize("line", ["make test", "cd /tmp && ls", "tengen bench --only 'threads/*' | head -3 # fast"])
def test_a_right_command_is_accepted(line):
    assert problem_of(line) == ""


def test_comments_belong_to_the_block_below():
    text = "<!-- run: 5 => 2; a=>b -->\n```sh\ntengen a 5\n```\nText\n\n```python\nx\n```\n"
    first, second, third = blocks_in(text + "<!-- not run: slow -->\n```\ny\n```\n")
    assert (first.kind, first.shortened(), first.line) == ("run", "tengen b 2\n", 2)
    assert (second.kind, second.language) == ("", "python")
    assert (third.kind, third.details) == ("not run", "slow")


@pytest.mark.parametrize("details", ["7 => 2", "5"])
def test_a_replacement_that_changes_nothing_is_an_error(details):
    with pytest.raises(AssertionError):
        Block(ROOT / "README.md", 1, "sh", "tengen a 5", "run", details).shortened()


@pytest.mark.parametrize("block", [block for block in OWN if block.language == "python"], ids=str)
def test_python_code_is_valid(block):
    assert ast.parse(block.text).body


@pytest.mark.parametrize("block", [block for block in OWN if block.language in ("json", "toml")], ids=str)
def test_data_is_valid(block):
    assert (tomllib.loads if block.language == "toml" else json.loads)(block.text)


@pytest.mark.parametrize("page", pages())
def test_links_lead_to_files_and_anchors(page):
    wrong = []
    for link in links_of(ROOT / page):
        path, _, anchor = link.partition("#")
        if not path.startswith(("https:", "http:")):
            target = ((ROOT / page).parent / path).resolve() if path else ROOT / page
            if not target.exists() or (anchor and anchor not in anchors_of(target)):
                wrong.append(link)
    assert wrong == []


def test_pages_use_few_addresses_of_other_hosts():
    outside = {link for page in PAGES for link in links_of(page) if link.startswith("http")}
    assert len(outside) < 20


def rows_of(page: Path) -> set[str]:
    """Return the rows of the tables of a page that have numbers."""
    return {line for line in page.read_text().splitlines() if line.startswith("|") and any(map(str.isdigit, line))}


def test_the_numbers_of_the_readme_are_those_of_the_pages():
    shown = rows_of(ROOT / "README.md")
    assert len(shown) > 8
    assert shown <= rows_of(ROOT / "docs" / "performance.md") | rows_of(ROOT / "docs" / "strength.md")


def test_every_public_name_is_in_the_reference():
    page = (ROOT / "docs" / "api.md").read_text()
    assert [name for name in tengen.__all__ if f":: tengen.{name}\n" not in page] == []


NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+))?`")


def functions_of(path: Path) -> set[str]:
    """Return the names of the functions in a file."""
    return {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}


def missing_tests(text: str) -> list[str]:
    """Return the tests named in a text, as `tests/FILE.py` or `tests/FILE.py::NAME`, that do not exist."""
    missing = []
    for file, name in NAMED_TEST.findall(text):
        path = ROOT / file
        if not path.exists() or (name and name not in functions_of(path)):
            missing.append(f"{file}::{name}")
    return missing


@pytest.mark.parametrize("page", pages())
def test_the_tests_that_pages_name_exist(page):
    assert missing_tests((ROOT / page).read_text()) == []


def test_the_page_of_promises_names_many_tests():
    assert len(NAMED_TEST.findall((ROOT / "docs" / "promises.md").read_text())) > 50


def test_a_missing_test_is_found():
    assert missing_tests("`tests/docs/pages.py`, `tests/docs/test_pages.py::pages`") == []
    assert missing_tests("`tests/no.py`") == ["tests/no.py::"]
    assert missing_tests("`tests/docs/test_pages.py::test_no`") == ["tests/docs/test_pages.py::test_no"]
