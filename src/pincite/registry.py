"""The plug-ins of pincite by name, imported at first use; other packages add theirs by entry points (`Table`)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pincite.errors import PinciteError, Unsupported
from pincite.runtime.entry_points import Table, broken
from pincite.runtime.imports import import_once


@dataclass(frozen=True, slots=True)
class Plugin:
    """An implementation that settings choose by name.

    Attributes:
        name: Its name in the settings.
        target: `module:attribute`.
        extra: The optional dependency group that it needs; empty for none.
        section: The section of the settings that its target takes as first argument; empty for none.
        parameters: Parameters of its target that are settings: name and `section.field`.
        credentials: What of the settings says that `auto` may choose it, as `section.field`; empty if nothing does.
        variables: The variables that set its credentials, as the reason of the choice names them.
        package: Name and version of the package that offers it; empty for pincite.
    """

    name: str
    target: str
    extra: str = ""
    section: str = ""
    parameters: tuple[tuple[str, str], ...] = ()
    credentials: str = ""
    variables: tuple[str, ...] = ()
    package: str = ""


Need = Literal["folder", "library", "document indexes", "tasks", "uploads"]
"""What a toolset is served with: a folder, without which it cannot be served; the library in DATA_DIR; indexes of
single documents in DATA_DIR, whose citations can be opened after a restart; uploads as tasks; uploads that its tools
read."""


@dataclass(frozen=True, slots=True)
class EmbedderRow(Plugin):
    """An embedder.

    Attributes:
        is_remote: Whether it sends texts to a service: only libraries use such a one.
    """

    is_remote: bool = False


@dataclass(frozen=True, slots=True)
class RecogniserRow(Plugin):
    """An engine of text recognition.

    Attributes:
        distribution: The installed package whose version identifies it; empty for none.
        program: The program that it runs; empty for none.
    """

    distribution: str = ""
    program: str = ""


@dataclass(frozen=True, slots=True)
class ToolsetRow(Plugin):
    """A toolset.

    Attributes:
        needs: What is served with it.
        is_default: Whether it is served where no toolset is named: with a folder one that needs no library, else one
            that needs no folder.
        guide: What its tools are for, in one sentence for a model that names no other toolset's.
    """

    needs: tuple[Need, ...] = ()
    is_default: bool = False
    guide: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format with a reader.

    Attributes:
        name: Its name.
        extensions: Lower case, with the dot.
        media_types: The first one is canonical.
        target: `module:attribute` of its `Reader`.
        version: To be incremented when the reader makes other blocks of the same bytes; documents read
            by another version are read again.
        text: Whether it is a text format (its files have the smaller size limit).
        extra: The optional dependency group that it needs; empty for none.
        isolated: Whether it is read in a separate process, so that a hostile file can at worst crash that.
        renderer: `module:attribute` of its `Renderer`; empty if it has no pages that can be shown.
        measurer: `module:attribute` of its `Measurer`; empty as above.
        rasteriser: `module:attribute` of its `Rasteriser`; empty if its pages are never pictures of text.
        package: Name and version of the package that offers it; empty for pincite.
    """

    name: str
    extensions: tuple[str, ...]
    media_types: tuple[str, ...]
    target: str
    version: int = 1
    text: bool = False
    extra: str = ""
    isolated: bool = True
    renderer: str = ""
    measurer: str = ""
    rasteriser: str = ""
    package: str = ""

    @property
    def identity(self) -> str:
        """Name and version, a part of a document's revision."""
        return f"{self.name}/{self.version}"


P = TypeVar("P", bound=Plugin)
T = TypeVar("T")

