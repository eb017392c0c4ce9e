"""Tactics: cases by hand, and random positions against a slow reference."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tengen import Go
from tengen.games import interface
from tengen.games.go import eyes, go_record, ladders, nakade, tactics
from tests.games.go import reference, slow_tactics
from tests.games.go.reference import EMPTY, drawn, state_from

u64 = np.uint64
COLOURS = {"black": u64(0), "white": u64(1)}
LADDER_STATES = 20


def cases() -> Iterator[tuple[str, str, str, str]]:
    """Yield title, diagram, question and answer of every case of the text file."""
    title = ""
    rows: list[str] = []
    for line in Path(__file__).with_name("tactics.txt").read_text().splitlines():
        if line.startswith("=="):
            title, rows = line[2:].strip(), []
        elif ":" in line and not line.startswith("#"):
            question, _, answer = line.partition(":")
            yield title, "\n".join(rows), question.strip(), answer.strip()
        elif line.strip() and not line.startswith("#"):
            rows.append(line)


CASES = list(cases())


class Answers:
    """The kernels' answers about a position."""

    def __init__(self, diagram: str):
        self.game, self.state = state_from(drawn(diagram), "tactical")

    def ask(self, question: str) -> str:
        kind, *words = question.split()
        answer = getattr(self, kind.replace("-", "_"))(*words)
        return ("yes" if answer else "no") if isinstance(answer, bool) else str(answer)

    def point(self, text: str) -> Any:
        return u64(self.game.parse_move(text))

    def named(self, point: Any) -> str:
        return self.game.format_move(int(point)) if point else "none"

    def candidates(self, count: Any) -> str:
        points = sorted(int(point) for point in self.state.candidates[: int(count)])
        assert len(set(points)) == len(points)
        return " ".join(self.game.format_move(point) for point in points) or "none"

    def atari(self, point: str) -> str:
        liberties = self.state.liberties[self.state.chain[self.point(point)]]
        return self.named(go_record.last_liberty(liberties)) if go_record.in_atari(liberties) else "none"

    def captures(self, colour: str, point: str) -> str:
        number = self.point(point)
        taken = tactics.captured_neighbours(self.state, number, COLOURS[colour])
        return "no" if not taken else "several" if tactics.captures_several(self.state, number, taken) else "one"

    def gives_atari(self, colour: str, point: str) -> bool:
        return bool(tactics.gives_atari(self.state, self.point(point), COLOURS[colour]))

    def self_atari(self, colour: str, point: str) -> bool:
        return bool(tactics.is_self_atari(self.state, self.point(point), COLOURS[colour]))

    def saves(self, colour: str, last: str) -> str:
        return self.candidates(tactics.saving_moves(self.state, self.point(last), COLOURS[colour]))

    def captures_anywhere(self, colour: str) -> str:
        return self.candidates(tactics.capturing_moves(self.state, COLOURS[colour]))

    def liberties(self, point: str) -> str:
        found = sorted(int(p) for p in tactics.two_liberties(self.state, u64(self.state.chain[self.point(point)])))
        return " ".join(map(self.named, found)) if found[0] else "other"

    def decides(self, colour: str, last: str) -> str:
        return self.candidates(tactics.two_liberty_moves(self.state, self.point(last), COLOURS[colour]))

    def nakade(self, colour: str, last: str) -> str:
        return self.candidates(nakade.nakade_moves(self.state, self.point(last), COLOURS[colour]))

    def eye(self, colour: str, point: str) -> bool:
        return bool(eyes.is_own_eye(self.state, self.point(point), COLOURS[colour]))

    def ladder(self, point: str) -> str:
        states = np.zeros(LADDER_STATES, self.state.dtype)
        states[0] = self.state
        return "caught" if ladders.is_caught(states, self.point(point)) else "free"

    def line(self, point: str) -> str:
        return str(int(tactics.line_of(self.state, self.point(point))))

    def distance(self, last: str, point: str) -> str:
        marks = np.zeros(self.game.move_slots, np.uint8)
        start, number = self.point(last), self.point(point)
        tactics.mark_common_fate(self.state, start, 3, marks)
        own = self.state.chain[number] == self.state.chain[start]
        return "0" if own else {0: "far"}.get(int(marks[number]), str(int(marks[number])))


@pytest.mark.plain
@pytest.mark.parametrize(("title", "diagram", "question", "answer"), CASES, ids=[f"{c[0]}: {c[2]}" for c in CASES])
def test_the_kernels_answer_the_cases_by_hand(title, diagram, question, answer):
    assert sorted(Answers(diagram).ask(question).split()) == sorted(answer.split())
    mirrored = "\n".join(" ".join(reversed(row.split())) for row in diagram.split("\n"))
    swapped = mirrored.translate(str.maketrans("XO", "OX"))
    turned, size = Answers(swapped), Answers(diagram).game.size
    columns = "ABCDEFGHJ"[:size]

    def mirror(text: str) -> str:
        exchanged = {"black": "white", "white": "black"}.get(text, text)
        is_point = exchanged[0] in columns and exchanged[1:].isdigit()
        return columns[size - 1 - columns.index(exchanged[0])] + exchanged[1:] if is_point else exchanged

    other = turned.ask(" ".join(map(mirror, question.split())))
    assert sorted(other.split()) == sorted(mirror(word) for word in answer.split())


