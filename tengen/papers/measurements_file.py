"""The file of an experiment's measured parts: one line per part, written as it is measured.

    {"measurement":"error of mogo","key":"0123abcd","part":17,"result":{"mean":0.25}}

`key` is a hash of the measurement's function and settings, so that parts measured with other settings are not used.
"""

import math
from pathlib import Path
from typing import Any

from tengen.arena.plans import fingerprint
from tengen.errors import TengenError, shortened
from tengen.files import Unreadable
from tengen.papers.experiment import Measurement, Result
from tengen.signed_lines import SignedLines

START = b'{"measurement"'


def key_of(measurement: Measurement) -> str:
    """Return a hash of everything that determines a part besides its number."""
    return fingerprint({"function": measurement.function.__qualname__, "settings": dict(measurement.settings)})


class MeasurementsFile:
    """The measured parts of one run of an experiment."""

    def __init__(self, path: Path):
        """Read the file, if it exists; raise `Unreadable` if it is damaged or holds something else."""
        self._lines = SignedLines(path, START, "a file of measurements")
        if self._lines.unsigned:
            raise Unreadable(f"{shortened(path, 160)} has {self._lines.unsigned:,} lines without a checksum")
        self._parts: dict[tuple[str, str, int], Result] = {}
        for number, line in enumerate(self._lines.objects, 1):
            try:
                self._parts[line["measurement"], line["key"], line["part"]] = _checked_result(line["result"])
            except (KeyError, TypeError, TengenError) as error:
                raise Unreadable(f"line {number:,} of {shortened(path, 160)} is not a measurement: {error}") from None

    def add(self, parts: list[tuple[Measurement, int, Result]]) -> None:
        """Write the results of some parts."""
        if parts:
            self._lines.append(
                [
                    {"measurement": measurement.name, "key": key_of(measurement), "part": part, "result": result}
                    for measurement, part, result in parts
                ]
            )
        for measurement, part, result in parts:
            self._parts[measurement.name, key_of(measurement), part] = result

    def results(self, measurement: Measurement) -> list[Result]:
        """Return the results of the parts that are there, in the order of their numbers."""
        name, key = measurement.name, key_of(measurement)
        found = (self._parts.get((name, key, part)) for part in range(measurement.parts))
        return [result for result in found if result is not None]

    def missing(self, measurement: Measurement) -> list[int]:
        """Return the numbers of the parts that are not there."""
        name, key = measurement.name, key_of(measurement)
        return [part for part in range(measurement.parts) if (name, key, part) not in self._parts]


def _checked_result(result: Any) -> Result:
    if not isinstance(result, dict):
        raise TengenError("its result is not an object")
    for key, value in result.items():
        if type(value) not in (int, float) or not math.isfinite(value):
            raise TengenError(f"{shortened(key)} is {shortened(value)}, not a number")
    return {key: float(value) for key, value in result.items()}
