"""Several folders in one server: each a collection of its own, asked together or by name (contract 1)."""

from collections.abc import Callable
from pathlib import Path

import pytest

from behaviour import faces
from behaviour.faces import Face, Failed

Serve = Callable[..., Face]
Folders = dict[str, Path]


@pytest.fixture
def folders(tmp_path: Path) -> Folders:
    api = {"auth.md": "# Keys\n\nRotate the zebra key every month.\n", "intro.md": "# API\n\nAn okapi answers calls.\n"}
    handbook = {"leave.md": "# Leave\n\nA zebra may take leave in May.\n", "intro.md": "# Handbook\n\nHow we work.\n"}
    return {"handbook": faces.write(tmp_path / "two", handbook), "api": faces.write(tmp_path / "one", api)}


@pytest.fixture(params=faces.PARAMETERS)
def served(request: pytest.FixtureRequest, serve: Serve, folders: Folders) -> Face:
    face = serve(request.param, folders)
    faces.settled(face)
    return face


def test_a_search_covers_all_by_score_and_names_the_collection_of_each_hit(served: Face) -> None:
    found = served.call("search_docs", query="zebra")
    scores = [hit["score"] for hit in found["results"]]
    assert scores == sorted(scores, reverse=True) and found["total_chunks"] == 4
    first_two = {(hit["metadata"]["collection"], hit["metadata"]["file_path"]) for hit in found["results"][:2]}
    assert first_two == {("api", "auth.md"), ("handbook", "leave.md")}
    only = served.call("search_docs", query="zebra", collection="api")
    assert {hit["metadata"]["collection"] for hit in only["results"]} == {"api"} and only["total_chunks"] == 2


def test_a_list_goes_by_collection_then_path(served: Face) -> None:
    listed = served.call("list_pages")
    pages = [(page["collection"], page["file_path"]) for page in listed["pages"]]
    assert pages == [("api", "auth.md"), ("api", "intro.md"), ("handbook", "intro.md"), ("handbook", "leave.md")]
    assert [page["file_path"] for page in served.call("list_pages", collection="api")["pages"]] == [
        "auth.md",
        "intro.md",
    ]


def test_a_page_is_found_by_its_path_alone_and_one_that_two_hold_is_an_error_that_names_both(served: Face) -> None:
    page = served.call("get_page", file_path="leave.md")
    assert (page["collection"], page["title"]) == ("handbook", "Leave")
    for tool, arguments in (("get_page", {}), ("get_section", {"heading_path": "API"})):
        with pytest.raises(Failed, match="handbook and in api"):
            served.call(tool, file_path="intro.md", **arguments)
    section = served.call("get_section", file_path="intro.md", heading_path="API", collection="api")
    assert section["metadata"]["collection"] == "api"
    with pytest.raises(Failed, match=r"Nearest: leave\.md"):
        served.call("get_page", file_path="leaves.md")
    with pytest.raises(Failed, match="Served: handbook, api"):
        served.call("list_pages", collection="apis")


def test_an_absolute_path_is_of_the_folder_that_has_it(served: Face, folders: Folders) -> None:
    page = served.call("get_page", file_path=str(folders["api"].resolve() / "auth.md"))
    assert (page["collection"], page["file_path"]) == ("api", "auth.md")


def test_the_status_has_each_collection_and_their_sums(served: Face, folders: Folders) -> None:
    status = served.call("get_status")
    assert status["server"]["docs_root"] == str(folders["handbook"].resolve())
    assert [(each["collection"], each["index"]["total_pages"]) for each in status["collections"]] == [
        ("handbook", 2),
        ("api", 2),
    ]
    assert status["index"]["total_pages"] == status["index"]["total_chunks"] == 4
    paths = {each["index"]["db_path"] for each in status["collections"]}
    assert len(paths) == 2 and all(Path(path).is_file() for path in paths)


def test_a_citation_opens_and_is_checked_wherever_its_document_is(served: Face) -> None:
    for words in ("Rotate the zebra key", "A zebra may take leave"):
        hits = served.call("search_docs", query=words)["results"]
        assert words in hits[0]["content"]
        assert words in served.call("open_citation", ref=hits[0]["ref"])["content"]
        assert served.call("verify_quote", ref=hits[0]["ref"], quote=words)["verdict"] == "exact"


def test_a_reference_that_two_hold_is_opened_by_its_collection(served: Face, folders: Folders) -> None:
    for folder in folders.values():
        (folder / "same.md").write_text("# Licence\n\nThe same unicorn everywhere.\n")
    ref = served.call("search_docs", query="unicorn")["results"][0]["ref"]
    with pytest.raises(Failed, match="handbook, api"):
        served.call("open_citation", ref=ref)
    assert "unicorn" in served.call("open_citation", ref=ref, collection="api")["content"]
    assert served.call("verify_quote", ref=ref, quote="same unicorn", collection="api")["verdict"] == "exact"


def test_an_edit_in_any_folder_is_in_the_next_answer(served: Face, folders: Folders) -> None:
    for word, folder in zip(("quagga", "wombat"), folders.values(), strict=True):
        (folder / "new.md").write_text(f"# New\n\nA {word} is here.\n")
        found = served.call("search_docs", query=word)
        assert word in found["results"][0]["content"] and found["index"]["stale"] is False
        (folder / "new.md").unlink()
        assert all(word not in hit["content"] for hit in served.call("search_docs", query=word)["results"])
