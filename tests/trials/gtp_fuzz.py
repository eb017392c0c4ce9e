"""Seeded random and mutated GTP lines for Tengen's engine: each command must get a valid answer.

`python -m tests.trials.gtp_fuzz [LINES] [SEED]` sends 30,000 lines, most of them to conversations in this process and
the rest to engines in processes of their own, and prints what went wrong.
"""

import os
import random
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import chdir
from dataclasses import dataclass, field
from pathlib import Path

from tengen.interfaces.gtp.protocol import parse_request
from tengen.search.config import SearchConfig
from tests.interfaces.gtp.talk import Talk
from tests.interfaces.test_cli import program

LINES, SEED = 30_000, 1
LINES_A_GAME = 100
SHARE_OF_PROCESSES = 0.1
"""Share of the lines that are sent to engines in separate processes."""

THINKERS = ("mc-rave:simulations=20,memory=5", "amaf:simulations=20")
PLAYERS = ("random",) * 3 + THINKERS
BOARDS = (("go", 5), ("go", 9), ("go", 2), ("othello", 4), ("othello", 8), ("havannah", 3), ("havannah", 8))
THINKING_BOARDS = (("go", 5), ("othello", 4), ("havannah", 3))

COLOURS = ("b", "w", "black", "WHITE", "B", "green", "", "e", "empty")
NUMBERS = (
    "0", "1", "2", "5", "9", "-1", "-0", "1e3", "1e400", "nan", "inf", "-inf", "0x10", "1_0", "٣", "007", "4.5", "-4.5",
    "999999999999", "9999999999999", "9" * 400, "9" * 5000, "1e-320", ".", "+3", "2147483648", "18446744073709551616",
)  # fmt: skip
WORDS = (
    "pass", "PASS", "resign", "swap", "alive", "dead", "seki", "none", "absolute", "byoyomi", "canadian", "fischer",
    "interval", "minmoves", "maxmoves", "avoid", "allow", "ownership", "movesOwnership", "rootInfo", "pvVisits", "true",
    "false", "game", "private", "chinese", "aga", "tromp-taylor", "japanese", "ko", "suicide", "SIMPLE", "POSITIONAL",
    "maxVisits", "numSearchThreads", "ponder", "live_pictures", "seconds_a_move", "policy", "exploration", "resign",
    "one.sgf", "torn.sgf", "empty.sgf", "no-such.sgf", ".", "-", '""', "#", "C3,D4", "C3,", ",", "%s%n", "{}",
    '{"ko":"SIMPLE"}', '{"ko":null}', "[" * 3000, '{"ko":' * 500, "\u2028", "\u00e9", "\U0001f600", "ß", "ﬀ", "İ",
    "\ufeff", "\\", "'", '"', "`ls`", "$(ls)", "../../x", "=", "?", "= 1",
)  # fmt: skip
SETTERS = ("tengen-player", "kata-set-param", "tengen-engine")
SETTINGS = tuple(SearchConfig.known_keys())

RECORDS = {
    "one.sgf": "(;GM[1]FF[4]SZ[5]KM[6.5];B[cc];W[dd];B[])",
    "torn.sgf": "(;GM[1]SZ[5]AB[aa][bb];B[cc",
    "empty.sgf": "",
}
"""Files that loadsgf finds."""


def commands(game: str) -> list[str]:
    """The names of all commands of a game, except those that end the conversation."""
    return [name for name in Talk("random", game=game).ask("list_commands").split("\n") if name != "quit"]


