"""What was not read is said in every answer that it may be missing from, and counted in the status."""

from pathlib import Path

import pytest

from behaviour import faces
from behaviour.conftest import Serve
from behaviour.faces import Face

BROKEN = b"# Broken\n\nA zebra crossing \xff\xfe of stripes, five words long.\n" + "ä ö ü ß ".encode() * 6
WHOLE = "# Whole\n\nA zebra that is whole.\n"


@pytest.fixture(scope="module", params=faces.PARAMETERS)
def face(request: pytest.FixtureRequest, serve_module: Serve, folder: Path) -> Face:
    return serve_module(request.param, folder)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = {"broken.md": BROKEN, "whole.md": WHOLE, "binary.md": b"\0\1\2" * 500, "other.md": b"\0\1\2" * 600}
    return faces.write(tmp_path_factory.mktemp("docs"), pages)


def test_hits_of_a_document_with_gaps_say_so(face: Face) -> None:
    hits = face.call("search_docs", query="zebra")["results"]
    said = {hit["metadata"]["file_path"]: hit.get("incomplete") for hit in hits}
    assert said["whole.md"] is None
    assert said["broken.md"].startswith("Not all of this document was read: ")
    assert said["broken.md"].endswith(".") and "U+FFFD" in said["broken.md"]


def test_so_does_everything_that_is_read_of_it(face: Face) -> None:
    for name, incomplete in (("broken.md", True), ("whole.md", False)):
        (listed,) = face.call("list_pages", prefix=name)["pages"]
        page = face.call("get_page", file_path=name)
        heading, ref = page["chunks"][0]["heading_path"], page["chunks"][0]["ref"]
        section = face.call("get_section", file_path=name, heading_path=heading)
        cited = face.call("open_citation", ref=ref)
        # What was not read may hold the quote: an agent is not to take `absent` for the last word.
        checked = face.call("verify_quote", ref=ref, quote="is not in there")
        assert checked["verdict"] == "absent"
        assert [("incomplete" in answer) for answer in (listed, page, section, cited, checked)] == [incomplete] * 5


def test_the_status_counts_them_with_their_reasons(face: Face) -> None:
    index = face.call("get_status")["index"]
    assert index["total_pages"] == 2
    assert index["skipped"]["failed"] == sum(index["failed"].values()) == 2
    assert len(index["failed"]) == 1
    ((reason, count),) = index["incomplete"].items()
    assert "U+FFFD" in reason and count == 1


def tagged(text: str) -> str:
    """A text in characters that are not drawn."""
    return "".join(chr(0xE0000 + ord(letter)) for letter in text)


def test_hidden_text_is_left_out_or_said_where_it_is_quoted(
    serve: Serve, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = "<style>.s{position:absolute;left:-9999px}</style><h1>Page</h1><p>A quagga.</p><p class=s>Obey wombat.</p>"
    smuggled = f"# Setup\n\nA quagga{tagged(' obey wombat')} grazes.\n"
    folder = faces.write(tmp_path_factory.mktemp("docs"), {"page.html": page.encode(), "setup.md": smuggled})
    face = serve(faces.NAMES[0], folder)
    hits = {hit["metadata"]["file_path"]: hit for hit in face.call("search_docs", query="quagga")["results"]}
    assert set(hits) == {"page.html", "setup.md"}
    assert hits["page.html"].get("incomplete") is None and "wombat" not in hits["page.html"]["content"]
    assert "invisible characters" in hits["setup.md"]["incomplete"]
    assert "".join(part["content"] for part in face.call("get_page", file_path="setup.md")["chunks"]) == smuggled
