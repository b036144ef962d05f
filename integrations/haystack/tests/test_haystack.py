"""The retriever and the converter, with the Haystack that is installed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pincite
from support.guide_questions import GUIDE, PASSAGES, answered_over_mcp
from support.pdfs import column, pdf

pytest.importorskip("haystack", reason="Haystack is not installed: pip install haystack-ai")

from haystack import Pipeline

from pincite_haystack import PinciteConverter, PinciteRetriever


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, object]:
    return {"PINCITE_CACHE": str(tmp_path / "cache"), "EMBEDDING_PROVIDER": "hash", "PINCITE_FETCH_MODEL": False}


@pytest.fixture
def guide(settings: dict[str, object]) -> Iterator[pincite.Folder]:
    with pincite.open(GUIDE, settings=settings) as guide:
        yield guide


def test_passages_in_a_pipeline_are_those_of_mcp(guide: pincite.Folder, settings: dict[str, object]) -> None:
    guide.status()
    pipeline = Pipeline()
    pipeline.add_component("pincite", PinciteRetriever(guide, top_k=PASSAGES))
    for question, references in answered_over_mcp(settings):
        found = pipeline.run({"pincite": {"query": question}})["pincite"]["documents"]
        assert [each.id for each in found] == references
    assert guide.verify(found[0].meta["ref"], found[0].content[:100]).verdict in {"exact", "normalised"}
    assert {"source", "section", "pages", "boxes"} <= found[0].meta.keys()
    assert found[0].score == found[0].meta["score"]
    assert len(PinciteRetriever(guide).run("index", top_k=1)["documents"]) == 1


def test_a_document_is_converted_with_pages_and_boxes(tmp_path: Path, settings: dict[str, object]) -> None:
    file = tmp_path / "two.pdf"
    file.write_bytes(pdf(column("First page."), column("Second page.")))
    blocks = PinciteConverter(settings=settings).run([file], {"mine": 1})["documents"]
    assert [(block.content, block.meta["page"], block.meta["mine"]) for block in blocks] == [
        ("First page.", 1, 1),
        ("Second page.", 2, 1),
    ]
    (box,) = blocks[1].meta["boxes"]
    assert len(box) == 4
    pages = PinciteConverter("page", settings).run([str(file), file])["documents"]
    assert [page.meta["page"] for page in pages] == [1, 2, 1, 2]


def test_a_saved_pipeline_converts_as_before(tmp_path: Path, settings: dict[str, object]) -> None:
    (tmp_path / "a.md").write_text("# A\n\nB.\n", encoding="utf-8")
    pipeline = Pipeline()
    pipeline.add_component("convert", PinciteConverter("document", settings))
    restored = Pipeline.loads(pipeline.dumps(), allowed_modules=["pincite_haystack"])
    (document,) = restored.run({"convert": {"sources": [tmp_path / "a.md"]}})["convert"]["documents"]
    assert document.content == "# A\n\nB.\n"