class Generator:
    """Generates lines for a game: valid ones, ones with wrong words, mutated ones, and noise."""

    def __init__(self, seed: str, game: str):
        self.chance = random.Random(seed)
        self.names = commands(game)

    def line(self) -> str:
        kind = self.chance.random()
        if kind < 0.15:
            line = self.move()
        elif kind < 0.22:
            line = self.setting()
        elif kind < 0.75:
            line = self.command()
        elif kind < 0.95:
            line = self.mutated(self.command())
        else:
            line = self.noise()
        line = f"{self.chance.choice(NUMBERS)} {line}" if self.chance.random() < 0.2 else line
        return _limited(line)

    def move(self) -> str:
        """A move that has a chance to be legal, or a step back."""
        return self.chance.choice(
            [
                f"play {self.chance.choice('bw')} {self.vertex()}",
                "genmove",
                f"reg_genmove {self.chance.choice(COLOURS)}",
                "undo",
                f"is_legal {self.chance.choice('bw')} {self.vertex()}",
                f"all_legal {self.chance.choice('bw')}",
            ]
        )

    def command(self) -> str:
        words = [self.word() for _ in range(self.chance.choice((0, 0, 1, 1, 1, 2, 2, 3, 4, 9)))]
        return " ".join([self.chance.choice(self.names), *words])

    def setting(self) -> str:
        """A change of a setting of the player or the engine, among them ones that take much memory or time."""
        name = self.chance.choice([name for name in SETTERS if name in self.names])
        return f"{name} {self.chance.choice(SETTINGS)} {self.word()}"

    def word(self) -> str:
        kinds = (lambda: self.chance.choice(COLOURS), lambda: self.chance.choice(NUMBERS), self.vertex)
        return self.chance.choice((*kinds, lambda: self.chance.choice(WORDS)))()

    def vertex(self) -> str:
        if self.chance.random() < 0.1:
            return self.chance.choice(("pass", "A0", "I5", "Z99", "AA1", "5C", "a", "A" + "9" * 5000, "A-1", "Ａ１"))
        return f"{self.chance.choice('ABCDEFGHJabcde')}{self.chance.randint(1, 9)}"

    def mutated(self, line: str) -> str:
        """A line with some characters changed."""
        for _ in range(self.chance.randint(1, 4)):
            place = self.chance.randint(0, len(line))
            match self.chance.randint(0, 3):
                case 0:
                    line = line[:place] + line[place + 1 :]
                case 1:
                    line = line[:place] + self.character() + line[place:]
                case 2:
                    line = line[:place] + line[place : place + 8] * self.chance.choice((2, 3, 50)) + line[place + 8 :]
                case _:
                    words = line.split(" ")
                    self.chance.shuffle(words)
                    line = " ".join(words)
        return line

    def noise(self) -> str:
        return "".join(self.character() for _ in range(self.chance.choice((0, 1, 5, 40, 2000))))

    def character(self) -> str:
        low, high = self.chance.choice(((0, 32), (32, 127), (32, 127), (127, 0x2FFF), (0x10000, 0x10FFFF)))
        found = chr(self.chance.randrange(low, high))
        return " " if found == "\n" else found


def _limited(line: str) -> str:
    """The line, unless it would end the conversation or write outside the current folder."""
    request = parse_request(line)
    is_harmful = request is not None and (
        request.name == "quit" or (request.name == "printsgf" and any("/" in word for word in request.arguments))
    )
    return "name" if is_harmful else line


@dataclass
class Findings:
    """Counts of answers, and faults found."""

    lines: int = 0
    answered: int = 0
    refused: int = 0
    faults: list[str] = field(default_factory=list)

    def check(self, line: str, answer: str) -> None:
        """Count an answer in this process, and record its fault, if any."""
        request = parse_request(line)
        self.lines += 1
        if request is None:
            if answer:
                self.faults.append(f"{line!r} is no command and was answered: {answer[:200]!r}")
            return
        self.answered += 1
        self.refused += answer.startswith("?")
        has_form = answer.startswith((f"={request.number}", f"?{request.number}")) and answer.find("\n\n") == (
            len(answer) - 2
        )
        if not has_form or "internal error" in answer or (answer.startswith("?") and answer.count("\n") != 2):
            self.faults.append(f"{line[:300]!r} was answered: {answer[:300]!r}")


