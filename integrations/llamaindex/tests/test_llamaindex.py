"""The retriever, the loader and the tool, with the LlamaIndex that is installed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import pincite
from support.guide_questions import GUIDE, PASSAGES, answered_over_mcp
from support.pdfs import column, pdf

pytest.importorskip("llama_index.core", reason="LlamaIndex is not installed: pip install llama-index-core")

from llama_index.core.schema import MetadataMode

from pincite_llamaindex import PinciteReader, PinciteRetriever, extraction_tool


class Invoice(BaseModel):
    number: str | None
    total: float | None


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, object]:
    return {"PINCITE_CACHE": tmp_path / "cache", "EMBEDDING_PROVIDER": "hash", "PINCITE_FETCH_MODEL": False}


@pytest.fixture
def guide(settings: dict[str, object]) -> Iterator[pincite.Folder]:
    with pincite.open(GUIDE, settings=settings) as guide:
        yield guide


def test_passages_are_those_of_mcp(guide: pincite.Folder, settings: dict[str, object]) -> None:
    guide.status()
    retriever = PinciteRetriever(guide, similarity_top_k=PASSAGES)
    for question, references in answered_over_mcp(settings):
        nodes = retriever.retrieve(question)
        assert [found.node.metadata["ref"] for found in nodes] == references
    node = nodes[0].node
    assert guide.verify(node.metadata["ref"], node.get_content()[:100]).verdict in {"exact", "normalised"}
    assert {"source", "section", "pages"} <= node.metadata.keys()
    assert nodes[0].score is not None


def test_passages_of_a_library_have_their_clause(tmp_path: Path, settings: dict[str, object]) -> None:
    (tmp_path / "standard.md").write_text("# Standard\n\n## 5 Keys\n\n### 5.1 Rotation\n\nKeys shall be rotated.\n")
    with pincite.library(tmp_path / "data", settings=settings) as library:
        library.ingest(tmp_path / "standard.md")
        first = PinciteRetriever(library).retrieve("rotation of keys")[0].node
    assert (first.metadata["clause"], first.metadata["citation"]) == ("5.1", "Standard, clause 5.1, Rotation")


def test_a_document_is_loaded_with_pages_and_boxes(tmp_path: Path, settings: dict[str, object]) -> None:
    file = tmp_path / "two.pdf"
    file.write_bytes(pdf(column("First page."), column("Second page.")))
    blocks = PinciteReader(settings=settings).load_data(file)
    assert [(block.text, block.metadata["page"]) for block in blocks] == [("First page.", 1), ("Second page.", 2)]
    (box,) = blocks[1].metadata["boxes"]
    assert len(box) == 4
    assert "boxes" not in blocks[1].get_content(MetadataMode.LLM)
    pages = PinciteReader("page", settings=settings).load_data(file)
    assert [page.metadata["page"] for page in pages] == [1, 2]
    (whole,) = PinciteReader("document", settings=settings).load_data(file)
    assert whole.text == "First page.\nSecond page.\n"


def test_an_agent_extracts_with_evidence_from_the_folder_alone(tmp_path: Path, settings: dict[str, object]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text("# Invoice\n\nNumber: A-17\n\nTotal: 12.50\n", encoding="utf-8")
    (tmp_path / "secret.md").write_text("Number: X\n", encoding="utf-8")
    tool = extraction_tool(Invoice, tmp_path / "in", settings=settings)
    assert tool.metadata.name == "extract_fields"
    answer: dict[str, Any] = tool.call(file="a.md").raw_output
    assert answer["data"] == {"number": "A-17", "total": 12.5}
    assert answer["evidence"]["number"]["verified"]
    assert answer["evidence"]["number"]["ref"].startswith("a.md@")
    assert "outside of the folder" in tool.call(file="../secret.md").raw_output["error"]
    assert "error" in tool.call(file="missing.md").raw_output
