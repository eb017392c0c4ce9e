"""Kills of a running tournament at random moments."""

import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from tests.interfaces.test_cli import ENVIRONMENT, program

LONGEST_WAIT = 60.0
"""Seconds until a run is killed even if it has saved no game."""


def killed_again_and_again(folder: Path, tournament: str, kills: int, seed: int) -> Path:
    """Start a tournament `kills` times, and kill it each time after it has saved one to three games.

    `tournament` is the TOML text, written to cup.toml in `folder`. Returns the path of the store.
    """
    (folder / "cup.toml").write_text(tournament)
    store, chance = folder / "cup.sqlite", random.Random(seed)
    for _ in range(kills):
        wanted = saved_games(store) + 1 + chance.randrange(3)
        running = subprocess.Popen(
            [program(), "tournament", "cup.toml", "--workers", "2"],
            env=ENVIRONMENT, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + LONGEST_WAIT
        while saved_games(store) < wanted and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.01)
        running.send_signal(signal.SIGKILL)
        running.wait()
    return store


def saved_games(store: Path) -> int:
    """Return how many games a store has; 0 if it does not exist or is being made."""
    if not store.exists():
        return 0
    database = sqlite3.connect(store)
    try:
        (count,) = database.execute("SELECT count(*) FROM games").fetchone()
    except sqlite3.Error:
        return 0
    finally:
        database.close()
    return int(count)
