"""Contract 1, points 1 and 8, where meaning matters: the real model, and pincite's own guide."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from behaviour import faces
from behaviour.faces import Face
from support.wire import STATELESS

GUIDE = Path(__file__).with_name("guide")

QUESTIONS = [
    ("How do I make sure an edit is in the answer?", "freshness.md", "Freshness > Every call looks first"),
    ("which files are left out of the index", "what-is-indexed.md", "What is indexed > What is left out"),
    ("connect Claude Code to my docs folder", "connect.md", "Connect a client > Claude Code"),
    ("where is the index file stored", "index-file.md", "The index file > Where it lies"),
    ("the model cannot be downloaded without network", "offline.md", "Work offline > Bring the model yourself"),
    ("PINCITE_FRESH_BUDGET", "settings.md", "Settings > Freshness"),
    ("what does a reference like page.md@9f31c2aa#h4 mean", "citations.md", "Citations > How a reference is built"),
    ("exit code 3", "troubleshooting.md", "Troubleshooting > Exit codes"),
]


@pytest.fixture(scope="module")
def guide(model_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Face]:
    """The guide, served with the real model."""
    cache = tmp_path_factory.mktemp("cache")
    (cache / "models").symlink_to(model_cache)
    face = faces.serve(f"stdio {STATELESS}", GUIDE, cache, EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL="false")
    faces.settled(face)
    yield face
    face.close()


@pytest.mark.parametrize(("question", "file", "section"), QUESTIONS)
def test_a_question_finds_its_section_first(guide: Face, question: str, file: str, section: str) -> None:
    answer = guide.call("search_docs", query=question)
    assert answer["search_type"] == "hybrid"
    first = answer["results"][0]
    assert (first["metadata"]["file_path"], first["metadata"]["heading_path"]) == (file, section)
    assert first["similarity"] is not None


def test_a_section_of_the_guide_is_fetched_by_its_breadcrumb(guide: Face) -> None:
    section = guide.call("get_section", file_path="freshness.md", heading_path="Freshness > Every call looks first")
    assert section["content"].startswith("## Every call looks first\n")
    assert section["content"] in (GUIDE / "freshness.md").read_text()


def test_the_list_shows_title_and_chunk_count_of_each_page(guide: Face) -> None:
    pages = {page["file_path"]: page for page in guide.call("list_pages")["pages"]}
    assert set(pages) == {page.name for page in GUIDE.glob("*.md")}
    assert pages["freshness.md"]["title"] == "Freshness"
    for name, page in pages.items():
        assert page["chunk_count"] == len(guide.call("get_page", file_path=name)["chunks"])


def test_the_status_counts_match_the_pages(guide: Face) -> None:
    status = guide.call("get_status")
    pages = guide.call("list_pages")["pages"]
    assert status["index"]["total_pages"] == len(pages)
    assert status["index"]["total_chunks"] == sum(page["chunk_count"] for page in pages)
    assert status["embedding"]["model"] == "all-MiniLM-L6-v2" and status["embedding"]["state"] == "ready"


def test_what_it_does_not_speak_of_scores_low(guide: Face) -> None:
    known = guide.call("search_docs", query="where is the index file stored")["results"][0]["score"]
    foreign = guide.call("search_docs", query="recipe for sourdough bread")["results"][0]["score"]
    assert foreign < known / 2
