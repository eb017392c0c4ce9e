"""The review of a board's game, as by `tengen analyze`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tengen.arena.game_review import Effort, ReviewedMove, is_blunder, review_slices
from tengen.errors import TengenError
from tengen.games.game import Position
from tengen.interfaces.review import better_lines, remark
from tengen.interfaces.web import messages, replies
from tengen.interfaces.web.chosen_players import LoadedPlayer
from tengen.interfaces.web.limits import LimitReached

if TYPE_CHECKING:
    from tengen.interfaces.web.open_board import OpenBoard

USUAL_SECONDS = 0.5
"""Mean seconds per position without other limits."""
UPDATES = 4.0
"""Messages per second."""


class BoardReview:
    """The review of one board's game."""

    def __init__(self, board: "OpenBoard"):
        self._board = board
        self._job: Iterator[None] | None = None
        self._loaded: LoadedPlayer | None = None

    def start(self, message: messages.StartReview) -> None:
        """Start a review of the whole game; an earlier one ends."""
        limits, position = self._board.limits, self._board.game.position
        if not position.history:
            raise TengenError("there are no moves to review")
        if message.simulations > limits.simulations or message.seconds > limits.seconds:
            raise LimitReached(
                f"a review has at most {limits.simulations:,} simulations and {limits.seconds:g} seconds per position"
            )
        loaded = self._board.load(message.player or self._board.usual_player())
        if loaded.searcher is None:
            loaded.release()
            raise TengenError(f"player {loaded.spec} does not support analysis; choose one that searches")
        self.stop()
        seconds = message.seconds or (0.0 if message.simulations else USUAL_SECONDS)
        self._loaded = loaded
        self._job = self._reviewing(message, loaded, position.copy(), Effort(message.simulations, seconds))
        self._board.lane.start(self._job)

    def stop_by(self, message: messages.StopReview) -> None:
        name = str(self._loaded.spec) if self._loaded else ""
        self.stop()
        self._board.send(replies.Review(request=message.request, player=name, done=0.0, moves=[]))

    def stop(self) -> None:
        """End the review and free its memory."""
        if self._job is not None:
            self._board.lane.stop(self._job)
        if self._loaded is not None:
            self._loaded.release()
        self._job = self._loaded = None

    def _reviewing(
        self, message: messages.StartReview, loaded: LoadedPlayer, position: Position, effort: Effort
    ) -> Iterator[None]:
        assert loaded.searcher is not None
        slices, now = review_slices(position, loaded.searcher, effort), self._board.now
        reported, name = now(), str(loaded.spec)
        try:
            while True:
                try:
                    done = next(slices)
                except StopIteration as end:
                    moves: list[ReviewedMove] = end.value
                    break
                if now() - reported >= 1 / UPDATES and done < 1.0:
                    reported = now()
                    self._board.send(replies.Review(request=message.request, player=name, done=done, moves=[]))
                yield
            self._finish(message, name, position, moves)
        except TengenError as error:
            self._board.send(replies.Error(request=message.request, message=str(error), code="failed"))
        self.stop()

    def _finish(self, message: messages.StartReview, name: str, position: Position, moves: list[ReviewedMove]) -> None:
        """Send the reviewed moves and keep their win rates, if the game is still the same."""
        self._board.send(
            replies.Review(
                request=message.request,
                player=name,
                done=1.0,
                moves=[_described(move, message.blunder) for move in moves],
                annotated=_annotated(position, moves, message.blunder),
            )
        )
        if self._board.game.position.history[: len(position.history)] == position.history:
            self._board.game.note_rate(0, moves[0].black_before)
            for move in moves:
                self._board.game.note_rate(move.number, move.black_after)
            self._board.save()
            self._board.send(self._board.game.message())


def _described(move: ReviewedMove, threshold: float) -> replies.ReviewedMove:
    return replies.ReviewedMove(
        number=move.number,
        colour="black" if move.colour == "black" else "white",
        move=move.move,
        black_before=round(move.black_before, 4),
        black_after=round(move.black_after, 4),
        loss=round(move.loss, 4),
        best=move.best,
        variation=move.variation,
        has_better=move.has_better,
        is_blunder=is_blunder(move, threshold),
    )


def _annotated(position: Position, moves: list[ReviewedMove], threshold: float) -> str | None:
    """Return the record with the review in it; None for games without a record format."""
    records = position.game.records()
    if records is None:
        return None
    written = records.annotate(
        records.write(position),
        {move.number: remark(move, threshold) for move in moves},
        {move.number: move.black_after for move in moves},
        {move.number for move in moves if is_blunder(move, threshold)},
        better_lines(moves),
    )
    return written.decode("utf-8", "replace")
