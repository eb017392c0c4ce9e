"""Damaged copies of valid files, the same ones for the same seed.

    for name, content in mutants(valid, count=300, seed=1):
        ...

`name` says what was done, so that a failure can be repeated. Every mutant differs from the valid content.
"""

import random
import re
from collections.abc import Callable, Iterator

EXTREME_NUMBERS = (
    b"-1", b"0", b"2147483648", b"9223372036854775808", b"1" + b"0" * 30, b"-1" + b"0" * 30, b"9" * 5000, b"1e308",
    b"1e999", b"-1e999", b"NaN", b"nan", b"-0", b"0.5", b"1e-320", b"null", b'""', b"true", b"[]", b"{}",
)  # fmt: skip
"""What a number in a text file is replaced by."""
INSERTED = (
    b"\0", b"\xff\xfe", b"\xc3", b"\n", b"\r", b'"', b"'", b"\\", b"{", b"}", b"[", b"]", b"[" * 2000, b"(;" * 2000,
    b"{" * 2000, b',"a":' + b"[" * 200_000, b"\xf0\x9f\x80\x80", b"\xed\xa0\x80", b" " * 4096, b"%s%n", b"\0" * 512,
)  # fmt: skip
"""What is inserted somewhere."""
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")

Mutator = Callable[[bytes, random.Random], bytes]


def flip_bits(content: bytes, chance: random.Random) -> bytes:
    """Flip one to eight bits."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def replace_bytes(content: bytes, chance: random.Random) -> bytes:
    """Overwrite a run of up to 64 bytes with random ones."""
    start = chance.randrange(len(content))
    length = min(chance.randint(1, 64), len(content) - start)
    return content[:start] + chance.randbytes(length) + content[start + length :]


def zero_block(content: bytes, chance: random.Random) -> bytes:
    """Overwrite a block of up to 4,096 bytes with zeros, as a file system may after a crash."""
    start = chance.randrange(len(content))
    length = min(chance.choice((16, 128, 512, 4096)), len(content) - start)
    return content[:start] + bytes(length) + content[start + length :]


def truncate(content: bytes, chance: random.Random) -> bytes:
    """Drop the end."""
    return content[: chance.randrange(len(content))]


def insert_bytes(content: bytes, chance: random.Random) -> bytes:
    """Insert one of `INSERTED` somewhere."""
    place = chance.randrange(len(content) + 1)
    return content[:place] + chance.choice(INSERTED) + content[place:]


def delete_bytes(content: bytes, chance: random.Random) -> bytes:
    """Delete a run of up to 64 bytes."""
    start = chance.randrange(len(content))
    return content[:start] + content[start + chance.randint(1, 64) :]


def swap_blocks(content: bytes, chance: random.Random) -> bytes:
    """Exchange two blocks of the same length that do not overlap."""
    length = min(chance.choice((1, 16, 512, 4096)), len(content) // 2)
    first = chance.randrange(len(content) - 2 * length + 1)
    second = chance.randrange(first + length, len(content) - length + 1)
    one, other = content[first : first + length], content[second : second + length]
    return content[:first] + other + content[first + length : second] + one + content[second + length :]


def delete_line(content: bytes, chance: random.Random) -> bytes:
    """Delete a line."""
    lines = content.splitlines(keepends=True)
    del lines[chance.randrange(len(lines))]
    return b"".join(lines)


def repeat_line(content: bytes, chance: random.Random) -> bytes:
    """Write a line twice."""
    lines = content.splitlines(keepends=True)
    place = chance.randrange(len(lines))
    return b"".join([*lines[:place], lines[place], *lines[place:]])


def swap_lines(content: bytes, chance: random.Random) -> bytes:
    """Exchange two lines."""
    lines = content.splitlines(keepends=True)
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"".join(lines)


def replace_number(content: bytes, chance: random.Random) -> bytes:
    """Replace a number in the text by one of `EXTREME_NUMBERS`."""
    found = list(NUMBER.finditer(content))
    if not found:
        return content
    number = chance.choice(found)
    return content[: number.start()] + chance.choice(EXTREME_NUMBERS) + content[number.end() :]


def change_digit(content: bytes, chance: random.Random) -> bytes:
    """Replace a digit by another one: the file stays well-formed and says something else."""
    found = [place for place, byte in enumerate(content) if 48 <= byte < 58]
    if not found:
        return content
    place = chance.choice(found)
    return content[:place] + b"%d" % chance.randrange(10) + content[place + 1 :]


BINARY: tuple[Mutator, ...] = (
    flip_bits, replace_bytes, zero_block, truncate, insert_bytes, delete_bytes, swap_blocks,
)  # fmt: skip
"""For files of any kind."""
TEXT: tuple[Mutator, ...] = (
    *BINARY, delete_line, repeat_line, swap_lines, replace_number, replace_number, replace_number, change_digit,
)  # fmt: skip
"""For files of text; numbers are the most frequent victims."""


def mutants(
    content: bytes, count: int, seed: int = 1, mutators: tuple[Mutator, ...] = TEXT
) -> Iterator[tuple[str, bytes]]:
    """Yield `count` damaged copies of `content`, each under a name of the mutator and the number that repeats it."""
    made = number = 0
    while made < count:
        mutate = mutators[number % len(mutators)]
        changed = mutate(content, random.Random(f"{seed}/{number}"))
        if changed != content:
            yield f"{mutate.__name__}-{seed}-{number}", changed
            made += 1
        number += 1
