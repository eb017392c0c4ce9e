"""Local shape features by plain search and comparison, without codes, frames, tables or incremental updates.

A feature is a set of (row, column, colour) for all points of a window, empty ones included. Features that share a
weight are found by applying every symmetry, translation and exchange of colours, and comparing.
"""

import itertools

SIZES = {"squares": [(1, 1), (2, 2), (3, 3)], "rectangles": [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)]}
EXCHANGED = {".": ".", "X": "O", "O": "X"}


def windows(size, features):
    """Every window of the board as the list of its points."""
    for height, width in SIZES[features]:
        for row, column in itertools.product(range(size - height + 1), range(size - width + 1)):
            yield [(row + down, column + right) for down in range(height) for right in range(width)]


def symmetries(size):
    def view(number, row, column):
        if number & 1:
            row = size - 1 - row
        if number & 2:
            column = size - 1 - column
        return (column, row) if number & 4 else (row, column)

    return [lambda row, column, number=number: view(number, row, column) for number in range(8)]


def images(feature, size):
    """The images of a feature under the board's symmetries."""
    return [frozenset((*view(row, column), colour) for row, column, colour in feature) for view in symmetries(size)]


def moved_to_corner(feature):
    top, left = min(row for row, _, _ in feature), min(column for _, column, _ in feature)
    return frozenset((row - top, column - left, colour) for row, column, colour in feature)


def local_key(feature, size, inversion=True):
    """A name for the weight of a feature in the local set, and its sign; None if it has no weight."""
    return _key(images(feature, size), inversion)


def common_key(feature, size, inversion=True):
    """The same for the common set."""
    return _key([moved_to_corner(image) for image in images(feature, size)], inversion)


def _key(equivalent, inversion):
    equivalent = {tuple(sorted(image)) for image in equivalent}
    if all(colour == "." for _, _, colour in next(iter(equivalent))):
        return None
    if not inversion:
        return min(equivalent), 1
    opposite = {tuple((row, column, EXCHANGED[colour]) for row, column, colour in image) for image in equivalent}
    if equivalent == opposite:
        return None
    return min(*equivalent, *opposite), 1 if min(equivalent) < min(opposite) else -1


def features_of(board, features="squares"):
    """The features that match a board, given as rows of letters."""
    for cells in windows(len(board), features):
        yield frozenset((row, column, board[row][column]) for row, column in cells)


def phi(board, features="squares", inversion=True):
    """How often each weight counts on a board: by ("local" or "common", name)."""
    counts: dict[tuple, int] = {}
    for feature in features_of(board, features):
        for kind, key in (("local", local_key), ("common", common_key)):
            found = key(feature, len(board), inversion)
            if found is not None:
                counts[kind, found[0]] = counts.get((kind, found[0]), 0) + found[1]
    return {name: count for name, count in counts.items() if count}


def active(board, features="squares", inversion=True):
    """How many features on a board have a weight, in both sets together."""
    keys = [
        key(feature, len(board), inversion)
        for feature in features_of(board, features)
        for key in (local_key, common_key)
    ]
    return sum(found is not None for found in keys)
