"""Every row of the registry keeps its table's protocol: the type checker reads these lists, and the tests compare them.

What a row names is loaded by its name at run time, where no type checker can see that a method is missing.
"""

from collections.abc import Callable, Iterable, Mapping

import pytest

from pincite import registry
from pincite.agents import openai_api
from pincite.agents.base import Engine
from pincite.agents.claude import engine as claude
from pincite.agents.rules import engine as rules
from pincite.chunking.base import Policy
from pincite.chunking.clauses import ClausePolicy
from pincite.chunking.elements import ElementPolicy
from pincite.chunking.passages import PassagePolicy
from pincite.chunking.sections import SectionPolicy
from pincite.chunking.windows import WindowPolicy
from pincite.embedding import fastembed, hashing, local, openai
from pincite.embedding.base import Embedder
from pincite.formats import notebook, text
from pincite.formats.base import Measurer, Rasteriser, Reader, Renderer
from pincite.formats.csv import reader as csv
from pincite.formats.doc import reader as doc
from pincite.formats.docx import reader as docx
from pincite.formats.email import pictures as email_pictures
from pincite.formats.email import reader as email
from pincite.formats.epub import reader as epub
from pincite.formats.html import reader as html
from pincite.formats.image import reader as image
from pincite.formats.image import render as image_render
from pincite.formats.markdown import reader as markdown
from pincite.formats.ocr import engine as recognition
from pincite.formats.ocr import rapid, tesseract
from pincite.formats.odt import reader as odt
from pincite.formats.ooxml import pictures
from pincite.formats.pdf import reader as pdf
from pincite.formats.pdf import render as pdf_render
from pincite.formats.ppt import reader as ppt
from pincite.formats.pptx import reader as pptx
from pincite.formats.rtf import reader as rtf
from pincite.formats.xlsx import reader as xlsx
from pincite.ranking import cross_encoder
from pincite.ranking.base import Reranker
from pincite.registry import Plugin
from pincite.sources.base import Source, WatchedSource
from pincite.sources.folder import FolderSource
from pincite.sources.library import LibrarySource
from pincite.store.base import Store
from pincite.store.mirrors import qdrant
from pincite.store.mirrors.base import Mirror
from pincite.store.postgres.store import PostgresStore
from pincite.store.sqlite.store import SqliteStore
from pincite.toolkit import Toolset
from pincite.tools.citations import CitationsToolset
from pincite.tools.docs import DocsToolset
from pincite.tools.documents import DocumentsToolset
from pincite.tools.extraction import ExtractionToolset
from pincite.tools.knowledge import KnowledgeToolset

STORES: Iterable[Callable[..., Store]] = (SqliteStore, PostgresStore)
EMBEDDERS: Iterable[Callable[..., Embedder]] = (local.build, hashing.build, openai.build, fastembed.build)
RERANKERS: Iterable[Callable[..., Reranker]] = (cross_encoder.build,)
POLICIES: Iterable[Callable[..., Policy]] = (SectionPolicy, WindowPolicy, ElementPolicy, PassagePolicy, ClausePolicy)
SOURCES: Iterable[Callable[..., Source]] = (FolderSource, LibrarySource)
WATCHED: Iterable[Callable[..., WatchedSource]] = (FolderSource, LibrarySource)
AGENTS: Iterable[Callable[..., Engine]] = (rules.build, claude.build, openai_api.build)
RECOGNISERS: Iterable[Callable[..., recognition.Engine]] = (rapid.build, tesseract.build)
TOOLSETS: Iterable[Callable[..., Toolset]] = (
    DocsToolset,
    CitationsToolset,
    KnowledgeToolset,
    ExtractionToolset,
    DocumentsToolset,
)
READERS: Iterable[Reader] = (
    *(markdown.read, text.read, html.read, pdf.read, docx.read, pptx.read, image.read, email.read, xlsx.read),
    *(csv.read, epub.read, odt.read, doc.read, ppt.read, rtf.read, notebook.read),
)
RENDERERS: Iterable[Renderer] = (pdf_render.render, image_render.render)
MEASURERS: Iterable[Measurer] = (pdf_render.measure, image_render.measure)
RASTERISERS: Iterable[Rasteriser] = (
    *(pdf_render.rasterise, pictures.rasterise, image_render.rasterise),
    *(doc.rasterise, ppt.rasterise, rtf.rasterise, email_pictures.rasterise),
)

TABLES: Mapping[str, tuple[Iterable[Plugin], Iterable[object]]] = {
    "stores": (registry.STORES, STORES),
    "embedders": (registry.EMBEDDERS, EMBEDDERS),
    "rerankers": (registry.RERANKERS, RERANKERS),
    "policies": (registry.POLICIES, POLICIES),
    "sources": (registry.SOURCES, WATCHED),
    "agents": (registry.AGENTS, AGENTS),
    "recognisers": (registry.RECOGNISERS, RECOGNISERS),
    "toolsets": (registry.TOOLSETS, TOOLSETS),
}


def target_of(made: object) -> str:
    """The target by which a row names a class or a function."""
    assert isinstance(made, type) or callable(made)
    return f"{made.__module__}:{getattr(made, '__qualname__', '')}"


@pytest.mark.parametrize("name", TABLES)
def test_every_row_of_a_table_is_checked(name: str) -> None:
    rows, checked = TABLES[name]
    assert {row.target for row in rows if not row.package} == {target_of(made) for made in checked}


FUNCTIONS: Mapping[str, Iterable[object]] = {
    "target": READERS,
    "renderer": RENDERERS,
    "measurer": MEASURERS,
    "rasteriser": RASTERISERS,
}


@pytest.mark.parametrize("column", FUNCTIONS)
def test_every_function_of_a_format_is_checked(column: str) -> None:
    named: set[str] = {getattr(row, column) for row in registry.FORMATS if not row.package}
    assert named - {""} == {target_of(made) for made in FUNCTIONS[column]}


def test_every_mirror_is_checked() -> None:
    pytest.importorskip("chromadb", reason="`make chromadb` installs it")
    from pincite.store.mirrors import chroma  # noqa: PLC0415 - an extra

    mirrors: Iterable[Callable[..., Mirror]] = (qdrant.build, chroma.build)
    assert {row.target for row in registry.MIRRORS} == {target_of(made) for made in mirrors}
