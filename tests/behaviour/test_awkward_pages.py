"""Pages that once broke an answer, on every face: phrases, NUL bytes, data URLs, a changelog of headings."""

import base64
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from behaviour.conftest import Serve
from behaviour.faces import Face

PHRASE = "the relay opens before the pump has stopped"
SCATTERED = "The pump opens. The relay has stopped before. The pump has opened the relay before the relay stopped.\n"
RULE = "The operator MUST keep a copy of the key.  It MAY be read by others.\n"
PICTURE = base64.b64encode(bytes(range(256)) * 1000).decode()
RELEASES = 1500

PAGES: dict[str, str | bytes] = {
    **{f"pumps/{n}.md": f"# Pump relay {n}\n\n{SCATTERED * 3}" for n in range(8)},
    "pumps/phrase.md": f"# Notes\n\nOn some days, says the log, {PHRASE}, which nobody noticed.\n",
    "nul.md": b"# Quokka\n\nA quokka\0 grazes here.\n",
    "picture.md": f"# Wombat\n\nA wombat ![drawn](data:image/png;base64,{PICTURE}) digs.\n",
    "changelog.md": "# Changelog\n\n" + "".join(f"## Version 1.{n}\n\nFixes.\n\n" for n in range(RELEASES)),
    "rule.md": f"# Keeping keys\n\n{RULE}",
    "zebra.md": "# Zebra\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return faces.write(tmp_path_factory.mktemp("docs"), PAGES)


@pytest.fixture(scope="module", params=faces.PARAMETERS)
def face(request: pytest.FixtureRequest, folder: Path, serve_module: Serve) -> Face:
    face = serve_module(request.param, folder)
    faces.settled(face)
    return face


def found(face: Face, query: str, **arguments: Any) -> list[str]:
    return [hit["metadata"]["file_path"] for hit in face.call("search_docs", query=query, **arguments)["results"]]


@pytest.mark.parametrize("query", [PHRASE, f'"{PHRASE}"', f"why is it that “{PHRASE}”?"])
def test_the_page_that_has_the_phrase_comes_first(face: Face, query: str) -> None:
    assert found(face, query)[0] == "pumps/phrase.md"


def test_a_phrase_that_no_page_has_is_named(face: Face) -> None:
    note = face.call("search_docs", query='"the pump stopped the relay at noon"')["note"]
    assert note.startswith("No passage contains “the pump stopped the relay at noon” word for word")


def test_a_nul_byte_makes_no_page_binary(face: Face) -> None:
    assert found(face, "quokka grazes")[0] == "nul.md"
    assert "A quokka" in face.call("get_page", file_path="nul.md")["chunks"][0]["content"]


def test_a_picture_in_a_data_url_is_no_text(face: Face) -> None:
    hits = face.call("search_docs", query="wombat digs", top_k=20)
    contents = [hit["content"] for hit in hits["results"] if hit["metadata"]["file_path"] == "picture.md"]
    assert any("A wombat" in content for content in contents)
    assert all(PICTURE[:40] not in content for content in contents)
    assert len(str(hits)) < len(PICTURE) / 4


def test_headings_of_a_page_are_listed_over_as_many_answers_as_they_need(face: Face) -> None:
    headings: dict[str, list[str]] = {}
    cursor = None
    while True:
        answer = face.call("list_pages", max_tokens=2000, cursor=cursor)
        for page in answer["pages"]:
            headings.setdefault(page["file_path"], []).extend(page["headings"])
        cursor = answer.get("next_cursor")
        if cursor is None:
            break
    assert sorted(headings) == sorted(PAGES)
    assert len(headings["changelog.md"]) == RELEASES + 1


@pytest.mark.parametrize(
    ("quote", "verdict"),
    [
        ("The operator MUST keep a copy", "exact"),
        ("the operator MUST keep a copy", "normalised"),
        ("of the key. It MAY be read", "normalised"),
        ("The operator must keep a copy", "absent"),
        ("keeping keys", "normalised"),
        ("keeping Keys", "absent"),
    ],
)
def test_white_space_is_typography_and_letter_case_is_not(face: Face, quote: str, verdict: str) -> None:
    (chunk,) = face.call("get_page", file_path="rule.md")["chunks"]
    assert face.call("verify_quote", ref=chunk["ref"], quote=quote)["verdict"] == verdict


def test_a_new_index_is_not_called_empty(serve: Serve, folder: Path) -> None:
    face = serve(faces.NAMES[1], folder, PINCITE_FRESH_BUDGET="0", PINCITE_RESCAN="600")
    answer = face.call("search_docs", query="quokka")
    assert answer["results"] or (answer["index"]["stale"] and answer["index"]["pending"] > 0)
    assert "empty" not in str(answer)
