"""The Python side of `called_rules`: games of OpenSpiel behind one function that plays a move in a state's record.

A record names its state of OpenSpiel by a serial number. A thread keeps the state that it played in last, in which the
next move of a playout is played without a copy, and the few states from which simulations begin. Any other is replayed
from the moves in the record.
"""

import ctypes
import itertools
import struct
import threading
from array import array
from functools import cache
from typing import Any

import numpy as np

from tengen.adapters import require
from tengen.adapters.called_rules import FAILED, GOING_ON, OVER, STATE, RulesFailed, last_failure
from tengen.jit import address_of, callback

KEPT_STATES = 8
"""Number of states from which simulations began that each thread keeps."""
START = -1
"""Instead of a move: write the start of the game."""
FIELDS: Any = STATE.fields
MOVES, HISTORY = int(FIELDS["moves"][1]), int(FIELDS["history"][1])
HEAD = struct.Struct("=IIdQq")
"""to_play, status, score, serial, count: the first fields of the record."""
LENGTH, MOVE = struct.Struct("=q"), struct.Struct("=H")
AT_LENGTH = int(FIELDS["length"][1])
assert [int(FIELDS[name][1]) for name in ("to_play", "status", "score", "serial", "count")] == [0, 4, 8, 16, 24]

_serials = itertools.count(1)
_Buffer = ctypes.c_char * STATE.itemsize


class _Thread(threading.local):
    """The states of OpenSpiel that a thread has at hand."""

    def __init__(self) -> None:
        self.serial = 0
        self.state: Any = None
        """The state of the record with this serial."""
        self.kept: dict[int, Any] = {}


class RuleCalls:
    """The rules of a game of OpenSpiel for records of `called_rules.STATE`. Lives as long as the process."""

    def __init__(self, variant: str):
        self.game = require("pyspiel", "open-spiel").load_game(variant)
        self.forced_pass = self.game.num_distinct_actions()
        """The only move of a side that must wait, since the other one moves again."""
        self._at_hand = _Thread()
        self._function = callback(self._answer)
        self.address = address_of(self._function)

    def reset(self, record: Any) -> None:
        """Set a record to the start of the game."""
        record.length, record.function, record.status = 0, self.address, FAILED
        self._answer(_address(record), START)
        if record.status == FAILED:
            raise RulesFailed()

    def state_of(self, record: Any) -> Any:
        """Return a new state of OpenSpiel, that of a record."""
        return self._replayed(_Buffer.from_address(_address(record)))

    def _answer(self, address: int, move: int) -> None:
        """Play a move in the record at an address, or START; the status stays FAILED after an exception."""
        try:
            buffer = _Buffer.from_address(address)
            if move == START:
                to_play, state = 0, self.game.new_initial_state()
            else:
                to_play, _, _, serial, _ = HEAD.unpack_from(buffer)
                to_play, state = 1 - to_play, self._state(serial, buffer)
                if move != self.forced_pass:
                    state.apply_action(move)
            self._write(buffer, to_play, state)
        except BaseException as error:  # an exception cannot pass through compiled code
            self._at_hand.serial, last_failure.reason = 0, error

    def _state(self, serial: int, buffer: Any) -> Any:
        """Return the state of a record, which the caller may change."""
        at_hand = self._at_hand
        if at_hand.serial == serial:
            at_hand.serial = 0
            return at_hand.state
        kept = at_hand.kept
        if serial not in kept:
            if len(kept) >= KEPT_STATES:
                del kept[next(iter(kept))]
            kept[serial] = self._replayed(buffer)
        return kept[serial].clone()

    def _replayed(self, buffer: Any) -> Any:
        """Return a new state after the moves in a record."""
        state = self.game.new_initial_state()
        (length,) = LENGTH.unpack_from(buffer, AT_LENGTH)
        for (move,) in MOVE.iter_unpack(buffer[HISTORY : HISTORY + 2 * length]):
            if move != self.forced_pass:
                state.apply_action(move)
        return state

    def _write(self, buffer: Any, to_play: int, state: Any) -> None:
        """Write who is to move, the legal moves and the result into a record, and keep the state at hand."""
        serial, score = next(_serials), 0.0
        player = state.current_player()
        if player == to_play:
            moves = array("H", state.legal_actions())
            buffer[MOVES : MOVES + 2 * len(moves)] = moves.tobytes()
            HEAD.pack_into(buffer, 0, to_play, GOING_ON, score, serial, len(moves))
        elif player == 1 - to_play:
            buffer[MOVES : MOVES + 2] = MOVE.pack(self.forced_pass)
            HEAD.pack_into(buffer, 0, to_play, GOING_ON, score, serial, 1)
        else:
            HEAD.pack_into(buffer, 0, to_play, OVER, state.returns()[0], serial, 0)
        self._at_hand.serial, self._at_hand.state = serial, state


def _address(record: Any) -> int:
    return int(np.frombuffer(record, np.uint8).ctypes.data)


@cache
def rule_calls(variant: str) -> RuleCalls:
    """Return the rules of a game of OpenSpiel, the same object for the same text."""
    return RuleCalls(variant)
