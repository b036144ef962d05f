import json
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pincite.app import App
from pincite.errors import InvalidInput, NotFound, PinciteError, ReadingFailed, Unsupported
from pincite.model.call import Call
from pincite.settings import load
from pincite.toolkit import Scope
from pincite.transports.mcp.server import _serialised as serialised  # pyright: ignore[reportPrivateUsage]
from pincite.transports.problems import in_form

TABLE = "| Parameter | SUN-5K | SUN-6K |\n|---|---|---|\n| Max. DC voltage | 1000 V | 1100 V |"
DATASHEET = f"""# Inverter

The hybrid inverter converts direct current for homes and small offices, day and night.

## Ratings

{TABLE}

The degree of protection is IP65, for outdoor installation on a wall.

### Notes

Efficiency was measured at nominal voltage with an ambient temperature of 25 degrees.

## Warranty

Ten years from the date of purchase, extended to fifteen years on request.
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("data")
    (folder / "uploads").mkdir()
    (folder / "uploads" / "sheet.md").write_text(DATASHEET)
    (folder / "uploads" / "other.md").write_text(
        "# Secret\n\nThe neighbour's password is swordfish, never to be told.\n"
    )
    with closing(App(load(variables(folder)), None, toolsets=["extraction"])) as served:
        yield served


def variables(folder: Path) -> dict[str, str]:
    return {
        "DATA_DIR": str(folder),
        "PINCITE_CACHE": str(folder / "models"),
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_FRESH_BUDGET": "inf",
        "PINCITE_MODEL_GRACE": "inf",
    }


def call(app: App, name: str, **arguments: Any) -> Any:
    return app.toolbox.call(name, arguments, Call()).model_dump(mode="json")


@pytest.fixture(scope="module")
def index_id(app: App) -> str:
    return call(app, "doc_index_build", file_path="uploads/sheet.md", cache_key="my sheet")["index_id"]


def test_the_four_tools_are_served_and_no_other(app: App) -> None:
    names = ["doc_index_build", "doc_search", "doc_read", "json_validate_and_normalize"]
    assert [tool.name for tool in app.toolbox.tools] == names


def test_an_index_is_named_by_its_content_and_lists_every_heading(app: App) -> None:
    path = app.settings.storage.data / "uploads" / "sheet.md"
    for named in (str(path), "uploads/sheet.md"):
        built = call(app, "doc_index_build", file_path=named)
        assert built["index_id"] == built["doc_fingerprint"] == sha256(path.read_bytes()).hexdigest()
        assert (built["doc_type"], built["page_count"], built["chunk_count"]) == ("markdown", None, 5)
        assert built["toc"] == [
            {"locator": "h1", "title": "Inverter"},
            {"locator": "h2", "title": "Ratings"},
            {"locator": "h3", "title": "Notes"},
            {"locator": "h4", "title": "Warranty"},
        ]
        assert built["notes"] == [] and built["index"]["stale"] is False


def test_search_finds_texts_and_tables_best_first(app: App, index_id: str) -> None:
    hits = call(app, "doc_search", index_id=index_id, query="degree of protection")["results"]
    assert (hits[0]["locator"], hits[0]["kind"]) == ("h2-c1", "text") and "IP65" in hits[0]["snippet"]
    assert [hit["score"] for hit in hits] == sorted((hit["score"] for hit in hits), reverse=True)
    assert all(0 <= hit["score"] <= 1 and len(hit["snippet"]) <= 200 for hit in hits)
    tables = call(app, "doc_search", index_id=index_id, query="voltage", scope="tables")["results"]
    assert [(hit["locator"], hit["kind"]) for hit in tables] == [("h2-t1", "table")]
    texts = call(app, "doc_search", index_id=index_id, query="voltage", scope="text")["results"]
    assert [hit["kind"] for hit in texts] == ["text"]
    assert len(call(app, "doc_search", index_id=index_id, query="voltage protection years", top_k=1)["results"]) == 1


def test_the_snippet_is_cut_around_the_match(app: App) -> None:
    (app.settings.storage.data / "long.md").write_text(
        "# A\n\n" + "Filler words stand here. " * 30 + "The zebra runs.\n"
    )
    index = call(app, "doc_index_build", file_path="long.md")["index_id"]
    (hit,) = call(app, "doc_search", index_id=index, query="zebra")["results"]
    assert "zebra runs" in hit["snippet"] and len(hit["snippet"]) <= 200


@pytest.mark.parametrize("query", ["of the and", "what is it", "?!", "  "])
def test_stop_words_find_nothing(app: App, index_id: str, query: str) -> None:
    assert call(app, "doc_search", index_id=index_id, query=query)["results"] == []


def test_what_shares_no_word_needs_a_near_meaning(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(DATASHEET)
    found: list[int] = []
    for floor in ("-1", "1"):
        with closing(
            App(load({**variables(tmp_path), "PINCITE_RELEVANCE_FLOOR": floor}), None, None, ["extraction"])
        ) as app:
            index = call(app, "doc_index_build", file_path="a.md")["index_id"]
            found.append(len(call(app, "doc_search", index_id=index, query="blockchain ledger")["results"]))
            assert call(app, "doc_search", index_id=index, query="warranty")["results"]
    assert found == [5, 0]


def test_the_text_form_of_a_search_is_the_bare_array(app: App, index_id: str) -> None:
    answer = app.toolbox.call("doc_search", {"index_id": index_id, "query": "warranty"}, Call())
    sent = serialised(answer)
    assert json.loads(sent["content"][0]["text"]) == sent["structuredContent"]["results"] != []
    assert sent["structuredContent"]["index"]["stale"] is False


def test_a_chunk_is_read_with_its_ancestry(app: App, index_id: str) -> None:
    text = call(app, "doc_read", index_id=index_id, locator="h3-c1")
    assert text["content"].startswith("### Notes\n\nEfficiency was measured")
    assert (text["kind"], text["meta"]) == (
        "text",
        {
            "heading_path": ["Inverter", "Ratings", "Notes"],
            "original_heading": "Notes",
            "chunk_index": 1,
            "table_index": None,
            "page": None,
        },
    )
    table = call(app, "doc_read", index_id=index_id, locator="h2-t1")
    assert table["content"].strip().endswith(TABLE) and table["kind"] == "table"
    assert (table["meta"]["chunk_index"], table["meta"]["table_index"]) == (None, 1)


def test_a_heading_is_read_with_what_is_below_it(app: App, index_id: str) -> None:
    section = call(app, "doc_read", index_id=index_id, locator="h2")
    assert section["kind"] == "section" and section["meta"]["original_heading"] == "Ratings"
    assert section["content"] == DATASHEET[DATASHEET.index("## Ratings") : DATASHEET.index("## Warranty")]
    assert call(app, "doc_read", index_id=index_id, locator="h1")["content"] == DATASHEET
    assert call(app, "doc_read", index_id=index_id, locator="h1", max_chars=20)["content"] == DATASHEET[:20]
    assert call(app, "doc_read", index_id=index_id, locator="h4")["content"].startswith("## Warranty")


def test_a_cache_key_stands_for_the_index_and_outlasts_the_server(app: App, index_id: str) -> None:
    by_alias = call(app, "doc_read", index_id="my sheet", locator="h1-c1")
    assert by_alias["content"] == call(app, "doc_read", index_id=index_id, locator="h1-c1")["content"]
    with closing(App(load(variables(app.settings.storage.data)), None, toolsets=["extraction"])) as later:
        assert call(later, "doc_read", index_id="my sheet", locator="h1-c1")["content"] == by_alias["content"]


def test_a_cache_key_may_be_a_hash_of_the_callers(app: App) -> None:
    call(app, "doc_index_build", file_path="uploads/other.md", cache_key="b" * 64)
    assert call(app, "doc_read", index_id="b" * 64, locator="h1")["content"].startswith("# Secret")


def test_a_cache_key_does_not_take_the_id_of_another_document(app: App, index_id: str) -> None:
    call(app, "doc_index_build", file_path="uploads/other.md", cache_key=index_id)
    assert call(app, "doc_read", index_id=index_id, locator="h1")["content"] == DATASHEET


def test_text_before_the_first_heading_is_a_section_without_those_below(app: App) -> None:
    (app.settings.storage.data / "uploads" / "intro.md").write_text("Words before.\n\n# One\n\nText.\n")
    index_id = call(app, "doc_index_build", file_path="uploads/intro.md")["index_id"]
    assert call(app, "doc_read", index_id=index_id, locator="h0")["content"].strip() == "Words before."


def test_an_index_that_another_process_built_is_found(app: App) -> None:
    (app.settings.storage.data / "late.md").write_text("# Late\n\nBuilt elsewhere.\n")
    call(app, "json_validate_and_normalize", schema={"a": "string"})
    with closing(App(load(variables(app.settings.storage.data)), None, toolsets=["extraction"])) as other:
        index = call(other, "doc_index_build", file_path="late.md")["index_id"]
    assert call(app, "doc_read", index_id=index, locator="h1")["content"] == "# Late\n\nBuilt elsewhere.\n"


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "message"),
    [
        (
            "doc_search",
            {"index_id": "nope", "query": "a"},
            NotFound,
            "Index not found: nope. Call doc_index_build first.",
        ),
        ("doc_read", {"index_id": "0" * 64, "locator": "h1"}, NotFound, f"Index not found: {'0' * 64}. Call doc_index"),
        ("doc_read", {"locator": "h9-c9"}, NotFound, "Locator not found: h9-c9."),
        ("doc_read", {"locator": "../x"}, NotFound, "Locator not found: ../x."),
        ("doc_read", {"locator": "h" + "9" * 500}, NotFound, "Locator not found: h999"),
        (
            "doc_search",
            {"query": "a", "scope": "pictures"},
            InvalidInput,
            "Bad scope: pictures. Use text, tables or all.",
        ),
        ("doc_index_build", {"file_path": "uploads/none.pdf"}, NotFound, "File not found: none.pdf."),
        ("doc_index_build", {"file_path": "/etc/passwd"}, NotFound, "File not found: passwd."),
        ("doc_index_build", {"file_path": "../../../etc/passwd"}, NotFound, "File not found: passwd."),
        ("doc_index_build", {"file_path": "a.exe"}, Unsupported, "Unsupported file format: "),
        ("doc_index_build", {"file_path": "a.pdf"}, ReadingFailed, "Conversion failed: "),
    ],
)
def test_faults_are_objects_with_the_contracts_words(
    app: App, index_id: str, tool: str, arguments: dict[str, Any], kind: type[PinciteError], message: str
) -> None:
    data = app.settings.storage.data
    (data / "a.exe").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(200))
    (data / "a.pdf").write_bytes(b"%PDF-1.4 fake content")
    own = {} if tool == "doc_index_build" else {"index_id": index_id}
    with pytest.raises(kind) as raised:
        call(app, tool, **{**own, **arguments})
    text = in_form(raised.value, app.toolbox.find(tool).error_form)
    assert list(json.loads(text)) == ["error"] and json.loads(text)["error"].startswith(message)


def test_a_restricted_toolbox_reads_its_own_file_and_index_alone(app: App, index_id: str) -> None:
    uploads = app.settings.storage.data / "uploads"
    other = call(app, "doc_index_build", file_path="uploads/other.md", cache_key="other")["index_id"]
    (own,) = app.cached.find(index_id)
    scope = Scope(frozenset({own.name}), frozenset({uploads / "sheet.md"}))
    agent = app.toolbox.only([tool.name for tool in app.toolbox.tools], scope)
    assert agent.call("doc_index_build", {"file_path": "uploads/sheet.md"}, Call())
    assert agent.call("doc_search", {"index_id": index_id, "query": "warranty"}, Call())
    for tool, arguments in (
        ("doc_index_build", {"file_path": "uploads/other.md"}),
        ("doc_search", {"index_id": other, "query": "password"}),
        ("doc_read", {"index_id": other, "locator": "h1"}),
        ("doc_read", {"index_id": "other", "locator": "h1"}),
    ):
        with pytest.raises(NotFound, match="not found"):
            agent.call(tool, arguments, Call())


def test_data_are_checked_as_objects_or_json_text(app: App) -> None:
    schema = {"a": {"b": "string"}, "c": ["string"]}
    for given in (
        {"data": {"a": {"b": "x"}, "c": ["y"]}, "schema": schema},
        {"data": '{"a": {"b": "x"}, "c": ["y"]}', "schema": json.dumps(schema)},
    ):
        checked = call(app, "json_validate_and_normalize", **given)
        assert (checked["ok"], checked["errors"], checked["normalized"]) == (True, [], {"a": {"b": "x"}, "c": ["y"]})
    wrong = call(app, "json_validate_and_normalize", data={"a": "x", "c": "y"}, schema=schema)
    assert wrong["ok"] is False
    assert wrong["errors"] == ["Field 'a' expected object, got string", "Field 'c' expected list, got string"]
    nothing = call(app, "json_validate_and_normalize", data=None, schema=schema)
    assert nothing["normalized"] == {"a": {"b": None}, "c": []} and nothing["warnings"]
    for text in ("{", ""):
        bad = call(app, "json_validate_and_normalize", data=text, schema=schema)
        assert bad["errors"][0].startswith("Invalid data JSON: ") and (bad["ok"], bad["normalized"]) == (False, {})