FORMATS: Table[Format] = Table(
    "pincite.formats",
    (
        Format(
            "markdown",
            (".md", ".markdown", ".mdx"),
            ("text/markdown",),
            "pincite.formats.markdown.reader:read",
            version=7,
            text=True,
            isolated=False,
        ),
        Format(
            "text",
            (".txt", ".text", ".rst", ".adoc", ".asciidoc"),
            ("text/plain", "text/x-rst", "text/asciidoc"),
            "pincite.formats.text:read",
            version=8,
            text=True,
            isolated=False,
        ),
        Format(
            "notebook",
            (".ipynb",),
            ("application/x-ipynb+json",),
            "pincite.formats.notebook:read",
        ),
        Format(
            "html",
            (".html", ".htm", ".xhtml"),
            ("text/html", "application/xhtml+xml"),
            "pincite.formats.html.reader:read",
            version=24,
            text=True,
        ),
        Format(
            "pdf",
            (".pdf",),
            ("application/pdf",),
            "pincite.formats.pdf.reader:read",
            version=40,
            renderer="pincite.formats.pdf.render:render",
            measurer="pincite.formats.pdf.render:measure",
            rasteriser="pincite.formats.pdf.render:rasterise",
        ),
        Format(
            "docx",
            (".docx", ".docm"),
            (
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
                "application/vnd.ms-word.document.macroEnabled.12",
            ),
            "pincite.formats.docx.reader:read",
            version=12,
            rasteriser="pincite.formats.ooxml.pictures:rasterise",
        ),
        Format(
            "pptx",
            (".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm"),
            ("application/vnd.openxmlformats-officedocument.presentationml.presentation",),
            "pincite.formats.pptx.reader:read",
            version=6,
            rasteriser="pincite.formats.ooxml.pictures:rasterise",
        ),
        Format(
            "image",
            (".png", ".jpg", ".jpeg", ".jpe", ".gif", ".tif", ".tiff", ".webp", ".bmp"),
            ("image/png", "image/jpeg", "image/gif", "image/tiff", "image/webp", "image/bmp"),
            "pincite.formats.image.reader:read",
            version=6,
            renderer="pincite.formats.image.render:render",
            measurer="pincite.formats.image.render:measure",
            rasteriser="pincite.formats.image.render:rasterise",
        ),
        Format(
            "rtf",
            (".rtf",),
            ("application/rtf", "text/rtf"),
            "pincite.formats.rtf.reader:read",
            version=5,
            rasteriser="pincite.formats.rtf.reader:rasterise",
        ),
        Format(
            "odt",
            (".odt", ".ott", ".odp", ".otp"),
            ("application/vnd.oasis.opendocument.text", "application/vnd.oasis.opendocument.presentation"),
            "pincite.formats.odt.reader:read",
            version=9,
            rasteriser="pincite.formats.ooxml.pictures:rasterise",
        ),
        Format(
            "epub",
            (".epub",),
            ("application/epub+zip",),
            "pincite.formats.epub.reader:read",
            version=9,
            rasteriser="pincite.formats.ooxml.pictures:rasterise",
        ),
        Format(
            "email",
            (".eml", ".emlx", ".msg", ".mbox", ".mht", ".mhtml"),
            ("message/rfc822", "application/vnd.ms-outlook", "application/mbox", "multipart/related"),
            "pincite.formats.email.reader:read",
            version=8,
            rasteriser="pincite.formats.email.pictures:rasterise",
        ),
        Format(
            "doc",
            (".doc", ".dot"),
            ("application/msword",),
            "pincite.formats.doc.reader:read",
            version=5,
            rasteriser="pincite.formats.doc.reader:rasterise",
        ),
        Format(
            "ppt",
            (".ppt", ".pps", ".pot"),
            ("application/vnd.ms-powerpoint",),
            "pincite.formats.ppt.reader:read",
            version=4,
            rasteriser="pincite.formats.ppt.reader:rasterise",
        ),
        Format(
            "sheets",
            (".xlsx", ".xlsm", ".xls", ".ods"),
            (
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                "application/vnd.ms-excel.sheet.macroEnabled.12",
                "application/vnd.ms-excel",
                "application/vnd.oasis.opendocument.spreadsheet",
            ),
            "pincite.formats.xlsx.reader:read",
            version=7,
        ),
        Format(
            "csv",
            (".csv", ".tsv"),
            ("text/csv", "text/tab-separated-values"),
            "pincite.formats.csv.reader:read",
            version=4,
        ),
    ),
    isolated=True,
)

PICTURE_LAYOUT = Plugin("picture layout", "pincite.formats.image.embedded:lay_out")
"""A picture inside a page is laid out by the code for pictures alone, whatever format the page has."""

RECOGNISERS: tuple[RecogniserRow, ...] = (
    RecogniserRow("rapidocr", "pincite.formats.ocr.rapid:build", extra="ocr", distribution="rapidocr"),
    RecogniserRow("tesseract", "pincite.formats.ocr.tesseract:build", program="tesseract"),
)
"""The first one is `auto`."""

EMBEDDERS: Table[EmbedderRow] = Table(
    "pincite.embedders",
    (
        EmbedderRow("local", "pincite.embedding.local:build", section="embedding"),
        EmbedderRow("hash", "pincite.embedding.hashing:build", section="embedding"),
        EmbedderRow("openai", "pincite.embedding.openai:build", extra="openai", section="embedding", is_remote=True),
        EmbedderRow(
            "fastembed",
            "pincite.embedding.fastembed:build",
            extra="fastembed",
            section="embedding",
            parameters=(("model", "fastembed_model"), ("token", "retrieval.token")),
        ),
    ),
)

