"""Arguments as clients really fill them: empty ones, and paths in every spelling."""

from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from behaviour.conftest import Serve
from behaviour.faces import Face, Failed

PAGES = {"a.md": "# Alpha\n\nA zebra.\n", "sub/b.md": "# Beta\n\nA zebra, too.\n", "sub/c.md": "# Gamma\n\nA gnu.\n"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return faces.write(tmp_path_factory.mktemp("docs"), PAGES)


@pytest.fixture(scope="module", params=faces.PARAMETERS)
def face(request: pytest.FixtureRequest, folder: Path, serve_module: Serve) -> Face:
    return serve_module(request.param, folder)


def found(face: Face, **arguments: Any) -> set[str]:
    return {hit["metadata"]["file_path"] for hit in face.call("search_docs", query="zebra", **arguments)["results"]}


def listed(face: Face, **arguments: Any) -> list[str]:
    return [page["file_path"] for page in face.call("list_pages", **arguments)["pages"]]


def test_an_empty_optional_argument_is_not_given(face: Face) -> None:
    assert found(face, file_filter="", top_k="", explain="", max_tokens="", cursor="") == found(face)
    assert listed(face, prefix="", max_tokens="", cursor="") == sorted(PAGES)
    page = face.call("get_page", file_path="a.md", max_tokens="", cursor="")
    assert page["chunks"][0]["content"] == PAGES["a.md"]
    section = {"file_path": "a.md", "heading_path": "Alpha", "match": "", "cursor": ""}
    assert face.call("get_section", **section)["content"] == PAGES["a.md"]
    ref = page["chunks"][0]["ref"]
    assert face.call("open_citation", ref=ref, context="", max_tokens="", cursor="")["content"] == PAGES["a.md"]


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("search_docs", {"query": ""}, "query parameter is required"),
        ("get_page", {"file_path": ""}, "file_path parameter is required"),
        ("get_section", {"file_path": "", "heading_path": "Alpha"}, "file_path parameter is required"),
    ],
)
def test_an_empty_required_argument_is_missing(face: Face, tool: str, arguments: dict[str, str], message: str) -> None:
    with pytest.raises(Failed, match=message):
        face.call(tool, **arguments)


def test_a_path_may_be_written_in_every_way_everywhere(face: Face, folder: Path) -> None:
    root = str(folder)
    for way in ("", "./", "/", ".//./", f"{root}/", f"{root}//"):
        assert face.call("get_page", file_path=f"{way}sub/b.md")["title"] == "Beta"
        assert found(face, file_filter=f"{way}sub/b.md") == {"sub/b.md"}
        assert found(face, file_filter=f"{way}sub/*.md") == {"sub/b.md", "sub/c.md"}
        assert found(face, file_filter=f"{way}**/b.md") == {"sub/b.md"}
        assert listed(face, prefix=f"{way}sub") == listed(face, prefix=f"{way}sub/") == ["sub/b.md", "sub/c.md"]
    for way in (".", "./", "/", root, f"{root}/"):
        assert len(found(face, file_filter=way)) == len(PAGES)
        assert listed(face, prefix=way) == sorted(PAGES)
