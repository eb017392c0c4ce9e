"""Interrupts at random instants of searches and of compilation: nothing but KeyboardInterrupt may come out.

`python -m tests.trials.interrupts` interrupts 400 searches and a cold start, and prints what came out.
"""

import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PLAYERS = (
    "mc-rave:simulations=20,memory=20",
    "mc-rave:simulations=400,memory=20",
    "tengen:simulations=100,memory=20",
    "uct:simulations=200,memory=20,threads=2",
    "flat-mc:simulations=100",
)
NOTHING = "no exception"


def main() -> int:
    """Run all trials; return 1 if anything else than KeyboardInterrupt came out."""
    found = [interrupted_searches(player, count=80, seed=seed) for seed, player in enumerate(PLAYERS)]
    with tempfile.TemporaryDirectory() as folder:
        found.append(interrupted_compilation("uct:simulations=20,memory=20", Path(folder) / "cache", seed=1))
    for name, outcomes in zip([*PLAYERS, "compilation"], found, strict=True):
        print(f"{name}: {dict(outcomes)}")
    return int(any(outcomes.keys() - {"KeyboardInterrupt", NOTHING} for outcomes in found))


def interrupted_searches(player: str, count: int, seed: int) -> Counter[str]:
    """Interrupt `count` searches on 9x9, in a process of their own; return how often each exception came out."""
    return _in_a_process("search", player, str(count), str(seed))


def interrupted_compilation(player: str, cache: Path, seed: int) -> Counter[str]:
    """Interrupt a cold start with an empty cache again and again until it succeeds; return what came out."""
    return _in_a_process("compile", player, str(seed), TENGEN_CACHE=str(cache), TENGEN_QUIET="1")


def _in_a_process(*arguments: str, **environment: str) -> Counter[str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.trials.interrupts", *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return Counter(json.loads(done.stdout))


# --- In the process of a trial ----------------------------------------------------------------------------------------


def _interrupt(work: Callable[[], object], seconds: float) -> str:
    """Do some work, interrupt it after `seconds`, and return the name of the exception that it raised."""
    try:
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
        try:
            work()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException as error:
        return type(error).__name__ if isinstance(error, KeyboardInterrupt) else repr(error)
    return NOTHING


def _search(player: str, count: int, seed: int) -> Counter[str]:
    from tengen.games.go.game import Go
    from tengen.players import parse_player

    game, rng = Go(9), random.Random(seed)
    made, start = parse_player(player).make(game), game.start()
    made.choose(start)
    usual = statistics.median(_seconds_of(lambda: made.choose(start)) for _ in range(9))
    outcomes: Counter[str] = Counter()
    for number in range(count):
        made.new_game(number)
        outcomes[_interrupt(lambda: made.choose(start), rng.uniform(0.0, 1.1) * usual)] += 1
        assert start.is_legal(made.choose(start))
    return outcomes


def _seconds_of(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _compile(player: str, seed: int) -> Counter[str]:
    from tengen.games.go.game import Go
    from tengen.players import parse_player

    def start_and_choose() -> None:
        game = Go(9)
        parse_player(player).make(game).choose(game.start())

    rng, outcomes = random.Random(seed), Counter[str]()
    while not outcomes[NOTHING]:
        outcomes[_interrupt(start_and_choose, rng.uniform(0.02, 0.3))] += 1
        assert sum(outcomes.values()) < 1000, "the compilation makes no progress"
    return outcomes


if __name__ == "__main__":
    if len(sys.argv) == 1:
        sys.exit(main())
    signal.signal(signal.SIGALRM, lambda number, frame: signal.raise_signal(signal.SIGINT))
    kind, chosen, *numbers = sys.argv[1:]
    trial: Callable[..., Counter[str]] = _search if kind == "search" else _compile
    print(json.dumps(trial(chosen, *map(int, numbers))))
