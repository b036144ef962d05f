"""`pincite.library`: add files, search, look up, requirements."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import pincite

STANDARD = """# Example Standard

## 3 Terms and definitions

### 3.1 nonce

number that is used once

## 5 Passwords

### 5.1 Length

A password shall have at least 12 characters.

### 5.2 Composition

Rules about composition should not be imposed.
"""


@pytest.fixture
def standards(tmp_path: Path) -> Path:
    folder = tmp_path / "standards"
    folder.mkdir()
    (folder / "example.md").write_text(STANDARD, encoding="utf-8")
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, object]:
    return {"PINCITE_CACHE": tmp_path / "cache", "EMBEDDING_PROVIDER": "hash", "VECTOR_STORE": "sqlite"}


@pytest.fixture
def library(tmp_path: Path, standards: Path, settings: dict[str, object]) -> Iterator[pincite.Library]:
    with pincite.library(tmp_path / "data", settings=settings) as library:
        library.ingest(standards)
        yield library


def test_files_and_folders_are_added_once(
    tmp_path: Path, standards: Path, library: pincite.Library, settings: dict[str, object]
) -> None:
    (again,) = library.ingest(standards)
    assert (again.path, again.document_id, again.outcome, again.reason) == ("example.md", "example", "unchanged", "")
    (standards / "torn.pdf").write_bytes(b"%PDF-1.7\nno more of it")
    (standards / "example.md").write_text(STANDARD.replace("12", "14"), encoding="utf-8")
    outcomes = {file.path: file for file in library.ingest(standards / "torn.pdf", standards / "example.md")}
    assert (outcomes["example.md"].outcome, outcomes["torn.pdf"].outcome) == ("replaced", "failed")
    assert outcomes["torn.pdf"].reason
    library.close()
    with pincite.library(tmp_path / "data", settings=settings) as reopened:
        assert "at least 14 characters" in reopened.search("password length", n=1)[0].content


def test_a_search_returns_cited_passages(library: pincite.Library) -> None:
    results = library.search("how long must a password be", n=2)
    assert results[0].metadata.clause_number == "5.1"
    assert "at least 12 characters" in library.read(results[0].ref).content
    assert library.verify(results[0].ref, "A password shall have at least 12 characters.").verdict == "exact"
    assert results.answer.search_type == "hybrid"
    assert results.answer.index is not None and not results.answer.index.stale
    assert len(library.search("password", clause_number="5.2")) == 1
    assert library.search("password", document_id="unknown").answer.suggestions


@pytest.mark.parametrize(("search", "n", "most"), [("search", 0, 100), ("search", 101, 100), ("requirements", 51, 50)])
def test_a_number_of_results_is_refused_by_the_name_that_it_has_here(
    library: pincite.Library, search: str, n: int, most: int
) -> None:
    with pytest.raises(pincite.InvalidInput, match=f"n is {n}; it must be from 1 to {most}"):
        getattr(library, search)("password", n=n)


def test_a_term_is_looked_up(library: pincite.Library) -> None:
    (nonce,) = library.lookup("nonce")
    assert "number that is used once" in nonce.definition
    nothing = library.lookup("nonse")
    assert (nothing, nothing.answer.similar_terms) == ([], ["nonce"])


def test_requirements_come_before_recommendations(library: pincite.Library) -> None:
    first, second = library.requirements("passwords", standard="example")
    assert (first.requirement_id, second.requirement_id) == ("5.1", "5.2")


def test_a_document_is_removed(library: pincite.Library) -> None:
    with pytest.raises(pincite.NotFound, match="example"):
        library.remove("exmaple")
    library.remove("example")
    assert library.search("password") == []


def test_nothing_is_removed_if_one_of_several_is_unknown(library: pincite.Library) -> None:
    with pytest.raises(pincite.NotFound):
        library.remove("example", "nowhere")
    assert library.search("password") != []


def test_a_removed_upload_leaves_no_file_and_any_other_file_stays(library: pincite.Library, tmp_path: Path) -> None:
    kept, upload = tmp_path / "kept.md", tmp_path / "data" / "library" / "upload.md"
    upload.parent.mkdir(parents=True)
    for file in (kept, upload):
        file.write_text(f"# {file.stem}\n\nA platypus.\n", encoding="utf-8")
    library.ingest(kept, upload)
    library.remove("kept", "upload")
    assert kept.exists() and not upload.exists()


def test_a_closed_library_says_so(library: pincite.Library, tmp_path: Path) -> None:
    assert repr(library) == f"<pincite.Library {str(tmp_path / 'data')!r}>"
    library.close()
    with pytest.raises(pincite.InvalidInput, match=r"The library 'data' is closed. Open it again: pincite.library"):
        library.ingest(tmp_path)


def test_a_file_that_is_not_there_is_refused(library: pincite.Library, tmp_path: Path) -> None:
    with pytest.raises(pincite.InvalidInput, match="nowhere"):
        library.ingest(tmp_path / "nowhere")
