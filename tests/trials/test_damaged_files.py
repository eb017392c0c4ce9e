"""A sample of damaged files of every kind through their readers: a result or a TengenError of one line."""

import pytest

from tengen.errors import TengenError
from tests.trials.kinds import Kind, kinds
from tests.trials.mutations import BINARY, TEXT, mutants

NAMES = (
    "store", "store played into", "JSON lines", "CSV", "tournament", "record", "weights", "checkpoint", "urgencies",
    "checkpoint of urgencies", "gammas", "checkpoint of gammas", "journal", "journal without checksums",
)  # fmt: skip
SAMPLE = 2 * len(TEXT)


@pytest.fixture(scope="module")
def valid(tmp_path_factory) -> dict[str, Kind]:
    return kinds(tmp_path_factory.mktemp("kinds"))


def test_all_kinds_are_tried(valid):
    assert set(NAMES) == set(valid)


@pytest.mark.parametrize("name", NAMES)
def test_a_damaged_file_is_read_or_refused_in_one_line(name, valid):
    kind = valid[name]
    kind.read(kind.write(kind.content))
    messages = []
    for _, content in mutants(kind.content, SAMPLE, seed=7, mutators=kind.mutators):
        try:
            kind.read(kind.write(content))
        except TengenError as error:
            messages.append(str(error))
    assert len(messages) > SAMPLE // 4
    assert not [message for message in messages if "\n" in message]


@pytest.mark.parametrize(
    "name",
    ["weights", "checkpoint", "urgencies", "checkpoint of urgencies", "gammas", "checkpoint of gammas", "journal"],
)
def test_no_damage_to_a_file_with_checksums_changes_what_is_read(name, valid):
    """Except a lost end of a journal, which looks like a kill."""
    kind = valid[name]
    expected = kind.read(kind.write(kind.content))
    for mutant, content in mutants(kind.content, SAMPLE, seed=8, mutators=kind.mutators):
        if kind.content.startswith(content):
            continue
        try:
            found = kind.read(kind.write(content))
        except TengenError:
            continue
        assert found == expected, mutant


def test_mutants_are_the_same_ones_for_the_same_seed():
    content = b'{"number": 12, "text": "abc"}\nsecond line 3.5\n' * 40
    for mutators in (BINARY, TEXT):
        first, second = (list(mutants(content, 60, seed=5, mutators=mutators)) for _ in range(2))
        assert first == second
        assert len({name for name, _ in first}) == 60
        assert all(mutant != content for _, mutant in first)
        assert {name.partition("-")[0] for name, _ in first} == {mutate.__name__ for mutate in mutators}
    assert first != list(mutants(content, 60, seed=6))
