"""Who may ask what, over a real socket."""

import http.client
import json
import re
import socket
from pathlib import Path
from typing import Any

import psutil
import pytest
from flask import Flask

from tests.web.conftest import PORT, TOKEN, identity_for, services_for
from worker.shared.contract import Problem
from worker.store.store import Store
from worker.web.app import create_app
from worker.web.guards import MAX_BODY, own_hosts

BATCH = "/api/observations/batch"
IDS = b'{"ids":[1]}'
JSON = {"Content-Type": "application/json"}


def ask(
    port: int,
    path: str,
    *,
    method: str = "GET",
    body: bytes | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        return response.status, json.loads(response.read() or b"{}")
    finally:
        connection.close()


def raw(port: int, text: bytes) -> bytes:
    """Send bytes as they are and return all that comes back."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(text)
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65_536), b""))


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def assert_problem(answer: bytes, status: int) -> None:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert status_of(head) == status
    assert b"application/problem+json" in head
    assert Problem.model_validate_json(body).status == status


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LocalHost", "[::1]"])
def test_our_own_names_are_served(live_port: int, name: str) -> None:
    assert ask(live_port, "/health", headers={"Host": f"{name}:{live_port}"})[0] == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:80",
        "127.0.0.1:{port}.evil.example",
        "127.0.0.1.evil.example:{port}",
        "localhost.:{port}",
        "evil@127.0.0.1:{port}",
        "127.1:{port}",
        "2130706433:{port}",
        "[::]:{port}",
        "::1:{port}",
        "0.0.0.0:{port}",
        "127.0.0.1:{port},evil.example",
        "127.0.0.1:0{port}",
        "\u00ff:{port}",
        "",
    ],
)
@pytest.mark.parametrize("path", ["/health", "/api/search", "/nowhere"])
def test_a_foreign_host_is_refused(live_port: int, host: str, path: str) -> None:
    status, body = ask(live_port, path, headers={"Host": host.format(port=live_port)})

    assert status == 403
    assert body["code"] == "forbidden"


def test_port_80_may_be_left_out_but_no_other() -> None:
    assert "localhost" in own_hosts(80)
    assert "localhost" not in own_hosts(8080)


def test_a_request_without_a_host_is_refused(live_port: int) -> None:
    assert_problem(raw(live_port, b"GET /health HTTP/1.0\r\n\r\n"), 403)
    assert_problem(raw(live_port, b"GET /health HTTP/1.1\r\n\r\n"), 403)


def test_http_1_0_with_our_host_is_served(live_port: int) -> None:
    answer = raw(live_port, b"GET /health HTTP/1.0\r\nHost: localhost:%d\r\n\r\n" % live_port)

    assert status_of(answer) == 200


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_two_hosts_are_refused(live_port: int, order: tuple[int, int]) -> None:
    hosts = (b"Host: evil.example\r\n", b"Host: 127.0.0.1:%d\r\n" % live_port)
    head = b"GET /health HTTP/1.1\r\n" + hosts[order[0]] + hosts[order[1]]

    assert_problem(raw(live_port, head + b"Connection: close\r\n\r\n"), 403)


@pytest.mark.parametrize(
    ("target", "status"),
    [
        (b"http://127.0.0.1:%d/health", 200),
        (b"http://evil.example:%d/health", 403),
        (b"http://evil@127.0.0.1:%d/health", 403),
        (b"http://[::1:%d/health", 400),
    ],
)
def test_the_authority_of_an_absolute_address_counts_too(
    live_port: int, target: bytes, status: int
) -> None:
    host = b"Host: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % live_port

    answer = raw(live_port, b"GET " + target % live_port + b" HTTP/1.1\r\n" + host)

    assert status_of(answer) == status


def test_forwarded_headers_do_not_stand_in_for_host(live_port: int) -> None:
    headers = {
        "Host": "evil.example",
        "X-Forwarded-Host": f"127.0.0.1:{live_port}",
        "Forwarded": f"host=127.0.0.1:{live_port}",
    }

    assert ask(live_port, "/health", headers=headers)[0] == 403


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:{port}/",
        "http://127.0.0.1:{port}.evil.example",
        "http://localhost:3000",
        "chrome-extension://abc",
        "file://",
    ],
)
def test_a_foreign_origin_is_refused_for_every_method(live_port: int, origin: str) -> None:
    headers = {"Origin": origin.format(port=live_port)}

    assert ask(live_port, "/api/search", headers=headers)[0] == 403
    assert ask(live_port, BATCH, method="POST", body=IDS, headers=headers | JSON)[0] == 403
    assert ask(live_port, "/api/search", method="OPTIONS", headers=headers)[0] == 403


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]"])
def test_our_own_origin_is_served_without_cors(live_port: int, name: str) -> None:
    answer = raw(
        live_port,
        b"GET /health HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://%s:%d\r\n"
        b"Connection: close\r\n\r\n" % (live_port, name.encode(), live_port),
    )

    assert status_of(answer) == 200
    assert b"access-control" not in answer.lower()


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "text/plain; application/json",
    ],
)
def test_a_body_that_is_not_called_json_is_415(live_port: int, content_type: str | None) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}

    assert ask(live_port, BATCH, method="POST", body=IDS, headers=headers)[0] == 415
    assert ask(live_port, "/api/search", body=IDS, headers=headers)[0] == 415


def test_json_with_a_charset_is_read(live_port: int) -> None:
    headers = {"Content-Type": "application/json; charset=utf-8"}

    assert ask(live_port, BATCH, method="POST", body=IDS, headers=headers)[0] == 200


@pytest.mark.parametrize("size", [MAX_BODY + 1, 3 * MAX_BODY])
def test_a_body_beyond_4_mib_is_413(live_port: int, size: int) -> None:
    status, body = ask(live_port, BATCH, method="POST", body=b" " * size, headers=JSON)

    assert status == 413
    assert body["status"] == 413


def test_a_body_of_4_mib_is_read(live_port: int) -> None:
    body = IDS + b" " * (MAX_BODY - len(IDS))

    assert ask(live_port, BATCH, method="POST", body=body, headers=JSON)[0] == 200


def test_a_chunked_body_is_measured_too(live_port: int) -> None:
    head = b"POST %s HTTP/1.1\r\nHost: localhost:%d\r\nContent-Type: application/json\r\n" % (
        BATCH.encode(),
        live_port,
    )
    head += b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    chunk = b"%x\r\n%b\r\n" % (1 << 20, b" " * (1 << 20))

    short = raw(live_port, head + b"%x\r\n%b\r\n0\r\n\r\n" % (len(IDS), IDS))
    long = raw(live_port, head + chunk * 5 + b"0\r\n\r\n")

    assert status_of(short) == 200
    assert_problem(long, 413)


@pytest.mark.parametrize(
    ("text", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /health HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
        (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999999\r\n\r\n", 413),
        (b"GET / HTTP/1.1\r\nX: " + b"a" * (1024 * 1024 - 19), 431),
    ],
)
def test_what_is_not_http_is_a_problem_too(live_port: int, text: bytes, status: int) -> None:
    assert_problem(raw(live_port, text), status)


def test_a_query_of_100_kb_is_served(live_port: int) -> None:
    assert ask(live_port, "/api/search?query=" + "%E6%82%AC" * 33_000)[0] == 200


def test_only_127_0_0_1_listens(live_port: int) -> None:
    listening = {
        connection.laddr.ip
        for connection in psutil.Process().net_connections("inet")
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == live_port
    }

    assert listening == {"127.0.0.1"}


def app_with_changes(store: Store, data_dir: Path, *, require_token: bool) -> Flask:
    """The API with a route that changes something, which answers with what it did."""
    identity = identity_for(PORT, data_dir, require_token=require_token)
    app = create_app(services_for(store, identity))
    app.add_url_rule("/api/change", "change", lambda: {}, methods=["POST", "DELETE"])
    return app


OWN = f"http://localhost:{PORT}"
WRONG = [None, "", TOKEN, "Bearer", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x"]


@pytest.mark.parametrize("header", [*WRONG, "Bearer \u00ff"])
@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_a_change_needs_the_token(
    store: Store, tmp_path: Path, header: str | None, method: str
) -> None:
    client = app_with_changes(store, tmp_path, require_token=False).test_client()
    headers = {} if header is None else {"Authorization": header}

    response = client.open("/api/change", method=method, json={}, headers=headers, base_url=OWN)

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Bearer"
    assert TOKEN not in response.text


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_a_change_with_the_token_is_done(store: Store, tmp_path: Path, scheme: str) -> None:
    client = app_with_changes(store, tmp_path, require_token=False).test_client()
    headers = {"Authorization": f"{scheme} {TOKEN}"}

    assert client.post("/api/change", json={}, headers=headers, base_url=OWN).status_code == 200


def test_reading_needs_no_token_unless_set(store: Store, tmp_path: Path) -> None:
    client = app_with_changes(store, tmp_path, require_token=False).test_client()

    assert client.get("/api/search", base_url=OWN).status_code == 200
    assert client.post(BATCH, json={"ids": 1}, base_url=OWN).status_code == 200


@pytest.mark.parametrize(
    "path", ["/api/search", "/api/projects", "/api/ready", "/api/openapi.json", "/nowhere"]
)
def test_when_set_reading_needs_the_token(store: Store, tmp_path: Path, path: str) -> None:
    client = app_with_changes(store, tmp_path, require_token=True).test_client()

    without = client.get(path, base_url=OWN)
    with_it = client.get(path, base_url=OWN, headers={"Authorization": f"Bearer {TOKEN}"})

    assert without.status_code == 401
    assert with_it.status_code == (404 if path == "/nowhere" else 200)


def test_when_set_a_read_by_post_needs_the_token_but_health_does_not(
    store: Store, tmp_path: Path
) -> None:
    client = app_with_changes(store, tmp_path, require_token=True).test_client()

    assert client.post(BATCH, json={"ids": 1}, base_url=OWN).status_code == 401
    assert client.get("/health", base_url=OWN).status_code == 200
    assert client.get("/api/health", base_url=OWN).status_code == 200


def test_every_route_that_is_not_a_read_is_guarded(app: Flask) -> None:
    reading = {"searching.batch"}
    changing = [
        (method, rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"GET", "HEAD", "OPTIONS"}
        if rule.endpoint not in reading
    ]

    assert changing
    for method, rule in changing:
        path = re.sub("<.*?>", "1", rule.rule)
        response = app.test_client().open(path, method=method, json={}, base_url=OWN)
        assert response.status_code == 401, path
