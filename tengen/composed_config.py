"""Configurations that are composed of a player's own options and those of the parts that it uses.

    >>> from tengen.search.config import SearchConfig
    >>> config = SearchConfig(tree_policy="mc-rave", exploration=0.0)
    >>> config.bias
    0.02
    >>> config.replaced(tree_policy="ucb1")
    SearchConfig(exploration=0.0)

All options are in one flat namespace, as in the player grammar. Where two parts have an option of the same name, it is
one option with the same value for both. A configuration contains only options that have an effect. A part that is
chosen by an option without effect is not used and brings in no options.
"""

from collections.abc import Iterable, Mapping
from dataclasses import Field, fields
from typing import Any, ClassVar, Self

from tengen.errors import TengenError, shortened
from tengen.options import Needs, checked_setting, condition, guess
from tengen.registry import PLURALS, Part, find_part, parts


class ComposedConfig:
    """Immutable options of a player, by name: `config.simulations`. Raises TengenError for options without effect."""

    own: ClassVar[type]
    """The dataclass of the player's own options, among them those that choose parts."""
    unused: ClassVar[Mapping[str, str]] = {}
    """Options of parts that have no effect in this kind of player, each with the reason."""
    _values: dict[str, Any]

    def __init__(self, **settings: Any):
        self._set(self._composed(settings, {}), settings)

    def _set(self, values: dict[str, Any], given: Iterable[str]) -> None:
        object.__setattr__(self, "_values", values)
        for key in given:
            if key not in values:
                raise TengenError(self.why_without_effect(key))
        self.check()

    def check(self) -> None:
        """Raise TengenError if options contradict each other; for subclasses."""

    @classmethod
    def _composed(cls, given: Mapping[str, Any], fallback: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of all options with an effect: those given, else of `fallback`, else the defaults."""
        values: dict[str, Any] = {}
        needs: dict[str, Needs] = {}
        for entry in cls._entries(lambda key, default: given.get(key, fallback.get(key, default))):
            value = given.get(entry.name, fallback.get(entry.name, entry.default))
            values[entry.name] = checked_setting(entry, value, value)
            needs[entry.name] = entry.metadata["needs"]
        return {key: value for key, value in values.items() if _are_met(needs[key], values)}

    @classmethod
    def _entries(cls, chosen: Any) -> Iterable[Field]:
        """Yield the fields of all options, each part's after the one that chooses it by `chosen(key, default)`."""
        own = {entry.name: chosen(entry.name, entry.default) for entry in fields(cls.own)}
        seen: set[str] = set()
        for entry in fields(cls.own):
            seen.add(entry.name)
            yield entry
            kind, needs = entry.metadata["part"], entry.metadata["needs"]
            if kind and _are_met(needs, own):
                name = checked_setting(entry, own[entry.name], own[entry.name])
                for option in fields(find_part(kind, name).options):
                    if option.name not in seen and not cls._why_unused(option):
                        seen.add(option.name)
                        yield option

    @classmethod
    def _why_unused(cls, entry: Field) -> str:
        """Return why a part's option, or one that it needs, has no effect in this kind of player; empty if it has."""
        return next((cls.unused[key] for key in (entry.name, *entry.metadata["needs"]) if key in cls.unused), "")

    def entries(self) -> dict[str, Field]:
        """Return the fields of the options by name, those included that have no effect with the present values."""
        return {entry.name: entry for entry in self._entries(lambda key, default: self._values.get(key, default))}

    def settings(self) -> dict[str, Any]:
        """Return all options and their values."""
        return dict(self._values)

    def replaced(self, fallback: Mapping[str, Any] | None = None, /, **settings: Any) -> Self:
        """Return the configuration with other settings. Raises TengenError for one that would have no effect.

        Options that another part brings in have the values of `fallback`, else their defaults.
        """
        other = object.__new__(type(self))
        other._set(self._composed(settings, {**(fallback or {}), **self._values}), settings)
        return other

    @classmethod
    def from_stored(cls, settings: Mapping[str, Any]) -> Self:
        """Return the configuration with stored settings; those of registered parts that it does not use are left out.

        Earlier versions stored the options of all parts.
        """
        values, known = cls._composed(settings, {}), cls.known_keys()
        return cls(**{key: value for key, value in settings.items() if key in values or key not in known})

    @classmethod
    def part_keys(cls) -> dict[str, str]:
        """Return the options that choose parts, with the kinds of these parts."""
        return {entry.name: entry.metadata["part"] for entry in fields(cls.own) if entry.metadata["part"]}

    @classmethod
    def choosing_keys(cls) -> list[str]:
        """Return the options on which it depends which others there are: those that choose parts, and their needs."""
        needed = {key for entry in fields(cls.own) if entry.metadata["part"] for key in entry.metadata["needs"]}
        return [entry.name for entry in fields(cls.own) if entry.metadata["part"] or entry.name in needed]

    def chosen(self) -> dict[str, Any]:
        """Return the values of the `choosing_keys` that have an effect."""
        return {key: self._values[key] for key in self.choosing_keys() if key in self._values}

    def part(self, key: str) -> Part:
        """Return the part that an option chooses."""
        return find_part(self.part_keys()[key], self._values[key])

    def parts(self) -> list[Part]:
        """Return all parts that the configuration uses."""
        return [self.part(key) for key in self.part_keys() if key in self._values]

    def part_options(self, key: str) -> Any:
        """Return the options of the part that an option chooses, as an object of its dataclass."""
        known = {entry.name for entry in fields(self.part(key).options)}
        return self.part(key).options(**{name: value for name, value in self._values.items() if name in known})

    def make_part(self, key: str, game: Any, **set_by_search: Any) -> Any:
        """Return the record of the part that an option chooses, for a game."""
        return self.part(key).make(self.part_options(key), game, **set_by_search)

    def state_record(self, game: Any) -> Any:
        """Return the record type of the states that the configuration's parts need."""
        return game.tactical_record if any(part.needs.tactical for part in self.parts()) else game.state_record

    def compact_record(self, game: Any) -> Any:
        """Return the game's compact record type if it has one and all parts work on it, else `state_record`."""
        compact = game.compact_record
        works = compact is not None and all(self._works_compact(key) for key in self.part_keys() if key in self._values)
        return compact if works else self.state_record(game)

    def _works_compact(self, key: str) -> bool:
        """Whether a part works on compact states: one for all games uses only verbs, others say so."""
        part = self.part(key)
        return not part.game or (part.needs.compact is not None and part.needs.compact(self.part_options(key)))

    @classmethod
    def _owners(cls, key: str) -> list[Part]:
        """Return the registered parts of the configuration's kinds that have an option of this name."""
        return [
            part
            for kind in cls.part_keys().values()
            for part in parts(kind).values()
            if key in {entry.name for entry in fields(part.options)}
        ]

    def why_without_effect(self, key: str) -> str:
        """Return a sentence that says why an option is not here: what it needs, or that it is unknown."""
        if entry := self.entries().get(key):
            return f"{key} has no effect unless {condition(entry.metadata['needs'])}"
        owners = self._owners(key)
        if not owners:
            return f"unknown setting {shortened(key)}{guess(key, self.known_keys())}"
        for entry in (entry for part in owners for entry in fields(part.options) if entry.name == key):
            if reason := self._why_unused(entry):
                return f"{key} has no effect: {reason}"
        by_kind = {part.kind: [other.name for other in owners if other.kind == part.kind] for part in owners}
        of = " and of the ".join(
            f"{PLURALS[kind] if len(names) > 1 else kind} {', '.join(names)}" for kind, names in by_kind.items()
        )
        now = ", ".join(self._present_choice(kind) for kind in by_kind)
        return f"{key} has no effect with {now}: it is an option of the {of}"

    def _present_choice(self, kind: str) -> str:
        """Return the setting that chooses the part of a kind, or the setting with which none is used."""
        key = next(name for name, one in self.part_keys().items() if one == kind)
        keys = [key] if key in self._values else self.entries()[key].metadata["needs"]
        return ", ".join(f"{name}={self._values[name]}" for name in keys)

    @classmethod
    def known_keys(cls) -> list[str]:
        """Return the names of the player's own options and of those of all registered parts."""
        names = [entry.name for entry in fields(cls.own)]
        for kind in cls.part_keys().values():
            names += [entry.name for part in parts(kind).values() for entry in fields(part.options)]
        return list(dict.fromkeys(names))

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_values"][name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no setting {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable; use replaced({name}=...)")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values == other._values

    def __hash__(self) -> int:
        return hash((type(self), tuple(self._values.items())))

    def __repr__(self) -> str:
        own = {entry.name: entry.default for entry in fields(self.own)}
        usual = self._composed(self.chosen(), {}) | {key: own[key] for key in self.chosen()}
        shown = {key: value for key, value in self._values.items() if value != usual.get(key)}
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in shown.items())})"

    def __reduce__(self) -> Any:
        return _restored, (type(self), self.settings())


def _are_met(needs: Needs, values: Mapping[str, Any]) -> bool:
    """Whether other options have the values that an option needs."""
    return all(values.get(other) in wanted for other, wanted in needs.items())


def _restored(kind: type[ComposedConfig], settings: dict[str, Any]) -> ComposedConfig:
    """Return a configuration from its pickled settings."""
    return kind(**settings)


def settings_of(config: Any) -> dict[str, Any]:
    """Return the options of a composed configuration, or of a dataclass, and their values."""
    return config.settings() if isinstance(config, ComposedConfig) else dict(vars(config))


def entries_of(config: Any) -> dict[str, Field]:
    """Return the fields of a configuration's options by name, those included that have no effect at present."""
    return config.entries() if isinstance(config, ComposedConfig) else {one.name: one for one in fields(config)}


def choices_of(entry: Field) -> list[str]:
    """Return the values of an option that has a fixed set of them: its choices, or the names of registered parts."""
    return list(parts(entry.metadata["part"]) if entry.metadata["part"] else entry.metadata["choices"])
