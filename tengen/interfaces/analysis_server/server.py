"""Answers lines: queries, and KataGo's special actions."""

import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tengen import __version__
from tengen.errors import shortened
from tengen.games.game import Game
from tengen.interfaces.analysis_server.analyses import Analyses, Request, Send
from tengen.interfaces.analysis_server.fields import FieldError, Fields
from tengen.interfaces.analysis_server.input_lines import BadLine, format_object, parse_object
from tengen.interfaces.analysis_server.query_reader import Defaults, QueryReader
from tengen.players import PlayerSpec

MOST_OPEN = 1_000_000
"""Maximum number of analyses that wait or run."""


class Server:
    """Answers the lines of one client."""

    def __init__(self, spec: PlayerSpec, analyses: Analyses, send: Send, defaults: Defaults):
        self._spec, self._analyses, self._send, self._defaults = spec, analyses, send, defaults
        self._actions: dict[str, Callable[[Fields], dict[str, Any]]] = {
            "query_version": lambda fields: {"version": __version__, "git_hash": "<omitted>"},
            "query_models": lambda fields: {"models": [self._model()]},
            "clear_cache": lambda fields: {},
            "terminate": self._terminate,
            "terminate_all": self._terminate_all,
        }
        self._check_board = lru_cache(maxsize=256)(self._make_once)

    def answer(self, line: bytes | BadLine) -> None:
        """Answer a line. Nothing that a client may send raises an error."""
        if not isinstance(line, BadLine) and not line.strip():
            return
        try:
            self._answer_object(self._parsed(line))
        except BadLine as error:
            self._send({"error": str(error)})
        except Exception as error:  # a defect, or too little memory: the other queries must go on
            traceback.print_exc()
            self._send({"error": f"internal error: {error!r}"})

    def _parsed(self, line: bytes | BadLine) -> dict[str, Any]:
        if isinstance(line, BadLine):
            raise line
        values = parse_object(line)
        if not isinstance(values.get("id"), str):
            raise BadLine("the query needs the field id, a string")
        return values

    def _answer_object(self, values: dict[str, Any]) -> None:
        try:
            if isinstance(values.get("action"), str):
                self._act(values)
            else:
                self._analyse(values)
        except FieldError as error:
            self._send({"error": str(error), "field": error.field, "id": values["id"]})

    # Actions

    def _act(self, values: dict[str, Any]) -> None:
        """Do an action, and send the query with the action's additional fields as its answer."""
        action = self._actions.get(values["action"])
        if action is None:
            name, names = shortened(values["action"]), ", ".join(self._actions)
            raise FieldError("action", f"unknown action {name}; choose from: {names}")
        format_object(values)  # raises BadLine before anything is done
        self._send(values | action(Fields(values)))

    def _model(self) -> dict[str, Any]:
        """Return the player in the form of a model of KataGo."""
        return {
            "name": str(self._spec),
            "internalName": self._spec.name,
            "maxBatchSize": 1,
            "usesHumanSLProfile": False,
            "version": 0,
            "usingFP16": "false",
        }

    def _terminate(self, fields: Fields) -> dict[str, Any]:
        ended = fields.values.get("terminateId")
        if not isinstance(ended, str):
            raise FieldError("terminateId", "must be the id of a query, a string")
        turns = fields.integers("turnNumbers", [])
        has_turns = "turnNumbers" in fields
        self._analyses.terminate(lambda request: request.query.id == ended and (not has_turns or request.turn in turns))
        return {}

    def _terminate_all(self, fields: Fields) -> dict[str, Any]:
        turns, has_turns = set(fields.integers("turnNumbers", [])), "turnNumbers" in fields
        self._analyses.terminate(lambda request: not has_turns or request.turn in turns)
        return {}

    # Queries

    def _analyse(self, values: dict[str, Any]) -> None:
        reader = QueryReader(values, self._defaults, self._check_game)
        query = reader.read()
        if self._analyses.open_count + len(query.turns) > MOST_OPEN:
            raise FieldError("analyzeTurns", f"more than {MOST_OPEN:,} analyses are waiting")
        for field, message in reader.warnings:
            self._send({"warning": message, "field": field, "id": query.id})
        self._analyses.add([Request(query, turn) for turn in query.turns])

    def _check_game(self, game: Game) -> None:
        """Raise TengenError if the player cannot play on a board; a player is made once for each kind of rules."""
        self._check_board(replace(game, komi=0.0) if game.has_komi else game)  # type: ignore[call-arg]

    def _make_once(self, game: Game) -> None:
        """Make the player for a game, without keeping it and its memory."""
        self._spec.make_searcher(game)
