"""What servers send that is not what its URL promises: read for what it is, or said to be something else."""

import gzip
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any

import pytest

from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load
from support.faulty_server import Asked, Behaviour, answer, faulty_server, sending
from support.pdfs import pdf, prose
from support.workbooks import grid

LOGIN = b"<html><body><h1>Sign in</h1><p>Please sign in to go on.</p></body></html>"
FEED = b"<?xml version='1.0'?><rss version='2.0'><channel><title>News of ostriches</title></channel></rss>"

FILES: Mapping[str, Behaviour] = {
    "/report.pdf": sending(answer(status=302, location="/login")),
    "/login": sending(answer(LOGIN, content_type="text/html")),
    "/feed": sending(answer(FEED, content_type="application/rss+xml")),
    "/latin.txt": sending(answer("Größe".encode("latin-1"), content_type="text/plain; charset=iso-8859-1")),
    "/paper": sending(answer(pdf(prose()), content_type="text/html")),
    "/book": sending(answer(grid([["a", "b"], ["ostrich", 1]], "S"), content_type="application/octet-stream")),
    "/get?file=annual.pdf": sending(answer(pdf(prose()), content_type="application/octet-stream")),
    "/words.txt.gz": sending(answer(gzip.compress(b"packed words"), content_type="application/gzip")),
    "/packed": sending(
        answer(gzip.compress(b"packed words"), content_type="text/plain", content_encoding="gzip")
    ),
    "/robots.txt": sending(answer(b"User-agent: *\nDisallow: /private\n", content_type="text/plain")),
    "/data.json": sending(answer(b'{"bird": "ostrich"}', content_type="application/json")),
}  # fmt: skip

Read = Callable[[str], dict[str, Any]]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    folder = tmp_path_factory.mktemp("data")
    settings = load(
        {
            "PINCITE_CACHE": str(folder / "cache"),
            "DATA_DIR": str(folder / "data"),
            "DOWNLOAD_ALLOW_PRIVATE": "1",
            "EMBEDDING_PROVIDER": "hash",
            "PINCITE_FETCH_MODEL": "0",
        }
    )

    def serve(asked: Asked, connection: socket.socket) -> None:
        FILES[asked.path](asked, connection)

    with faulty_server(serve) as server, closing(App(settings, None, None, ["documents"])) as app:

        def call(path: str) -> dict[str, Any]:
            url = {"document_url": server.url(path)}
            return app.toolbox.call("process_document", url, Call()).model_dump(mode="json")

        yield call


@pytest.mark.parametrize(
    ("path", "doc_type", "content"),
    [
        ("/feed", "txt", "News of ostriches"),
        ("/latin.txt", "txt", "Größe"),
        ("/paper", "pdf", "--- Page 1 ---"),
        ("/book", "xlsx", "=== S"),
        ("/get?file=annual.pdf", "pdf", "--- Page 1 ---"),
        ("/packed", "txt", "packed words"),
        ("/robots.txt", "txt", "Disallow: /private"),
        ("/robots.txt#line-2", "txt", "Disallow: /private"),
        ("/data.json", "txt", '"bird": "ostrich"'),
    ],
)
def test_a_document_is_read_for_what_it_is(read: Read, path: str, doc_type: str, content: str) -> None:
    found = read(path)
    assert content in found["content"]
    assert (found["metadata"]["doc_type"], found["metadata"]["warnings"]) == (doc_type, [])
    assert found["metadata"]["source"].endswith(path.partition("#")[0])


def test_a_page_to_sign_in_on_in_place_of_a_file_is_warned_of(read: Read) -> None:
    found = read("/report.pdf")
    assert found["metadata"]["doc_type"] == "html"
    assert any("a web page came instead" in warning for warning in found["metadata"]["warnings"])


def test_a_packed_file_says_that_it_is_one(read: Read) -> None:
    found = read("/words.txt.gz")
    assert (found["content"], found["metadata"]["fallback"]) == ("", "nothing could be read")
    assert found["metadata"]["warnings"] == ["It is a packed file. Unpack it first."]
