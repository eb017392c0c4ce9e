"""A board that is open in a page: its game, its players' moves, its analysis and its review.

All methods are called in the board's lane (see `scheduler`), so that none runs beside another. A request that is
refused raises TengenError and changes nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tengen.errors import TengenError
from tengen.files import Unwritable
from tengen.games.game import Game, Position
from tengen.games.player import RESIGN, choice_name
from tengen.interfaces.scheduler import Lane
from tengen.interfaces.web import messages, replies, search_replies
from tengen.interfaces.web.board_analysis import MOST_REPORTING, BoardAnalysis
from tengen.interfaces.web.board_files import BoardFiles
from tengen.interfaces.web.board_review import BoardReview
from tengen.interfaces.web.chosen_players import LoadedPlayer, has_searches, load, spec_of
from tengen.interfaces.web.geometry import geometry_of
from tengen.interfaces.web.limits import MemoryBudget, ServerLimits
from tengen.interfaces.web.messages import PlayerChoice
from tengen.interfaces.web.played_game import PlayedGame, choice_of, title_of
from tengen.interfaces.web.search_reports import colour, panel_of
from tengen.players import PolicyConfig
from tengen.search.estimate import estimate
from tengen.search.search_player import SearchingPlayer

Send = Callable[[replies.ServerMessage], None]
THINKING_UPDATES = 4.0
"""Messages per second while a player searches for its move."""


@dataclass(frozen=True)
class Surroundings:
    """What a board uses of the server."""

    files: BoardFiles
    limits: ServerLimits
    budget: MemoryBudget
    lane: Lane
    send: Send
    now: Callable[[], float]
    prepared: set[tuple[str, Game]]
    """Players and games whose kernels this process has been told to prepare."""


@dataclass
class Thought:
    """A player's search for its move."""

    job: Iterator[None]
    colour: str
    is_ended: bool = field(default=False)
    """Whether the player is to end its search and move."""


