"""The file of measured parts: what is kept, and what is refused."""

import pytest

from tengen.files import Unreadable
from tengen.papers.experiment import Measurement
from tengen.papers.measurements_file import START, MeasurementsFile
from tengen.signed_lines import SignedLines
from tests.papers.counting import squares

MEASUREMENT = Measurement("squares", squares, 3, {"calls": "a"})


def test_parts_are_found_again(tmp_path):
    MeasurementsFile(tmp_path / "a").add([(MEASUREMENT, 2, {"square": 4.0}), (MEASUREMENT, 0, {"square": 0.5})])
    kept = MeasurementsFile(tmp_path / "a")
    assert kept.results(MEASUREMENT) == [{"square": 0.5}, {"square": 4.0}]
    assert kept.missing(MEASUREMENT) == [1]


def test_parts_with_other_settings_are_not_used(tmp_path):
    MeasurementsFile(tmp_path / "a").add([(MEASUREMENT, 0, {"square": 4.0})])
    other = Measurement("squares", squares, 3, {"calls": "b"})
    assert MeasurementsFile(tmp_path / "a").missing(other) == [0, 1, 2]


def test_a_line_torn_by_a_kill_is_removed(tmp_path):
    kept = MeasurementsFile(tmp_path / "a")
    kept.add([(MEASUREMENT, 0, {"square": 4.0})])
    whole = (tmp_path / "a").read_bytes()
    kept.add([(MEASUREMENT, 1, {"square": 5.0})])
    (tmp_path / "a").write_bytes((tmp_path / "a").read_bytes()[:-9])
    assert MeasurementsFile(tmp_path / "a").missing(MEASUREMENT) == [1, 2]
    assert (tmp_path / "a").read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"measurement": "a", "key": "b", "part": 0, "result": []}, "its result is not an object"),
        ({"measurement": "a", "key": "b", "part": 0, "result": {"x": "y"}}, "'x' is 'y', not a number"),
        ({"measurement": "a", "part": 0, "result": {}}, "is not a measurement"),
        ({"measurement": "a", "key": "b", "part": [], "result": {"x": 1}}, "is not a measurement"),
    ],
)
def test_other_lines_are_refused(tmp_path, line, message):
    SignedLines(tmp_path / "a", START, "").append([line])
    with pytest.raises(Unreadable, match=f"line 1 .*{message}"):
        MeasurementsFile(tmp_path / "a")


def test_other_files_are_refused(tmp_path):
    (tmp_path / "a").write_text("text")
    with pytest.raises(Unreadable, match="not a file of measurements"):
        MeasurementsFile(tmp_path / "a")
    (tmp_path / "b").write_text('{"measurement":"a","key":"b","part":0,"result":{}}\n')
    with pytest.raises(Unreadable, match="1 lines without a checksum"):
        MeasurementsFile(tmp_path / "b")


def test_a_changed_number_is_found(tmp_path):
    MeasurementsFile(tmp_path / "a").add([(MEASUREMENT, 0, {"square": 4.0})])
    (tmp_path / "a").write_text((tmp_path / "a").read_text().replace("4.0", "5.0"))
    with pytest.raises(Unreadable, match="checksum is wrong"):
        MeasurementsFile(tmp_path / "a")
