"""Output on terminals whose encoding lacks some of the printed characters."""

import os
import select
import subprocess
import sys
import time

import pytest

from tengen.interfaces.encodings import HANDLER, NEAREST, never_fail_to_encode
from tests.interfaces.test_cli import ENVIRONMENT, program

BOX = "╭─╮│╰╯"


@pytest.fixture(autouse=True)
def _registered():
    never_fail_to_encode()


def test_characters_that_an_encoding_lacks_are_replaced_by_similar_ones():
    text = f"⠋ black · 3 ± 1 {BOX} é ☃"
    assert text.encode("latin-1", HANDLER).decode("latin-1") == "| black · 3 ± 1 +-+|++ é ?"
    assert text.encode("ascii", HANDLER).decode() == "| black - 3 +- 1 +-+|++ ? ?"
    assert text.encode("utf-8", HANDLER).decode() == text
    assert "a\udcff\udcfe\ud800.sgf".encode("utf-8", HANDLER) == b"a\xff\xfe?.sgf", "bytes of a file name"


def test_replacements_are_ascii():
    assert all(replacement.isascii() for replacement in NEAREST.values())


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals on Windows")
@pytest.mark.parametrize(
    ("variables", "encoding", "frames"),
    [
        ({"PYTHONIOENCODING": "iso-8859-1"}, "iso-8859-1", "|/-\\"),
        ({"PYTHONIOENCODING": "ascii"}, "ascii", "|/-\\"),
        ({"LC_ALL": "C", "PYTHONIOENCODING": ""}, "utf-8", "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"),
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}, "ascii", "|/-\\"),
    ],
    ids=["latin-1", "ascii", "C", "C without UTF-8 mode"],
)
def test_a_game_is_played_in_a_terminal_of_any_encoding(variables, encoding, frames, tmp_path):
    import pty

    environment = ENVIRONMENT | {"TERM": "xterm", "COLUMNS": "80", "XDG_STATE_HOME": str(tmp_path)} | variables
    parent, child = pty.openpty()
    arguments = [program(), "play", "--size", "5", "--player", "mc-rave:seconds=0.2,memory=20"]
    with subprocess.Popen(
        arguments, env=environment, stdin=child, stdout=child, stderr=child, start_new_session=True
    ) as running:
        os.close(child)
        shown = _talk(parent, [b"black>", b"black>"], [b"hint\nC3\n", b"quit\n"])
        assert running.wait(timeout=60) == 0, shown
    text = shown.decode(encoding)
    assert "white is searching ..." in text
    assert "white plays" in text
    assert "Traceback" not in text
    assert any(f"{frame} white is searching" in text for frame in frames)


def _talk(terminal: int, prompts: list[bytes], answers: list[bytes], seconds: float = 120.0) -> bytes:
    """Answer prompts in a pseudo-terminal, and return its whole output."""
    shown, seen, deadline = b"", 0, time.monotonic() + seconds
    waiting = list(zip(prompts, answers, strict=True))
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 1.0)[0]:
            continue
        try:
            new = os.read(terminal, 65536)
        except OSError:  # the other side has closed it
            break
        if not new:
            break
        shown += new
        if waiting and waiting[0][0] in shown[seen:]:
            seen = len(shown)
            os.write(terminal, waiting.pop(0)[1])
    os.close(terminal)
    return shown
