"""A plain HTTP client for a worker under test: any text may be sent, nothing is interpreted."""

import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True)
class Answer:
    """A status and the body as it came."""

    status: int
    body: bytes

    def json(self) -> Any:  # noqa: ANN401 - JSON is anything
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """The text of an MCP-shaped answer."""
        return "\n".join(str(part["text"]) for part in self.json()["content"])


class Api:
    """One kept-alive connection to 127.0.0.1:port; for one thread."""

    def __init__(self, port: int, *, timeout: float = 60) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._connection.close()

    def get(self, path: str, params: Mapping[str, object] | None = None) -> Answer:
        """Ask for `path`; lone surrogates travel as the bytes that a careless client sends."""
        query = urlencode(params or {}, errors="surrogatepass")
        return self._ask("GET", f"{path}?{query}" if query else path, None)

    def post(self, path: str, body: Mapping[str, object]) -> Answer:
        """Send `body` as JSON."""
        return self._ask("POST", path, json.dumps(body))

    def _ask(self, method: str, target: str, body: str | None) -> Answer:
        headers = {"Content-Type": "application/json"} if body is not None else {}
        try:
            self._connection.request(method, target, body, headers)
            response = self._connection.getresponse()
            return Answer(response.status, response.read())
        except (http.client.HTTPException, OSError):
            self._connection.close()  # else the next request finds it half used
            raise
