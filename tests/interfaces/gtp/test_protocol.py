"""The protocol without a game: numbers, comments, characters, streams, interrupts and invalid input."""

import io
import threading
import time
import tracemalloc

import pytest

from tengen.interfaces.gtp.protocol import (
    LINE_OVERHEAD,
    LONGEST_LINE,
    MOST_QUEUED,
    Command,
    CommandError,
    Conversation,
    Input,
    Request,
    in_one_line,
    parse_request,
)

pytestmark = pytest.mark.plain


class Listener:
    """A conversation that stores its answers."""

    def __init__(self, **commands: Command):
        self.log = io.StringIO()
        self.written: list[str] = []
        self.conversation = Conversation(self.written.append, "Nobody", "3", (ValueError,), self.log)
        self.conversation.add(commands)

    def hear(self, data: bytes) -> str:
        self.conversation.input.feed([data])
        self.conversation.run()
        return "".join(self.written)


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ("name", Request("", "name", [])),
        ("  name  ", Request("", "name", [])),
        ("20 name", Request("20", "name", [])),
        ("020 play b D4", Request("020", "play", ["b", "D4"])),
        ("play\tb\tD4\r", Request("", "play", ["b", "D4"])),
        ("play b D4 # the star point", Request("", "play", ["b", "D4"])),
        ("5", Request("5", "", [])),
        ("9x9 board", Request("", "9x9", ["board"])),
        ("-1 name", Request("", "-1", ["name"])),
        ("na\x00me\x7f", Request("", "name", [])),
        ("", None),
        (" \t\r", None),
        ("# a comment", None),
        ("\x01\x02", None),
    ],
)
def test_a_line_is_a_number_a_name_and_words_without_comments_and_control_characters(line, request_):
    assert parse_request(line) == request_


def test_answers_have_the_numbers_of_their_commands_in_the_order_of_arrival():
    lines = b"1 name\n\n# nothing\n2 version\r\nprotocol_version\n33 nonsense\n4 known_command name\nquit\n"
    said = Listener().hear(lines)
    assert said == "=1 Nobody\n\n=2 3\n\n= 2\n\n?33 unknown command\n\n=4 true\n\n=\n\n"


def test_nothing_is_answered_after_quit():
    assert Listener().hear(b"quit\nname\n") == "=\n\n"


def test_a_last_line_without_a_line_feed_is_answered():
    assert Listener().hear(b"name\nversion") == "= Nobody\n\n= 3\n\n"


def test_all_commands_are_listed_and_known():
    listener = Listener(zeal=lambda words: "", apathy=lambda words: "")
    names = ["apathy", "known_command", "list_commands", "name", "protocol_version", "quit", "version", "zeal"]
    assert listener.hear(b"list_commands\n") == "= " + "\n".join(names) + "\n\n"
    assert Listener().hear(b"known_command zeal\nknown_command\nknown_command a b\n") == "= false\n\n" * 3


def test_a_refusal_is_one_line():
    def refuse(words):
        raise CommandError("this\n\nis not\r\n possible ")

    assert Listener(refuse=refuse).hear(b"refuse\n") == "? this is not possible\n\n"
    assert Listener(odd=lambda words: str(int(words[0]))).hear(b"odd x\n").startswith("? invalid literal")


def test_an_answer_has_no_empty_line_inside():
    assert Listener(long=lambda words: "a\n\n\nb  \n\n").hear(b"1 long\n") == "=1 a\nb\n\n"
    assert Listener(below=lambda words: "\n a\nb").hear(b"1 below\n") == "=1\n a\nb\n\n"


def test_an_internal_error_is_answered_and_reported_on_standard_error(capsys):
    def broken(words):
        raise ZeroDivisionError("oh")

    assert Listener(broken=broken).hear(b"broken\nname\n") == "? internal error: ZeroDivisionError: oh\n\n= Nobody\n\n"
    assert "Traceback" in capsys.readouterr().err


def test_a_lack_of_memory_is_one_line_and_not_an_internal_error(capsys):
    def hungry(words):
        raise MemoryError("Unable to allocate 931 GiB" + "x" * 1000)

    said = Listener(hungry=hungry).hear(b"hungry\nname\n")
    assert said.startswith("? not enough memory: 'Unable to allocate 931 GiB")
    assert len(said) < 200
    assert said.endswith("...'\n\n= Nobody\n\n")
    assert capsys.readouterr().err == ""


