"""A server of analyses in this process, whose searches run when the test says so."""

import json

from tengen.interfaces.analysis_server.analyses import Analyses
from tengen.interfaces.analysis_server.input_lines import format_object
from tengen.interfaces.analysis_server.query_reader import Defaults
from tengen.interfaces.analysis_server.server import Server
from tengen.interfaces.scheduler import Scheduler
from tengen.players import parse_player
from tests.fake_clock import FakeClock

QUICK = "mc-rave:memory=20"
QUERY = {"id": "q", "moves": [], "rules": "tromp-taylor", "boardXSize": 9, "boardYSize": 9, "maxVisits": 40}
"""A query of the empty board."""


class Talk:
    """Sends lines, runs the searches, and returns the responses."""

    def __init__(self, player=QUICK, *, lanes=1, now=None, **defaults):
        spec, self.lines, self.scheduler = parse_player(player), [], Scheduler(0)
        self.analyses = Analyses(self.scheduler, spec, self._note, lanes=lanes, now=now or FakeClock(tick=0.001))
        self.server = Server(spec, self.analyses, self._note, Defaults(**{"visits": 40, **defaults}))

    def _note(self, message):
        self.lines.append(format_object(message))

    def send(self, line):
        """Send a line, as bytes, text or an object."""
        if isinstance(line, dict):
            line = json.dumps(line)
        self.server.answer(line.encode() if isinstance(line, str) else line)

    def query(self, **fields):
        """Send QUERY with other fields; None removes one."""
        self.send({key: value for key, value in {**QUERY, **fields}.items() if value is not None})

    def step(self, count=1):
        """Run the next slices."""
        for _ in range(count):
            self.scheduler.run_next()

    def finish(self):
        """Run all searches to their end."""
        while self.scheduler.run_next():
            pass

    def taken(self):
        """Return the responses since the last call."""
        lines, self.lines = self.lines, []
        return [json.loads(line) for line in lines]

    def said(self):
        """Return the only response, after all searches."""
        self.finish()
        [response] = self.taken()
        return response
