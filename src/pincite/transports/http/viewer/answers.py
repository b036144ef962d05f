"""What the routes of the web page answer."""

from pydantic import BaseModel

from pincite.index.updating.ingestion import Added
from pincite.model.status import Freshness, iso
from pincite.model.units import NANOSECONDS_PER_SECOND
from pincite.services.citations.page_boxes import PageBox
from pincite.services.viewer.address import ShownDocument, format_of
from pincite.services.viewer.pages import Line
from pincite.services.viewer.schema_check import SchemaCheck
from pincite.services.viewer.texts import TextPart
from pincite.services.viewer.viewer import FoundPassage, Listed, Listing, OpenedPlace, Place, Results


class FreshnessAnswer(BaseModel):
    """How fresh an answer is."""

    checked_at: str
    pending: int
    stale: bool
    reason: str


class ServerAnswer(BaseModel):
    """What is served."""

    version: str
    collections: list[str]
    library: str | None
    uploads: bool
    tasks: bool
    extensions: list[str]
    library_extensions: list[str]
    engines: list[str]


class SchemaFieldAnswer(BaseModel):
    """A field of a schema, with its type as it is understood."""

    path: str
    type: str


class SchemaAnswer(BaseModel):
    """How a schema is understood."""

    fields: list[SchemaFieldAnswer]
    count: int
    warnings: list[str]


class DocumentRow(BaseModel):
    """A document in the list."""

    name: str
    label: str
    format: str
    type: str
    pages: int | None
    chunks: int
    modified: str
    hidden: int
    failure: str
    shortfall: str | None
    waiting: bool


class DocumentsAnswer(BaseModel):
    """A part of the list."""

    documents: list[DocumentRow]
    first: int
    total: int
    of: int
    gaps: int
    types: dict[str, int]
    freshness: FreshnessAnswer


class PlaceAnswer(BaseModel):
    """A span of a document."""

    collection: str
    document: str
    label: str
    breadcrumb: str
    ref: str
    start: int
    end: int
    boxes: list[PageBox]
    pages: list[int]


class PassageAnswer(PlaceAnswer):
    """A result of a search."""

    score: float
    excerpt: list[tuple[str, bool]]
    clause: str
    kind: str
    normative: bool


class SearchAnswer(BaseModel):
    """The results of a search."""

    passages: list[PassageAnswer]
    searched: int
    relevance: float | None
    corrected: str | None
    note: str
    freshness: list[FreshnessAnswer]


class CitationAnswer(BaseModel):
    """What a citation names."""

    place: PlaceAnswer
    text: str
    current: bool
    given: str


class DocumentAnswer(BaseModel):
    """A document to show; `sizes` has width and height of each page, in the unit of its boxes."""

    name: str
    label: str
    format: str
    pages: int | None
    hidden: int
    ocr: int
    shortfall: str | None
    sizes: list[tuple[float, float]]


class LineAnswer(BaseModel):
    """A line of a page."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    start: int
    end: int


class LinesAnswer(BaseModel):
    """The lines of a page."""

    page: int
    lines: list[LineAnswer]


class LocatorsAnswer(BaseModel):
    """Where the text of each locator begins."""

    starts: dict[str, int]


class AddedAnswer(BaseModel):
    """What became of a file that was added to the library."""

    name: str
    outcome: str
    reason: str
    chunks: int
    incomplete: str | None


class TextAnswer(BaseModel):
    """A part of a text."""

    number: int
    count: int
    start: int
    text: str


def freshness(state: Freshness) -> FreshnessAnswer:
    """Return how fresh an answer is."""
    return FreshnessAnswer(
        checked_at=iso(state.checked_at), pending=state.pending, stale=state.stale, reason=state.reason
    )


def schema(check: SchemaCheck) -> SchemaAnswer:
    """Return how a schema is understood."""
    fields = [SchemaFieldAnswer(path=field.path, type=field.type) for field in check.fields]
    return SchemaAnswer(fields=fields, count=check.count, warnings=check.warnings)


def listing(found: Listing, first: int) -> DocumentsAnswer:
    """Return a part of the list of documents."""
    return DocumentsAnswer(
        documents=[_row(one) for one in found.documents],
        first=first,
        total=found.total,
        of=found.of,
        gaps=found.gaps,
        types=dict(found.types),
        freshness=freshness(found.freshness),
    )


def _row(one: Listed) -> DocumentRow:
    document = one.document
    kind = format_of(document.source_key or document.name)
    return DocumentRow(
        name=document.name,
        label=document.label,
        format=kind.name if kind else "",
        type=document.properties.get("document_type", ""),
        pages=document.coverage.pages,
        chunks=document.chunk_count,
        modified=iso(document.modified_ns / NANOSECONDS_PER_SECOND),
        hidden=document.coverage.hidden_spans,
        failure=document.failure,
        shortfall=one.shortfall,
        waiting=one.is_waiting,
    )


def _place_fields(place: Place) -> dict[str, object]:
    return {
        "collection": place.collection,
        "document": place.document,
        "label": place.label,
        "breadcrumb": place.breadcrumb,
        "ref": place.ref,
        "start": place.start,
        "end": place.end,
        "boxes": list(place.boxes),
        "pages": list(place.pages),
    }


def results(found: Results) -> SearchAnswer:
    """Return the results of a search."""
    return SearchAnswer(
        passages=[_passage(one) for one in found.passages],
        searched=found.searched,
        relevance=found.relevance,
        corrected=found.corrected,
        note=found.note,
        freshness=[freshness(one) for one in found.freshness],
    )


def _passage(one: FoundPassage) -> PassageAnswer:
    return PassageAnswer.model_validate(
        _place_fields(one.place)
        | {
            "score": one.score,
            "excerpt": list(one.excerpt),
            "clause": one.clause,
            "kind": one.kind,
            "normative": one.normative,
        }
    )


def citation(opened: OpenedPlace) -> CitationAnswer:
    """Return what a citation names."""
    place = PlaceAnswer.model_validate(_place_fields(opened.place))
    return CitationAnswer(place=place, text=opened.text, current=opened.current, given=opened.given)


def document(shown: ShownDocument, sizes: list[tuple[float, float]]) -> DocumentAnswer:
    """Return a document to show."""
    return DocumentAnswer(
        name=shown.name,
        label=shown.label,
        format=shown.format.name if shown.format else "",
        pages=shown.coverage.pages,
        hidden=shown.coverage.hidden_spans,
        ocr=shown.coverage.ocr,
        shortfall=shown.shortfall,
        sizes=sizes,
    )


def lines(page: int, found: list[Line]) -> LinesAnswer:
    """Return the lines that can be selected on a page, boxes in points from its upper left corner."""
    return LinesAnswer(
        page=page,
        lines=[
            LineAnswer(
                x0=line.box.x0, y0=line.box.y0, x1=line.box.x1, y1=line.box.y1,
                text=line.text, start=line.start, end=line.end,
            )
            for line in found
        ],
    )  # fmt: skip


def added(one: Added) -> AddedAnswer:
    """Return what became of a file."""
    return AddedAnswer(
        name=one.addition.name,
        outcome=one.outcome.value,
        reason=one.reason,
        chunks=one.chunks,
        incomplete=one.incomplete,
    )


def text(part: TextPart) -> TextAnswer:
    """Return a part of a text."""
    return TextAnswer(number=part.number, count=part.count, start=part.start, text=part.text)
