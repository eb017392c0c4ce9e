"""Plugins: Python files of users that register parts.

A plugin is named by the command line (`--plugin FILE`), by the user's own TOML file or from Python, never by data: a
stored game, tree or weights file that names an unknown part is an error. Worker processes load the same plugins as
their parent before they see a task.
"""

import hashlib
import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.games.catalogue import register_game
from tengen.registry import GAME, Part, all_registered, registered_by

_loaded: dict[Path, Any] = {}


def load_plugin(path: str | Path) -> list[Part]:
    """Run a Python file that registers parts, once, and return these parts.

    Classes of games that the file defines are registered by their names. The folder of the file is added to the import
    path, so that it can import modules beside it. Raises TengenError if the file cannot be read, fails, or registers
    nothing.
    """
    file = Path(path).expanduser().resolve()
    if file not in _loaded:
        if not file.is_file():
            raise TengenError(f"there is no plugin {shortened(path, 160)}")
        module = _run(file)
        _register_games(module, str(file))
        _loaded[file] = module
    found = registered_by(str(file))
    if not found:
        raise TengenError(f"the plugin {file.name} registers no part and defines no game")
    return found


def game_of_plugin(path: str | Path) -> str:
    """Load a plugin and return the name of its game. Raises TengenError if it has none or several."""
    games = [part.name for part in load_plugin(path) if part.kind == GAME]
    if len(games) != 1:
        found = f"the games {', '.join(games)}; load it with --plugin and name one" if games else "no game"
        raise TengenError(f"{Path(path).name} defines {found}")
    return games[0]


def loaded_plugins() -> list[str]:
    """Return the files of all plugins loaded in this process, for its workers to load."""
    return [str(file) for file in _loaded]


def fault_in_plugin(error: BaseException) -> str:
    """Return a sentence with the last line of a user's file that an error passed through; empty if it passed none."""
    files = {file for part in all_registered() for file in part_files(part)}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if Path(frame.filename).resolve() in files:
            name = Path(frame.filename).name
            return f"{frame.name} in {name}, line {frame.lineno}: {type(error).__name__}: {_first_line(error)}"
    return ""


def part_files(part: Part) -> set[Path]:
    """Return the user's files that a part is defined in: the one that registers it and its imports; none of ours."""
    from tengen.jit.cache import is_ours, sources

    return set() if is_ours(part.source) else sources(part.source)


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0]


def _run(file: Path) -> Any:
    """Import a file as a module whose name is the same in every process. Raises TengenError if that fails."""
    name = f"tengen_plugin_{file.stem}_{hashlib.sha256(str(file).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise TengenError(f"the plugin {file.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    if str(file.parent) not in sys.path:
        sys.path.append(str(file.parent))
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except TengenError as error:
        del sys.modules[name]
        raise TengenError(f"plugin {file.name}{_line_in(file, error)}: {error}") from error
    except Exception as error:  # a user's file may raise anything
        del sys.modules[name]
        reason = f"{type(error).__name__}: {_first_line(error)}"
        raise TengenError(f"plugin {file.name}{_line_in(file, error)}: {reason}") from error
    return module


def _register_games(module: Any, source: str) -> None:
    """Register the games that a module defines and has not registered itself."""
    from tengen.games.game import Game

    known = {part.name for part in registered_by(source)}
    for found in vars(module).values():
        is_game = isinstance(found, type) and issubclass(found, Game) and found.__module__ == module.__name__
        if is_game and not inspect.isabstract(found) and hasattr(found, "name") and found.name not in known:
            register_game(found, source)


def _line_in(file: Path, error: Exception) -> str:
    """Return a clause with the last line of a file that an error passed through, if there is one."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == file]
    return f", line {lines[-1]}" if lines else ""
