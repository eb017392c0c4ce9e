"""Results as text: a match in a few lines, standings, and a cross table."""

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from tengen.arena.ratings import Ratings, rate
from tengen.arena.rows import LARGEST_RATING, is_rating
from tengen.arena.scores import Tally, elo_from_rate
from tengen.arena.sprt import Sprt, Verdict
from tengen.arena.store import Store
from tengen.errors import TengenError, shortened


def percent(rate: float | None) -> str:
    return "-" if rate is None else f"{100 * rate:.1f} %"


def signed(number: float | None, digits: int = 0) -> str:
    """Format a number with its sign; one that rounds to zero gets a plus."""
    if number is None:
        return "-"
    text = f"{number:+.{digits}f}"
    return text if float(text) else text.replace("-", "+")


def match_lines(name: str, tally: Tally, colours: tuple[Tally, Tally] | None = None) -> list[str]:
    """Return lines of text with the results of a pairing from its first player's side."""
    low, high = tally.interval()
    games = f"{tally.games} game{'' if tally.games == 1 else 's'}"
    lines = [
        f"{name}: {games}, {tally.wins} won, {tally.draws} drawn, {tally.losses} lost",
        f"  rate {percent(tally.rate)} ({percent(low)} to {percent(high)} with 95 % confidence)",
        f"  Elo {signed(tally.elo)} ({signed(elo_from_rate(low))} to {signed(elo_from_rate(high))}), "
        f"likelihood of superiority {percent(tally.superiority)}",
    ]
    if colours is not None:
        lines.append(f"  as Black {percent(colours[0].rate)}, as White {percent(colours[1].rate)}")
    if tally.margins.count:
        error = tally.margins.standard_error
        spread = "" if error is None else f" ± {error:.2f} (standard error)"
        lines.append(f"  mean margin {signed(tally.margins.mean, 2)}{spread} in {tally.margins.count} counted games")
    return lines


def sprt_line(sprt: Sprt, ratio: float, verdict: Verdict) -> str:
    said = {
        Verdict.OPEN: "still open",
        Verdict.LOWER: f"decided: not better than {sprt.elo0:g} Elo",
        Verdict.UPPER: f"decided: better by {sprt.elo1:g} Elo" if sprt.elo1 > 0 else "decided: no worse",
    }[verdict]
    return (
        f"  test of {sprt.elo0:g} against {sprt.elo1:g} Elo: log-likelihood ratio {signed(ratio, 2)}, "
        f"bounds {sprt.lower:.2f} and {sprt.upper:.2f}, {said}"
    )


@dataclass(frozen=True)
class Standings:
    """All players of a store: total results, results by pair, and ratings if all players are connected by games."""

    players: list[str]
    """In order of rank, the best first."""
    totals: dict[str, Tally]
    pairs: dict[tuple[str, str], Tally]
    """Results by (player, opponent), with every pair in both orders."""
    ratings: Ratings | None

    def rating(self, player: str) -> tuple[float, float, float] | None:
        """Return (Elo, lower end, upper end of its interval); None without games or ratings."""
        if self.ratings is None or player not in self.ratings.players:
            return None
        place = self.ratings.players.index(player)
        return (float(self.ratings.elo[place]), *self.ratings.interval(place))

    def to_json(self) -> list[dict[str, Any]]:
        found = []
        for player in self.players:
            row: dict[str, Any] = {"player": player, **self.totals[player].to_json()}
            for key, value in zip(("elo", "elo_low", "elo_high"), self.rating(player) or (None,) * 3, strict=True):
                row[key] = value
            found.append(row)
        return found


def standings(
    store_tallies: Mapping[str, Tally], names: Mapping[str, tuple[str, str]], anchors: Mapping[str, float] | None = None
) -> Standings:
    """Compute the standings from the tallies of pairings; `names` has the two players of each pairing."""
    pairs: dict[tuple[str, str], Tally] = {}
    totals: dict[str, Tally] = {}
    for pairing, tally in store_tallies.items():
        first, second = names[pairing]
        for one, other, seen in ((first, second, tally), (second, first, tally.reversed())):
            pairs[one, other] = pairs.get((one, other), Tally()) + seen
            totals[one] = totals.get(one, Tally()) + seen
    ratings = _ratings(pairs, anchors or {})
    order = sorted(totals, key=lambda player: (-_merit(player, totals, ratings), player))
    return Standings(order, totals, pairs, ratings)


def _ratings(pairs: dict[tuple[str, str], Tally], anchors: Mapping[str, float]) -> Ratings | None:
    """Return the ratings, or None if not all players are connected by games."""
    once = {(first, second): tally for (first, second), tally in pairs.items() if first < second and tally.games}
    players = {player for pair in once for player in pair}
    try:
        return rate(once, {player: elo for player, elo in anchors.items() if player in players}) if once else None
    except TengenError:
        return None


def _merit(player: str, totals: dict[str, Tally], ratings: Ratings | None) -> float:
    if ratings is not None:
        return float(ratings.elo[ratings.players.index(player)]) if player in ratings.players else -math.inf
    return totals[player].rate or 0.0


def standings_of(
    store: Store, anchors: Mapping[str, float] | None = None, tallies: Mapping[str, Tally] | None = None
) -> Standings:
    """Compute the standings of a store; pass `tallies` if they are known already."""
    return standings(store.tallies() if tallies is None else tallies, store.names(), anchors)


def standings_rows(found: Standings) -> tuple[list[str], list[list[str]]]:
    """Return a header and one row per player: place, name, Elo and its interval, games, points, rate, mean margin."""
    header = ["", "player", "Elo", "95 %", "games", "points", "rate", "margin"]
    rows = []
    for place, player in enumerate(found.players, 1):
        tally, rating = found.totals[player], found.rating(player)
        elo = "-" if rating is None else signed(rating[0])
        interval = "-" if rating is None else f"{signed(rating[1])} to {signed(rating[2])}"
        margin = signed(tally.margins.mean, 1)
        rows.append(
            [str(place), player, elo, interval, str(tally.games), f"{tally.points:g}", percent(tally.rate), margin]
        )
    return header, rows


def cross_rows(found: Standings) -> tuple[list[str], list[list[str]]]:
    """Return a header and one row per player: points and games against each opponent."""
    header = ["", "player", *(str(place) for place in range(1, len(found.players) + 1))]
    rows = []
    for place, player in enumerate(found.players, 1):
        cells = []
        for other in found.players:
            tally = found.pairs.get((player, other))
            cells.append("·" if player == other else "" if tally is None else f"{tally.points:g}/{tally.games}")
        rows.append([str(place), player, *cells])
    return header, rows


def text_table(header: list[str], rows: list[list[str]], left: Collection[int] = (1,)) -> str:
    """Format rows as columns two spaces apart; the columns `left` are left-aligned, the others right-aligned."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    lines = []
    for row in [header, *rows]:
        cells = [cell.ljust(width) if column in left else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths, strict=True))]  # fmt: skip
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def fault_lines(store: Store) -> list[str]:
    """Return the number of games lost by faults, one line per player and reason."""
    return [
        f"  {loser} lost {count} game{'' if count == 1 else 's'} by '{reason}'"
        for (loser, reason), count in store.reasons().items()
    ]


def report(store: Store, anchors: Mapping[str, float] | None = None) -> str:
    """Return the full report of a store as text: standings, cross table, each pairing, faults."""
    colours = store.by_colour()
    tallies = {pairing: black + white for pairing, (black, white) in colours.items()}
    if not tallies:
        return "There are no games yet."
    found = standings_of(store, anchors, tallies)
    lines = [text_table(*standings_rows(found)), ""]
    if found.ratings is None:
        lines += ["There are no ratings: some players are not connected to the others by games.", ""]
    elif found.ratings.smoothed:
        lines += [
            "For finite ratings, half a win and half a loss are added to each pairing: some players lost no point.",
            "",
        ]
    if len(found.players) > 2:
        lines += [text_table(*cross_rows(found)), ""]
    for pairing, tally in tallies.items():
        lines += match_lines(pairing, tally, colours[pairing])
    return "\n".join([*lines, *fault_lines(store)])


def report_json(store: Store, anchors: Mapping[str, float] | None = None) -> dict[str, Any]:
    """Return the report as JSON values."""
    tallies = store.tallies()
    return {
        "standings": standings_of(store, anchors, tallies).to_json(),
        "pairings": [{"pairing": pairing, **tally.to_json()} for pairing, tally in tallies.items()],
        "reasons": reasons_json(store),
    }


def reasons_json(store: Store) -> list[dict[str, Any]]:
    return [{"player": loser, "reason": reason, "games": count} for (loser, reason), count in store.reasons().items()]


def parse_anchors(texts: list[str], store: Store) -> dict[str, float]:
    """Parse fixed ratings, each as 'player=elo'; raise TengenError for a player that is not in the store."""
    known = {name for names in store.names().values() for name in names}
    anchors = {}
    for text in texts:
        player, _, elo = text.rpartition("=")
        if player not in known:
            raise TengenError(
                f"unknown player {shortened(player)} in an anchor; choose from: {', '.join(sorted(known))}"
            )
        try:
            anchors[player] = float(elo)
        except ValueError:
            anchors[player] = math.nan
        if not is_rating(anchors[player]):
            limits = f"from -{LARGEST_RATING:,} to {LARGEST_RATING:,}"
            raise TengenError(f"the rating of {player} must be a number {limits}, not {shortened(elo)}")
    return anchors
