"""The analysis of a board: one or two players search the shown position, side by side on one budget."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tengen.errors import TengenError
from tengen.games.game import Position
from tengen.interfaces.web import messages, search_replies
from tengen.interfaces.web.chosen_players import LoadedPlayer, has_searches
from tengen.interfaces.web.limits import LimitReached
from tengen.interfaces.web.replies import Error
from tengen.interfaces.web.search_reports import colour, panel_of, step_of, tree_of
from tengen.search.time_management import FIRST_SLICE, SLICE

if TYPE_CHECKING:
    from tengen.interfaces.web.open_board import OpenBoard


MOST_REPORTING = 0.025
"""Share of the time that may be spent on reports: on large boards there are fewer than was asked for."""


class PanelSearch:
    """One player of an analysis: its search, and what it has spent of the budget at the present position."""

    def __init__(self, loaded: LoadedPlayer):
        assert loaded.searcher is not None
        self.loaded, self.search = loaded, loaded.searcher.search
        self.simulations = 0
        self.is_complete = False
        """Whether further simulations are useless: the position is proved, or the tree counts no more."""
        self._before = 0.0

    @property
    def seconds(self) -> float:
        return self.search.seconds - self._before

    def set_position(self, position: Position) -> None:
        """Search another position with a new budget; the subtree is reused if moves lead to it."""
        self.search.set_position(position)
        self.simulations, self.is_complete, self._before = 0, False, self.search.seconds

    def run(self, count: int) -> None:
        ran = self.search.run(count)
        self.simulations += ran
        self.is_complete = ran == 0

    def slice_size(self) -> int:
        """Return the number of simulations in SLICE seconds at the present speed."""
        if not self.simulations or self.seconds <= 0:
            return FIRST_SLICE
        return max(1, min(4 * self.simulations, int(SLICE * self.simulations / self.seconds)))


class BoardAnalysis:
    """The analysis of one board."""

    def __init__(self, board: "OpenBoard"):
        self._board = board
        self.panels: list[PanelSearch] = []
        self._settings: messages.StartAnalysis | None = None
        self._job: Iterator[None] | None = None
        self._position = board.game.shown

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(self, message: messages.StartAnalysis) -> None:
        """Start an analysis of the shown position; an earlier one ends."""
        self._check(message)
        loaded: list[LoadedPlayer] = []
        try:
            for choice in message.players:
                unlimited = choice.model_copy(update={"simulations": 0, "seconds": 0.0})
                loaded.append(self._board.load(unlimited))
                if not has_searches(loaded[-1].spec):
                    raise TengenError(f"player {loaded[-1].spec} does not support analysis; choose one that searches")
        except BaseException:
            for one in loaded:
                one.release()
            raise
        self.close()
        self.panels, self._settings = [PanelSearch(one) for one in loaded], message
        self._set_position()
        self._begin()

    def _check(self, message: messages.StartAnalysis) -> None:
        """Raise TengenError for a budget above the limits, or if the game is over."""
        limits = self._board.limits
        for name, value, most in (
            ("simulations", message.simulations, limits.simulations),
            ("seconds", message.seconds, limits.seconds),
        ):
            if value > most:
                raise LimitReached(f"{name} of an analysis must be at most {most:,g} on this server, not {value:,g}")
        if self._board.game.is_over:
            raise TengenError("the game is over: there is no position to analyse")

    def _set_position(self) -> None:
        self._position = self._board.game.shown.copy()
        for panel in self.panels:
            panel.set_position(self._position)

    def _begin(self) -> None:
        """Start the simulations at the present position."""
        assert self._settings is not None
        if self._settings.playouts:
            self._board.send_score(self._position, self._settings.playouts, self._settings.request)
        self._job = self._searching(self._settings)
        self._board.lane.start(self._job)

    def follow(self) -> None:
        """Continue at the position that the board now shows; a stopped analysis only moves there."""
        if not self.panels or self._position == self._board.game.shown:
            return
        was_running = self._halt()
        if self._board.game.is_over:
            return
        self._set_position()
        if was_running:
            self._begin()

    def stop(self, message: messages.StopAnalysis) -> None:
        self._check_started()
        self._halt()
        self._report(message.request, is_running=False)

    def _halt(self) -> bool:
        """Stop the simulations; return whether there were any."""
        if self._job is None:
            return False
        self._board.lane.stop(self._job)
        self._job = None
        return True

    def close(self) -> None:
        """Stop, and free the memory."""
        self._halt()
        for panel in self.panels:
            panel.loaded.release()
        self.panels = []

    def _check_started(self) -> None:
        if not self.panels:
            raise TengenError("there is no analysis: start one first")

    # The search

    def _searching(self, settings: messages.StartAnalysis) -> Iterator[None]:
        """Search in slices until the budget is spent; the player that has spent least goes next."""
        now, due = self._board.now, self._board.now()
        try:
            while (panel := self._next(settings)) is not None:
                if (began := now()) >= due:
                    self._report(settings.request, is_running=True)
                    due = began + max(1 / settings.updates, (now() - began) / MOST_REPORTING)
                panel.run(self._slice(panel, settings))
                yield
        except TengenError as error:
            self._board.send(Error(request=settings.request, message=str(error), code="failed"))
        self._job = None
        self._report(settings.request, is_running=False)
        self._board.note_rate(self._position, panel_of(self.panels[-1].loaded, self._position).black_win_rate)

    def _next(self, settings: messages.StartAnalysis) -> PanelSearch | None:
        """Return the panel that searches next; None if the budget of all is spent."""
        open_panels = [panel for panel in self.panels if not panel.is_complete and _has_budget(panel, settings)]
        spent = (lambda panel: panel.simulations) if settings.share == "simulations" else (lambda panel: panel.seconds)
        return min(open_panels, key=spent, default=None)

    def _slice(self, panel: PanelSearch, settings: messages.StartAnalysis) -> int:
        """Return the number of simulations of the next slice: the same for both panels if they share simulations."""
        sizes = [one.slice_size() for one in self.panels] if settings.share == "simulations" else [panel.slice_size()]
        left = settings.simulations - panel.simulations
        if settings.share == "simulations":  # draw level with the other panel first
            ahead = [one.simulations - panel.simulations for one in self.panels if not one.is_complete]
            left = min([left, *(lead for lead in ahead if lead > 0)])
        return max(1, min(*sizes, left) if len(sizes) > 1 else min(sizes[0], left))

    def _report(self, request: int | None, *, is_running: bool) -> None:
        self._board.send(
            search_replies.Analysis(
                request=request,
                move_number=len(self._position.history),
                to_play=colour(self._position.to_play == "black"),
                running=is_running,
                panels=[panel_of(panel.loaded, self._position) for panel in self.panels],
            )
        )

    # Looking into the trees

    def tree(self, message: messages.Tree) -> None:
        loaded = self._panel(message.panel).loaded
        self._board.send(tree_of(loaded, message.path, message.most, panel=message.panel, request=message.request))

    def step(self, message: messages.Step) -> None:
        """Run one simulation and show its phases; a running analysis stops."""
        panel = self._panel(message.panel)
        self._halt()
        found = step_of(panel.loaded, panel=message.panel, request=message.request)
        panel.simulations += 1
        self._board.send(found)
        self._report(message.request, is_running=False)

    def _panel(self, number: int) -> PanelSearch:
        self._check_started()
        if number >= len(self.panels):
            raise TengenError(f"there is no panel {number}: the analysis has one player")
        return self.panels[number]


def _has_budget(panel: PanelSearch, settings: messages.StartAnalysis) -> bool:
    is_timed = settings.seconds > 0
    return panel.simulations < settings.simulations and not (is_timed and panel.seconds >= settings.seconds)
