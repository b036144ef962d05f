"""REST over uploads of documents, on a real socket: a file is sent once, and named in calls."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import httpx2
import pytest

from pincite.app import App
from pincite.settings import load
from pincite.transports.served import ServedApp
from support.task_server import serving_here

FOREIGN = {"origin": "https://elsewhere.example"}
LIMIT = 1_000_000


@dataclass
class Served:
    """A server of documents, and where it keeps uploads."""

    client: httpx2.Client
    folder: Path

    def upload(self, data: bytes = b"# Words\n\nof a text.", name: str = "a.md", **headers: str) -> httpx2.Response:
        return self.client.post("/api/uploads", files={"file": (name, data)}, headers=headers)

    def read(self, url: str, **headers: str) -> httpx2.Response:
        return self.client.post("/api/process-document", json={"document_url": url}, headers=headers)

    def stored(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("*"))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("data")
    (folder / "root").mkdir()
    (folder / "root" / "local.md").write_text("# Local\n\nwords of a file.")
    settings = load(
        {
            "PORT": "0",
            "MCP_RATE_LIMIT_RPM": "0",
            "DATA_DIR": str(folder / "data"),
            "PINCITE_CACHE": str(folder / "cache"),
            "ALLOWED_ROOTS": str(folder / "root"),
            "MAX_UPLOAD_SIZE": "1",
            "PINCITE_FETCH_MODEL": "0",
        }
    )
    app = cast("ServedApp", App(settings, None, None, ["documents"]))
    with serving_here(app) as url, httpx2.Client(base_url=url, timeout=30, trust_env=False) as client:
        yield Served(client, folder / "data" / "cache" / "uploads")


def test_an_upload_is_read_by_its_name_until_it_is_deleted(served: Served) -> None:
    answer = served.upload(name="../Bericht.md")
    stored = answer.json()
    assert answer.status_code == 201
    assert (stored["name"], stored["size"]) == ("Bericht.md", 19) and stored["expires_at"].endswith("Z")
    read = served.read(stored["document_url"]).json()
    assert (read["content"], read["metadata"]["source"]) == ("# Words\n\nof a text.", stored["document_url"])
    assert read["index"]["stale"] is False
    path = f"/api/uploads/{stored['document_url'].removeprefix('upload:')}"
    assert served.client.delete(path).status_code == 204
    again = served.read(stored["document_url"])
    assert (again.status_code, again.json()["code"]) == (422, "VALIDATION_ERROR")
    assert served.client.delete(path).status_code == 422


def test_a_chunk_of_an_upload_cites_its_file_name(served: Served) -> None:
    url = served.upload(name="Jahr 1.md").json()["document_url"]
    answer = served.client.post("/api/chunk-document", json={"document_url": url}).json()
    assert answer["chunks"][0]["ref"].startswith("Jahr%201.md@")


@pytest.mark.parametrize("size", [LIMIT + 1, 6 * LIMIT])
def test_one_that_is_too_large_is_refused_while_it_is_sent_and_nothing_stays(served: Served, size: int) -> None:
    before = served.stored()
    answer = served.upload(b"x" * size)
    assert answer.status_code == 413 and set(answer.json()) == {"error", "code"}
    assert served.stored() == before


def test_a_body_without_a_file_is_refused(served: Served) -> None:
    before = served.stored()
    for answer in (
        served.client.post("/api/uploads", files={"other": (None, "x")}),
        served.client.post("/api/uploads", json={"file": "x"}),
    ):
        assert answer.status_code == 422 and answer.json()["code"] == "VALIDATION_ERROR"
    assert served.stored() == before


def test_a_local_file_under_the_roots_is_read_and_no_other(served: Served) -> None:
    read = served.read("local.md").json()
    assert (read["content"], read["metadata"]["source"]) == ("# Local\n\nwords of a file.", "local.md")
    for path in ("../data/library.db", "/etc/passwd", "other.md"):
        refused = served.read(path)
        assert (refused.status_code, refused.json()["code"]) == (422, "VALIDATION_ERROR")
        assert str(served.folder.parent) not in refused.text


def test_a_page_of_another_machine_may_not_upload_nor_name_an_upload_or_a_file(served: Served) -> None:
    url = served.upload().json()["document_url"]
    before = served.stored()
    assert served.upload(b"words", "a.md", **FOREIGN).status_code == 403
    assert served.client.delete("/api/uploads/x", headers=FOREIGN).status_code == 403
    for named in (url, "local.md"):
        answer = served.read(named, **FOREIGN)
        assert (answer.status_code, answer.json()["code"]) == (422, "VALIDATION_ERROR")
    assert served.stored() == before


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/health", None),
        ("POST", "/api/cache", {"action": "stats"}),
        ("POST", "/api/detect-language", {"text": "Alle Menschen sind frei und gleich geboren."}),
    ],
)
def test_a_page_of_another_machine_may_call_what_reads_no_document(
    served: Served, method: str, path: str, body: dict[str, str] | None
) -> None:
    answer = served.client.request(method, path, json=body, headers=FOREIGN)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "*")


def test_the_routes_are_described(served: Served) -> None:
    paths = served.client.get("/openapi.json").json()["paths"]
    assert "multipart/form-data" in paths["/api/uploads"]["post"]["requestBody"]["content"]
    assert {"400", "403", "413", "422", "429"} <= set(paths["/api/uploads"]["post"]["responses"])
    assert {"403", "422", "429"} <= set(paths["/api/uploads/{upload_id}"]["delete"]["responses"])
    listed = served.client.get("/").json()["endpoints"]
    assert {"POST", "DELETE"} <= {each["method"] for each in listed if each["path"].startswith("/api/uploads")}


def test_an_upload_that_is_no_form_is_asked_for_the_one_field_that_it_needs(served: Served) -> None:
    answer = served.client.post("/api/uploads", json={"file": "words"})
    message = "Send a multipart form (multipart/form-data) with the field file."
    assert (answer.status_code, answer.json()) == (422, {"error": message, "code": "VALIDATION_ERROR"})


@pytest.mark.parametrize("name", ["x" * 256, "x" * 2_000, "d/" * 900 + "a.md"])
def test_a_path_that_no_file_can_have_is_refused(served: Served, name: str) -> None:
    answer = served.read(name)
    assert (answer.status_code, answer.json()["code"]) == (422, "VALIDATION_ERROR")
    assert "there is no such file" in answer.json()["error"]
