"""Options of a command from the settings of its methods: one option for each field of their dataclasses."""

import inspect
from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any

import typer


def with_settings(run: Any, kinds: Mapping[str, type]) -> Any:
    """Return the command with an option for each setting of the methods, whose classes are `kinds`.

    The options have no defaults, so that it is known which were given. The command gets them as keyword arguments.
    """
    signature = inspect.signature(run)
    parameters = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    annotations = {name: kind for name, kind in run.__annotations__.items() if name != "given"}
    for name, owners in _owners(kinds).items():
        entry = owners[next(iter(owners))]
        about = [f"{one.default} ({method})" for method, one in owners.items()]
        usual = str(entry.default) if len({one.default for one in owners.values()}) == 1 else ", ".join(about)
        only = "" if len(owners) == len(kinds) else f" Method {', '.join(owners)}."
        meanings = {method: one.metadata["meaning"] for method, one in owners.items()}
        by_meaning = {text: [method for method in owners if meanings[method] == text] for text in meanings.values()}
        meaning = entry.metadata["meaning"]
        if len(by_meaning) > 1:
            meaning = "; ".join(f"{text} ({', '.join(methods)})" for text, methods in by_meaning.items())
        start = meaning if "=" in meaning else f"{meaning[0].upper()}{meaning[1:]}"
        text = f"{start}.{only} Default: {usual}."
        kind: Any = type(entry.default) | None
        annotation: Any = Annotated[kind, typer.Option(flag(name), help=text)]
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
        annotations[name] = annotation
    run.__signature__ = signature.replace(parameters=parameters)
    run.__annotations__ = annotations
    return run


def _owners(kinds: Mapping[str, type]) -> dict[str, dict[str, Any]]:
    """Return, by name of a setting, its field in each method that has it."""
    found: dict[str, dict[str, Any]] = {}
    for method, kind in kinds.items():
        for entry in fields(kind):
            found.setdefault(entry.name, {})[method] = entry
    return found


def flag(name: str) -> str:
    """Return the option of a setting."""
    return "--lambda" if name == "decay" else f"--{name.replace('_', '-')}"


def made_settings(kind: type, given: dict[str, Any], refusal: str = "") -> Any:
    """Return the settings of a class from the options that were given, those that are not None.

    Raises TengenError for an option that the class lacks: its name and `refusal`.
    """
    from tengen.errors import TengenError
    from tengen.options import checked_setting

    known = {entry.name: entry for entry in fields(kind)}
    stated = {name: value for name, value in given.items() if value is not None}
    for name, value in stated.items():
        if name not in known:
            raise TengenError(f"{flag(name)} {refusal}")
        try:
            checked_setting(known[name], value, value)
        except TengenError as error:
            raise TengenError(str(error).replace(name, flag(name), 1)) from None
    return kind(**stated)
