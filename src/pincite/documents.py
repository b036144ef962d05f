"""The Python API of single documents: read one as blocks and tables, and fill a schema from one."""

import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

from pincite.errors import InvalidInput, Unsupported
from pincite.folder import open_app
from pincite.model.document import BlockKind, Box

if TYPE_CHECKING:
    from pandas import DataFrame
    from pydantic import BaseModel

    from pincite.app import App
    from pincite.formats.base import Blob
    from pincite.model.document import Block as ReadBlock
    from pincite.model.document import Document as ReadDocument

T = TypeVar("T")
M = TypeVar("M", bound="BaseModel")


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a paragraph, a table or another unit of a document.

    Attributes:
        kind: Its kind, e.g. `heading` or `paragraph`.
        text: Its Markdown.
        level: Heading level, 1 to 6; 0 for everything else.
        page: Its page, from 1; None if the format has no pages.
        boxes: Its boxes on that page, in points from the top left corner.
    """

    kind: BlockKind
    text: str
    level: int
    page: int | None
    boxes: Sequence[Box]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document; parts on several pages are one table.

    Attributes:
        columns: Names of its columns; empty for one without a name.
        rows: Its cells below the header rows, as text; a merged cell counts for all of its columns.
        caption: Its caption in the document; empty without one.
        page: The page on which it begins; None if the format has no pages.
        boxes: Its boxes on that page.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str
    page: int | None
    boxes: Sequence[Box]

    def to_pandas(self) -> "DataFrame":
        """Return the table as a data frame of text; columns without a name have their number, from 0.

        Raises:
            Unsupported: pandas is not installed.
        """
        try:
            from pandas import DataFrame  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise Unsupported("pandas is not installed. Install it: pip install 'pincite[pandas]'") from error
        names = [name or str(number) for number, name in enumerate(self.columns)]
        width = len(names)
        return DataFrame([[*row, *[""] * (width - len(row))] for row in self.rows], columns=names)


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a document: its number, from 1, and its blocks."""

    number: int
    blocks: Sequence[Block]

    def to_markdown(self) -> str:
        """Return the page as Markdown."""
        return "\n\n".join(block.text for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it is indexed and cited.

    Attributes:
        name: Its file name.
        title: Its title; None if it has none.
        media_type: The type that its bytes have.
        language: BCP 47 tag, if the document names one.
        blocks: Its blocks in reading order.
        tables: Its tables, in order.
        warnings: What should be known about it.
        incomplete: What of it was not read, and why; None if all of it was.
    """

    name: str
    title: str | None
    media_type: str
    language: str | None
    blocks: Sequence[Block]
    tables: Sequence[Table]
    warnings: Sequence[str]
    incomplete: str | None
    _markdown: str = field(repr=False)

    @property
    def pages(self) -> Sequence[Page]:
        """The pages that have text; empty if the format has no pages."""
        numbers = dict.fromkeys(block.page for block in self.blocks if block.page is not None)
        return [Page(number, [block for block in self.blocks if block.page == number]) for number in numbers]

    def to_markdown(self) -> str:
        """Return the whole document as Markdown."""
        return self._markdown


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a value is in the document.

    Attributes:
        value: The value; None if it was not found or not confirmed.
        status: How the document supports it, e.g. `verified`, `derived` or `absent`.
        verified: True if the document has the value.
        snippet: The document's own text around it; None without one.
        ref: Its reference; None without one.
        page: Its page, from 1; None if it is not found, or the format has no pages.
        boxes: Its boxes on that page.
        label: What the document calls it; None if not known.
        confidence: The share of such values that are right, from 0 to 1; 0 without a value.
    """

    value: Any
    status: str
    verified: bool
    snippet: str | None
    ref: str | None
    page: int | None
    boxes: Sequence[Box]
    label: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Extraction(Generic[T]):
    """The result of an extraction.

    Attributes:
        data: The values in the schema's shape; None where the document confirms none.
        evidence: The evidence of each field by its path, e.g. `total` or `items[0].price`.
        warnings: What was not found, refused or not read.
        engine: What found the values.
    """

    data: dict[str, Any]
    evidence: dict[str, Evidence]
    warnings: Sequence[str]
    engine: str
    _model: "type[BaseModel] | None" = field(repr=False)

    @property
    def value(self) -> T:
        """The values as an instance of the model; `data` itself for a schema that is no model.

        Raises:
            InvalidInput: A value that the model requires was not found.
        """
        if self._model is None:
            return cast("T", self.data)
        from pydantic import ValidationError  # noqa: PLC0415 - as in `extract`

        try:
            return cast("T", self._model.model_validate(self.data))
        except ValidationError as error:
            fields = ", ".join(".".join(map(str, fault["loc"])) for fault in error.errors())
            raise InvalidInput(
                f"{self._model.__name__} does not accept these values: {fields}. Make a field that a document may lack "
                "optional, as `str | None`, or read `data`."
            ) from error

    def to_annotations(self, source: str) -> list[Mapping[str, Any]]:
        """Return the evidence of each confirmed value as a W3C Web Annotation.

        Args:
            source: The document's URL, as the viewer that shows them opens it.
        """
        from pincite.services.citations.annotations import annotation  # noqa: PLC0415 - as above

        return [
            annotation(source, field, evidence.value, evidence.snippet, page=evidence.page, boxes=evidence.boxes)
            for field, evidence in self.evidence.items()
            if evidence.verified and evidence.snippet
        ]


def convert(file_or_url: str | os.PathLike[str], *, settings: Mapping[str, object] | None = None) -> Document:
    """Read a document, in any supported format.

    Args:
        file_or_url: A file, or an http or https URL.
        settings: See `open`.

    Raises:
        InvalidInput: There is no such file, or it is too large.
        DownloadFailed: The document cannot be downloaded.
        Unsupported: There is no reader for its format.
        ConfigError: A setting is invalid.
    """
    from pincite.model.call import Call  # noqa: PLC0415 - the types are imported without a server

    with _opened(file_or_url, settings) as (app, blob):
        return _document(app.reading.read(blob, Call()))


@overload
def extract(
    file: str | os.PathLike[str],
    schema: type[M],
    *,
    engine: str = ...,
    strict: bool | None = ...,
    min_confidence: float | None = ...,
    settings: Mapping[str, object] | None = ...,
) -> Extraction[M]: ...
@overload
def extract(
    file: str | os.PathLike[str],
    schema: Mapping[str, Any],
    *,
    engine: str = ...,
    strict: bool | None = ...,
    min_confidence: float | None = ...,
    settings: Mapping[str, object] | None = ...,
) -> Extraction[dict[str, Any]]: ...
def extract(
    file: str | os.PathLike[str],
    schema: "type[BaseModel] | Mapping[str, Any]",
    *,
    engine: str = "rules",
    strict: bool | None = None,
    min_confidence: float | None = None,
    settings: Mapping[str, object] | None = None,
) -> Extraction[Any]:
    """Fill a schema from a document, each value with the place that proves it.

    Args:
        file: The document.
        schema: The fields: a pydantic model, a JSON Schema, or a skeleton as `{"total": "number"}`.
        engine: What finds the values: `rules`, without a model, `claude`, `openai` or `auto`.
        strict: Whether what is not verified is left out (the default); else it is kept, as `ungrounded`.
        min_confidence: Confidence below which a value is left out, too: 0 to 1, by default 0.
        settings: See `open`.

    Raises:
        InvalidInput: There is no such file, or the schema is invalid.
        Unsupported: There is no reader for its format, or the engine is not installed.
        ConfigError: A setting is invalid, or the engine needs a key.
        AgentFailed: The engine failed.
    """
    from pincite.model.call import Call  # noqa: PLC0415 - the types are imported without a server
    from pincite.services.extraction.schemas import read_schema  # noqa: PLC0415 - as above

    model = schema if isinstance(schema, type) else None
    least = min_confidence or 0.0
    if not 0 <= least <= 1:
        raise InvalidInput(f"min_confidence is {least}; it must be from 0 to 1.")
    fields = read_schema(schema.model_json_schema() if isinstance(schema, type) else schema)
    with _opened(file, settings) as (app, blob):
        strict = strict is None or strict
        _, result = app.extract(engine, Path(file), blob, fields, Call(), strict=strict, min_confidence=least)
    evidence = dict(_evidence(result.data, result.evidence, ""))
    return Extraction(dict(result.data), evidence, result.warnings, result.engine, model)


@contextmanager
def _opened(
    file_or_url: str | os.PathLike[str], settings: Mapping[str, object] | None
) -> Generator[tuple["App", "Blob"]]:
    """Fetch a document into an application that may read the files of its folder."""
    from pincite.model.call import Call  # noqa: PLC0415 - as above

    name = os.fsdecode(file_or_url)
    if "://" not in name and not Path(name).is_file():
        file = Path(name).name  # an agent that named it is not told where the folder is
        is_folder = f"{file!r} is a folder. Name a file in it."
        raise InvalidInput(is_folder if Path(name).is_dir() else f"There is no file {file!r} here. Check the path.")
    roots = {} if "://" in name else {"ALLOWED_ROOTS": str(Path(name).resolve().parent)}
    with closing(open_app({**(settings or {}), **roots}, None, ["documents", "extraction"])) as app:
        path = name if "://" in name else str(Path(name).absolute())
        yield app, app.parts.documents.fetcher.fetch(path, Call(), argument="The document").blob


def _document(document: "ReadDocument") -> Document:
    from pincite.services.documents.tables import grids_of  # noqa: PLC0415 - as above

    def as_block(block: "ReadBlock") -> Block:
        return Block(block.kind, document.text[block.start : block.end], block.level, block.page, block.boxes)

    return Document(
        name=document.name,
        title=document.title,
        media_type=document.media_type,
        language=document.language,
        blocks=[as_block(block) for section in document.sections for block in section.blocks],
        tables=[
            Table(
                grid.names,
                grid.rows,
                grid.block.table.caption if grid.block.table else "",
                grid.block.page,
                grid.block.boxes,
            )
            for grid in grids_of(document)
        ],
        warnings=document.warnings,
        incomplete=document.coverage.shortfall,
        _markdown=document.text,
    )


def _evidence(data: Any, tree: Any, path: str) -> Iterator[tuple[str, Evidence]]:
    """Yield the evidence of each field with its path."""
    if isinstance(tree, list):
        values = cast("list[Any]", data)
        for number, item in enumerate(cast("list[Any]", tree)):
            yield from _evidence(values[number], item, f"{path}[{number}]")
        return
    record = cast("Mapping[str, Any]", tree)
    if isinstance(record.get("status"), str):
        yield path, _as_evidence(data, record)
        return
    for name, item in record.items():
        yield from _evidence(data[name], item, f"{path}.{name}" if path else name)


def _as_evidence(value: Any, record: Mapping[str, Any]) -> Evidence:
    return Evidence(
        value=value,
        status=record["status"],
        verified=record["verified"],
        snippet=record["snippet"],
        ref=record.get("ref"),
        page=record.get("page"),
        boxes=[Box(box["x0"], box["y0"], box["x1"], box["y1"]) for box in record.get("boxes", ())],
        label=record.get("label"),
        confidence=record.get("confidence", 0.0),
    )