def games(lines: int, seed: int) -> Iterator[tuple[str, str, str, int]]:
    """For each game: its seed, the player, the game and the size."""
    chance = random.Random(f"games {seed}")
    for number in range(max(1, lines // LINES_A_GAME)):
        player = chance.choice(PLAYERS)
        yield f"{seed} {number}", player, *chance.choice(BOARDS if player == "random" else THINKING_BOARDS)


def fuzz_in_process(lines: int, seed: int, findings: Findings) -> None:
    """Send lines to conversations in this process. Streams and searches end at once: another line is waiting."""
    for own_seed, player, game, size in games(lines, seed):
        talk, generator = Talk(player, game=game, size=size), Generator(own_seed, game)
        talk.conversation.input.put(b"")
        talk.conversation.input.interrupt()
        for _ in range(LINES_A_GAME):
            line = generator.line()
            before = _fingerprint(talk)
            try:
                answer = talk.raw(line)
            except Exception:
                findings.faults.append(f"{line[:300]!r} raised: {traceback.format_exc()[-500:]}")
                continue
            findings.check(line, answer)
            if answer.startswith("?") and _fingerprint(talk) != before:
                findings.faults.append(f"{line[:300]!r} was refused and has changed the game: {answer[:200]!r}")
        session = talk.session
        if session._replayed(session.game, session._entries) != session.position:
            findings.faults.append(f"the game {own_seed} is not the one that its moves lead to")


def _fingerprint(talk: Talk) -> tuple[object, ...]:
    session = talk.session
    return session.game, session.game.key(session.position.state), len(session._entries), talk.engine.spec


def fuzz_process(lines: int, seed: int, findings: Findings) -> None:
    """Send lines to engines in separate processes, each command with an id by which its answer is recognised."""
    for own_seed, player, game, size in games(lines, seed):
        generator, sent = Generator(f"process {own_seed}", game), []
        for number in range(LINES_A_GAME):
            request = parse_request(generator.line())
            if request is not None:
                sent.append(f"{number} {request.name} {' '.join(request.arguments)}")
        command = [program(), "gtp", player, "--game", game, "--size", str(size)]
        command += ["--seconds", "0.05"]
        done = subprocess.run(
            command,
            input=("\n".join([*sent, "quit"]) + "\n").encode(errors="surrogatepass"),
            capture_output=True,
            timeout=600,
            check=False,
        )
        _check_process(own_seed, sent, done, findings)


def _check_process(seed: str, sent: list[str], done: subprocess.CompletedProcess[bytes], findings: Findings) -> None:
    answers = [answer for answer in done.stdout.decode(errors="replace").split("\n\n") if answer]
    asked = [request.number for line in sent if (request := parse_request(line)) is not None]
    given = [answer[1:].partition(" ")[0].partition("\n")[0] for answer in answers[:-1]]
    findings.lines += len(sent)
    findings.answered += len(given)
    findings.refused += sum(answer.startswith("?") for answer in answers)
    if given != asked or not all(answer.startswith(("=", "?")) for answer in answers):
        findings.faults.append(f"process {seed}: {len(asked)} commands have {len(given)} answers")
    if done.returncode != 0 or b"Traceback" in done.stderr or b"internal error" in done.stdout:
        findings.faults.append(f"process {seed}: exit code {done.returncode}, {done.stderr[-500:].decode()!r}")


def fuzz(lines: int = LINES, seed: int = SEED) -> Findings:
    """Send lines generated from a seed, and return the findings."""
    findings = Findings()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        for name, record in RECORDS.items():
            Path(name).write_text(record)
        in_processes = int(lines * SHARE_OF_PROCESSES)
        fuzz_in_process(lines - in_processes, seed, findings)
        fuzz_process(in_processes, seed, findings)
    return findings


def main(arguments: list[str]) -> int:
    """Send lines; return the number of faults found."""
    given = [int(text) for text in arguments]
    lines, seed = [*given, *(LINES, SEED)[len(given) :]]
    os.environ.setdefault("TENGEN_QUIET", "1")
    findings = fuzz(lines, seed)
    for fault in findings.faults[:50]:
        print(fault)
    print(
        f"{findings.lines} lines, {findings.answered} answers, {findings.refused} refusals,"
        f" {len(findings.faults)} faults"
    )
    return len(findings.faults)


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
