"""Files that are there whole or not at all."""

import pytest

from tengen.files import Busy, Lock, Unwritable, replacing, write_whole


def test_a_file_is_written_and_nothing_is_left_beside_it(tmp_path):
    write_whole(tmp_path / "a.txt", "old")
    write_whole(str(tmp_path / "a.txt"), b"new")
    assert (tmp_path / "a.txt").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_an_error_on_the_way_leaves_the_old_file(tmp_path):
    write_whole(tmp_path / "a.txt", "old")

    def fail_half_way():
        with replacing(tmp_path / "a.txt") as temporary:
            temporary.write_text("half")
            raise KeyError

    with pytest.raises(KeyError):
        fail_half_way()
    assert (tmp_path / "a.txt").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_the_name_to_write_to_has_the_same_ending(tmp_path):
    with replacing(tmp_path / "picture.png") as temporary:
        temporary.write_bytes(b"")
        assert temporary.suffix == ".png"


def test_a_missing_folder_is_told_in_one_sentence(tmp_path):
    with pytest.raises(Unwritable, match="cannot be written: No such file"):
        write_whole(tmp_path / "no" / "folder", "")


def test_a_name_may_be_as_long_as_the_system_allows_and_no_longer(tmp_path):
    write_whole(tmp_path / ("a" * 251 + ".txt"), "long")
    assert (tmp_path / ("a" * 251 + ".txt")).read_text() == "long"
    with pytest.raises(Unwritable, match="too long"):
        write_whole(tmp_path / ("a" * 300), "")


def test_a_lock_is_given_back_at_the_end_of_a_block(tmp_path):
    with Lock(tmp_path / "a", "writing"), pytest.raises(Busy, match="another process is writing"):
        Lock(tmp_path / "a", "writing")
    with Lock(tmp_path / "a", "writing"):
        pass
    assert not list(tmp_path.iterdir())
