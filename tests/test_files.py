"""Safe files: bounded reading, atomic replacement, locks."""

import os
from contextlib import suppress

import pytest

from tengen.files import (
    Busy,
    Lock,
    Unreadable,
    Unwritable,
    parse_json,
    parse_toml,
    read_bytes,
    read_lines,
    read_text,
    replacing,
    write_lines,
    write_whole,
)


def test_a_file_is_written_and_nothing_is_left_beside_it(tmp_path):
    write_whole(tmp_path / "a.txt", "old")
    write_whole(str(tmp_path / "a.txt"), b"new")
    assert (tmp_path / "a.txt").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_an_error_while_writing_leaves_the_old_file(tmp_path):
    write_whole(tmp_path / "a.txt", "old")

    def fail_half_way():
        with replacing(tmp_path / "a.txt") as temporary:
            temporary.write_text("half")
            raise KeyError

    with pytest.raises(KeyError):
        fail_half_way()
    assert (tmp_path / "a.txt").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_the_temporary_file_has_the_same_suffix(tmp_path):
    with replacing(tmp_path / "picture.png") as temporary:
        temporary.write_bytes(b"")
        assert temporary.suffix == ".png"


def test_a_missing_folder_is_a_one_line_error(tmp_path):
    with pytest.raises(Unwritable, match="cannot be written: No such file"):
        write_whole(tmp_path / "no" / "folder", "")


def test_a_name_may_be_as_long_as_the_system_allows_and_no_longer(tmp_path):
    write_whole(tmp_path / ("a" * 251 + ".txt"), "long")
    assert (tmp_path / ("a" * 251 + ".txt")).read_text() == "long"
    with pytest.raises(Unwritable, match="too long"):
        write_whole(tmp_path / ("a" * 300), "")


def test_a_lock_is_released_at_the_end_of_a_block(tmp_path):
    with Lock(tmp_path / "a", "writing"), pytest.raises(Busy, match="another process is writing"):
        Lock(tmp_path / "a", "writing")
    with Lock(tmp_path / "a", "writing"):
        pass
    assert not list(tmp_path.iterdir())


def test_an_input_file_is_read_whole(tmp_path):
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfgr\xc3\xbcn")
    assert read_bytes(tmp_path / "a") == b"\xef\xbb\xbfgr\xc3\xbcn"
    assert read_text(str(tmp_path / "a")) == "grün"


def test_an_input_file_above_the_limit_is_refused(tmp_path):
    (tmp_path / "a").write_bytes(b"12345")
    assert read_bytes(tmp_path / "a", most=5) == b"12345"
    with pytest.raises(Unreadable, match="larger than the limit of 4 bytes"):
        read_bytes(tmp_path / "a", most=4)


def test_only_regular_files_are_read(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", tmp_path, "/dev/zero"):
        with pytest.raises(Unreadable, match=r"not a regular file|directory"):
            read_bytes(path)


def test_a_missing_file_a_bad_name_and_other_encodings_are_refused(tmp_path):
    with pytest.raises(Unreadable, match="No such file"):
        read_bytes(tmp_path / "none")
    with pytest.raises(Unreadable, match="name is not valid"):
        read_bytes("a\0b")
    (tmp_path / "a").write_bytes(b"gr\xfcn")
    with pytest.raises(Unreadable, match="not UTF-8"):
        read_text(tmp_path / "a")
    assert read_text(tmp_path / "a", errors="replace") == "gr\ufffdn"


@pytest.mark.parametrize("text", ["[" * 200_000, "{", "[" * 101 + "]" * 101, '{"a": ' * 101 + "1" + "}" * 101])
def test_malformed_or_deep_json_is_refused(text):
    with pytest.raises(Unreadable, match="not valid JSON"):
        parse_json(text)


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a =", "a = " + "[" * 101 + "]" * 101])
def test_malformed_or_deep_toml_is_refused(text):
    with pytest.raises(Unreadable, match="not valid TOML"):
        parse_toml(text)


def test_json_and_toml_within_the_limit_are_read():
    assert parse_json("[" * 99 + "]" * 99)
    assert parse_toml("a = [[1], {b = 2}]") == {"a": [[1], {"b": 2}]}


def test_lines_are_read_one_by_one_up_to_a_length(tmp_path):
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbfone\ntwo\r\n\nlast")
    assert list(read_lines(tmp_path / "a")) == ["one\n", "two\r\n", "\n", "last"]
    lines = read_lines(tmp_path / "a", most=7)
    assert next(lines) == "one\n"
    with pytest.raises(Unreadable, match=r"line 1 .* longer than 6 bytes"):
        list(read_lines(tmp_path / "a", most=6))


def test_a_line_that_is_not_utf_8_is_named(tmp_path):
    (tmp_path / "a").write_bytes(b"one\n\xff\n")
    with pytest.raises(Unreadable, match=r"line 2 .* not UTF-8"):
        list(read_lines(tmp_path / "a"))
    with pytest.raises(Unreadable, match="not a regular file"):
        next(read_lines("/dev/zero"))


def test_compressed_lines_are_read_as_they_were_written(tmp_path):
    lines = ["one", "", "zwölf" * 1000]
    for name in ("a.jsonl", "b.jsonl.gz"):
        write_lines(tmp_path / name, lines)
        assert list(read_lines(tmp_path / name)) == [f"{line}\n" for line in lines]
    assert (tmp_path / "b.jsonl.gz").stat().st_size < 200 < (tmp_path / "a.jsonl").stat().st_size
    again = (tmp_path / "b.jsonl.gz").read_bytes()
    write_lines(tmp_path / "b.jsonl.gz", lines)
    assert (tmp_path / "b.jsonl.gz").read_bytes() == again
    with pytest.raises(Unreadable, match=r"line 3 .* longer than 6 bytes"):
        list(read_lines(tmp_path / "b.jsonl.gz", most=6))


def test_every_damage_of_compressed_lines_is_found(tmp_path):
    write_lines(tmp_path / "whole.gz", ["one", "two"])
    content = (tmp_path / "whole.gz").read_bytes()
    wrong = [content[:size] for size in range(1, len(content))]
    wrong += [content[:at] + bytes([content[at] ^ 0x40]) + content[at + 1 :] for at in range(12, len(content))]
    read = []
    for damaged in [*wrong, b"no archive"]:
        (tmp_path / "damaged.gz").write_bytes(damaged)
        with suppress(Unreadable):
            read.append(list(read_lines(tmp_path / "damaged.gz")))
    assert all(lines == ["one\n", "two\n"] for lines in read)  # a bit of the padding was changed
    assert len(read) <= 1


@pytest.mark.parametrize("path", [".", "/", ".."])
def test_a_folder_cannot_be_written_as_a_file(path):
    with pytest.raises(Unwritable, match="it is a folder"):
        write_whole(path, "text")
