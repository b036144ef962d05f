"""Extract a schema's values from a document: cut it, run an engine, verify what it answers. The entry is `extract`."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pincite.agents.base import Engine
from pincite.chunking.elements import CharacterCounter, ElementPolicy
from pincite.evidence.claims import ClaimVerifier
from pincite.model.call import Call
from pincite.model.document import Document
from pincite.model.extraction import Material
from pincite.model.schema import Schema
from pincite.services.extraction.conformance import conformance_errors
from pincite.services.extraction.grounding import ground


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of an extraction.

    Attributes:
        data: Values in the schema's shape; null where nothing is grounded.
        evidence: The evidence of each leaf at the mirrored place.
        warnings: What was not found, refused or not read, or contradicts the JSON Schema.
        engine: The name of the engine that ran.
        usage: What it cost, in its own terms.
        index_seconds: Time to cut and prepare the document.
        extraction_seconds: Time of the engine and the verification.
        explanation: Per field the candidates of the engine, if it has any.
    """

    data: Mapping[str, Any]
    evidence: Mapping[str, Any]
    warnings: tuple[str, ...]
    engine: str
    usage: Mapping[str, Any]
    index_seconds: float
    extraction_seconds: float
    explanation: tuple[Mapping[str, Any], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the result as the contract has it, without the id of a task."""
        timing = {
            "total_seconds": round(self.index_seconds + self.extraction_seconds, 3),
            "index_seconds": round(self.index_seconds, 3),
            "extraction_seconds": round(self.extraction_seconds, 3),
        }
        return {
            "data": dict(self.data),
            "evidence": dict(self.evidence),
            "warnings": list(self.warnings),
            "timing": timing,
            "engine": self.engine,
            "usage": dict(self.usage),
        }


def extract(
    document: Document,
    schema: Schema,
    engine: Engine,
    call: Call,
    *,
    strict: bool = True,
    min_confidence: float = 0.0,
    file_name: str = "",
    revision: str = "",
) -> Extraction:
    """Return a document's values for a schema, each verified against the document.

    Args:
        document: The document as read.
        schema: The fields.
        engine: Finds the values; it is not trusted.
        call: Checked for cancellation; receives progress.
        strict: Whether a value that is not grounded becomes null.
        min_confidence: Confidence below which a value becomes null.
        file_name: The value of a top-level field `original_file`; the document's name without one.
        revision: The document's revision in references; without one evidence has none.

    Raises:
        PinciteError: The engine failed, or the call was cancelled or timed out.
    """
    began = time.monotonic()
    prepared = material(document, call, revision)
    verifier = ClaimVerifier(prepared, call)
    indexed = time.monotonic()
    answer = engine.extract(prepared, schema, call)
    grounded = ground(
        answer,
        schema,
        verifier,
        call,
        strict=strict,
        min_confidence=min_confidence,
        file_name=file_name or document.name,
    )
    # A grounded value that the schema forbids contradicts the schema: the answer has both.
    form = schema.json_schema
    contradictions = conformance_errors(grounded.data, form, call) if form is not None else []
    reservations = filter(None, (document.coverage.shortfall, *document.warnings))
    return Extraction(
        grounded.data,
        grounded.evidence,
        (*grounded.warnings, *contradictions, *reservations),
        engine.name,
        answer.usage,
        indexed - began,
        time.monotonic() - indexed,
        answer.explanation,
    )


def material(document: Document, call: Call, revision: str = "") -> Material:
    """Return a document with its chunks, as engines and the verifier read it."""
    return Material(document, tuple(ElementPolicy().cut(document, CharacterCounter(), call)), revision)
