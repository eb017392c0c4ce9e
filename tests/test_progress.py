"""Standard error that cannot be written must not end a command."""

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from tengen.progress import LossyStream, progress_console, say


class Full(io.StringIO):
    """A stream on a full disk."""

    def write(self, text: str) -> int:
        raise OSError(28, "No space left on device")

    def flush(self) -> None:
        raise OSError(28, "No space left on device")


def test_a_failed_write_is_ignored():
    stream = LossyStream(Full())
    assert stream.write("text") == 4
    stream.flush()
    assert not stream.isatty()


def test_text_is_written_to_a_working_stream():
    below = io.StringIO()
    LossyStream(below).write("text")
    assert below.getvalue() == "text"


def test_progress_output_ignores_a_full_standard_error(monkeypatch):
    monkeypatch.setattr("sys.stderr", Full())
    with pytest.raises(OSError, match="No space"):
        Console(stderr=True).print("text")
    console = progress_console()
    console.print("text")
    with Progress(console=console) as progress:
        progress.advance(progress.add_task("games", total=2))
    say("text")


def test_say_prints_a_line_on_standard_error(capsys):
    say("text")
    assert capsys.readouterr().err == "text\n"
