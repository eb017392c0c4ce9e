"""Searches as messages: the panel of an analysis, a node of a tree, one simulation."""

import math
from typing import Any, Literal

from tengen.errors import TengenError, shortened
from tengen.games.game import Game, Position
from tengen.interfaces.web import search_replies as replies
from tengen.interfaces.web.chosen_players import LoadedPlayer
from tengen.interfaces.web.geometry import stones_of
from tengen.interfaces.web.messages import Colour
from tengen.interfaces.web.replies import PlayedMove
from tengen.search.analysis import Analysis, MoveAnalysis, analyse
from tengen.search.move_statistics import MoveStatistics
from tengen.search.search import Search
from tengen.search.search_player import SearchPlayer
from tengen.search.tracing import NodeUpdate, SelectedMove, SimulationTrace, trace_simulation

SHOWN_VARIATIONS = 10
"""Number of moves of an analysis with their variations."""
SHOWN_SELECTION = 12
"""Number of moves of a selected node in a step."""

Proof = Literal["win", "draw", "loss"] | None


def colour(is_black: bool) -> Colour:
    return "black" if is_black else "white"


def proof_of(text: str | None) -> Proof:
    """Return a proof in its type."""
    return text if text in ("win", "draw", "loss") else None  # type: ignore[return-value]


def panel_of(loaded: LoadedPlayer, position: Position) -> replies.Panel:
    """Return the state of a player's search of a position. Raises TengenError if the player does not search."""
    if loaded.searcher is None:
        raise TengenError(f"player {loaded.spec} does not support analysis; use one that searches, such as mc-rave")
    if isinstance(loaded.player, SearchPlayer):
        found = analyse(loaded.player.search, position, variations=SHOWN_VARIATIONS)
    else:
        found = loaded.searcher.analysis(position)
    return replies.Panel(
        player=str(loaded.spec),
        simulations=found.simulations,
        simulations_per_second=round(found.simulations_per_second, 1),
        nodes=found.nodes,
        bytes=found.bytes,
        full=found.full,
        mean_depth=_rounded(found.mean_depth),
        deepest=found.deepest,
        value=_rounded(found.value),
        black_win_rate=_rounded(black_win_rate(found)),
        proof=proof_of(found.proof),
        best=found.moves[0].move if found.moves else None,
        moves=[_analysed(move, place < SHOWN_VARIATIONS) for place, move in enumerate(found.moves)],
    )


def black_win_rate(found: Analysis) -> float | None:
    """Return Black's win rate by the best move; None before the first simulation."""
    if not found.simulations or not found.moves:
        return None
    value = found.moves[0].value if found.moves[0].value is not None else found.value
    if value is None:
        return None
    return value if found.position.to_play == "black" else 1.0 - value


def _analysed(move: MoveAnalysis, with_variation: bool) -> replies.MoveReport:
    return replies.MoveReport.model_construct(  # checked types, and made hundreds of times a second
        move=move.move,
        variation=tuple(move.variation) if with_variation else (),
        rave_weight=_rounded(move.rave_weight),
        **_fields(move),
    )


def _fields(move: MoveStatistics) -> dict[str, Any]:
    """Return the statistics of a move as fields of a MoveReport, rounded."""
    return {
        "visits": round(move.visits, 2),
        "value": _rounded(move.value),
        "rave_visits": _rounded(move.rave_visits),
        "rave_value": _rounded(move.rave_value),
        "prior": _rounded(move.prior),
        "prior_weight": _rounded(move.prior_weight),
        "greedy_value": _rounded(move.greedy_value),
        "score": _rounded(move.score),
        "proof": proof_of(move.proof),
        "pruned": move.pruned or None,
    }


def _rounded(value: float | None) -> float | None:
    """Round to what a page shows, for messages of half the length; None for infinite values, which JSON lacks."""
    return None if value is None or not math.isfinite(value) else round(value, 5)


# The tree


