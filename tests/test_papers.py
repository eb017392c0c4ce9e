"""Every equation cited in the source is in docs/papers.md, and vice versa."""

import ast
import re
from pathlib import Path

import tengen

PACKAGE = Path(tengen.__file__).parent
PAGE = PACKAGE.parent / "docs" / "papers.md"
KEYS = "GellySilver2007|GellySilver2011|Hashimoto2011|Auer2002|BouzyChaslot2006|BouzyHelmstetter2003|Bruegmann1993"


def claims_in_source() -> dict[str, str]:
    """Functions whose docstrings cite a paper, with the citation."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef):
                cited = re.search(rf"\[((?:{KEYS}), [^\]]+)\]", ast.get_docstring(node) or "")
                if cited:
                    module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
                    found[f"{module}.{node.name}"] = cited[1]
    return found


def claims_on_page() -> dict[str, str]:
    rows = re.findall(rf"^\| ((?:{KEYS}), [^|]+?) \| [^|]+ \| `([\w.]+)` \|$", PAGE.read_text(), re.MULTILINE)
    return {function: where for where, function in rows}


def test_the_page_and_the_source_name_the_same_equations():
    assert claims_on_page() == claims_in_source()
    assert len(claims_on_page()) >= 17


def test_every_key_is_explained():
    for key in KEYS.split("|"):
        assert f"**{key}**:" in PAGE.read_text()