def test_there_are_enough_text_cases_with_answers_of_every_kind():
    kinds: dict[str, set[str]] = {}
    for _, _, question, answer in CASES:
        kinds.setdefault(question.split()[0], set()).add(answer)
    assert len(CASES) >= 150
    assert all(len(answers) >= 2 for answers in kinds.values())
    assert len(kinds) == 13


# --- Random positions ------------------------------------------------------------------------------------------------


def random_states(size: int, games: int, every: int, seed: int) -> Iterator[tuple[Go, Any]]:
    """Yield states of random games whose moves are often next to others, so that there are fights."""
    game = Go(size, ko="simple")
    rng = np.random.default_rng(seed)
    states = np.zeros(1, game.tactical_record)
    for _ in range(games):
        game.reset(states[0])
        state = states[0]
        for number in range(3 * size * size):
            moves = np.zeros(game.move_slots, np.uint16)
            legal = moves[: interface.legal_moves(state, moves)]
            sensible = [move for move in legal if move and interface.is_candidate(state, move)]
            if not sensible:
                break
            interface.play(state, rng.choice(sensible))
            if number % every == 0:
                yield game, state


def candidates(game: Go, state, count) -> list[reference.Point]:
    found = [game.row_and_column(int(point)) for point in state.candidates[: int(count)]]
    assert len(set(found)) == len(found)
    return sorted(found)


def check(game: Go, state) -> dict[str, int]:
    """Compare all answers of the kernels and of the slow reference for a state; count the positive ones."""
    stones_on, last = reference.board_of(game, state), game.row_and_column(int(state.last_move))
    last_number = u64(state.last_move)
    seen = dict.fromkeys(("captures", "self-atari", "atari", "two", "saves", "decides", "nakade", "caught"), 0)
    for colour in (0, 1):
        for point, occupant in stones_on.items():
            if occupant != EMPTY:
                continue
            number, taken = u64(game.point(*point)), slow_tactics.captured(stones_on, point, colour)
            captured = tactics.captured_neighbours(state, number, u64(colour))
            assert bool(captured) == bool(taken)
            assert not captured or tactics.captures_several(state, number, captured) == (len(taken) > 1)
            is_self_atari = slow_tactics.liberties_after(stones_on, point, colour) < 2
            assert tactics.is_self_atari(state, number, u64(colour)) == is_self_atari
            gives_atari = slow_tactics.gives_atari(stones_on, point, colour)
            assert tactics.gives_atari(state, number, u64(colour)) == gives_atari
            seen["captures"] += bool(taken)
            seen["self-atari"] += is_self_atari
            seen["atari"] += gives_atari
        for stones, liberties in slow_tactics.chains_of(stones_on, colour):
            head = u64(state.chain[game.point(*next(iter(stones)))])
            found = {game.row_and_column(int(point)) for point in tactics.two_liberties(state, head) if point}
            assert found == (liberties if len(liberties) == 2 else set())
            seen["two"] += len(liberties) == 2
            if len(liberties) == 1:
                states = np.zeros(8, state.dtype)
                states[0] = state
                caught = slow_tactics.is_caught(stones_on, next(iter(stones)), None, moves=7)
                assert ladders.is_caught(states, head) == caught
                assert states[0] == state
                seen["caught"] += caught
        saves = sorted(slow_tactics.saving_moves(stones_on, last, colour))
        assert candidates(game, state, tactics.saving_moves(state, last_number, u64(colour))) == saves
        captures = sorted(slow_tactics.capturing_moves(stones_on, colour))
        assert candidates(game, state, tactics.capturing_moves(state, u64(colour))) == captures
        seen["saves"] += bool(saves)
    colour = int(state.to_play)
    decides = sorted(slow_tactics.two_liberty_moves(stones_on, last, colour))
    assert candidates(game, state, tactics.two_liberty_moves(state, last_number, u64(colour))) == decides
    middles = sorted(slow_tactics.nakade_moves(stones_on, last, colour))
    assert candidates(game, state, nakade.nakade_moves(state, last_number, u64(colour))) == middles
    seen["decides"] += bool(decides)
    seen["nakade"] += bool(middles)
    marks = np.zeros(game.move_slots, np.uint8)
    tactics.mark_common_fate(state, last_number, 3, marks)
    distances = slow_tactics.common_fate(stones_on, last)
    near = {point: distance for point, distance in distances.items() if 1 <= distance <= 3}
    assert {game.row_and_column(point): int(marks[point]) for point in game.points() if marks[point]} == near
    return seen


@pytest.mark.parametrize(("size", "games", "every"), [(3, 30, 1), (5, 20, 2), (7, 10, 4), (9, 8, 5), (11, 2, 12)])
def test_random_positions_agree_with_the_slow_reference(size, games, every):
    totals: dict[str, int] = {}
    for game, state in random_states(size, games, every, seed=size):
        for kind, count in check(game, state).items():
            totals[kind] = totals.get(kind, 0) + count
    rare = {"nakade", "caught", "decides"} if size in (3, 11) else set()
    assert all(count > 0 for kind, count in totals.items() if kind not in rare), totals


@pytest.mark.plain
def test_a_few_random_positions_agree_with_the_slow_reference():
    for game, state in random_states(4, 1, 6, seed=4):
        check(game, state)