def tree_search(loaded: LoadedPlayer) -> Search:
    """Return the search of a player. Raises TengenError if it has no tree."""
    if not isinstance(loaded.player, SearchPlayer):
        raise TengenError(f"player {loaded.spec} has no tree; choose one that searches a tree, such as mc-rave")
    return loaded.player.search


def tree_of(
    loaded: LoadedPlayer, path: list[str], most: int, *, panel: int = 0, request: int | None = None
) -> replies.Tree:
    """Return the moves of the node after `path`. Raises TengenError if the tree does not have it."""
    search = tree_search(loaded)
    game, node = search.game, search.root()
    for number, text in enumerate(path, 1):
        child = node.child(_slot(game, text))
        if child is None:
            raise TengenError(f"the tree has no node after {shortened(' '.join(path[:number]))}")
        node = child
    policy = search.algorithm.tree_policy
    selection = node.selection_values(policy, game.untracked_move)
    listed = sorted(node.moves(node.known_moves()), key=lambda move: (-move.visits, -selection.get(move.number, 0.0)))
    moves = [
        replies.TreeMove(
            move=game.format_move(move.number),
            selection_value=_rounded(selection.get(move.number)),
            rave_weight=_rounded(node.rave_weight(policy, move.number)),
            has_node=node.child(move.number) is not None,
            **_fields(move),
        )
        for move in listed[:most]
    ]
    return replies.Tree(
        request=request,
        panel=panel,
        path=path,
        to_play=colour((search.position.to_play == "black") == (len(path) % 2 == 0)),
        simulations=max(0.0, node.simulations),
        value=_rounded(node.value()),
        proof=proof_of(node.proof),
        moves=moves,
        count=len(listed),
    )


def _slot(game: Game, text: str) -> int:
    """Return the number of a move of a path."""
    number = game.parse_move(text)
    if not 0 <= number < game.move_slots:
        raise TengenError(f"{shortened(text)} is not a move of this board")
    return number


# One simulation


def step_of(loaded: LoadedPlayer, *, panel: int = 0, request: int | None = None) -> replies.Step:
    """Run one simulation and return its phases. Raises TengenError if the player has no tree, or it is proved."""
    search = tree_search(loaded)
    return _step(search, trace_simulation(search), panel, request)


def _step(search: Search, found: SimulationTrace, panel: int, request: int | None) -> replies.Step:
    game, black_first = search.game, search.position.to_play == "black"
    depth = len(found.selection)
    return replies.Step(
        request=request,
        panel=panel,
        simulation=found.number,
        selection=[_selected(game, selected) for selected in found.selection],
        expanded=None if found.expanded is None else [game.format_move(move) for move in found.expanded],
        playout=[
            PlayedMove(colour=colour(black_first == ((depth + number) % 2 == 0)), move=game.format_move(move))
            for number, move in enumerate(found.playout)
        ],
        black_result=found.outcome,
        black_score=found.score if game.has_margin else None,
        final_stones=stones_of(game, found.final_state) or None,
        backup=[_updated(game, update, black_first) for update in found.updates],
    )


def _selected(game: Game, selected: SelectedMove) -> replies.SelectedMove:
    values = selected.selection_values
    ranked = sorted(selected.moves, key=lambda move: (move.number != selected.number, -values[move.number]))
    shown = sorted(ranked[:SHOWN_SELECTION], key=lambda move: -values[move.number])
    return replies.SelectedMove(
        colour=colour(selected.is_black),
        move=game.format_move(selected.number),
        is_new=not selected.has_child,
        moves=[
            replies.MoveReport(
                move=game.format_move(move.number), selection_value=_rounded(values[move.number]), **_fields(move)
            )
            for move in shown
        ],
    )


def _updated(game: Game, update: NodeUpdate, black_first: bool) -> replies.Update:
    move = game.format_move(update.after.number)
    return replies.Update(
        path=[game.format_move(number) for number in update.path],
        colour=colour(black_first == (len(update.path) % 2 == 0)),
        move=move,
        before=replies.MoveReport(move=move, **_fields(update.before)),
        after=replies.MoveReport(move=move, **_fields(update.after)),
        rave=[game.format_move(number) for number in update.rave_moves],
    )
