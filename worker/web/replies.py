"""From the wire to a request model and from a reply model back to the wire."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar, get_origin
from urllib.parse import parse_qsl

from flask import Response, request
from pydantic import BaseModel, TypeAdapter, ValidationError

from worker.shared.contract import Part, Request, TextReply
from worker.shared.errors import BadRequestError
from worker.shared.values import Names, clean_text

R = TypeVar("R", bound=Request)
Notes = list[str]

_NAMES: TypeAdapter[tuple[str, ...]] = TypeAdapter(Names)
_NAMED_AT_MOST = 10


def from_query(model: type[R]) -> tuple[R, Notes]:
    """Read the query string; of a repeated parameter the last counts, lists are joined."""
    values: dict[str, list[str]] = defaultdict(list)
    text = request.query_string.decode("utf-8", "replace")
    for key, value in parse_qsl(text, keep_blank_values=True, errors="replace"):
        values[key].append(value)
    lists = _list_names(model)
    return _validated(
        model,
        {k: _joined(given) if k in lists else given[-1] for k, given in values.items()},
    )


def from_body(model: type[R]) -> tuple[R, Notes]:
    """Read the JSON object in the body."""
    try:
        data = json.loads(request.get_data(cache=False))
        if not isinstance(data, dict):
            raise BadRequestError("body must be a JSON object", field="body")
        return _validated(model, data)
    except ValueError as exc:
        raise BadRequestError(f"body is not JSON: {exc}", field="body") from exc
    except RecursionError as exc:
        raise BadRequestError("body is nested too deeply", field="body") from exc


def json_reply(reply: BaseModel, status: int = 200) -> Response:
    """Return a model as JSON with its public names."""
    return Response(reply.model_dump_json(by_alias=True), status, mimetype="application/json")


def text_reply(text: str) -> Response:
    """Return a text in the shape of an MCP tool's answer."""
    return json_reply(TextReply(content=[Part(text=text)]))


def reply(model: BaseModel, form: str, page: Callable[[], str]) -> Response:
    """Return the reply in the form that was asked for; the page is made only if it is."""
    return json_reply(model) if form == "json" else text_reply(page())


def with_notes(page: str, notes: Sequence[str]) -> str:
    """Return a page with a line for each note below it."""
    return "\n\n".join((page, *(f"Note: {note}" for note in notes)))


def _validated(model: type[R], data: dict[str, Any]) -> tuple[R, Notes]:
    try:
        parsed = model.model_validate(data)
    except ValidationError as exc:
        raise _bad_request(model, exc) from exc
    unknown = [" ".join(str(clean_text(key)).split())[:40] for key in model.unknown(list(data))]
    if not unknown:
        return parsed, []
    more = f" and {len(unknown) - _NAMED_AT_MOST} more" if len(unknown) > _NAMED_AT_MOST else ""
    return parsed, [f"Ignored, not a parameter: {', '.join(unknown[:_NAMED_AT_MOST])}{more}."]


def _bad_request(model: type[Request], exc: ValidationError) -> BadRequestError:
    """Name the first wrong field as the client knows it, and say what it takes."""
    error = exc.errors(include_url=False, include_input=False)[0]
    name = str(error["loc"][0]) if error["loc"] else "body"
    field = model.model_fields.get(name)
    public = (field and field.alias) or name
    if error["type"] == "value_error":
        text = str(error["ctx"]["error"])
    elif error["type"] == "missing":
        text = "is required"
    else:
        text = re.sub(r"^\w+ should", "must", error["msg"])
    if field and field.description:
        text += f" ({field.description})"
    return BadRequestError(f"{public}: {text}", field=public)


@cache
def _list_names(model: type[Request]) -> frozenset[str]:
    return frozenset(
        field.alias or name
        for name, field in model.model_fields.items()
        if get_origin(field.annotation) is tuple
    )


def _joined(values: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for value in values for name in _NAMES.validate_python(value))
