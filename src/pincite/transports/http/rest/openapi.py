"""The OpenAPI description of what is served by REST: each tool with its own schema."""

import inspect
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, cast

from pydantic.json_schema import JsonSchemaMode, models_json_schema

from pincite.toolkit import Tool, Toolbox
from pincite.transports.http.rest.routes import ApiRoute
from pincite.transports.problems import TASKS_PATH, is_below
from pincite.version import __version__

API_PATH = "/api"
TOOLS_PATH = f"{API_PATH}/tools"
CITATIONS_PATH = "/api/citations"
CITATIONS_TOOL = "open_citation"
"""The tool behind `CITATIONS_PATH`."""

FAILURES = {
    400: "The upload or an argument cannot be used; the message says why (VALIDATION_ERROR)",
    401: "The key is missing or wrong (AUTH_ERROR)",
    403: "Pages of this origin may not call here (AUTH_ERROR)",
    404: "There is no such page, section or task (NOT_FOUND) or tool (VALIDATION_ERROR); the message names the nearest",
    408: "The request was not complete in time (TIMEOUT)",
    413: "The request or its file is too large (VALIDATION_ERROR)",
    415: "The body is no JSON, or the format of a file has no reader (VALIDATION_ERROR, UNSUPPORTED)",
    421: "The Host header names another server (VALIDATION_ERROR)",
    422: "An argument is missing, unknown, of the wrong type or out of its range (VALIDATION_ERROR); "
    "a document exceeds a limit, or is of another type than the tool reads (PROCESSING_ERROR)",
    424: "The document cannot be downloaded (DOWNLOAD_ERROR)",
    429: "Too many requests; `Retry-After` says when to ask again (RATE_LIMITED)",
    431: "The request's line and headers are too large (VALIDATION_ERROR)",
    500: "A bug; the server's log has the details under the request id (INTERNAL_ERROR, CONFIG_ERROR)",
    503: "A part cannot be reached (UNAVAILABLE); the server is stopping (TIMEOUT); a model cannot be loaded "
    "(MODEL_LOAD_ERROR)",
    504: "The call did not finish in time (TIMEOUT)",
}
"""What may be answered instead, by status."""

ANYWHERE = (401, 403, 408, 413, 421, 431, 500, 503)
"""Those that every route may answer."""

OF_TOOLS = tuple(status for status in FAILURES if status != HTTPStatus.BAD_REQUEST)

_DEFINITIONS = "#/$defs/"
_SCHEMAS = "#/components/schemas/"
_ERROR, _DETAIL = "Error", "Detail"
"""Names of the schemas of a failure: everywhere, and below `/tasks`."""


def described(toolbox: Toolbox | None, routes: Sequence[ApiRoute], *, with_key: bool) -> dict[str, Any]:
    """Return the OpenAPI description of routes, and of a route for each tool.

    Args:
        toolbox: The tools; None if none are served here.
        routes: The other routes.
        with_key: Whether a key is needed.
    """
    schemas: dict[str, Any] = {_ERROR: _error_schema("error"), _DETAIL: _error_schema("detail")}
    paths: dict[str, Any] = {}
    for route, answer in zip(routes, _answers(routes, schemas), strict=True):
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, answer)
    for tool in () if toolbox is None else toolbox.tools:
        paths[f"{TOOLS_PATH}/{tool.name}"] = {"post": _posted(tool, schemas)}
        if tool.name == CITATIONS_TOOL:
            paths[CITATIONS_PATH] = {"get": _queried(tool, schemas)}
        if tool.route:
            method, path = tool.route.lower().split()
            operation = _queried(tool, schemas) if method == "get" else _posted(tool, schemas)
            paths.setdefault(path, {})[method] = {**operation, "operationId": f"{tool.name}_by_route"}
    components = {"schemas": schemas}
    info = {"title": "pincite", "version": __version__}
    whole: dict[str, Any] = {"openapi": "3.1.0", "info": info, "paths": paths, "components": components}
    if with_key:
        components["securitySchemes"] = {
            "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            "bearer": {"type": "http", "scheme": "bearer"},
        }
        whole["security"] = [{"key": []}, {"bearer": []}]
    return whole


