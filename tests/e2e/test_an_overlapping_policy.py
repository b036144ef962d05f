"""A folder whose chunks overlap, served whole: nothing repeats, nothing shifts."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.app import App
from pincite.app import collections as opening
from pincite.model.call import Call
from pincite.registry import POLICIES
from pincite.settings import load
from pincite.tools.answers.docs import PageAnswer, SectionAnswer
from pincite.tools.citations import OpenedCitation, VerifiedQuote
from support import windows
from support.serving import ask

GUIDE = Path(__file__).parents[1] / "behaviour" / "guide"
CHUNK_TOKENS = 48
"""Small windows, so that nearly every section has several."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "guide"
    shutil.copytree(GUIDE, folder)
    return folder


def opened(folder: Path, cache: Path) -> App:
    settings = {
        "PINCITE_CACHE": cache,
        "EMBEDDING_PROVIDER": "hash",
        "PINCITE_CHUNK_TOKENS": CHUNK_TOKENS,
        "PINCITE_MODEL_GRACE": "inf",
        "PINCITE_FRESH_BUDGET": 60,
    }
    return App(load(settings), folder)


@pytest.fixture(scope="module")
def app(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    with pytest.MonkeyPatch.context() as patch:
        table = tuple(windows.ROW if row.name == "sections" else row for row in POLICIES)
        patch.setattr(opening, "POLICIES", table)
        overlapping = opened(folder, tmp_path_factory.mktemp("windows"))
        ask(overlapping, "index")
    yield overlapping
    overlapping.close()


@pytest.fixture(scope="module")
def plain(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    sections = opened(folder, tmp_path_factory.mktemp("sections"))
    yield sections
    sections.close()


def page(app: App, name: str) -> PageAnswer:
    answer = app.toolbox.call("get_page", {"file_path": name}, Call())
    assert isinstance(answer, PageAnswer)
    return answer


def section(app: App, name: str, heading: str) -> str:
    answer = app.toolbox.call("get_section", {"file_path": name, "heading_path": heading}, Call())
    assert isinstance(answer, SectionAnswer)
    return answer.content


def citation(app: App, ref: str, context: int = 0) -> str:
    answer = app.toolbox.call("open_citation", {"ref": ref, "context": context}, Call())
    assert isinstance(answer, OpenedCitation) and answer.current
    return answer.content


NAMES = [file.name for file in sorted(GUIDE.glob("*.md"))]


@pytest.mark.parametrize("name", NAMES)
def test_pages_sections_and_resources_are_those_of_a_policy_without_overlap(
    app: App, plain: App, folder: Path, name: str
) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    chunks = page(app, name).chunks
    assert "".join(chunk.content for chunk in chunks) == text
    assert app.resources.document_text(Call(), app.resources.templates[0].format(path=name)) == text
    headings = {chunk.heading_path for chunk in page(plain, name).chunks}
    assert {chunk.heading_path for chunk in chunks} == headings
    for heading in headings:
        assert section(app, name, heading) == section(plain, name, heading)


@pytest.mark.parametrize("name", NAMES)
def test_citations_open_the_chunk_and_its_neighbours_once(app: App, folder: Path, name: str) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    chunks = page(app, name).chunks
    opened = [citation(app, chunk.ref) for chunk in chunks]
    assert sum(map(len, opened)) >= len(text)
    assert all(content in text for content in opened)
    assert citation(app, chunks[0].ref, context=20) == text[: len(citation(app, chunks[0].ref, context=20))]
    for chunk in {one.ref.rpartition("-")[0]: one for one in chunks}.values():
        assert citation(app, chunk.ref.rpartition("-")[0]) in text


def test_chunks_do_overlap(app: App) -> None:
    chunks = [chunk for name in NAMES for chunk in page(app, name).chunks]
    assert sum(len(citation(app, chunk.ref)) for chunk in chunks) > sum(chunk.char_count for chunk in chunks)


def test_quotes_are_exact_in_each_chunk_that_has_them_and_across_two(app: App, folder: Path) -> None:
    checked = 0
    for hit in ask(app, "how fresh is the index", top_k=20).results:
        name = hit.metadata.file_path
        text = (folder / name).read_text(encoding="utf-8")
        for sentence in re.findall(r"[A-Z][a-z ,]{30,}\.", citation(app, hit.ref)):
            found = app.toolbox.call("verify_quote", {"ref": hit.ref, "quote": sentence}, Call())
            assert isinstance(found, VerifiedQuote)
            assert (found.verdict, found.content) == ("exact", sentence) and sentence in text
            assert found.at is not None and citation(app, found.at) == sentence
            checked += 1
    assert checked
