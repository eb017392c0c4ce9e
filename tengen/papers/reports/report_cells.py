"""The texts of a report, without markup: the cells of its tables, and sentences about the run."""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from tengen.papers.quantities import AGREES, HIGHER, LOWER
from tengen.papers.reports.results_file import HOLDS, Result

Row = dict[str, Any]
UNKNOWN = "-"


class Column(NamedTuple):
    """A column of a table: its heading, and whether its cells are numbers."""

    heading: str
    is_number: bool


class Table(NamedTuple):
    """The rows of one quantity as text."""

    heading: str
    """The quantity with its unit."""
    columns: list[Column]
    rows: list[list[str]]


COMPARED = (Column("published", True), Column("verdict", False))
"""The columns that only a table with published values has."""


def tables(result: Result) -> list[Table]:
    """Return the tables of a result, one per quantity."""
    return [_table(heading(*key), rows) for key, rows in by_quantity(result["rows"]).items()]


def by_quantity(rows: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return the rows by (quantity, unit), in the order of their first rows."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["quantity"], row["unit"]), []).append(row)
    return found


def heading(quantity: str, unit: str) -> str:
    return f"{quantity} ({unit})" if unit else quantity


def short_label(row: Row) -> str:
    """Return the label without the quantity at its end, which the heading of its table or panel states."""
    return str(row["label"]).removesuffix(f": {row['quantity']}")


def _table(name: str, rows: list[Row]) -> Table:
    is_compared = any(row["published"] is not None for row in rows)
    columns = [
        Column("row", False),
        Column("variant", False),
        Column(name, True),
        Column("95 % interval", True),
        Column("samples", True),
        *(COMPARED if is_compared else ()),
    ]
    return Table(name, columns, [_cells(row)[: len(columns)] for row in rows])


def _cells(row: Row) -> list[str]:
    return [
        short_label(row),
        row["variant"],
        number(row["value"], row["decimals"]),
        interval(row),
        f"{row['samples']:,}",
        published(row),
        row["verdict"],
    ]


def number(value: float | None, decimals: int) -> str:
    """Format a number; one that rounds to zero has no sign."""
    if value is None:
        return UNKNOWN
    text = f"{value:,.{decimals}f}"
    return text if text.strip("-0.") else text.removeprefix("-")


def interval(row: Row) -> str:
    """Return 'low to high', or the end that is finite."""
    low, high = (number(row[end], row["decimals"]) for end in ("low", "high"))
    if row["low"] is not None and row["high"] is not None:
        return f"{low} to {high}"
    if row["low"] is not None:
        return f"from {low}"
    return UNKNOWN if row["high"] is None else f"up to {high}"


def published(row: Row) -> str:
    """Return the published value, its standard error and the note, or an empty text."""
    if row["published"] is None:
        return ""
    text = _as_printed(row["published"], row["decimals"])
    if row["published_error"] is not None:
        text += f" ± {_as_printed(row['published_error'], row['decimals'])}"
    return f"{text} ({row['published_note']})" if row["published_note"] else text


def _as_printed(value: float, decimals: int) -> str:
    """Format a published number with one decimal more than ours, without zeros at the end."""
    whole, _, fraction = number(value, decimals + 1).partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


# --- Sentences about the run ------------------------------------------------------------------------------------------


def settings(result: Result) -> str:
    """Return the settings of a run as a sentence."""
    given = ", ".join(
        f"{name} {_setting(value)}" for name, value in result["settings"].items() if value not in (None, "")
    )
    return f"Scale {result['scale']}{f' with {given}' if given else ''}."


def _setting(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def duration(seconds: float) -> str:
    """Return a time as in '45.3 s', '5 min 12 s' or '2 h 30 min'."""
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60:,} h {minutes % 60} min"


def provenance(result: Result) -> str:
    """Return the version, the date and the duration of a run as a sentence."""
    return f"Tengen {result['version']}, {result['date']}, {duration(result['seconds'])}."


def p_text(p: float | None) -> str:
    """Return a p-value with three decimals."""
    if p is None:
        return UNKNOWN
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def order(labels: Sequence[str]) -> str:
    return " → ".join(labels)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a text, which empty lines separate, each as one line."""
    found: list[list[str]] = [[]]
    for line in text.splitlines():
        if line.strip():
            found[-1].append(line.strip())
        elif found[-1]:
            found.append([])
    return [" ".join(lines) for lines in found if lines]


def verdicts(result: Result) -> dict[str, int]:
    """Return how many rows with a published value agree with it, are higher, and are lower."""
    counts = Counter(row["verdict"] for row in result["rows"])
    return {verdict: counts[verdict] for verdict in (AGREES, HIGHER, LOWER)}


def holds(result: Result) -> dict[str, int]:
    """Return how many findings hold, are not shown, and do not hold."""
    counts = Counter(finding["holds"] for finding in result["findings"])
    return {answer: counts[answer] for answer in HOLDS}


COUNTED = {AGREES: "agree", "yes": "hold", "no": "do not hold"}
COUNTED_ONE = {"yes": "holds", "no": "does not hold"}


def counted(key: str, count: int) -> str:
    """Return the words after a number of rows with a verdict, or of findings."""
    return COUNTED_ONE.get(key, key) if count == 1 else COUNTED.get(key, key)


def verdicts_text(result: Result) -> str:
    """Return the verdicts in words, as in '3 agree, 1 higher'; an empty text without published values."""
    return ", ".join(f"{count} {counted(verdict, count)}" for verdict, count in verdicts(result).items() if count)


def findings_text(result: Result) -> str:
    """Return the findings in words, as in '2 hold, 1 not shown'; an empty text without findings."""
    return ", ".join(f"{count} {counted(held, count)}" for held, count in holds(result).items() if count)