class OpenBoard:
    """A board that is open in a page."""

    def __init__(self, board: str, game: PlayedGame, around: Surroundings):
        self.board, self.game, self._around = board, game, around
        self._players: dict[str, LoadedPlayer] = {}
        self._thought: Thought | None = None
        self.analysis = BoardAnalysis(self)
        self.review = BoardReview(self)
        self.is_closed = False

    # What the parts of a board share

    @property
    def lane(self) -> Lane:
        return self._around.lane

    @property
    def limits(self) -> ServerLimits:
        return self._around.limits

    @property
    def now(self) -> Callable[[], float]:
        return self._around.now

    def send(self, message: replies.ServerMessage) -> None:
        if not self.is_closed:
            self._around.send(message)

    def load(self, choice: PlayerChoice) -> LoadedPlayer:
        """Create a player and reserve its memory. Raises TengenError."""
        game = self.game.game
        spec = spec_of(choice, game, self.limits)
        if (spec.name, game) not in self._around.prepared:
            self._around.prepared.add((spec.name, game))
            about = f"preparing {spec.name} for {title_of(game)}: compiling takes up to a minute the first time"
            self.send(replies.Notice(message=about))
        return load(spec, game, self._around.budget)

    def usual_player(self) -> PlayerChoice:
        return PlayerChoice(player=self.game.game.default_player)

    def note_rate(self, position: Position, rate: float | None) -> None:
        """Keep the win rate that a search has found for a position of the game."""
        self.game.note_rate(len(position.history), rate)

    # The board

    def describe(self, request: int | None = None) -> None:
        """Send the board and the position; let a player move whose turn it is."""
        game = self.game.game
        records = game.records()
        black, white = (self._side(name) for name in ("black", "white"))
        self.send(
            replies.Board(
                request=request,
                board=self.board,
                game=choice_of(game),
                title=title_of(game),
                geometry=geometry_of(game),
                black=black,
                white=white,
                record_suffix=records.suffix if records else None,
                has_margin=game.has_margin,
                has_ownership=bool(game.places()),
            )
        )
        self._show(request)
        self._let_player_move()

    def _side(self, name: str) -> replies.Side:
        choice = self.game.players[name]
        if choice is None:
            return replies.Side(kind="person")
        return replies.Side(kind="player", player=choice, description=str(spec_of(choice, self.game.game, self.limits)))

    def set_sides(self, message: messages.SetSides) -> None:
        players = {"black": message.black, "white": message.white}
        for choice in players.values():
            if choice is not None:
                spec_of(choice, self.game.game, self.limits)
        self._stop_thought()
        self.game.players = players
        self._release_players()
        self.save()
        self.describe(message.request)

    def save(self) -> None:
        """Write the board's file. If that fails, the page is told, and the game goes on."""
        if self.is_closed:
            return
        try:
            self._around.files.save(self.board, self.game)
        except Unwritable as error:
            self.send(replies.Error(message=f"the game goes on, but is not saved: {error}", code="failed"))

    def close(self) -> None:
        """Stop everything and free the memory. The board's file stays."""
        self.is_closed = True
        self._stop_thought()
        self.review.stop()
        self.analysis.close()
        self._release_players()

    def _release_players(self) -> None:
        for loaded in self._players.values():
            loaded.release()
        self._players = {}

    # The game

    def play(self, message: messages.Play | messages.Pass) -> None:
        move = message.move if isinstance(message, messages.Play) else "pass"
        self._change(lambda: self.game.play(move), message.request)

    def undo(self, message: messages.Undo) -> None:
        self._change(lambda: self.game.undo(message.count), message.request, moves_on=False)

    def resign(self, message: messages.Resign) -> None:
        self._change(self.game.resign, message.request)

    def goto(self, message: messages.Goto) -> None:
        """Show another position. A player's search for a move at the end of the game stops."""
        self._change(lambda: self.game.goto(message.move), message.request, is_saved=False)

    def _change(
        self, change: Callable[[], None], request: int | None, *, is_saved: bool = True, moves_on: bool = True
    ) -> None:
        """Change the game, send the position, continue the analysis there, and let a player move."""
        change()
        self._stop_thought()
        if is_saved:
            self.save()
        self._show(request)
        self.analysis.follow()
        if moves_on and self.game.is_at_end:
            self._let_player_move()

    def _show(self, request: int | None = None) -> None:
        self.send(self.game.message(request))

    # A player's move

    def move_now(self, message: messages.MoveNow) -> None:
        if self._thought is not None:
            self._thought.is_ended = True
            return
        if self.game.is_over:
            raise TengenError("the game is over: there is no move to choose")
        mover = self.game.shown.to_play
        other = "white" if mover == "black" else "black"
        choice = self.game.players[mover] or self.game.players[other] or self.usual_player()
        self._think(choice)

    def _let_player_move(self) -> None:
        choice = self.game.mover
        if choice is not None and self.game.is_at_end:
            self._think(choice)

    def _think(self, choice: PlayerChoice) -> None:
        self._stop_thought()
        loaded, mover = self._player(choice), self.game.shown.to_play
        self._thought = Thought(self._thinking(loaded, mover), mover)
        self.lane.start(self._thought.job)

    def _player(self, choice: PlayerChoice) -> LoadedPlayer:
        """Return a side's player, which is kept for its tree and its random numbers."""
        key = choice.model_dump_json()
        if key not in self._players:
            self._players[key] = self.load(choice)
        return self._players[key]

    def _stop_thought(self) -> None:
        if self._thought is not None:
            self.lane.stop(self._thought.job)
            self.send(search_replies.Thinking(colour=colour(self._thought.colour == "black"), active=False))
            self._thought = None

    def _thinking(self, loaded: LoadedPlayer, mover: str) -> Iterator[None]:
        """Search for a move and play it. Between two steps the board may stop this."""
        position = self.game.shown.copy()
        self.send(search_replies.Thinking(colour=colour(mover == "black"), active=True))
        yield
        try:
            yield from self._searching(loaded, position, mover)
            move = self._choice(loaded, position)
            self._end_thought()
            if move == RESIGN:
                self.game.resign_for(mover)
            else:
                self.game.play(choice_name(position.game, move))
        except TengenError as error:
            self._end_thought()
            self.send(replies.Error(message=f"{loaded.spec} cannot move: {error}", code="failed"))
            return
        try:
            self._change(lambda: None, None)
        except TengenError as error:  # of the other side's player
            self.send(replies.Error(message=str(error), code="failed"))

    def _end_thought(self) -> None:
        """Forget the search, whose job goes on to play the move."""
        if self._thought is not None:
            self.send(search_replies.Thinking(colour=colour(self._thought.colour == "black"), active=False))
            self._thought = None

    def _searching(self, loaded: LoadedPlayer, position: Position, mover: str) -> Iterator[None]:
        """Search in slices, and report several times a second."""
        if loaded.searcher is None:
            return
        due = self.now() + 1 / THINKING_UPDATES
        for _ in loaded.searcher.search_slices(position):
            if self._thought is not None and self._thought.is_ended and loaded.searcher.search.value() is not None:
                return
            if (began := self.now()) >= due:
                panel = panel_of(loaded, position)
                self.send(search_replies.Thinking(colour=colour(mover == "black"), active=True, panel=panel))
                due = began + max(1 / THINKING_UPDATES, (self.now() - began) / MOST_REPORTING)
            yield

    def _choice(self, loaded: LoadedPlayer, position: Position) -> int:
        """Return the number of the move to play, or RESIGN, and keep the win rate that the search has found."""
        if not isinstance(loaded.player, SearchingPlayer):
            return loaded.player.choose_number(position)
        panel = panel_of(loaded, position)
        self.send(search_replies.Thinking(colour=colour(position.to_play == "black"), active=True, panel=panel))
        self.note_rate(position, panel.black_win_rate)
        return loaded.player.best_number(position)

    # Questions about the position

    def hint(self, message: messages.Hint) -> None:
        if self.game.is_over:
            raise TengenError("the game is over: there is no move to choose")
        other = "white" if self.game.shown.to_play == "black" else "black"
        usual = next(
            (one for one in (self.game.players[other], self.game.players[self.game.shown.to_play]) if one), None
        )
        choice = message.player or usual or self.usual_player()
        self.lane.start(self._hinting(self.load(choice), message.request))

    def _hinting(self, loaded: LoadedPlayer, request: int | None) -> Iterator[None]:
        position = self.game.shown.copy()
        try:
            for _ in loaded.searcher.search_slices(position) if loaded.searcher else ():
                if self.is_closed:
                    return
                yield
            panel = panel_of(loaded, position) if has_searches(loaded.spec) else None
            if isinstance(loaded.player, SearchingPlayer):
                move = loaded.player.best_number(position)
            else:
                move = loaded.player.choose_number(position)
            name = choice_name(position.game, move)
            self.send(search_replies.Hint(request=request, move_number=len(position.history), move=name, panel=panel))
        except TengenError as error:
            self.send(replies.Error(request=request, message=str(error)))
        finally:
            loaded.release()

    def score(self, message: messages.Score) -> None:
        self.send_score(self.game.shown, message.playouts, message.request)

    def send_score(self, position: Position, playouts: int, request: int | None) -> None:
        """Send the score and the ownership of a position by playouts of the uniform policy."""
        if position.is_over:
            found, mean, deviation = None, position.score, 0.0
        else:
            found = estimate(PolicyConfig(), position, playouts)
            mean, deviation = found.score, found.deviation
        self.send(
            search_replies.Score(
                request=request,
                move_number=len(position.history),
                playouts=playouts,
                margin=position.score if position.game.has_margin else None,
                mean=round(mean, 3),
                deviation=round(deviation, 3),
                ownership={name: round(owner, 3) for name, owner in found.ownership.items()} if found else {},
            )
        )

    def save_record(self, message: messages.SaveRecord) -> None:
        game = self.game.game
        records = game.records()
        if records is None:
            raise TengenError(f"games of {game.name} cannot be saved: {game.name} has no record format")
        names = {name: choice.player if choice else "" for name, choice in self.game.players.items()}
        written = records.write(self.game.position, black=names["black"], white=names["white"], result=self._result())
        name = f"{title_of(game).replace(' ', '-')}{records.suffix}"
        self.send(replies.Record(request=message.request, name=name, text=written.decode("utf-8", "replace")))

    def _result(self) -> str | None:
        """Return the result of a resignation, as records have it."""
        return None if self.game.resigned is None else f"{'W' if self.game.resigned == 'black' else 'B'}+R"


def handler_of(board: OpenBoard, message: Any) -> Callable[[], None]:
    """Return the call that does what a message asks of its board."""
    handlers: dict[type, Callable[[Any], None]] = {
        messages.SetSides: board.set_sides,
        messages.Play: board.play,
        messages.Pass: board.play,
        messages.Undo: board.undo,
        messages.Resign: board.resign,
        messages.MoveNow: board.move_now,
        messages.Goto: board.goto,
        messages.Hint: board.hint,
        messages.Score: board.score,
        messages.SaveRecord: board.save_record,
        messages.StartAnalysis: board.analysis.start,
        messages.StopAnalysis: board.analysis.stop,
        messages.Tree: board.analysis.tree,
        messages.Step: board.analysis.step,
        messages.StartReview: board.review.start,
        messages.StopReview: board.review.stop_by,
    }
    return lambda: handlers[type(message)](message)
