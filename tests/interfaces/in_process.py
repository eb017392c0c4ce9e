"""The command line in this process, which takes no start of Python; test_cli tests the program itself."""

import contextlib
import subprocess
from pathlib import Path

from typer.testing import CliRunner

from tengen.interfaces.cli import app

ENVIRONMENT = {"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"}


def tengen(*arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    with contextlib.chdir(folder or Path.cwd()):
        done = CliRunner(env=ENVIRONMENT).invoke(app, arguments)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    shown, errors = done.stdout, done.stderr
    if isinstance(done.exception, SystemExit) and isinstance(done.exception.code, str):
        last = f"{done.exception.code}\n"  # Python writes it to standard error, the runner to standard output
        shown, errors = shown.removesuffix(last), errors + last
    return subprocess.CompletedProcess(arguments, done.exit_code, shown, errors)


def output_of(*arguments: str, folder: Path | None = None) -> str:
    """Return the output of a command that must succeed."""
    done = tengen(*arguments, folder=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout
