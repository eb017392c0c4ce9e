"""Every equation in the source is cited and in docs/papers.md, and so is every table and figure of the papers."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import tengen
from tengen.papers.catalogue import experiments

PACKAGE = Path(tengen.__file__).parent
PAGE = PACKAGE.parent / "docs" / "papers.md"
READINGS = PACKAGE.parent / "docs" / "readings.md"
KEYS = (
    "GellySilver2007|GellySilver2011|Hashimoto2011|Auer2002|BouzyChaslot2006|BouzyHelmstetter2003|Bruegmann1993|"
    "Coulom2007|SilverTesauro2009|HuangCoulomLin2010"
)

# --- Equations --------------------------------------------------------------------------------------------------------

LAYERS_WITH_EQUATIONS = ("search", "learning", "policies")
EQUATION = re.compile(
    r"<-|\+=|-="  # updates
    r"|\barg(max|min)|\bsqrt\(|\bexp\(|\bsum_[a-z]\b"  # functions and sums: argmax_a, sum_t
    r"|^[\w~]+\([^()]*\) = "  # definitions of functions: Q_even(s,a) = 0.5
    r"|(?:^|, +)[\w~]+ = [^:;]*(\s[-+*/^]\s|\^)"  # definitions of quantities: U = ((1 + Q) / (1 - Q))^k
)
"""What marks the first line of a docstring as an equation."""
NOT_FROM_PAPERS = {
    "search.tree_policies.uct_rave_terms": "the terms of `uct_rave`",
    "search.tree_policies.mc_rave_terms": "the terms of `mc_rave`",
    "search.tree_policies.fuego_rave_terms": "the terms of `fuego_rave`",
    "learning.greedy_games.learn_from_end": "Q-learning, which BouzyChaslot2006 proposes without an equation",
    "learning.urgency_games.entropy_of": "Shannon's entropy, to measure the determinisation of a policy",
    "learning.urgency_methods.values_of": "the inverse of `urgencies_of`",
    "policies.go.diamond_urgency.diamond_at": "a hash",
    "policies.go.urgency.base_3": "the digits of a number",
}
"""Functions that begin with an equation without a citation, and why."""


def functions(folders: tuple[str, ...] = ("",)) -> Iterator[tuple[str, str]]:
    """Yield (name, docstring) of all functions and classes in some folders of the package."""
    for folder in folders:
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                    module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
                    yield f"{module}.{node.name}", ast.get_docstring(node) or ""


def citations(docstring: str) -> list[str]:
    return re.findall(rf"\[((?:{KEYS}), [^\]]+)\]", docstring)


def is_equation(docstring: str) -> bool:
    """Whether a docstring begins with an equation."""
    return EQUATION.search(docstring.partition("\n")[0]) is not None


def claims_in_source() -> set[tuple[str, str]]:
    """Return pairs (citation, function) of all citations in docstrings of functions."""
    return {(cited, name) for name, docstring in functions() for cited in citations(docstring)}


def claims_on_page() -> list[tuple[str, str]]:
    """Return the pairs (citation, function) of the table of equations."""
    rows = re.findall(rf"^\| ((?:{KEYS}), [^|]+?) \| [^|]+ \| `([\w.]+)` \|$", PAGE.read_text(), re.MULTILINE)
    return [(where, function) for where, function in rows]


def test_the_page_and_the_source_name_the_same_equations():
    assert set(claims_on_page()) == claims_in_source()
    assert len(claims_on_page()) == len(set(claims_on_page())) >= 48


def test_every_function_that_begins_with_an_equation_cites_a_paper_or_is_a_known_exception():
    equations = {name: docstring for name, docstring in functions(LAYERS_WITH_EQUATIONS) if is_equation(docstring)}
    assert {name for name, docstring in equations.items() if not citations(docstring)} == set(NOT_FROM_PAPERS)


@pytest.mark.parametrize(
    "line",
    [
        "n(s,a) <- n(s,a) + 1,  Q(s,a) <- Q(s,a) + (R - Q(s,a)) / n(s,a)",
        "theta_i += alpha / |phi(s_t)| delta_t phi_i(s_t)",
        "pi(s) = argmax_a of the tree policy's formula, ties broken at random",
        "Q(s,a) + c sqrt(log n(s) / n(s,a))",
        "Q_even(s,a) = 0.5",
        "Beta = m / (n + m + 4 n m b^2)",
        "U = ((1 + Q) / (1 - Q))^k",
        "(n Q + W Q~) / (n + W),  W = m / (1 / w_i + m / w_f)",
        "H = -sum_a p(a) log p(a), p(a) = u(a) / sum_b u(b), over the candidate moves; returns (H, their number).",
    ],
)
def test_equations_are_recognised(line):
    assert is_equation(line + "\n\nMore about it.")


@pytest.mark.parametrize(
    "line",
    [
        "Return the move with the highest value, ties broken at random; NOTHING_OPEN if every move is closed.",
        "Whether an open move has neither visits nor RAVE visits.",
        "The mean m of a move's results, and r_d s, the half-width of its confidence interval.",
        "Play `count` games in which each side plays its moves in a predetermined order",
        "Compute `changes` of the points that share a window with a point, in the order of `sum_parts`.",
        "",
    ],
)
def test_sentences_are_not_equations(line):
    assert not is_equation(line + "\n\nn <- n + 1")


def test_functions_named_in_the_readings_exist():
    named = set(re.findall(r"`((?:search|learning|policies|games)\.[\w.]+)`", READINGS.read_text()))
    assert len(named) > 40
    assert named <= {name for name, _ in functions()}


def test_every_key_is_explained():
    for key in KEYS.split("|"):
        assert f"**{key}**:" in PAGE.read_text()


# --- Tables and figures -----------------------------------------------------------------------------------------------

TABLES_AND_FIGURES = {
    "GellySilver2007": ["table 1", "table 2", "table 3", "table 4", *(f"figure {number}" for number in range(1, 6))],
    "Hashimoto2011": ["table 1a", "table 1b", "table 2a", "table 2b", "figure 1", "figure 2"],
    "BouzyChaslot2006": ["table I", "table II", "figure 1", "figure 2", "figure 3"],
}
"""What the papers number. GellySilver2011 is known by the page with Algorithm 2 and section 5.2, without either."""
ILLUSTRATION = "illustration"


def results_on_page() -> list[tuple[str, str, str]]:
    """Return (paper, table or figure or section, id of the experiment or `illustration`) of the table of results."""
    row = rf"^\| ((?:{KEYS})), ([^|]+?) \| [^|]+ \| (`[a-z0-9/-]+`|{ILLUSTRATION}) \|$"
    return [(paper, what, found.strip("`")) for paper, what, found in re.findall(row, PAGE.read_text(), re.MULTILINE)]


def experiments_on_page() -> list[str]:
    """Return the ids of the experiments in the table of results."""
    return [found for _, _, found in results_on_page() if found != ILLUSTRATION]


def test_the_page_names_every_experiment():
    known = set(experiments())
    assert set(experiments_on_page()) == known - {"gelly-silver-2007/differences"}
    assert "`gelly-silver-2007/differences`" in PAGE.read_text()


def test_every_table_and_figure_has_a_row():
    named = Counter((paper, what) for paper, what, _ in results_on_page())
    for paper, numbered in TABLES_AND_FIGURES.items():
        for what in numbered:
            assert named[paper, what] == 1, f"{paper}, {what}"


def test_every_experiment_is_named_once_after_its_paper():
    ids = experiments_on_page()
    assert len(ids) == len(set(ids)) >= 28
    for paper, _, found in results_on_page():
        folder = re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "-", paper).lower()
        assert found == ILLUSTRATION or found.startswith((f"{folder}/", "beyond/"))
