"""The tools of the documents face, on documents that a server on loopback has."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pincite.app import App
from pincite.errors import DownloadFailed, InvalidInput, PinciteError, ProcessingFailed
from pincite.model.call import Call
from pincite.model.document import Box
from pincite.model.recognition import RecognisedLine, RecognisedPage, RecognisedWord
from pincite.settings import load
from pincite.tools.answers.opened import recognised_text
from pincite.tools.documents import MAX_CONTENT_CHARS
from support.document_server import serving_documents
from support.fastembed_models import embedder_folder, reranker_folder
from support.pdfs import pdf, prose
from support.workbooks import grid

GERMAN = "Alle Menschen sind frei und gleich an Würde und Rechten geboren. "
REPORT = (
    "# Annual report\n\nSee https://example.com/api/v1 for more.\n\n"
    + "".join(f"## Part {n}\n\n{'Some words of prose about the weather. ' * 12}\n\n" for n in range(12))
    + "## Ostrich farming\n\nThe key result: ostriches grew by 12.5% in the north.\n\n"
    + "| bird | eggs |\n| --- | --- |\n| ostrich | 40 |\n\n- ostrich item\n- emu item\n"
)
LONG = "".join(f"Line {n} of a text that is longer than one answer.\n\n" for n in range(2_500))
TABLES = "name,eggs\n" + "".join(f"bird {n},{n}\n" for n in range(60))

FILES: dict[str, tuple[str, bytes]] = {
    "report.md": ("text/markdown", REPORT.encode()),
    "long.txt": ("text/plain", LONG.encode()),
    "huge.txt": ("text/plain", (LONG * 3).encode()),
    "german.html": ("text/html; charset=utf-8", f"<html><p>{GERMAN * 3}</p></html>".encode()),
    "page": ("text/html", b"<h1>Title</h1><p>Words of a page.</p>"),
    "two.pdf": ("application/pdf", pdf(prose(), prose())),
    "damaged.pdf": ("application/pdf", b"%PDF-1.7\n" + b"nonsense " * 500),
    "book.xlsx": ("", grid([["Name", "Eggs"], ["ostrich", 40], ["emu", 12]], "Birds")),
    "birds.csv": ("text/csv", TABLES.encode()),
    "empty.txt": ("text/plain", b""),
    "binary": ("application/octet-stream", bytes(range(256)) * 20),
}

CallTool = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def root() -> Iterator[str]:
    with serving_documents(FILES) as url:
        yield url


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    folder = tmp_path_factory.mktemp("data")
    app = App(settings(folder), None, None, ["documents", "citations"])
    yield app
    app.close()


def settings(folder: Path, **given: str) -> Any:
    return load(
        {
            **given,
            "EMBEDDING_PROVIDER": "hash",
            "PINCITE_MODEL_GRACE": "inf",
            "PINCITE_CACHE": str(folder / "cache"),
            "DATA_DIR": str(folder / "data"),
            "DOWNLOAD_ALLOW_PRIVATE": "1",
        }
    )


@pytest.fixture(scope="module")
def tool(app: App, root: str) -> CallTool:
    def call(name: str, file: str = "", /, **arguments: object) -> dict[str, Any]:
        if file:
            arguments["document_url"] = root + file
        return app.toolbox.call(name, arguments, Call()).model_dump(mode="json")

    return call


def problem(call: Callable[[], object], kind: type[PinciteError]) -> str:
    with pytest.raises(kind) as caught:
        call()
    return caught.value.message


def joined(tool: CallTool, field: str, name: str, file: str, **arguments: object) -> str:
    """The text of all pages of an answer."""
    answer = tool(name, file, **arguments)
    parts = [answer[field]]
    while cursor := answer.get("next_cursor"):
        assert answer["truncated"]
        answer = tool(name, file, cursor=cursor, **arguments)
        parts.append(answer[field])
    assert "truncated" not in answer
    return "".join(parts)


def test_a_document_is_processed_with_all_that_was_found_in_it(tool: CallTool, root: str) -> None:
    answer = tool("process_document", "report.md")
    assert answer["content"] == REPORT
    assert answer["content_length"] == len(REPORT)
    assert answer["metadata"] == {
        "source": f"{root}report.md",
        "doc_type": "md",
        "title": "Annual report",
        "properties": {},
        "warnings": [],
    }
    assert answer["urls"] == [
        {
            "url": "https://example.com/api/v1",
            "context": answer["urls"][0]["context"],
            "source_location": "Annual report",
            "confidence": 0.95,
            "url_type": "api_endpoint",
        }
    ]
    assert answer["images"] == []
    assert (answer["detected_language"], answer["detected_language_name"], answer["reliable"]) == (
        "en",
        "English",
        True,
    )


def test_the_language_is_that_of_the_words_and_not_of_the_lines_between_pages(tool: CallTool) -> None:
    assert tool("process_document", "german.html")["detected_language"] == "de"


def test_the_media_type_decides_where_the_name_does_not(tool: CallTool) -> None:
    answer = tool("process_document", "page")
    assert answer["metadata"]["doc_type"] == "html"
    assert answer["content"] == "# Title\n\nWords of a page.\n"
    assert tool("chunk_document", "page")["document_type"] == "html"


def test_pages_begin_with_their_line(tool: CallTool) -> None:
    answer = tool("extract_pdf_text", "two.pdf")
    assert answer["text"].startswith("--- Page 1 ---\n") and "\n--- Page 2 ---\n" in answer["text"]
    assert answer["char_count"] == len(answer["text"])


def test_a_long_text_is_cut_and_continued_without_loss(tool: CallTool) -> None:
    first = tool("process_document", "long.txt")
    assert len(first["content"]) == MAX_CONTENT_CHARS
    assert (first["content_length"], first["truncated"]) == (len(LONG), True)
    assert joined(tool, "content", "process_document", "long.txt") == LONG
    assert joined(tool, "content", "process_document", "long.txt", max_tokens=5_000) == LONG


def test_a_bounded_answer_lists_what_was_found_after_the_text(tool: CallTool) -> None:
    assert joined(tool, "content", "process_document", "report.md", max_tokens=500) == REPORT
    answer = tool("process_document", "report.md", max_tokens=500)
    assert (answer["urls"], answer["truncated"]) == ([], True)
    while "next_cursor" in answer:
        answer = tool("process_document", "report.md", max_tokens=500, cursor=answer["next_cursor"])
    assert [link["url"] for link in answer["urls"]] == ["https://example.com/api/v1"]


@pytest.mark.parametrize("file", ["empty.txt", "damaged.pdf", "binary"])
def test_a_document_without_text_is_no_error(tool: CallTool, file: str) -> None:
    answer = tool("process_document", file)
    assert (answer["content"], answer["content_length"]) == ("", 0)
    assert answer["tables"] == answer["images"] == answer["urls"] == []
    assert (answer["detected_language"], answer["reliable"]) == ("en", False)
    assert answer["metadata"]["warnings"]
    chunked = tool("chunk_document", file)
    assert (chunked["chunks"], chunked["chunk_count"]) == ([], 0)
    retrieved = tool("retrieve_chunks", file, query="words")
    assert (retrieved["results"], retrieved["total_chunks_indexed"]) == ([], 0)


def test_chunks_are_cut_by_type_and_rated(tool: CallTool) -> None:
    answer = tool("chunk_document", "report.md")
    chunks = answer["chunks"]
    assert answer["document_type"] == "md"
    assert answer["chunk_count"] == len(chunks) > 3
    assert [chunk["chunk_index"] for chunk in chunks] == list(range(len(chunks)))
    assert {chunk["total_chunks"] for chunk in chunks} == {len(chunks)}
    assert all(0 < len(chunk["text"]) <= 1200 for chunk in chunks)
    assert chunks[-1]["content_type"] == "table"
    assert chunks[-1]["importance_score"] == 0.95


def test_chunks_continue_without_loss(tool: CallTool) -> None:
    whole = tool("chunk_document", "report.md")["chunks"]
    answer = tool("chunk_document", "report.md", max_tokens=700)
    parts: dict[int, str] = {}
    while True:
        for chunk in answer["chunks"]:
            parts[chunk["chunk_index"]] = parts.get(chunk["chunk_index"], "") + chunk["text"]
        if "next_cursor" not in answer:
            break
        answer = tool("chunk_document", "report.md", max_tokens=700, cursor=answer["next_cursor"])
    assert parts == {chunk["chunk_index"]: chunk["text"] for chunk in whole}


def test_a_query_finds_its_passages_and_each_can_be_opened(tool: CallTool) -> None:
    answer = tool("retrieve_chunks", "report.md", query="How much did ostriches grow in the north?", top_k=2)
    assert len(answer["results"]) == 2
    best = answer["results"][0]
    assert "12.5%" in best["text"]
    assert answer["total_chunks_indexed"] == tool("chunk_document", "report.md")["chunk_count"]
    assert [result["score"] for result in answer["results"]] == sorted(
        (result["score"] for result in answer["results"]), reverse=True
    )
    opened = tool("open_citation", ref=best["ref"])
    assert opened["content"].strip() == best["text"]
    assert tool("verify_quote", ref=best["ref"], quote="ostriches grew by 12.5%")["verdict"] == "exact"


@pytest.mark.parametrize(("top_k", "most"), [(0, 1), (-5, 1), (3, 3), (999, 20)])
def test_the_number_of_passages_is_clamped(tool: CallTool, top_k: int, most: int) -> None:
    assert 1 <= len(tool("retrieve_chunks", "report.md", query="ostrich", top_k=top_k)["results"]) <= most


def test_passages_of_a_pdf_have_their_page(tool: CallTool) -> None:
    answer = tool("retrieve_chunks", "two.pdf", query="words")
    assert {result["page"] for result in answer["results"]} <= {1, 2}


def test_tables_of_sheets_have_columns_and_all_rows_on_request(tool: CallTool) -> None:
    answer = tool("extract_xlsx_tables", "book.xlsx")
    (table,) = answer["tables"]
    assert (answer["table_count"], table["table_type"], table["location"]) == (1, "spreadsheet", "Birds")
    assert [column["type"] for column in table["metadata"]["columns"]] == ["text", "numeric"]
    cut = tool("extract_csv_tables", "birds.csv")
    assert cut["truncated"] and cut["tables"][0]["content"].count("\n") == 21
    assert tool("process_document", "birds.csv")["truncated"]
    whole = tool("extract_csv_tables", "birds.csv", max_tokens=5_000)
    assert "| bird 59 | 59 |" in whole["tables"][0]["content"] and "truncated" not in whole


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("extract_pdf_text", "report.md"),
        ("extract_docx_text", "two.pdf"),
        ("extract_pptx_text", "book.xlsx"),
        ("extract_xlsx_tables", "birds.csv"),
        ("extract_csv_tables", "book.xlsx"),
        ("extract_image_text", "report.md"),
    ],
)
def test_an_extracting_tool_refuses_another_type(tool: CallTool, name: str, file: str) -> None:
    assert "process_document reads every type" in problem(lambda: tool(name, file), ProcessingFailed)


def test_a_damaged_file_of_the_type_is_extracted_as_far_as_it_goes(tool: CallTool) -> None:
    answer = tool("extract_pdf_text", "damaged.pdf")
    assert (answer["text"], answer["char_count"]) == ("", 0)
    assert answer["warnings"]


def test_a_picture_has_one_address_under_either_name(tool: CallTool, root: str) -> None:
    other = problem(lambda: tool("extract_image_text", image_url=root + "report.md"), ProcessingFailed)
    assert other == problem(lambda: tool("extract_image_text", "report.md"), ProcessingFailed)
    both = {"image_url": root + "a", "document_url": root + "b"}
    assert "two names of one argument" in problem(lambda: tool("extract_image_text", **both), InvalidInput)
    assert problem(lambda: tool("extract_image_text"), InvalidInput) == "image_url parameter is required"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("process_document", {}),
        ("process_document", {"document_url": ""}),
        ("process_document", {"document_url": "ftp://example.com/a"}),
        ("process_document", {"document_url": "https://example.com/" + "a" * 2048}),
        ("process_document", {"document_url": "https://exam ple.com/"}),
        ("process_document", {"document_url": "https://example.com/a\n"}),
        ("process_document", {"url": "https://example.com/"}),
        ("retrieve_chunks", {"document_url": "https://example.com/", "query": " "}),
        ("retrieve_chunks", {"document_url": "https://example.com/", "query": "x" * 100_001}),
        ("detect_language", {"text": "x" * 100_001}),
        ("detect_language", {}),
        ("manage_cache", {"action": "delete"}),
    ],
)
def test_invalid_arguments_are_refused(tool: CallTool, name: str, arguments: dict[str, object]) -> None:
    assert problem(lambda: tool(name, **arguments), InvalidInput)


def test_what_is_not_there_cannot_be_downloaded(tool: CallTool) -> None:
    assert "404" in problem(lambda: tool("process_document", "nothing.pdf"), DownloadFailed)


def test_languages_are_told_by_code_and_name(tool: CallTool) -> None:
    assert tool("detect_language", text=GERMAN) == {
        "language_code": "de",
        "language_name": "German",
        "reliable": True,
    }
    assert tool("detect_language", text="kurz")["reliable"] is False


def test_recognised_words_have_their_confidence_and_their_box_in_the_picture() -> None:
    words = (RecognisedWord("Total", Box(10, 20, 60, 30), 0.9), RecognisedWord("~", Box(70, 20, 75, 30), 0.0))
    answer = recognised_text(RecognisedPage(1, 200, 100, 2, lines=(RecognisedLine(words, 10),)))
    assert (answer.text, answer.confidence) == ("Total", 0.9)
    assert answer.metadata == {
        "page": 1,
        "words": [{"text": "Total", "confidence": 0.9, "box": [140.0, 70.0, 190.0, 80.0]}],
    }


def test_health_says_what_is_served(tool: CallTool) -> None:
    answer = tool("get_system_health")
    assert answer["status"] == "healthy"
    assert answer["features"] == {"rerank": False, "ocr": False, "language_detection": True}
    assert answer["security"] == {"auth_enabled": False, "rate_limit_rpm": 60}
    models = answer["models"]
    assert (models["fast"], models["accurate"], models["reranker"]) == ("hash", "hash", None)
    assert models["loaded"] == ["hash"] and len(models["notes"]) == 2
    assert {"pdf", "docx", "pptx", "xlsx", "csv", "html", "txt", "md", "image"} == set(answer["formats"])
    assert answer["device"] == "cpu"
    assert answer["timestamp"].endswith("Z")
    assert set(answer["cache"]) == {"download", "document", "retriever"}


def test_an_answer_from_the_cache_says_that_it_was_not_compared(tool: CallTool) -> None:
    tool("manage_cache", action="clear")
    fresh = tool("process_document", "page")["index"]
    cached = tool("process_document", "page")["index"]
    assert (fresh["stale"], cached["stale"]) == (False, True)
    assert cached["checked_at"] == fresh["checked_at"] and "reason" in cached


def test_the_caches_are_counted_and_cleared(tool: CallTool) -> None:
    tool("manage_cache", action="clear")
    before = tool("manage_cache", action="stats")
    tool("retrieve_chunks", "report.md", query="ostrich")
    tool("retrieve_chunks", "report.md", query="emu")
    after = tool("manage_cache", action="stats")
    for layer in ("download", "document", "retriever"):
        assert after[layer]["entries"] == 1
        assert after[layer]["hits"] > before[layer]["hits"]
        assert 0 <= after[layer]["hit_rate"] <= 1
    assert tool("manage_cache", action="clear") == {"cleared": {"download": 1, "document": 1, "retriever": 1}}


@pytest.fixture(scope="module")
def equipped(tmp_path_factory: pytest.TempPathFactory, root: str) -> Iterator[CallTool]:
    """A server with an accurate model and a reranker in folders."""
    pytest.importorskip("fastembed")
    folder = tmp_path_factory.mktemp("equipped")
    embedder_folder(folder / "models")
    reranker_folder(folder / "models")
    given = settings(folder, PINCITE_MODEL_DIR=str(folder / "models"))
    with closing(App(given, None, None, ["documents", "citations"])) as app:

        def call(name: str, file: str = "", /, **arguments: object) -> dict[str, Any]:
            at = {"document_url": root + file} if file else {}
            return app.toolbox.call(name, {**at, **arguments}, Call()).model_dump(mode="json")

        yield call


def test_the_models_of_retrieval_are_used_where_they_are_and_health_names_them(equipped: CallTool) -> None:
    found = equipped("retrieve_chunks", "report.md", query="ostriches grew in the north", top_k=3)
    scores = [result["score"] for result in found["results"]]
    assert "ostriches grew" in found["results"][0]["text"]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)
    health = equipped("get_system_health")
    assert health["features"]["rerank"]
    assert health["models"]["accurate"] == "BAAI/bge-small-en-v1.5"
    assert health["models"]["reranker"] == "ms-marco-MiniLM-L-6-v2"
    assert health["models"]["loaded"] == ["hash", "BAAI/bge-small-en-v1.5", "ms-marco-MiniLM-L-6-v2"]
    assert health["models"].get("notes") is None


def test_a_large_document_gets_the_fast_model_and_a_small_one_the_accurate_one(
    equipped: CallTool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = next(tmp_path_factory.getbasetemp().glob("equipped*/data/cache"))
    for file, embedder in [("huge.txt", "default"), ("page", "fastembed")]:
        before = set(folder.glob("*.db"))
        equipped("retrieve_chunks", file, query="words of a line")
        assert [index.name.split(".")[2] for index in set(folder.glob("*.db")) - before] == [embedder]


def test_a_citation_of_a_document_with_two_indexes_opens(equipped: CallTool) -> None:
    cut = equipped("chunk_document", "report.md")["chunks"][0]["ref"]
    assert equipped("retrieve_chunks", "report.md", query="weather")["results"]
    assert "Annual report" in equipped("open_citation", ref=cut)["content"]
