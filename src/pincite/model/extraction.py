"""The result of an extraction: values, and the evidence of each."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pincite.model.chunk import Chunk, PlacedText
from pincite.model.document import Document
from pincite.model.schema import Path

NOT_FOUND = "Not found in document"
"""The warning of a leaf without a value, as the contract words it."""


class EvidenceStatus(StrEnum):
    """How a value is supported by its document.

    Attributes:
        VERIFIED: The cited text is the value.
        DERIVED: The value follows from the cited text by a named rule.
        UNGROUNDED: The quoted text is not in the document, or is not the value.
        CONFLICT: The quoted text is in the document and has another value, or belongs to another field.
        ABSENT: There is no value.
    """

    VERIFIED = "verified"
    DERIVED = "derived"
    UNGROUNDED = "ungrounded"
    CONFLICT = "conflict"
    ABSENT = "absent"

    @property
    def is_grounded(self) -> bool:
        """True if the document has the value."""
        return self in (EvidenceStatus.VERIFIED, EvidenceStatus.DERIVED)


@dataclass(frozen=True, slots=True)
class Material:
    """What an engine reads: a document, its chunks of the policy `elements`, and its revision if it can be cited.

    `derived` keeps what both an engine and the verifier compute of it, by what it was computed for.
    """

    document: Document
    chunks: Sequence[Chunk]
    revision: str = ""
    derived: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any], compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Citation:
    """Where an engine says that it found a value.

    Attributes:
        locator: The chunk.
        quote: Words of the chunk that have the value.
        label: The field's name in the document, if the engine knows it.
        span: The value's span in the document's text, if the engine read it there itself.
        quote_span: The quote's span in it, likewise.
    """

    locator: str
    quote: str
    label: str = ""
    span: tuple[int, int] | None = None
    quote_span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """An engine's answer, not verified.

    Attributes:
        data: Values in the schema's shape; absent keys are null.
        citations: Where each value was found, by its path.
        notes: Messages for the user.
        usage: What it cost, in the engine's own terms.
        explanation: Per field the candidates, their scores and why one was chosen or none.
    """

    data: Mapping[str, Any]
    citations: Mapping[Path, Citation]
    notes: tuple[str, ...] = ()
    usage: Mapping[str, Any] = field(default_factory=dict[str, Any])
    explanation: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence of one value.

    Attributes:
        status: How the value is supported by the document.
        locator: The chunk that has it; None without one.
        ref: The reference to it; None without one, or if the document's revision is not known.
        snippet: The document's own text around it; None without one.
        start: The value's first character in the chunk's text.
        end: One past its last character.
        chunk_hash: SHA-256 of the chunk's text, first 32 hex digits.
        placed: Boxes of the value on its page.
        page: The page of the chunk, if the document has pages: where no box says it.
        row: Row of the value's cell in its table, from 0.
        column: Column of it.
        label: The label that the document has for it.
        raw: The document's own text of the value.
        normalized: The value as returned.
        occurrences: How often the document's text has the value.
        rule: The rule by which a derived value was made.
        ocr: One sentence if text of the snippet was recognised in a picture; empty otherwise.
        warning: What a reader should know; empty for nothing.
        confidence: The share of such values that are right, from 0 to 1.
        candidates: Values that were refused, with the reason.
    """

    status: EvidenceStatus
    locator: str | None = None
    ref: str | None = None
    snippet: str | None = None
    start: int | None = None
    end: int | None = None
    chunk_hash: str | None = None
    placed: tuple[PlacedText, ...] = ()
    page: int | None = None
    row: int | None = None
    column: int | None = None
    label: str | None = None
    raw: str | None = None
    normalized: Any = None
    occurrences: int | None = None
    rule: str = ""
    ocr: str = ""
    warning: str = ""
    confidence: float = 0.0
    candidates: tuple[Mapping[str, Any], ...] = ()
