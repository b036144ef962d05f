"""Contract 0, section 3: every tool of every face answers within a bound, and what it cuts is continued whole."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from os import environ
from pathlib import Path
from typing import Any, cast

import pytest

from behaviour import faces
from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load
from support.wire import pincite

pytestmark = pytest.mark.slow

ANSWER_TOKENS = 20_000
CONTENT_CHARS, PASSAGE_CHARS = 50_000, 5_000
"""The own limits of contract 4: of a text, and of a passage or table."""

TEXTS = frozenset({"content", "text", "title", "definition", "requirement_text"})
"""Fields that may be cut."""
PARTS = frozenset({"headings", "heading_paths"})
CHANGING = frozenset({"index", "query_ms", "truncated", "next_cursor", "partial", "folders", "uptime_seconds"})
"""Fields that differ between the parts of an answer, or from call to call."""

SENTENCE = "The quick brown fox number {} jumps over the lazy dog and its «neighbours». "


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((600, 240_000), id="600"),
        pytest.param((10_000, 3_000_000), id="10,000", marks=[pytest.mark.long, pytest.mark.timeout(3600)]),
    ],
)
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[int, App]]:
    """A folder of many pages and a long document, and a library of the same, by the bound of their answers."""
    pages, chars = request.param
    root = tmp_path_factory.mktemp("large")
    texts = {f"part{n // 100:03}/page{n:05}.md": page(n) for n in range(pages)}
    folder = faces.write(root / "docs", {**texts, "long.md": long_document(chars)})
    own = {**faces.EXACT, "DATA_DIR": str(root / "data"), "PINCITE_CACHE": str(root / "cache")}
    own |= {"ALLOWED_ROOTS": str(folder), "PINCITE_FRESH_BUDGET": "inf", "MCP_REQUEST_TIMEOUT": "inf"}
    subprocess.run(pincite("ingest", str(folder), "--json"), env={**environ, **own}, capture_output=True, check=True)
    bounds = (ANSWER_TOKENS, 0)
    apps = {bound: App(load({**own, "PINCITE_ANSWER_TOKENS": bound}), folder, toolsets=["all"]) for bound in bounds}
    yield apps
    for app in apps.values():
        app.close()


def page(n: int) -> str:
    text = f"The gauge of page {n} shall be read on topic{n % 97}."
    return f"# Page {n}\n\n{text}\n\n## Second {n}\n\n**Term{n}**: a word.\n"


def long_document(chars: int) -> str:
    """Half of it one section, the other half short ones."""
    sentences = "".join(SENTENCE.format(n) for n in range(chars // 2 // len(SENTENCE)))
    sections = "".join(f"## Section {n}\n\n{SENTENCE.format(n)}\n\n" for n in range(chars // 2 // 100))
    return f"# Long\n\n{sentences}\n\n{sections}"


def calls(app: App, folder: Path) -> dict[str, dict[str, Any]]:
    """The arguments for the largest answer of each tool."""
    search = {"query": "quick brown fox topic5 gauge"}
    long = str(folder / "long.md")
    (hit, *_) = ask(app, "search_docs", {"query": "neighbours", "file_filter": "long.md"})["results"]
    ref = hit["ref"].rpartition("#")[0] + "#h1"
    old, new = ask(app, "knowledge_stats", {})["documents"][:2]
    index = ask(app, "doc_index_build", {"file_path": long, "cache_key": "long"})["index_id"]
    return {
        "search_docs": {**search, "top_k": 20},
        "get_page": {"file_path": "long.md"},
        "get_section": {"file_path": "long.md", "heading_path": "Long"},
        "list_pages": {},
        "get_status": {},
        "open_citation": {"ref": ref},
        "verify_quote": {"ref": ref, "quote": "jumps over the lazy dog"},
        "knowledge_search": {**search, "n_results": 100},
        "knowledge_lookup": {"term": "Term7"},
        "knowledge_requirements": {"topic": "gauge", "n_results": 50},
        "knowledge_keyword_search": {**search, "n_results": 100},
        "knowledge_compare": {"old": old["document_id"], "new": new["document_id"]},
        "knowledge_stats": {},
        "knowledge_health": {},
        "doc_index_build": {"file_path": long},
        "doc_search": {"index_id": index, "query": "lazy dog", "top_k": 50},
        "doc_read": {"index_id": index, "locator": "h1"},
        "json_validate_and_normalize": {"schema": {"name": ""}, "data": {"name": "x"}},
    }


DOCUMENT_CALLS: dict[str, dict[str, Any]] = {
    "process_document": {},
    "chunk_document": {},
    "retrieve_chunks": {"query": "lazy dog", "top_k": 20},
}
"""Arguments of the tools of contract 4 that read any document, besides its URL."""


def ask(app: App, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return app.toolbox.call(tool, arguments, Call()).model_dump(mode="json")


def walked(app: App, tool: str, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Every part of an answer."""
    parts = [ask(app, tool, arguments)]
    while cursor := parts[-1].get("next_cursor"):
        assert parts[-1]["truncated"] is True
        parts.append(ask(app, tool, {**arguments, "cursor": cursor}))
    return parts


def joined(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """One answer of its parts: its texts joined, and the pieces of an entry that was cut as one."""
    whole = {name: value for name, value in parts[0].items() if name not in CHANGING}
    for part in parts[1:]:
        for name, value in part.items():
            if isinstance(value, list) and name not in CHANGING:
                whole[name] = merged(whole[name], cast("list[Any]", value))
            elif name in TEXTS and name != "title":
                whole[name] += value
    return whole


def merged(before: list[Any], after: list[Any]) -> list[Any]:
    if not before or not after or identity(before[-1]) != identity(after[0]):
        return before + after
    last, first = before[-1], after[0]
    # A page whose headings are split has its title in each part; a heading of a long document may be cut itself.
    names = PARTS if "headings" in first else TEXTS
    both: dict[str, Any] = {**last, **{name: last[name] + first[name] for name in names if name in first}}
    return [*before[:-1], both, *after[1:]]


def identity(entry: Any) -> Any:
    """What tells an entry from its neighbours, however it is cut."""
    if not isinstance(entry, dict):
        return cast("Any", object())
    fields = cast("dict[str, Any]", entry)
    return [fields.get(name) for name in ("ref", "file_path", "locator", "document_id", "chunk_index")]


def stable(value: Any) -> Any:
    """An answer without what changes from call to call, or where it is cut."""
    if isinstance(value, list):
        return [stable(each) for each in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return cast("object", value)
    fields = cast("dict[str, Any]", value).items()
    kept = {name: stable(each) for name, each in fields if name not in CHANGING and name != "headings_part"}
    return kept | ({"char_count": len(kept["content"])} if {"content", "char_count"} <= kept.keys() else {})


def test_no_answer_is_above_the_bound_and_each_continued_to_its_end_is_the_whole(served: Mapping[int, App]) -> None:
    bounded, unbounded = served[ANSWER_TOKENS], served[0]
    folder = bounded.collection().source.root
    faces_calls = calls(bounded, folder)
    own_limits = {tool.name for tool in bounded.toolbox.tools if tool.toolset == "documents"}
    assert faces_calls.keys() | own_limits == {tool.name for tool in bounded.toolbox.tools}
    cut: set[str] = set()
    uncut: set[str] = set()
    for tool, arguments in faces_calls.items():
        parts = walked(bounded, tool, arguments)
        for part in parts:
            text = json.dumps(part, ensure_ascii=False, separators=(",", ":"))
            assert max(bounded.embedder.tokenizer.count(text), len(text.encode()) // 4) <= ANSWER_TOKENS, tool
        whole = walked(unbounded, tool, arguments)
        if tool != "knowledge_health":  # it measures anew
            assert stable(joined(parts)) == stable(joined(whole)), tool
        cut |= {tool} if len(parts) > 1 else set()
        uncut |= {tool} if len(whole) == 1 else set()
    assert cut >= {"get_page", "get_section", "list_pages", "open_citation", "knowledge_stats", "doc_index_build"}
    assert uncut == faces_calls.keys() - {"open_citation"}  # its default is 8,000, by the contract


def test_a_list_of_pages_that_is_cut_begins_with_its_folders(served: Mapping[int, App]) -> None:
    first = ask(served[ANSWER_TOKENS], "list_pages", {})
    second = ask(served[ANSWER_TOKENS], "list_pages", {"cursor": first["next_cursor"]})
    pages = ask(served[0], "list_pages", {})
    counted = {folder["path"]: folder["pages"] for folder in first["folders"]}
    names = [page["file_path"] for page in pages["pages"]]
    assert counted and counted == {folder: sum(n.startswith(f"{folder}/") for n in names) for folder in counted}
    assert list(first).index("folders") < list(first).index("pages")
    assert "folders" not in second and "folders" not in pages


def test_the_documents_face_keeps_its_own_limits_and_loses_nothing(served: Mapping[int, App]) -> None:
    app = served[ANSWER_TOKENS]
    url = str(app.collection().source.root / "long.md")
    for tool, others in DOCUMENT_CALLS.items():
        parts = walked(app, tool, {"document_url": url, **others})
        for part in parts:
            assert len(part.get("content") or "") <= CONTENT_CHARS, tool
            listed = [entry for name in ("chunks", "results", "tables") for entry in part.get(name) or ()]
            assert all(len(entry.get("text") or entry.get("content")) <= PASSAGE_CHARS for entry in listed), tool
    read = joined(walked(app, "process_document", {"document_url": url}))
    assert read["content"] == Path(url).read_text() and len(read["content"]) == read["content_length"]
