"""The converter on a real socket, and the client that is written for any such service."""

from collections.abc import Iterator
from contextlib import closing

import httpx2
import pytest

from pincite.app import App
from pincite.errors import ConnectionFailed
from pincite.formats.base import Blob
from pincite.model.call import Call
from pincite.model.task import ID
from pincite.services.conversion import service as conversions
from pincite.services.conversion.client import Converter, ConverterLimits
from pincite.settings import load
from pincite.transports.http.app import Surface
from pincite.transports.http.converter import build_converter_app
from support.task_server import serving_surface
from support.waiting import wait_for

CSV = b"animal,food\nzebra,grass\n"
KEY = "a-key-of-this-test"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("converter")
    variables = {"DATA_DIR": str(folder), "PINCITE_CACHE": str(folder / "cache"), "PORT": "0", "MCP_API_KEY": KEY}
    settings = load({**variables, "MCP_RATE_LIMIT_RPM": "0", "EMBEDDING_PROVIDER": "hash", "MAX_UPLOAD_SIZE": "0.1"})
    with closing(App(settings, None, toolsets=["extraction"])) as app:
        made = app.conversions
        with serving_surface(
            app, lambda: Surface(build_converter_app(made, settings.http), lambda: None, made)
        ) as served:
            yield served


@pytest.fixture
def client(url: str) -> Iterator[httpx2.Client]:
    with httpx2.Client(base_url=url, timeout=30, trust_env=False, headers={"x-api-key": KEY}) as made:
        yield made


def upload(client: httpx2.Client, data: bytes, name: str) -> str:
    answer = client.post("/tasks", files={"file": (name, data)})
    assert answer.status_code == 202, answer.text
    assert set(answer.json()) == {"task_id"} and ID.fullmatch(answer.json()["task_id"])
    return answer.json()["task_id"]


def ended(client: httpx2.Client, task_id: str) -> dict[str, object]:
    assert wait_for(lambda: client.get(f"/tasks/{task_id}").json()["status"] not in ("queued", "running"))
    return client.get(f"/tasks/{task_id}").json()


def test_a_document_becomes_markdown(client: httpx2.Client) -> None:
    task_id = upload(client, CSV, "a.csv")
    done = ended(client, task_id)
    assert done == {"task_id": task_id, "status": "completed", "outputs": ["document.md"], "error_message": None}
    file = client.get(f"/tasks/{task_id}/files/document.md")
    assert "| zebra | grass |" in file.text and file.headers["content-type"].startswith("text/markdown")


def test_what_cannot_be_read_says_why(client: httpx2.Client) -> None:
    done = ended(client, upload(client, b"\x00\x01 no table" * 9, "a.docx"))
    assert (done["status"], done["outputs"]) == ("failed", [])
    assert isinstance(done["error_message"], str) and done["error_message"]


def test_refusals_and_unknown_names(client: httpx2.Client) -> None:
    assert client.post("/tasks", data={"x": "y"}, files={"y": b""}).status_code == 422
    assert client.post("/tasks", json={}).json()["detail"].endswith("with the field file.")
    assert client.post("/tasks", files={"file": ("a.exe", b"x")}).status_code == 400
    assert client.post("/tasks", files={"file": ("a.csv", b"x" * 200_000)}).status_code == 413
    task_id = upload(client, CSV, "a.csv")
    ended(client, task_id)
    for path in ("/tasks/nope", f"/tasks/{task_id}/files/other.md", f"/tasks/{task_id}/files/..%2f..%2ftasks.db"):
        assert client.get(path).status_code == 404


def test_only_health_is_open(url: str) -> None:
    with httpx2.Client(base_url=url, timeout=30, trust_env=False) as stranger:
        assert stranger.get("/health").json()["status"] == "ok"
        assert stranger.post("/tasks", files={"file": ("a.csv", CSV)}).status_code == 401
        assert stranger.get("/health", headers={"host": "evil.example"}).status_code == 421


def test_the_client_gets_what_the_converter_makes(url: str) -> None:
    converter = Converter(url, KEY, ConverterLimits(max_bytes=100_000))
    assert "| zebra | grass |" in converter.convert(Blob("a.csv", CSV), Call())
    with pytest.raises(ConnectionFailed, match=r"OPENAI_API_TOKEN"):
        Converter(url, "", ConverterLimits(max_bytes=100_000)).convert(Blob("a.csv", CSV), Call())


def test_a_finished_conversion_is_forgotten(client: httpx2.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    task_id = upload(client, CSV, "a.csv")
    ended(client, task_id)
    with monkeypatch.context() as patch:
        patch.setattr(conversions, "KEPT_SECONDS", -60.0)
        upload(client, CSV, "b.csv")
        assert client.get(f"/tasks/{task_id}").status_code == 404
