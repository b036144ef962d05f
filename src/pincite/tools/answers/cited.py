"""Documents and chunks of a library, as the `knowledge` tools answer with them."""

from pincite.index.view import View
from pincite.model.chunk import ChunkKind
from pincite.model.search import Hit
from pincite.model.store import StoredChunk, StoredDocument
from pincite.services.citations.text import citation_text
from pincite.services.library.chunk_ids import chunk_uuid
from pincite.services.library.downloads import origin_of, url_of
from pincite.services.library.ingestion import DOCUMENT_TYPE, INGESTED_AT
from pincite.services.library.terms import headwords, with_own_heading
from pincite.text.prose import passage
from pincite.tools.answers.knowledge import (
    ClauseSource,
    Definition,
    LibraryDocument,
    Passage,
    PassageMetadata,
    PassageSource,
    Requirement,
)


def type_of(document: StoredDocument) -> str:
    """Return a document's type as contract 2 names it: `custom` where nothing tells."""
    return document.properties.get(DOCUMENT_TYPE, "custom")


def passage_of(view: View, hit: Hit) -> Passage:
    """Return a hit with all that a report cites."""
    stored = hit.chunk
    chunk, document = stored.chunk, view.document_of(stored)
    clause = _clause_source(view, stored)
    return Passage(
        id=chunk_uuid(stored.document, chunk.locator, chunk.text),
        content=passage(chunk.text),
        score=hit.score,
        source=PassageSource(
            document_id=clause.document_id,
            document_title=clause.document_title,
            document_type=type_of(document),
            source_path=origin_of(document.source_key),
            page_numbers=list(chunk.pages),
            section=chunk.heading or document.label,
            citation=clause.citation,
        ),
        metadata=PassageMetadata(
            chunk_type=chunk.tags.chunk_type or "overview",  # front matter has no type
            normative=bool(chunk.tags.normative),
            clause_number=chunk.tags.clause or None,
            clauses=list(chunk.tags.numbers),
            table_header=chunk.tags.table_header or None,
            section_hierarchy=list(chunk.heading_path),
            references=list(chunk.tags.references),
        ),
        ref=view.reference_to(stored),
        incomplete=view.shortfall(document),
        ocr=document.coverage.recognised(chunk.pages, [(chunk.start, chunk.end)]),
    )


def definition_of(view: View, stored: StoredChunk) -> Definition:
    """Return a definition; with its section's heading only where that is the term."""
    text, is_row = _without_heading(stored), stored.chunk.kind is ChunkKind.TABLE
    return Definition(
        definition=passage(text if is_row or headwords(text)[0] else with_own_heading(stored.chunk)).strip(),
        source=_clause_source(view, stored),
        ref=view.reference_to(stored),
        incomplete=view.shortfall(view.document_of(stored)),
        ocr=_recognised(view, stored),
    )


def requirement_of(view: View, hit: Hit) -> Requirement:
    """Return a requirement or recommendation."""
    stored = hit.chunk
    return Requirement(
        requirement_text=passage(_without_heading(stored)).strip(),
        requirement_id=stored.chunk.tags.clause or None,
        source=_clause_source(view, stored),
        normative=bool(stored.chunk.tags.normative),
        score=hit.score,
        ref=view.reference_to(stored),
        incomplete=view.shortfall(view.document_of(stored)),
        ocr=_recognised(view, stored),
    )


def _without_heading(stored: StoredChunk) -> str:
    """Return the text of a chunk after the heading line, which the first chunk of a section begins with."""
    chunk = stored.chunk
    return chunk.body.strip() or chunk.text


def _recognised(view: View, stored: StoredChunk) -> str | None:
    chunk = stored.chunk
    return view.document_of(stored).coverage.recognised(chunk.pages, [(chunk.start, chunk.end)])


def _clause_source(view: View, stored: StoredChunk) -> ClauseSource:
    document, chunk = view.document_of(stored), stored.chunk
    last = (chunk.tags.clauses[-1:] or ("",))[0], (chunk.tags.headings[-1:] or ("",))[0]
    text = citation_text(document.label, chunk.tags.clause, chunk.heading, chunk.pages, *last)
    return ClauseSource(
        document_id=document.name,
        document_title=document.label,
        citation=", ".join(filter(None, (text, url_of(document.source_key)))),
    )


def document_of(view: View, document: StoredDocument) -> LibraryDocument:
    """Return an entry of the list of documents."""
    return LibraryDocument(
        document_id=document.name,
        document_title=document.label,
        document_type=type_of(document),
        chunk_count=document.chunk_count,
        ingested_at=document.properties.get(INGESTED_AT, ""),
        incomplete=view.shortfall(document),
        ocr=document.coverage.recognised(),
    )
