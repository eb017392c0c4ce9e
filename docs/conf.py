"""The documentation site: configuration of Sphinx. `make docs` builds it into docs/_build."""

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

import tengen

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "Tengen"
author = "The Tengen authors"
copyright = author
version = release = tengen.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "docstrings", "mathml"]
exclude_patterns = ["_build", "extensions"]
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!tengen\.).*"),  # other packages, and names that annotations abbreviate
    ("py:class", r"tengen\..*(Config|Function|Margins|Memory)|tengen\.games\.player\.Player"),  # internal types
]

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_dmath_double_inline = True
myst_heading_anchors = 4
highlight_language = "text"

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100

html_theme = "furo"
html_title = "Tengen"
html_math_renderer = "mathml"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False

LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<path>\.\./[^)\s#]*)(#[^)\s]*)?\)")


def add_other_pages(app: Sphinx, page: str, source: list[str]) -> None:
    """Add the pages that index.md does not name to its guides, after the last one."""
    if page == "index":
        named = {"index", *source[0].split()}
        others = sorted(path.stem for path in Path(app.srcdir).glob("*.md") if path.stem not in named)
        source[0] = source[0].replace("\nray\n", "\n" + "\n".join(["ray", *others]) + "\n")


def unlink_other_places(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace links to folders and pages outside of the site, which code hosts follow, by their text."""
    site, folder = Path(app.srcdir), Path(app.env.doc2path(page)).parent

    def kept(link: re.Match[str]) -> str:
        target = (folder / link["path"]).resolve()
        is_outside = target.suffix == ".md" and target.exists() and site not in target.parents
        return link["text"] if target.is_dir() or is_outside else link[0]

    source[0] = LINK.sub(kept, source[0])


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_other_pages)
    app.connect("source-read", unlink_other_places)
