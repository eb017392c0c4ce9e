"""The examples of docs/adapters.md run, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

from tests.test_package import ROOT, python_blocks, run

PAGE = (ROOT / "docs" / "adapters.md").read_text()
EXTRAS = ("pettingzoo", "gymnasium", "pyspiel", "pyspiel")
"""What each example needs."""


@pytest.mark.long
@pytest.mark.parametrize(("number", "extra"), list(enumerate(EXTRAS)))
def test_an_example_of_the_page_runs_and_prints(number, extra, tmp_path):
    pytest.importorskip(extra)
    (tmp_path / "example.py").write_text(python_blocks(PAGE)[number])
    assert run(tmp_path, "example.py").strip()


def test_the_page_has_an_example_of_each_kind_and_no_broken_link():
    assert len(python_blocks(PAGE)) == len(EXTRAS)
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert links
    assert [link for link in links if not (ROOT / "docs" / link).exists()] == []


def test_the_notebooks_of_the_page_are_those_of_the_folder():
    named = re.findall(r"^\d\. `(\w+)`", PAGE, re.MULTILINE)
    assert named == sorted(path.stem for path in Path(ROOT / "examples" / "notebooks").glob("*.ipynb"))


def test_the_modules_say_what_is_missing_without_the_extra(tmp_path):
    """In a process in which the package cannot be imported."""
    modules = {"pettingzoo_env": "pettingzoo", "gymnasium_env": "gymnasium", "open_spiel_bot": "pyspiel"}
    lines = ["import sys", "from importlib import import_module", "from tengen.adapters import MissingPackage"]
    for module, package in modules.items():
        lines += [
            f"sys.modules[{package!r}] = None",
            f"try: import_module('tengen.adapters.{module}')",
            "except MissingPackage as error: print(error)",
        ]
    shown = run(tmp_path, "-c", "\n".join(lines)).splitlines()
    extras = ["environments", "environments", "open-spiel"]
    assert shown == [
        f"{package} is not installed: pip install 'tengen[{extra}]'"
        for package, extra in zip(modules.values(), extras, strict=True)
    ]
