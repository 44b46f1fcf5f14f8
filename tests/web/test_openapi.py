"""The description of the API is sound and says what the routes do."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from worker.shared.contract import RecordRequest, Request, SearchRequest, TimelineRequest

Document = dict[str, Any]


@pytest.fixture
def document(client: FlaskClient) -> Document:
    response = client.get("/api/openapi.json")
    assert response.content_type == "application/json"
    found: Document = json.loads(response.data)
    return found


def operations(document: Document) -> Iterator[tuple[str, str, Document]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method, path, operation


def references(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        if "$ref" in node:
            yield node["$ref"]
        for value in node.values():
            yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def test_every_route_is_described_and_nothing_else(app: Flask, document: Document) -> None:
    routes = {
        (method.lower(), rule.rule.replace("<record_id>", "{id}"))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD"}
    }

    assert {(method, path) for method, path, _ in operations(document)} == routes


def test_every_reference_leads_somewhere(document: Document) -> None:
    found = set(references(document))

    assert found
    for reference in found:
        node: Any = document
        for step in reference.removeprefix("#/").split("/"):
            node = node[step]
        assert node["type"]


def test_every_schema_is_a_sound_json_schema(document: Document) -> None:
    for schema in document["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for _, _, operation in operations(document):
        for parameter in operation["parameters"]:
            schema = {**parameter["schema"], "components": document["components"]}
            Draft202012Validator.check_schema(schema)
            if "default" in schema:
                Draft202012Validator(schema).validate(schema["default"])


def test_an_operation_has_what_openapi_asks_for(document: Document) -> None:
    assert document["openapi"].startswith("3.1.")
    assert set(document["info"]) == {"title", "version"}
    for _, path, operation in operations(document):
        assert operation["summary"]
        (success,) = operation["responses"].keys() & {"200", "202"}
        assert operation["responses"][success]["content"]["application/json"]["schema"]
        assert "application/problem+json" in operation["responses"]["default"]["content"]
        names = [(parameter["in"], parameter["name"]) for parameter in operation["parameters"]]
        assert len(names) == len(set(names))
        for parameter in operation["parameters"]:
            assert parameter["in"] in ("path", "query")
            if parameter["in"] == "path":
                assert parameter["required"]
                assert f"{{{parameter['name']}}}" in path


@pytest.mark.parametrize(
    ("path", "model"),
    [
        ("/api/search", SearchRequest),
        ("/api/timeline", TimelineRequest),
        ("/api/session/{id}", RecordRequest),
    ],
)
def test_parameters_carry_their_public_names(
    document: Document, path: str, model: type[Request]
) -> None:
    parameters = document["paths"][path]["get"]["parameters"]
    named = {parameter["name"] for parameter in parameters if parameter["in"] == "query"}

    assert named == {field.alias or name for name, field in model.model_fields.items()}


def test_the_design_s_parameters_are_all_there(document: Document) -> None:
    search = {p["name"] for p in document["paths"]["/api/search"]["get"]["parameters"]}
    timeline = {p["name"] for p in document["paths"]["/api/timeline"]["get"]["parameters"]}
    batch = document["components"]["schemas"]["BatchRequest"]["properties"]

    assert {"query", "limit", "offset", "project", "type", "obs_type", "concepts"} <= search
    assert {"files", "dateStart", "dateEnd", "orderBy", "format"} <= search
    assert {"anchor", "query", "depth_before", "depth_after", "project"} <= timeline
    assert {"ids", "orderBy", "limit", "project"} <= set(batch)


def test_a_described_parameter_is_never_called_unknown(
    client: FlaskClient, document: Document
) -> None:
    for method, path, operation in operations(document):
        for parameter in operation["parameters"]:
            if method == "get" and parameter["in"] == "query":
                address = f"{path.replace('{id}', '1')}?{parameter['name']}=1"
                assert "not a parameter" not in client.get(address).text, address


@pytest.mark.parametrize(
    "path",
    [
        "/api/search?format=json",
        "/api/search",
        "/api/timeline?anchor=1&format=json",
        "/api/observation/1?format=json",
        "/api/observation/1?format=json&query=pool",
        "/api/projects?format=json",
        "/api/stats?format=json",
        "/health",
        "/api/ready",
    ],
)
def test_an_answer_fits_its_description(client: FlaskClient, document: Document, path: str) -> None:
    described = path.partition("?")[0].replace("/1", "/{id}")
    operation = document["paths"][described]["get"]
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]

    Draft202012Validator({**schema, "components": document["components"]}).validate(
        json.loads(client.get(path).data)
    )


def test_a_problem_fits_its_description(client: FlaskClient, document: Document) -> None:
    schema = document["components"]["schemas"]["Problem"]

    Draft202012Validator(schema).validate(json.loads(client.get("/api/search?limit=x").data))
