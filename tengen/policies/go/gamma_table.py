"""Files of gammas, the strengths of features in a Bradley-Terry model of move choice.

A file has a header (see headed_files.py) and the gammas of all features as little-endian 4-byte floats, compressed by
zlib. The header has

    format, version     "tengen gammas", 1
    patterns            the kind of patterns: see shape_features.FeatureSet
    features            the number of features in each group
    about               an object that describes how they were made
    sha256              the checksum of all this and of the compressed bytes

Loading executes nothing from the file, and checks every field.
"""

import os
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tengen.errors import TengenError, shortened
from tengen.files import Unreadable, read_bytes
from tengen.headed_files import BadNumbers, decompressed_floats, is_intact, split_headed, write_headed
from tengen.options import guess
from tengen.policies.go.shape_features import FeatureSet, feature_set
from tengen.policies.go.urgency_table import DIAMONDS, SQUARES

FORMAT, VERSION = "tengen gammas", 1
SMALLEST, LARGEST = 1e-9, 1e9
"""Limits of the gammas in a file."""
SHIPPED = Path(__file__).parents[2] / "data"
"""The folder of the package's own gammas."""


class BadGammas(TengenError):
    """A file that does not hold valid gammas."""


@dataclass(frozen=True)
class GammaTable:
    """The gammas of all features of a set, and a description of their origin."""

    patterns: str
    """SQUARES or DIAMONDS."""
    gammas: np.ndarray = field(repr=False)
    """float64 (features,), all positive; 1 for the number 0."""
    about: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def features(self) -> FeatureSet:
        return feature_set(self.patterns)

    def save(self, path: Path) -> None:
        """Write the gammas to a file, atomically."""
        raw = zlib.compress(self.gammas[1:].astype("<f4").tobytes(), 9)
        header = {
            "format": FORMAT,
            "version": VERSION,
            "patterns": self.patterns,
            "features": _sizes(self.features),
            "about": self.about,
        }
        write_headed(path, header, raw)


def _sizes(features: FeatureSet) -> dict[str, int]:
    """Return the number of features in each group."""
    return {name: len(numbers) for name, numbers in features.groups.items()}


def load_gammas(path: Path) -> GammaTable:
    """Load gammas from a file; raise BadGammas if it is not valid."""
    try:
        content = read_bytes(path)
    except Unreadable as error:
        raise BadGammas(str(error)) from None
    try:
        return _read(content)
    except (BadGammas, BadNumbers) as error:
        raise BadGammas(f"{shortened(path, 160)}: {error}") from None


def _read(content: bytes) -> GammaTable:
    found = split_headed(content, FORMAT)
    if found is None:
        raise BadGammas("this is not a file of gammas")
    header, raw = found
    version = header.get("version")
    if type(version) is not int or version != VERSION:
        raise BadGammas(f"these gammas have version {shortened(version)} of the format; {VERSION} is supported")
    missing = {"patterns", "features", "about", "sha256"} - header.keys()
    if missing:
        raise BadGammas(f"its header lacks {min(missing)}")
    if not is_intact(header, raw):
        raise BadGammas("the file is damaged: its checksum is wrong")
    patterns, about = header["patterns"], header["about"]
    if patterns not in (SQUARES, DIAMONDS):
        raise BadGammas(f"its patterns are {shortened(patterns)}; only {SQUARES} and {DIAMONDS} are known")
    if not isinstance(about, dict):
        raise BadGammas("about in its header is not an object")
    features = feature_set(patterns)
    if header["features"] != _sizes(features):
        raise BadGammas(f"its groups of features are {shortened(header['features'])}, not those of this version")
    stated = np.frombuffer(decompressed_floats(raw, features.count - 1, "gammas"), "<f4").astype(np.float64)
    if not ((stated >= np.float32(SMALLEST)) & (stated <= LARGEST)).all():  # NaN is in no range
        raise BadGammas(f"its gammas are not all between {SMALLEST:g} and {LARGEST:g}")
    return GammaTable(patterns, np.concatenate([[1.0], stated]), about)


# --- Named gammas ----------------------------------------------------------------------------------------------------


FAMILIES = ("go", "playout")
"""The package's gammas: of all features, and of those that playouts keep."""


def shipped_gammas() -> dict[str, tuple[str, int]]:
    """Return the names of the package's gammas, as in 'go-9', with their family and the size of their boards."""
    found = {}
    for family in FAMILIES:
        for file in sorted(SHIPPED.glob(f"{family}-*.gammas")):
            found[file.stem] = family, int(file.stem.rpartition("-")[2])
    return found


def gammas_file(name: str, size: int) -> Path:
    """Return the file of gammas, given by a path, a name of the package, or a family: then that of the nearest size."""
    known = shipped_gammas()
    nearest = {
        family: min((abs(at - size), other) for other, (kind, at) in known.items() if kind == family)[1]
        for family in {kind for kind, _ in known.values()}
    }
    if nearest.get(name, name) in known:
        return SHIPPED / f"{nearest.get(name, name)}.gammas"
    if not os.path.exists(name):
        raise BadGammas(
            f"unknown gammas {shortened(name, 160)}{guess(name, known)}; "
            f"choose from: {', '.join((*sorted(nearest), *known))}, or a file that exists"
        )
    return Path(name)