def test_a_stream_writes_its_lines_and_an_empty_one_at_the_end():
    listener = Listener()
    seen = []

    def count(words, reply):
        reply.begin()
        seen.append("".join(listener.written))
        for word in words:
            reply.line(word)
            seen.append("".join(listener.written))

    listener.conversation.add({}, {"count": count})
    assert listener.hear(b"8 count one two\n") == "=8\none\ntwo\n\n"
    assert seen == ["=8\n", "=8\none\n", "=8\none\ntwo\n"]


def test_a_stream_that_fails_before_its_first_line_is_refused_and_later_only_ended():
    def fail(words, reply):
        if words:
            reply.line("so far so good")
        raise CommandError("but then")

    listener = Listener()
    listener.conversation.add({}, {"fail": fail})
    assert listener.hear(b"fail\nfail late\n") == "? but then\n\n=\nso far so good\n\n"


def test_a_line_of_any_length_is_answered_by_one_line():
    said = Listener().hear(b"name" + b"x" * (2 * LONGEST_LINE) + b"\nname\n")
    assert said == "? unknown command\n\n= Nobody\n\n"


def test_bytes_that_are_not_text_are_answered_by_one_line():
    said = Listener().hear(b"\xff\xfe\x80name\n\x00\x01\x02\n\xe2\x80\xa8\nname\n")
    assert said.endswith("= Nobody\n\n")
    assert all(answer.startswith(("= ", "? ")) for answer in said.split("\n\n")[:-1])


def test_an_interrupt_applies_to_the_commands_before_it():
    lines = Input()
    lines.feed([b"first\nsec", b"ond\n# interrupt\nthird\n"])
    found = []
    while (line := lines.next()) is not None:
        found.append((line, lines.is_interrupted))
    assert found == [("first", True), ("second", True), ("third", False)]


@pytest.mark.parametrize(
    ("pieces", "is_left"),
    [
        ([b"first\nsecond\n"], False),
        ([b"first\n", None, b"second\n"], False),
        ([b"first\nsecond", None], True),
        ([b"first\n", None, b"second\n", None], True),
    ],
)
def test_an_end_after_a_pause_interrupts_commands_and_one_without_ends_a_batch(pieces, is_left):
    lines = Input()
    lines.feed(pieces)
    assert [lines.next(), lines.is_interrupted] == ["first", is_left]
    assert [lines.next(), lines.is_interrupted] == ["second", is_left]
    assert lines.next() is None
    assert lines.is_abandoned == is_left


def test_reading_pauses_while_the_queue_of_lines_is_full():
    lines, drawn = Input(), []

    def pieces():
        for number in range(200):
            drawn.append(number)
            yield b"name\n" * 1000

    reader = threading.Thread(target=lines.feed, args=(pieces(),), daemon=True)
    reader.start()
    while reader.is_alive() and lines._queued < MOST_QUEUED:
        time.sleep(0.01)
    assert len(drawn) <= MOST_QUEUED // (1000 * LINE_OVERHEAD) + 2
    count = 0
    while lines.next() is not None:
        count += 1
    assert count == 200_000
    assert len(drawn) == 200


def test_endless_input_without_a_line_feed_takes_the_memory_of_one_line():
    lines = Input()
    tracemalloc.start()
    lines.feed(b"x" * 50_000 for _ in range(1000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5 * LONGEST_LINE
    assert [lines.next(), lines.next()] == ["too_long_a_line", None]


def test_a_waiting_line_and_the_end_set_is_waiting():
    lines = Input()
    seen = [lines.is_waiting]
    lines.put(b"")
    seen.append(lines.is_waiting)
    assert lines.next() == ""
    seen.append(lines.is_waiting)
    lines.close()
    seen.append(lines.is_waiting)
    assert lines.next() is None
    seen.append(lines.is_waiting)
    assert seen == [False, True, False, True, True]


def test_idle_is_called_until_a_line_arrives():
    listener = Listener()
    spent = []

    def idle():
        spent.append(1)
        if len(spent) == 3:
            listener.conversation.input.put(b"quit")
        return True

    listener.conversation.run(idle)
    assert len(spent) == 3


def test_the_log_has_both_sides():
    listener = Listener()
    listener.hear(b"7 name # hello\n")
    lines = [line[9:] for line in listener.log.getvalue().splitlines()]
    assert lines == ["> 7 name # hello", "< =7 Nobody", "<"]


def test_a_message_is_converted_to_one_line():
    assert in_one_line(" a\n\tb\x85 ") == "a b"
    assert in_one_line("") == "no reason was given"
