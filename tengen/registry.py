"""Parts by name: games, tree policies, backups, priors, playout policies, and selections of flat players.

A part is one entry here: its name, a one-line meaning, a dataclass of its options, the record that its kernels work on,
and what it needs of a search. Players and searches are composed of parts by name and know none of them.

Parts of the package are registered by the modules in `HOMES`, imported when a kind of part is first asked for. Others
come from installed packages (entry points in the group `tengen.parts`) or from a plugin file (`tengen.plugins`).
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from tengen.errors import TengenError, shortened
from tengen.options import NoOptions, guess

if TYPE_CHECKING:
    import numpy as np

GAME = "game"
TREE_POLICY = "tree policy"
BACKUP = "backup"
PRIOR = "prior"
PLAYOUT_POLICY = "playout policy"
SELECTION = "selection"
PLURALS = {
    GAME: "games",
    TREE_POLICY: "tree policies",
    BACKUP: "backups",
    PRIOR: "priors",
    PLAYOUT_POLICY: "playout policies",
    SELECTION: "selections",
}
HOMES: dict[str, tuple[str, ...]] = {
    GAME: ("tengen.games.catalogue",),
    TREE_POLICY: ("tengen.search.tree_policies",),
    BACKUP: ("tengen.search.backup",),
    PRIOR: (
        "tengen.search.priors",
        "tengen.policies.go.knowledge",
        "tengen.policies.go.shape_weights",
        "tengen.policies.go.learnt_parts",
    ),
    PLAYOUT_POLICY: (
        "tengen.policies.uniform",
        "tengen.policies.go.mogo",
        "tengen.policies.go.shape_weights",
        "tengen.policies.go.urgency_table",
        "tengen.policies.go.learnt_parts",
    ),
    SELECTION: ("tengen.search.flat",),
}
"""The modules of the package that register parts, by kind."""
ENTRY_POINTS = "tengen.parts"
"""Group of entry points; each names a module, which registers its parts when it is imported."""
SET_BY_SEARCH = {BACKUP: ("shared",)}
"""Fields of records that the search sets; all others come from the options."""


@dataclass(frozen=True)
class Needs:
    """What a part needs of the search that uses it, and what the search may assume about it."""

    rave: bool = False
    """Tree policy: RAVE statistics in every node."""
    tactical: bool = False
    """Prior, playout policy: states of the game's tactical record."""
    compact: "Callable[[Any], bool] | None" = None
    """Prior, playout policy of one game: whether it works on the game's compact states too, from its options."""
    scratch_states: int = 0
    """Prior: states to play in, `scratch.states`."""
    tree: bool = False
    """Prior: statistics of nodes, `scratch.tree`, from which its values come."""
    notes: "Callable[[int], np.dtype] | None" = None
    """Backup: the record of its notes about a node, from the number of move slots."""
    additive: bool = False
    """Backup: visits and wins are plain sums, so that threads may count on copies of a node and add them later."""
    counts_visits: bool = True
    """Backup: a node's total is its number of visits, besides those of a prior."""


@dataclass(frozen=True)
class Part:
    """A registered part."""

    kind: str
    name: str
    meaning: str
    options: type = NoOptions
    """A frozen dataclass whose fields are made by `option`."""
    record: Any = None
    """The type of the record that chooses the part's kernels; its fields are attributes of the options. Or a function
    of the options and the game that returns such a record. For a game, its class or the place of its class."""
    game: str = ""
    """The game that the part is made for; any game if empty."""
    needs: Needs = field(default_factory=Needs)
    source: str = ""
    """The file that registered it."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"

    def make(self, options: Any, game: Any, **set_by_search: Any) -> Any:
        """Return the part's record with the values of `options`, for a game. Raises TengenError for another game."""
        if self.game and game.name != self.game:
            raise TengenError(f"the {self} is for {self.game}, not for {game.name}")
        if callable(self.record):
            return self.record(options, game)
        from tengen.jit import record_of

        values = {name: getattr(options, name) for name in self.fields if name not in set_by_search}
        return record_of(self.record, **values, **set_by_search)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the fields of the part's record, without its tag; none if a function makes it."""
        return tuple(getattr(self.record, "names", None) or ())[:-1]


_parts: dict[str, dict[str, Part]] = {kind: {} for kind in HOMES}
_loaded: set[str] = set()


def register(
    kind: str,
    name: str,
    meaning: str,
    *,
    options: type = NoOptions,
    record: Any = None,
    game: str = "",
    needs: Needs = Needs(),  # noqa: B008 - frozen
    source: str = "",
) -> Part:
    """Register a part and return it. `source` is the file that defines it, by default the caller's.

    Raises TengenError if another file has registered a part of this kind and name, if the name cannot be written in
    the player grammar, or if the record has a field that the options lack.
    """
    source = source or sys._getframe(1).f_code.co_filename
    part = Part(kind, name, meaning, options, record, game, needs, source)
    if not name or not all(letter.isalnum() or letter in "-_" for letter in name):
        raise TengenError(f"{shortened(name)} is no name for a {kind}: use letters, digits, '-' and '_'")
    known = _parts[kind].get(name)
    if known is not None and known.source != source:
        raise TengenError(f"the {part} is registered twice: by {known.source} and by {source}")
    _check_fields(part)
    _parts[kind][name] = part
    return part


def _check_fields(part: Part) -> None:
    """Raise TengenError if the part's record has a field that neither its options nor the search provide."""
    known = {*(entry.name for entry in fields(part.options)), *dir(part.options), *SET_BY_SEARCH.get(part.kind, ())}
    for name in part.fields:
        if name not in known:
            raise TengenError(
                f"the {part} cannot be registered: its record has the field {name!r}, "
                f"and {part.options.__name__} has no option or property of that name"
            )


def parts(kind: str) -> dict[str, Part]:
    """Return all registered parts of a kind by name, in alphabetical order."""
    if kind not in _loaded:
        _loaded.add(kind)
        for home in HOMES[kind]:
            import_module(home)
        _load_entry_points()
    return dict(sorted(_parts[kind].items()))


def registered_names(kind: str) -> list[str]:
    """Return the names of the parts registered so far, without importing anything."""
    return list(_parts[kind])


def all_registered() -> list[Part]:
    """Return the parts of all kinds registered so far, without importing anything."""
    return [part for by_name in _parts.values() for part in by_name.values()]


def registered_by(source: str) -> list[Part]:
    """Return the parts that a file has registered."""
    return [part for part in all_registered() if part.source == source]


def find_part(kind: str, name: str) -> Part:
    """Return a part by its name. Raises TengenError, with the names that exist, if there is none."""
    known = parts(kind)
    if name not in known:
        raise TengenError(
            f"unknown {kind} {shortened(name)}{guess(name, known)}; choose from: {', '.join(known)}"
            f" (if it is from a plugin, load that with --plugin FILE)"
        )
    return known[name]


def _load_entry_points() -> None:
    """Import the modules that installed packages name, once."""
    if ENTRY_POINTS in _loaded:
        return
    _loaded.add(ENTRY_POINTS)
    for point in entry_points(group=ENTRY_POINTS):
        try:
            point.load()
        except Exception as error:  # another package may raise anything
            raise TengenError(f"the parts of the package entry {point.name!r} cannot be loaded: {error}") from error
