"""What adapters of other frameworks share; each adapter's own tests are in `integrations/`."""

import json
from pathlib import Path
from typing import cast

import pytest

import pincite
from pincite import frameworks
from support.pdfs import column, pdf


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, object]:
    return {"PINCITE_CACHE": tmp_path / "cache", "EMBEDDING_PROVIDER": "hash", "PINCITE_FETCH_MODEL": False}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "two.pdf").write_bytes(pdf(column("The zebra runs."), column("The heron waits.")))
    return tmp_path / "docs"


def test_a_passage_has_its_boxes_with_their_pages(folder: Path, settings: dict[str, object]) -> None:
    with pincite.open(folder, settings=settings) as docs:
        passage, *_ = frameworks.passages(docs, "heron waits", 3)
        assert "heron waits" in docs.read(passage.metadata["ref"]).content
    assert (passage.metadata["source"], passage.metadata["pages"][-1]) == ("two.pdf", 2)
    page, x0, y0, x1, y1 = passage.metadata["boxes"][-1]
    assert page == 2 and x0 < x1 and y0 < y1
    assert json.loads(json.dumps(passage.metadata)) == passage.metadata


def test_a_passage_of_a_library_has_its_clause(tmp_path: Path, settings: dict[str, object]) -> None:
    (tmp_path / "standard.md").write_text("# Standard\n\n## 5 Keys\n\n### 5.1 Rotation\n\nKeys shall be rotated.\n")
    with pincite.library(tmp_path / "data", settings=settings) as library:
        library.ingest(tmp_path / "standard.md")
        found = frameworks.passages(library, "rotation of keys", 1)[0].metadata
    assert (found["clause"], found["citation"]) == ("5.1", "Standard, clause 5.1, Rotation")


def test_a_document_is_split_by_block_by_page_or_not(folder: Path, settings: dict[str, object]) -> None:
    file = folder / "two.pdf"
    blocks = list(frameworks.parts(file, settings=settings))
    assert [(part.text, part.metadata["page"], len(part.metadata["boxes"])) for part in blocks] == [
        ("The zebra runs.", 1, 1),
        ("The heron waits.", 2, 1),
    ]
    assert [part.metadata["page"] for part in frameworks.parts(file, "page", settings=settings)] == [1, 2]
    (whole,) = frameworks.parts(file, "document", settings=settings)
    assert whole.text == "The zebra runs.\nThe heron waits.\n"


def test_another_part_of_a_document_is_refused(folder: Path, settings: dict[str, object]) -> None:
    with pytest.raises(pincite.InvalidInput, match="by is 'pages'; it must be block, page, document"):
        next(frameworks.parts(folder / "two.pdf", cast("frameworks.By", "pages"), settings=settings))


def test_only_files_of_the_folder_are_extracted_from(folder: Path, settings: dict[str, object]) -> None:
    (folder / "a.md").write_text("# Invoice\n\nNumber: A-17\n", encoding="utf-8")
    (folder.parent / "secret.md").write_text("Number: X\n", encoding="utf-8")
    (folder / "link.md").symlink_to(folder.parent / "secret.md")
    extract = frameworks.extractor({"number": "string"}, folder, settings=settings)
    answer = extract("a.md")
    assert answer["data"] == {"number": "A-17"} and answer["evidence"]["number"]["verified"]
    for outside in ("../secret.md", str(folder.parent / "secret.md"), "link.md"):
        assert "outside of the folder" in extract(outside)["error"]
    assert "error" in extract("missing.md")
    assert str(folder) not in str([extract(name) for name in ("", "missing.pdf")])
