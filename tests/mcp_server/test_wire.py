"""Every line gets an answer, and no line ends the server."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, JSONRPCError, JSONRPCNotification

from mcp_server.wire import read_message
from tests.mcp_server.conftest import Pair
from tests.shared.stub import Answer


def request(number: object, arguments: str) -> bytes:
    return (
        f'{{"jsonrpc":"2.0","id":{json.dumps(number)},"method":"tools/call",'
        f'"params":{{"name":"search","arguments":{arguments}}}}}\n'
    ).encode("utf-8", "surrogatepass")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"garbage\n", PARSE_ERROR),
        (b'{"jsonrpc":"2.0"\n', PARSE_ERROR),
        (b"\xff\xfe\x00\n", PARSE_ERROR),
        (b"[" * 100_000 + b"\n", PARSE_ERROR),
        (b"9" * 100_000 + b"\n", PARSE_ERROR),
        (b"[]\n", INVALID_REQUEST),
        (b"17\n", INVALID_REQUEST),
        (b'{"jsonrpc":"1.0","id":7,"method":"ping"}\n', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[1]}\n', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n', INVALID_REQUEST),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}\n', INVALID_REQUEST),
    ],
)
def test_a_line_that_is_no_message_gets_an_error_and_the_next_one_its_answer(
    pair: Pair, line: bytes, code: int
) -> None:
    pair.program.send(line)
    answer = pair.program.receive()
    assert answer["error"]["code"] == code
    assert answer["id"] == (7 if b'"id":7' in line else None)
    assert pair.program.ask("ping")["result"] == {}


@pytest.mark.parametrize(
    ("arguments", "query"),
    [
        (r'{"query":"half \ud800 pair"}', "half ? pair"),
        (r'{"query":"whole \ud83c\udf89 pair"}', "whole 🎉 pair"),
        ('{"query":"悬空 🎉"}', "悬空 🎉"),
        ('{"query":"nul \\u0000 and \\u2028 line"}', "nul \0 and \u2028 line"),
        ('{"query":"\ud800"}', "���"),  # raw bytes that are no UTF-8
        ('{"query":"' + "x" * 100_000 + '"}', "x" * 4001),
    ],
    ids=["lone", "pair", "unicode", "control", "bytes", "100 kB"],
)
def test_any_text_reaches_the_worker(pair: Pair, arguments: str, query: str) -> None:
    pair.program.send(request("a", arguments))
    answer = pair.program.receive()
    assert answer["id"] == "a"
    assert answer["result"]["content"] == [{"type": "text", "text": "hello"}]
    assert pair.worker.asked[-1].params["query"] == query


@pytest.mark.parametrize(
    "arguments", ["null", "{}", '{"limit":NaN}', '{"limit":1e999}', '{"limit":' + "9" * 4000 + "}"]
)
def test_odd_but_readable_arguments_are_a_call(pair: Pair, arguments: str) -> None:
    pair.program.send(request(5, arguments))
    assert pair.program.receive()["result"]["content"]


@pytest.mark.parametrize("arguments", ["[]", '"text"', "7"])
def test_arguments_that_are_no_object_are_an_error_of_the_request(
    pair: Pair, arguments: str
) -> None:
    pair.program.send(request(5, arguments))
    answer = pair.program.receive()
    assert answer["id"] == 5
    assert "error" in answer
    assert pair.program.ask("ping")["result"] == {}


def test_blank_lines_are_passed_over(pair: Pair) -> None:
    pair.program.send(b"\n   \n\r\n")
    assert pair.program.ask("ping")["result"] == {}


def test_a_mark_at_the_start_of_a_line_is_passed_over() -> None:
    message = read_message(b'\xef\xbb\xbf{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert isinstance(message, SessionMessage)
    assert isinstance(message.message, JSONRPCNotification)


def test_text_with_lone_surrogates_from_the_worker_comes_through(pair: Pair) -> None:
    body = rb'{"content":[{"type":"text","text":"half \ud800 pair"}]}'
    pair.answering(lambda _: Answer(body))
    assert pair.program.call("search") == ("half ? pair", False)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_message_or_a_refusal(line: bytes) -> None:
    assert isinstance(read_message(line), SessionMessage | JSONRPCError)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["jsonrpc", "id", "method", "params", "result", "x"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=6,
    )
)
def test_any_json_gives_a_message_or_a_refusal(value: object) -> None:
    line = json.dumps(value).encode()
    assert isinstance(read_message(line), SessionMessage | JSONRPCError)
