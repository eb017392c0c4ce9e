"""What docs/adapters.md says of notebooks, and what the modules say without their packages. Its code: tests/docs."""

import re

from tests.test_package import ROOT, run

PAGE = (ROOT / "docs" / "adapters.md").read_text()


def test_the_notebooks_of_the_page_are_those_of_the_folder():
    named = re.findall(r"^\d\. `(\w+)`", PAGE, re.MULTILINE)
    assert named == sorted(path.stem for path in (ROOT / "examples" / "notebooks").glob("*.ipynb"))


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
