"""All experiments: their declarations are consistent, and each runs."""

import pytest

from tengen.errors import TengenError
from tengen.papers.catalogue import experiments, find_experiments
from tengen.papers.experiment import SCALES, VARIANTS, Match, Measurement
from tengen.papers.measurements_file import key_of
from tengen.papers.reproduction import distinct, pairings_of, reproduce
from tests.papers.counting import IN_PROCESS

ALL = list(experiments().values())
CASES = [pytest.param(found, scale, id=f"{found.id}-{scale}") for found in ALL for scale in SCALES]


def test_ids_are_unique_and_named_after_a_paper():
    ids = [found.id for found in ALL]
    assert len(set(ids)) == len(ids)
    assert all(found.paper and found.name and found.id.count("/") == 1 for found in ALL)


@pytest.mark.parametrize(("found", "scale"), CASES)
def test_a_declaration_is_consistent_at_every_scale(found, scale):
    rows = found.rows(found.settings(scale))
    labels = [row.label for row in rows]
    assert len(set(labels)) == len(labels)
    assert {row.variant for row in rows} <= set(VARIANTS)
    assert all(set(finding.labels) <= set(labels) for finding in found.findings)
    pairings_of([*distinct(rows, Match)])  # players parse, names are unique
    measurements = [*distinct(rows, Measurement)]
    assert len({measurement.name for measurement in measurements}) == len(measurements)
    assert all(len(key_of(measurement)) == 8 and measurement.parts >= 1 for measurement in measurements)


def test_an_experiment_is_found_by_its_id_its_paper_or_all():
    assert [found.id for found in find_experiments("gelly-silver-2007/table-2")] == ["gelly-silver-2007/table-2"]
    assert {found.paper for found in find_experiments("gelly-silver-2007")} == {"gelly-silver-2007"}
    assert find_experiments("all") == ALL
    with pytest.raises(TengenError, match=r"did you mean gelly-silver-2007/table-\d"):
        find_experiments("gelly-silver-2007/tabel-2")


@pytest.mark.long
@pytest.mark.parametrize("found", ALL, ids=[found.id for found in ALL])
def test_every_experiment_runs_at_the_smallest_scale(found, tmp_path):
    result = reproduce(found, "smoke", found.settings("smoke"), tmp_path, IN_PROCESS, "")
    assert len(result["rows"]) == len(found.rows(found.settings("smoke")))
    assert all(row["samples"] > 0 for row in result["rows"])
