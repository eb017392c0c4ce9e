"""Results of searches as JSON objects in KataGo's form."""

import hashlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tengen.games.game import Position
from tengen.interfaces.analysis_server.query import Query
from tengen.interfaces.kata_numbers import (
    move_numbers,
    move_score_numbers,
    ownership_by_rows,
    prior_of,
    root_numbers,
    turned,
)
from tengen.search.analysis import Analysis, MoveAnalysis, analyse
from tengen.search.estimate import Estimate, estimate
from tengen.search.search_player import SearchingPlayer, SearchPlayer

ROOT_PLAYOUTS = (50, 500)
"""Least and most playouts for the score and the ownership of the position; between them, as many as its visits."""
MOVE_PLAYOUTS = (10, 100)
"""The same for each move."""
DIGITS = 6
"""Decimal places of numbers."""


def without_results(query: Query, turn: int) -> dict[str, Any]:
    """Return the response for a turn whose analysis ended before it began."""
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


@dataclass(frozen=True)
class Report:
    """Makes the response about the present state of a player's search."""

    query: Query
    turn: int
    player: SearchingPlayer
    position: Position

    def response(self, *, is_during_search: bool) -> dict[str, Any]:
        query, found = self.query, self._analysis()
        moves = [move for move in found.moves if move.visits > 0 or move.proof == "win"]
        best = moves[0].number if moves else None
        whole = self._estimate(self.position, best, within(found.simulations, ROOT_PLAYOUTS))
        response: dict[str, Any] = {
            "id": query.id,
            "turnNumber": self.turn,
            "isDuringSearch": is_during_search,
            "moveInfos": [self._move(found, move, order, best) for order, move in enumerate(moves)],
            "rootInfo": self._root(found, whole),
        }
        if query.ownership:
            response["ownership"] = self._owners(whole)
        if query.policy and any(move.prior is not None for move in found.moves):
            response["policy"] = policy_by_rows(found)
        return response

    def _analysis(self) -> Analysis:
        if isinstance(self.player, SearchPlayer):
            return analyse(self.player.search, self.position, longest_variation=self.query.longest_variation)
        return self.player.analysis(self.position)

    def _estimate(self, position: Position, expected: int | None, playouts: int) -> Estimate:
        """Return score and ownership by playouts from a position, and from that after the expected move if it is legal.

        In playouts, the side to move has the advantage of the first move, but not of a good one. The mean of both
        positions favours no side: see docs/analysis-server.md.
        """
        here = estimate(self.player.config, position, playouts)
        if expected is None or position.is_over or not position.is_legal(expected):
            return here
        return mean_of(here, estimate(self.player.config, position.copy().play(expected), playouts))

    @property
    def _is_turned(self) -> bool:
        """Whether numbers are reported from the view of the side that is not to move."""
        return self.query.viewpoint not in (None, self.position.to_play)

    def _numbers(self, numbers: dict[str, float]) -> dict[str, float]:
        """Return numbers of the side to move from the view asked for, rounded."""
        seen = turned(numbers) if self._is_turned else numbers
        return {key: round(float(number), DIGITS) for key, number in seen.items()}

    def _move(self, found: Analysis, move: MoveAnalysis, order: int, best: int | None) -> dict[str, Any]:
        """Return the report on a move. Without a visited reply to it, the reply is the best move of the position."""
        game, visits, variation = self.position.game, round(move.visits), self._variation(move)
        reply = variation[1][0] if len(variation) > 1 else best
        after = self._estimate(self.position.copy().play(move.number), reply, within(visits, MOVE_PLAYOUTS))
        numbers = move_numbers(found, move) | move_score_numbers(self.position, after)
        numbers |= {"edgeWeight": numbers["weight"], "playSelectionValue": numbers["weight"]}
        report = {
            "move": game.format_vertex(move.number),
            "order": order,
            "visits": visits,
            "edgeVisits": visits,
            "pv": [game.format_vertex(number) for number, _ in variation],
            **self._numbers(numbers),
        }
        if self.query.variation_visits:
            report["pvVisits"] = report["pvEdgeVisits"] = [count for _, count in variation]
        if self.query.moves_ownership:
            report["ownership"] = self._owners(after)
        return report

    def _variation(self, move: MoveAnalysis) -> list[tuple[int, int]]:
        """Return the numbers and the visits of the moves of a variation; it ends before a move without visits."""
        found = [(move.number, round(move.visits))]
        node = self.player.search.root().child(move.number) if isinstance(self.player, SearchPlayer) else None
        for name in move.variation[1:]:
            number = self.position.game.parse_move(name)
            visits = 0 if node is None else round(float(node.visits()[number]))
            if node is None or visits == 0:
                break
            found.append((number, visits))
            node = node.child(number)
        return found

    def _root(self, found: Analysis, whole: Estimate) -> dict[str, Any]:
        numbers = root_numbers(found, whole)
        numbers |= {"scoreSelfplay": numbers["scoreMean"]}
        this, symmetric = position_hashes(self.position)
        return {
            "visits": found.simulations,
            "currentPlayer": self.position.to_play[0].upper(),
            "thisHash": this,
            "symHash": symmetric,
            **self._numbers(numbers),
        }

    def _owners(self, found: Estimate) -> list[float]:
        """Return the ownership of all points, from the top left."""
        sign = -1 if self._is_turned else 1
        return [round(sign * owner, DIGITS) + 0.0 for owner in ownership_by_rows(self.position, found.ownership)]


def within(count: int, limits: tuple[int, int]) -> int:
    """Return the number within limits that is nearest to `count`."""
    return min(limits[1], max(limits[0], count))


def mean_of(first: Estimate, second: Estimate) -> Estimate:
    """Return the estimate by the playouts of two estimates with equally many."""
    score = (first.score + second.score) / 2
    squares = (first.deviation**2 + second.deviation**2) / 2 + ((first.score - second.score) / 2) ** 2
    owners = {name: (owner + second.ownership[name]) / 2 for name, owner in first.ownership.items()}
    return Estimate(ownership=owners, score=score, deviation=math.sqrt(squares))


def policy_by_rows(found: Analysis) -> list[float]:
    """Return the prior of each point from the top left, and last of the pass; -1 for illegal moves."""
    position, game = found.position, found.position.game
    shares = dict.fromkeys(map(int, position.legal_move_numbers()), 0.0)
    shares |= {move.number: prior_of(found, move) for move in found.moves}
    rows = game.rows(position.state)
    numbers = [game.parse_move(cell.name) for row in rows for cell in row if cell is not None]
    return [round(shares.get(number, -1.0), DIGITS) for number in (*numbers, game.untracked_move)]


def position_hashes(position: Position) -> tuple[str, str]:
    """Return a hash of the stones, the side to move and the point of a ko, and one that all symmetric boards share."""
    board = position.board
    game, state = position.game, position.state
    marked = board.copy()
    names = [[cell.name if cell else "" for cell in row] for row in game.rows(state)]
    for row, cells in enumerate(names):
        for column, name in enumerate(cells):
            if game.parse_move(name) == int(state.ko):
                marked[row, column] = 3
    boards = [np.rot90(flipped, turns) for flipped in (marked, marked.T) for turns in range(4)]
    hashes = [_hash(seen, position.to_play) for seen in boards]
    return hashes[0], min(hashes)


def _hash(board: np.ndarray, to_play: str) -> str:
    content = np.ascontiguousarray(board).tobytes() + to_play.encode()
    return hashlib.blake2b(content, digest_size=16).hexdigest().upper()
