"""A small GTP engine for tests: stub_engine.py [MODE] [N] fails as MODE says at its N-th genmove of a game.

MODE: good, crash, exit, hang, garbage, illegal, nonsense, closed, flood, refuse, slow, score.
"""

import os
import sys
import time

KNOWN = {"boardsize", "clear_board", "komi", "play", "genmove", "time_settings", "time_left", "set_random_seed"}


def answer(text: str = "", sign: str = "=") -> None:
    print(f"{sign} {text}\n", flush=True)


def fail(mode: str, taken: set[str]) -> None:
    match mode:
        case "crash":
            print("stub: something went badly wrong", file=sys.stderr, flush=True)
            os.abort()
        case "exit":
            sys.exit(3)
        case "hang":
            time.sleep(1000)
        case "garbage":
            print("what was the question?\n", flush=True)
        case "illegal":
            answer(min(taken) if taken else "A1")
        case "nonsense":
            answer("over there")
        case "closed":
            os.close(1)
            time.sleep(1000)
        case "flood":
            while True:
                print("= " + "x" * 100_000, flush=True)
        case "refuse":
            answer("I do not want to", "?")
        case "slow":
            time.sleep(1.0)
            answer("pass")


def serve(mode: str, fails_at: int) -> None:
    taken: set[str] = set()
    genmoves, log = 0, []
    for line in sys.stdin:
        log.append(line.strip())
        match line.split():
            case ["name"]:
                answer("Stub")
            case ["version"]:
                answer("1.0")
            case ["known_command", command]:
                answer(str(command in KNOWN).lower())
            case ["clear_board"]:
                taken, genmoves = set(), 0
                answer()
            case ["play", _, vertex]:
                taken.add(vertex.upper())
                answer()
            case ["genmove", _]:
                genmoves += 1
                if mode not in ("good", "score") and genmoves >= fails_at:
                    fail(mode, taken)
                    continue
                free = [f"{column}{row}" for row in (3, 5, 7) for column in "CEG" if f"{column}{row}" not in taken]
                move = free[0] if free and genmoves <= 3 else "pass"
                taken.add(move)
                answer(move)
            case ["final_score"]:
                answer("a lot" if mode == "score" else "W+2.5")
            case ["log"]:
                answer(";".join(log))
            case ["quit"]:
                answer()
                break
            case [command, *_] if command in KNOWN:
                answer()
            case _:
                answer("unknown command", "?")


if __name__ == "__main__":
    arguments = sys.argv[1:]
    serve(arguments[0] if arguments else "good", int(arguments[1]) if len(arguments) > 1 else 1)