def _answers(routes: Sequence[ApiRoute], schemas: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the content of each route's answer, whose definitions are added to the schemas."""
    mode: JsonSchemaMode = "serialization"
    models = {route.model for route in routes if route.model is not None}
    of_model, whole = models_json_schema([(model, mode) for model in models], ref_template=f"{_SCHEMAS}{{model}}")
    schemas.update(whole.get("$defs", {}))
    return [{} if route.model is None else {"content": _json(of_model[route.model, mode])} for route in routes]


def _operation(route: ApiRoute, answer: Mapping[str, Any]) -> dict[str, Any]:
    description = inspect.getdoc(route.endpoint) or ""
    form = _DETAIL if is_below(route.path, TASKS_PATH) else _ERROR
    return {
        "operationId": f"{route.tag or 'server'}_{route.endpoint.__name__}",
        "tags": [route.tag] if route.tag else [],
        "summary": description.partition("\n")[0].partition(";")[0].rstrip("."),
        "description": description,
        **(route.extra or {}),
        "responses": {
            str(route.status): {"description": "The answer", **answer},
            **{str(status): _failure(status, form) for status in sorted({*ANYWHERE, *route.failures})},
        },
    }


def _posted(tool: Tool, schemas: dict[str, Any]) -> dict[str, Any]:
    arguments = _shared(tool, tool.input_schema, schemas)
    body = {"required": bool(arguments.get("required")), "content": _json(arguments)}
    return {"operationId": tool.name, **_described(tool), "requestBody": body, **_responses(tool, schemas)}


def _queried(tool: Tool, schemas: dict[str, Any]) -> dict[str, Any]:
    arguments = _shared(tool, tool.input_schema, schemas)
    parameters = [
        {
            "name": name,
            "in": "query",
            "required": name in arguments.get("required", ()),
            "description": schema.get("description", ""),
            "schema": {key: value for key, value in schema.items() if key != "description"},
        }
        for name, schema in arguments["properties"].items()
    ]
    return {
        "operationId": f"{tool.name}_by_query",
        **_described(tool),
        "parameters": parameters,
        **_responses(tool, schemas),
    }


def _described(tool: Tool) -> dict[str, Any]:
    return {"tags": [tool.toolset], "summary": tool.name, "description": tool.description}


def _responses(tool: Tool, schemas: dict[str, Any]) -> dict[str, Any]:
    return {
        "responses": {
            "200": {"description": "The answer", "content": _json(_shared(tool, tool.output_schema, schemas))},
            **{str(status): _failure(status) for status in OF_TOOLS},
        }
    }


def _failure(status: int, form: str = _ERROR) -> dict[str, Any]:
    return {"description": FAILURES[status], "content": _json({"$ref": f"{_SCHEMAS}{form}"})}


def _json(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _shared(tool: Tool, schema: Mapping[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return a schema whose definitions stand among the shared ones, by toolset and name."""
    moved: dict[str, Any] = _renamed(tool.toolset, dict(schema))
    definitions: dict[str, Any] = moved.pop("$defs", {})
    schemas.update({f"{tool.toolset}.{name}": definition for name, definition in definitions.items()})
    return moved


def _renamed(toolset: str, node: Any) -> Any:
    if isinstance(node, list):
        return [_renamed(toolset, item) for item in cast("list[Any]", node)]
    if not isinstance(node, Mapping):
        return node
    return {
        key: f"{_SCHEMAS}{toolset}.{value.removeprefix(_DEFINITIONS)}"
        if key == "$ref" and isinstance(value, str) and value.startswith(_DEFINITIONS)
        else _renamed(toolset, value)
        for key, value in cast("Mapping[str, Any]", node).items()
    }


def _error_schema(message: str) -> dict[str, Any]:
    return {
        "type": "object",
        "description": "Why a request failed.",
        "properties": {
            message: {"type": "string", "description": "What is wrong and what to do."},
            "code": {"type": "string", "description": "The kind of failure."},
        },
        "required": [message, "code"],
        "additionalProperties": False,
    }
