"""The OpenAPI description of the tools: each with its own schema."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, cast

from pincite.toolkit import Tool, Toolbox

API_PATH = "/api"
TOOLS_PATH = f"{API_PATH}/tools"
CITATIONS_PATH = "/api/citations"
CITATIONS_TOOL = "open_citation"
"""The tool behind `CITATIONS_PATH`."""

FAILURES = {
    401: "The key is missing or wrong (AUTH_ERROR)",
    403: "Pages of this origin may not call here (AUTH_ERROR)",
    404: "There is no such tool, page or section; the message names the nearest (NOT_FOUND)",
    408: "The request was not complete in time (TIMEOUT)",
    413: "The request is too large (VALIDATION_ERROR)",
    415: "The body is no JSON, or the format of a file has no reader (VALIDATION_ERROR, UNSUPPORTED)",
    421: "The Host header names another server (VALIDATION_ERROR)",
    422: "An argument is missing, unknown, of the wrong type or out of its range (VALIDATION_ERROR); "
    "a document exceeds a limit, or is of another type than the tool reads (PROCESSING_ERROR)",
    424: "The document cannot be downloaded (DOWNLOAD_ERROR)",
    429: "Too many requests; `Retry-After` says when to ask again (RATE_LIMITED)",
    500: "A bug; the server's log has the details under the request id (INTERNAL_ERROR, CONFIG_ERROR)",
    503: "A part cannot be reached, or the server is stopping (UNAVAILABLE); a model cannot be loaded "
    "(MODEL_LOAD_ERROR)",
    504: "The call did not finish in time (TIMEOUT)",
}
"""What may be answered instead, by status."""

ANYWHERE = (401, 421, 500, 503)
"""Those that every route may answer."""

_DEFINITIONS = "#/$defs/"
_SCHEMAS = "#/components/schemas/"
_ERROR = "Error"


def described(toolbox: Toolbox, base: Mapping[str, Any], *, with_key: bool) -> dict[str, Any]:
    """Return an OpenAPI description with a route for each tool.

    Args:
        toolbox: The tools.
        base: The description of the other routes.
        with_key: Whether a key is needed.
    """
    schemas: dict[str, Any] = {_ERROR: _error_schema()}
    paths: dict[str, Any] = deepcopy(dict(base.get("paths", {})))
    for operation in (operation for path in paths.values() for operation in path.values()):
        operation["responses"] |= {str(status): _failure(status) for status in ANYWHERE}
    for tool in toolbox.tools:
        paths[f"{TOOLS_PATH}/{tool.name}"] = {"post": _posted(tool, schemas)}
        if tool.name == CITATIONS_TOOL:
            paths[CITATIONS_PATH] = {"get": _queried(tool, schemas)}
        if tool.route:
            method, path = tool.route.lower().split()
            described = _queried(tool, schemas) if method == "get" else _posted(tool, schemas)
            paths.setdefault(path, {})[method] = {**described, "operationId": f"{tool.name}_by_route"}
    components = {"schemas": {**base.get("components", {}).get("schemas", {}), **schemas}}
    whole = {**base, "paths": paths, "components": components}
    if with_key:
        components["securitySchemes"] = {
            "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
            "bearer": {"type": "http", "scheme": "bearer"},
        }
        whole["security"] = [{"key": []}, {"bearer": []}]
    return whole


def _posted(tool: Tool, schemas: dict[str, Any]) -> dict[str, Any]:
    arguments = _shared(tool, tool.input_schema, schemas)
    return {
        "operationId": tool.name,
        "tags": [tool.toolset],
        "summary": tool.name,
        "description": tool.description,
        "requestBody": {
            "required": bool(arguments.get("required")),
            "content": {"application/json": {"schema": arguments}},
        },
        "responses": _responses(tool, schemas),
    }


def _queried(tool: Tool, schemas: dict[str, Any]) -> dict[str, Any]:
    arguments = _shared(tool, tool.input_schema, schemas)
    return {
        "operationId": f"{tool.name}_by_query",
        "tags": [tool.toolset],
        "summary": tool.name,
        "description": tool.description,
        "parameters": [
            {
                "name": name,
                "in": "query",
                "required": name in arguments.get("required", ()),
                "description": schema.get("description", ""),
                "schema": {key: value for key, value in schema.items() if key != "description"},
            }
            for name, schema in arguments["properties"].items()
        ],
        "responses": _responses(tool, schemas),
    }


def _responses(tool: Tool, schemas: dict[str, Any]) -> dict[str, Any]:
    answer = {"application/json": {"schema": _shared(tool, tool.output_schema, schemas)}}
    return {
        "200": {"description": "The answer", "content": answer},
        **{str(status): _failure(status) for status in FAILURES},
    }


def _failure(status: int) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"{_SCHEMAS}{_ERROR}"}}}
    return {"description": FAILURES[status], "content": content}


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


def _error_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "description": "Why a request failed.",
        "properties": {
            "error": {"type": "string", "description": "What is wrong and what to do."},
            "code": {"type": "string", "description": "The kind of failure."},
        },
        "required": ["error", "code"],
        "additionalProperties": False,
    }
