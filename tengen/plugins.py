"""Plugins: Python files of users that register parts.

A plugin is named by the command line (`--plugin FILE`), by the user's own TOML file or from Python, never by data: a
stored game, tree or weights file that names an unknown part is an error. Worker processes load the same plugins as
their parent before they see a task.
"""

import hashlib
import importlib.util
import sys
import traceback
from pathlib import Path
from typing import Any

from tengen.errors import TengenError, shortened
from tengen.registry import Part, registered_by

_loaded: dict[Path, Any] = {}


def load_plugin(path: str | Path) -> list[Part]:
    """Run a Python file that registers parts, once, and return these parts.

    The folder of the file is added to the import path, so that it can import modules beside it. Raises TengenError if
    the file cannot be read, fails, or registers nothing.
    """
    file = Path(path).expanduser().resolve()
    if file not in _loaded:
        if not file.is_file():
            raise TengenError(f"there is no plugin {shortened(path, 160)}")
        _loaded[file] = _run(file)
    found = registered_by(str(file))
    if not found:
        raise TengenError(f"the plugin {file.name} registers no part; see the examples of tengen.tree_policy")
    return found


def loaded_plugins() -> list[str]:
    """Return the files of all plugins loaded in this process, for its workers to load."""
    return [str(file) for file in _loaded]


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
        raise TengenError(f"plugin {file.name}{_line_in(file, error)}: {type(error).__name__}: {error}") from error
    return module


def _line_in(file: Path, error: Exception) -> str:
    """Return a clause with the last line of a file that an error passed through, if there is one."""
    if isinstance(error, SyntaxError) and error.lineno:
        return f", line {error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename) == file]
    return f", line {lines[-1]}" if lines else ""
