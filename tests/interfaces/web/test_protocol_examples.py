"""The examples of docs/web-protocol.md are messages of the protocol, and every message has one."""

import json
import re
from pathlib import Path
from typing import get_args

import pytest

from tengen.interfaces.web import replies, resources, search_replies
from tengen.interfaces.web.messages import BadMessage, ClientMessage, parse_message

PAGE = Path(__file__).parents[3] / "docs" / "web-protocol.md"
EXAMPLES = re.findall(r"^```json (\w+)\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
SERVER = {
    kind.model_fields["type"].default: kind
    for kind in (vars(replies) | vars(search_replies)).values()
    if isinstance(kind, type) and issubclass(kind, replies.ServerMessage) and kind is not replies.ServerMessage
}
CLIENT = {get_args(kind.model_fields["type"].annotation)[0] for kind in get_args(get_args(ClientMessage)[0])}


def of(kind: str) -> list[str]:
    return [text for found, text in EXAMPLES if found == kind]


@pytest.mark.parametrize("text", of("page"))
def test_an_example_of_the_page_is_a_message(text):
    assert parse_message(text).type == json.loads(text)["type"]


@pytest.mark.parametrize("text", of("server"))
def test_an_example_of_the_server_is_what_it_would_send(text):
    message = SERVER[json.loads(text)["type"]].model_validate_json(text)
    assert json.loads(message.encoded()) == json.loads(text)


@pytest.mark.parametrize(("kind", "text"), [example for example in EXAMPLES if example[0][0].isupper()])
def test_an_example_of_a_document_is_what_the_server_would_answer(kind, text):
    document = getattr(resources, kind).model_validate_json(text)
    assert json.loads(document.model_dump_json(exclude_none=True)) == json.loads(text)


def test_every_message_has_an_example():
    assert {json.loads(text)["type"] for text in of("page")} == CLIENT
    assert {json.loads(text)["type"] for text in of("server")} == SERVER.keys()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ("[]", "malformed message"),
        ("{}", "malformed message"),
        ('{"type": "fly"}', "fly"),
        ('{"type": "play"}', "move"),
        ('{"type": "play", "move": 3}', "move"),
        ('{"type": "play", "move": "E5", "colour": "black"}', "colour"),
        ('{"type": "open_board", "board": "../../etc/passwd"}', "board"),
        ('{"type": "start_analysis", "players": []}', "players"),
        ('{"type": "start_analysis", "players": [{"player": "uct"}], "seconds": NaN}', "seconds"),
        ("[" * 100_000, "malformed message"),
        (b"\xff\xfe", "malformed message"),
    ],
)
def test_a_malformed_message_is_refused_in_one_sentence(text, reason):
    with pytest.raises(BadMessage, match=reason) as caught:
        parse_message(text)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