RERANKERS: tuple[Plugin, ...] = (
    Plugin(
        "cross-encoder",
        "pincite.ranking.cross_encoder:build",
        extra="fastembed",
        section="embedding",
        parameters=(("model", "retrieval.reranker"), ("token", "retrieval.token")),
    ),
)

STORES: tuple[Plugin, ...] = (
    Plugin("sqlite", "pincite.store.sqlite.store:SqliteStore"),
    Plugin("postgres", "pincite.store.postgres.store:PostgresStore", extra="postgres"),
)

TASK_DATABASES: tuple[Plugin, ...] = (
    Plugin("postgres", "pincite.services.tasks.postgres.database:TaskDatabase", extra="postgres"),
)
"""What keeps tasks and uploads for many servers; without one, they are a file and a folder in DATA_DIR."""

OBSERVERS: tuple[Plugin, ...] = (
    Plugin("metrics", "pincite.transports.metrics:PrometheusMetrics", extra="metrics"),
    Plugin("tracing", "pincite.transports.tracing:Spans", extra="tracing"),
)
"""What watches tool calls, if the settings ask for it."""

MIRRORS: Table[Plugin] = Table(
    "pincite.stores",
    (
        Plugin(
            "qdrant",
            "pincite.store.mirrors.qdrant:build",
            extra="qdrant",
            parameters=(
                ("url", "vectors.qdrant_url"),
                ("key", "vectors.qdrant_key"),
                ("collection", "vectors.qdrant_collection"),
                ("has_keywords", "vectors.qdrant_hybrid"),
            ),
        ),
        Plugin(
            "chromadb",
            "pincite.store.mirrors.chroma:build",
            extra="chromadb",
            parameters=(("path", "vectors.chromadb_path"), ("url", "vectors.chromadb_url")),
        ),
    ),
)

SOURCES: tuple[Plugin, ...] = (
    Plugin("folder", "pincite.sources.folder:FolderSource"),
    Plugin("library", "pincite.sources.library:LibrarySource"),
)

POLICIES: Table[Plugin] = Table(
    "pincite.policies",
    (
        Plugin(
            "sections",
            "pincite.chunking.sections:SectionPolicy",
            parameters=(("max_tokens", "embedding.chunk_tokens"),),
        ),
        Plugin("windows", "pincite.chunking.windows:WindowPolicy"),
        Plugin("elements", "pincite.chunking.elements:ElementPolicy"),
        Plugin("passages", "pincite.chunking.passages:PassagePolicy"),
        Plugin(
            "clauses",
            "pincite.chunking.clauses:ClausePolicy",
            parameters=(
                ("minimum", "knowledge.chunk_min"),
                ("maximum", "knowledge.chunk_max"),
                ("overlap", "knowledge.chunk_overlap"),
            ),
        ),
    ),
)

TOOLSETS: Table[ToolsetRow] = Table(
    "pincite.toolsets",
    (
        ToolsetRow(
            "docs",
            "pincite.tools.docs:DocsToolset",
            needs=("folder",),
            is_default=True,
            guide="For questions to the folder use search_docs first, in the words of the question; get_section and "
            "get_page read on where a passage is not enough, list_pages browses.",
        ),
        ToolsetRow(
            "citations",
            "pincite.tools.citations:CitationsToolset",
            is_default=True,
            guide="open_citation opens a `ref`. Check words with verify_quote before you quote them.",
        ),
        ToolsetRow(
            "knowledge",
            "pincite.tools.knowledge:KnowledgeToolset",
            needs=("library",),
            is_default=True,
            guide="For questions to the library of standards and handbooks use knowledge_search; "
            "knowledge_keyword_search for exact words or a number, knowledge_requirements for what binds, "
            "knowledge_lookup for what a term means.",
        ),
        ToolsetRow(
            "extraction",
            "pincite.tools.extraction:ExtractionToolset",
            needs=("document indexes", "tasks"),
            guide="To fill a schema from one file, index it with doc_index_build; doc_search and doc_read see that "
            "file alone, and json_validate_and_normalize checks what was extracted.",
        ),
        ToolsetRow(
            "documents",
            "pincite.tools.documents:DocumentsToolset",
            needs=("document indexes", "uploads"),
            guide="For one document at a URL or an upload, and only for it, retrieve_chunks finds passages and "
            "process_document reads all of it.",
        ),
    ),
    is_default=False,
)

