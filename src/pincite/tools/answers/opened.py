"""Opened documents as the answers of the `documents` tools show them."""

import math
from collections.abc import Sequence
from dataclasses import replace

from pincite.index.retriever import RetrievalResult
from pincite.index.view import View
from pincite.model.recognition import RecognisedPage
from pincite.model.search import Hit
from pincite.model.store import StoredChunk
from pincite.ranking.relevance import LOW
from pincite.services.documents.derived import Extracted
from pincite.services.documents.opening import Opened
from pincite.services.documents.paging import Part
from pincite.services.documents.tables import ExtractedTable, tables
from pincite.tools.answers.documents import (
    DocumentChunk,
    DocumentImage,
    DocumentLink,
    DocumentTable,
    Metadata,
    RecognisedText,
    RetrievedChunk,
)

LOW_RELEVANCE = "The document may not cover this query: judge the passages by what they say."


def metadata(opened: Opened) -> Metadata:
    """Return what is known of a document besides its text."""
    document = opened.document
    return Metadata(
        source=opened.source.url,
        doc_type=opened.doc_type,
        title=document.title,
        pages=document.coverage.pages,
        properties=dict(document.properties),
        warnings=list(opened.warnings),
        fallback=opened.fallback or None,
    )


def table_parts(extracted: Sequence[ExtractedTable]) -> list[Part]:
    """Return the tables."""
    return [Part(DocumentTable.model_validate(table, from_attributes=True), "content") for table in extracted]


def found_in(opened: Opened, extracted: Extracted, recognised: Sequence[RecognisedPage], *, whole: bool) -> list[Part]:
    """Return the tables, pictures and links of a document.

    Args:
        opened: The document.
        extracted: What it has besides its text.
        recognised: The pages of a file that is a picture, with their text; empty for any other file.
        whole: Whether all rows of the tables are needed.
    """
    shown = [Part(_picture(opened, page, len(recognised)), "ocr_text") for page in recognised] or [
        Part(
            DocumentImage(
                image_path=picture.name,
                ocr_text=picture.text,
                metadata={"location": picture.location, "caption": picture.caption},
                confidence=picture.confidence,
            ),
            "ocr_text",
        )
        for picture in extracted.pictures
    ]
    linked = [Part(DocumentLink.model_validate(link, from_attributes=True), "context") for link in extracted.links]
    listed = tables(opened.document, whole=True) if whole else extracted.tables
    return [*table_parts(listed), *shown, *linked]


def _picture(opened: Opened, page: RecognisedPage, pages: int) -> DocumentImage:
    """Return a picture that is a file, or one of the pictures in it."""
    text = recognised_text(page)
    name = opened.source.name if pages == 1 else f"{opened.source.name}/page {page.number}"
    metadata = {"location": f"page {page.number}", "caption": opened.document.title or ""}
    return DocumentImage(image_path=name, ocr_text=text.text, metadata=metadata, confidence=text.confidence)


def recognised_text(page: RecognisedPage) -> RecognisedText:
    """Return the recognised text of a picture's page; boxes are x0, y0, x1, y1 in pixels of the picture."""
    lines = [[word for word in line.words if word.confidence > 0] for line in page.lines]
    words = [
        {"text": word.text, "confidence": word.confidence, "box": [box.x0, box.y0, box.x1, box.y1]}
        for line in lines
        for word in line
        for box in [page.displayed(word.box)]
    ]
    sure = [word.confidence for line in lines for word in line]
    text = "\n".join(" ".join(word.text for word in line) for line in lines if line)
    confidence = round(sum(sure) / len(sure), 4) if sure else 0.0
    return RecognisedText(text=text, confidence=confidence, metadata={"page": page.number, "words": words})


def chunk_parts(view: View, chunks: Sequence[StoredChunk]) -> list[Part]:
    """Return the chunks of a document, in order."""
    return [
        Part(
            DocumentChunk(
                text=stored.chunk.text.strip(),
                chunk_index=stored.chunk.ordinal,
                total_chunks=len(chunks),
                importance_score=stored.chunk.tags.importance or 0.0,
                content_type=stored.chunk.tags.chunk_type,
                locator=stored.chunk.locator,
                page=next(iter(stored.chunk.pages), None),
                ref=view.reference_to(stored),
            ),
            "text",
        )
        for stored in chunks
    ]


def hit_parts(view: View, hits: Sequence[Hit]) -> list[Part]:
    """Return the results of a search, in order."""
    return [
        Part(
            RetrievedChunk(
                text=hit.chunk.chunk.text.strip(),
                chunk_index=hit.chunk.chunk.ordinal,
                importance_score=hit.chunk.chunk.tags.importance or 0.0,
                content_type=hit.chunk.chunk.tags.chunk_type,
                score=hit.score,
                locator=hit.chunk.chunk.locator,
                page=next(iter(hit.chunk.chunk.pages), None),
                ref=view.reference_to(hit.chunk),
            ),
            "text",
        )
        for hit in hits
    ]


def passages(hits: Sequence[Hit]) -> list[str]:
    """Return the texts that a reranker reads, each with its headings."""
    return [f"{hit.chunk.breadcrumb}\n{hit.chunk.chunk.text}".strip() for hit in hits]


def reranked(hits: Sequence[Hit], scores: Sequence[float] | None) -> Sequence[Hit]:
    """Return hits with a reranker's scores, as probabilities; as they are without any.

    Args:
        hits: In the order of the search.
        scores: A logit for each hit; None without a reranker.
    """
    if scores is None:
        return hits
    return [replace(hit, score=_probability(score)) for hit, score in zip(hits, scores, strict=True)]


def _probability(logit: float) -> float:
    """Return the logistic function, which overflows for no logit."""
    return 0.5 * (1.0 + math.tanh(0.5 * logit))


def search_note(result: RetrievalResult) -> str | None:
    """Return why keywords alone ranked, or that relevance is low; None if there is nothing to say."""
    if result.keyword_reason:
        return f"Ranked by keywords only: {result.keyword_reason}"
    return LOW_RELEVANCE if result.relevance is not None and result.relevance < LOW else None
