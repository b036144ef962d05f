"""The routes of the documents face under odd requests: every answer is one that OpenAPI declares. Slow: CI runs it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import given

from behaviour.faces import EXACT
from behaviour.test_documents import ROUTES
from support.document_server import serving_documents
from support.http_wire import HttpServer
from support.openapi_checks import CHECKS, requests
from support.wire import pincite

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HttpServer]:
    folder: Path = tmp_path_factory.mktemp("data")
    own = {
        **EXACT,
        "LOG_LEVEL": "INFO",
        "PINCITE_CACHE": str(folder / "cache"),
        "DATA_DIR": str(folder / "data"),
        "DOWNLOAD_ALLOW_PRIVATE": "1",
        "PINCITE_DOWNLOAD_RETRIES": "none",
    }
    command = pincite("serve", "--toolsets", "documents", "--transport", "rest", "--port", "0")
    with HttpServer(command, {**os.environ, **own}) as started:
        yield started


@pytest.fixture(scope="module")
def schema(server: HttpServer) -> Any:
    with server.client() as client:
        return client.get("/openapi.json").json()


def test_the_contract_s_routes_are_described_with_its_errors(server: HttpServer, schema: Any) -> None:
    described = {(method.upper(), path) for path, methods in schema["paths"].items() for method in methods}
    assert set(ROUTES.values()) <= described
    declared = schema["paths"]["/api/process-document"]["post"]["responses"]
    assert {"200", "401", "422", "424", "429", "500", "503", "504"} <= set(declared)
    with server.client() as client:
        listed = client.get("/").json()
    assert set(ROUTES.values()) <= {(each["method"], each["path"]) for each in listed["endpoints"]}
    assert all(each["description"] for each in listed["endpoints"] if each["path"].startswith("/api"))


@pytest.mark.parametrize(("method", "path"), ROUTES.values())
def test_every_answer_is_one_that_openapi_declares(server: HttpServer, schema: Any, method: str, path: str) -> None:
    described: Any = schemathesis.openapi.from_dict(schema)
    operation = described[path][method]
    modes = schemathesis.GenerationMode if operation.body else [schemathesis.GenerationMode.POSITIVE]
    with serving_documents({"a.md": ("text/markdown", b"# A\n\nwords\n"), "b.pdf": ("", b"%PDF-1.4 broken")}) as root:
        for mode in modes:

            @given(case=operation.as_strategy(generation_mode=mode))
            @requests(40)
            def answers(case: Any) -> None:
                length = len(str(case.body))
                # Half of the requests name a document that is there.
                if length % 2 and names_a_document(case.body):
                    case.body["document_url"] = root + ("a.md" if length % 3 else "b.pdf")
                response: Any = case.call(base_url=server.url)
                case.validate_response(response, checks=CHECKS)

            answers()


def names_a_document(body: object) -> bool:
    """Whether a body, which may be of any type, is an object with an address."""
    return isinstance(body, dict) and "document_url" in body