AGENTS: Table[Plugin] = Table(
    "pincite.engines",
    (
        Plugin("rules", "pincite.agents.rules.engine:build"),
        Plugin(
            "claude",
            "pincite.agents.claude.engine:build",
            extra="claude",
            section="agent",
            parameters=(("seconds", "extraction.timeout"), ("retries", "extraction.max_retries")),
            credentials="agent.has_credentials",
            variables=("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
        ),
        Plugin(
            "openai",
            "pincite.agents.openai_api:build",
            section="agent",
            parameters=(("seconds", "extraction.timeout"), ("retries", "extraction.max_retries")),
            credentials="agent.endpoint",
            variables=("PINCITE_AGENT_BASE_URL",),
        ),
    ),
)
"""`auto` is the first one that has credentials; without any, the first of all."""

RUNNERS: tuple[Plugin, ...] = (
    Plugin("sdk", "pincite.agents.claude_sdk:open_conversation", extra="claude"),
    Plugin("api", "pincite.agents.anthropic_api:open_conversation", extra="claude"),
)
"""What runs the model of the engine `claude`; `auto` is the first one that is installed."""

TRANSPORTS: tuple[Plugin, ...] = (
    Plugin("stdio", "pincite.transports.mcp.server:serve_stdio"),
    Plugin("http", "pincite.transports.http.server:serve_http"),
    Plugin("rest", "pincite.transports.http.server:serve_rest"),
    Plugin("streamable-http", "pincite.transports.http.server:serve_streamable_http"),
    Plugin("mcp", "pincite.transports.http.server:serve_mcp"),
    Plugin("sse", "pincite.transports.http.server:serve_sse"),
)


EXTENSIBLE: tuple[Table[Any], ...] = (FORMATS, EMBEDDERS, MIRRORS, POLICIES, TOOLSETS, AGENTS)
"""The tables to which other packages add."""


def problems() -> Sequence[str]:
    """Return a sentence for each part of another package that is left out."""
    return [problem for table in EXTENSIBLE for problem in table.problems]


def find(table: Iterable[P], name: str) -> P:
    """Return the row with this name.

    Raises:
        Unsupported: There is none; the message lists the known names, and parts of other packages that are left out.
    """
    for row in table:
        if row.name == name:
            return row
    left_out = table.problems if isinstance(table, Table) else ()
    raise Unsupported(" ".join([f"Unknown: {name!r}. Known: {', '.join(row.name for row in table)}.", *left_out]))


def make(row: Plugin, build: Callable[[Callable[..., Any]], T]) -> T:
    """Make a part: call `build` with the row's target.

    Raises:
        Unsupported: Its extra is not installed, or it is of another package and cannot be made.
    """
    try:
        return build(load(row))
    except PinciteError:
        raise
    except Exception as error:
        if row.package:
            raise Unsupported(broken(row.name, row.package, error)) from error
        raise


def load(row: Plugin | Format) -> Callable[..., Any]:
    """Import a row's target.

    Raises:
        Unsupported: Its extra is not installed, and the message has the install command; or it is of another package
            and cannot be imported.
    """
    return _import(row, row.target)


def load_renderer(row: Format) -> Callable[..., Any]:
    """Import a format's `Renderer`.

    Raises:
        Unsupported: It has none, or its extra is not installed.
    """
    check_renderer(row)
    return _import(row, row.renderer)


def load_measurer(row: Format) -> Callable[..., Any]:
    """Import a format's `Measurer`.

    Raises:
        Unsupported: It has none, or its extra is not installed.
    """
    check_renderer(row)
    return _import(row, row.measurer)


def load_rasteriser(row: Format) -> Callable[..., Any]:
    """Import a format's `Rasteriser`; it has one."""
    return _import(row, row.rasteriser)


def load_picture_layout() -> Callable[..., Any]:
    """Import the function that lays out the recognised text of a picture inside a page."""
    return _import(PICTURE_LAYOUT, PICTURE_LAYOUT.target)


def check_renderer(row: Format) -> None:
    """Check that a format has a renderer, without importing it.

    Raises:
        Unsupported: It has none; the message lists the formats that have one.
    """
    if not row.renderer:
        shown = ", ".join(known.name for known in FORMATS if known.renderer)
        raise Unsupported(f"Pages of the format {row.name} cannot be shown, only those of: {shown}.")


def _import(row: Plugin | Format, target: str) -> Callable[..., Any]:
    module, _, attribute = target.partition(":")
    try:
        return getattr(import_once(module), attribute)
    except Exception as error:
        if row.package:
            raise Unsupported(broken(row.name, row.package, error)) from error
        if row.extra and isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("pincite"):
            raise Unsupported(f"{row.name} needs an optional package: pip install 'pincite[{row.extra}]'") from error
        raise
