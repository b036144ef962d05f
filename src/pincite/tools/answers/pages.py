"""Passages and pages of a folder as answers show them, and what of a list of them a cursor is bound to."""

import hashlib
import posixpath
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from pathlib import PurePosixPath

from pincite.index.view import View
from pincite.model.search import Hit
from pincite.model.sizes import NANOSECONDS_PER_SECOND
from pincite.model.status import iso
from pincite.model.store import StoredChunk, StoredDocument
from pincite.services.citations.page_boxes import area_boxes
from pincite.tools.answers.docs import (
    ChunkMetadata,
    Explanation,
    HeadingsPart,
    PageChunk,
    PageEntry,
    PageFolder,
    Part,
    SearchAnswer,
    SearchResult,
)


def page_chunk(view: View, stored: StoredChunk, content: str) -> PageChunk:
    """Return a chunk with `content`, its part of the page."""
    return PageChunk(
        content=content,
        heading_path=stored.breadcrumb,
        heading_level=stored.chunk.level,
        char_count=len(content),
        ordinal=stored.chunk.ordinal,
        ref=view.reference_to(stored),
        part=_part(stored),
    )


def search_result(view: View, hit: Hit, content: str, collection: str | None, *, explain: bool) -> SearchResult:
    """Return a hit with `content`, its passage or a part of it."""
    stored = hit.chunk
    document = view.document_of(stored)
    return SearchResult(
        content=content,
        score=hit.score,
        similarity=None if hit.similarity is None else round(hit.similarity, 6),
        ref=view.reference_to(stored),
        metadata=ChunkMetadata(
            collection=collection,
            file_path=stored.document,
            heading_path=stored.breadcrumb,
            heading_level=stored.chunk.level,
            last_modified=iso_time(stored.modified_ns),
            char_count=len(content),
            part=_part(stored),
            table_header=stored.chunk.tags.table_header or None,
            page_numbers=list(stored.chunk.pages) or None,
            boxes=area_boxes(stored.chunk.boxes) or None,
            title=document.label,
        ),
        incomplete=document.coverage.shortfall,
        ocr=document.coverage.recognised(stored.chunk.pages, [(stored.chunk.start, stored.chunk.end)]),
        explanation=_explanation(hit) if explain else None,
    )


def _explanation(hit: Hit) -> Explanation:
    semantic, keyword, phrase = (round(part, 6) for part in hit.parts)
    return Explanation(meaning=semantic, words=keyword, phrase=phrase or None)


def page_entry(
    document: StoredDocument, collection: str | None, headings: list[tuple[str, str]], first: int, last: int
) -> PageEntry:
    """Return a page with the headings `first` to `last`, exclusive."""
    is_part = (first, last) != (0, len(headings))
    return PageEntry(
        collection=collection,
        file_path=document.name,
        title=document.label,
        headings=[text for text, _ in headings[first:last]],
        heading_paths=[breadcrumb for _, breadcrumb in headings[first:last]],
        headings_part=HeadingsPart(first=first, of=len(headings)) if is_part else None,
        chunk_count=document.chunk_count,
        total_chars=document.total_chars,
        last_modified=iso_time(document.modified_ns),
        incomplete=document.coverage.shortfall,
        ocr=document.coverage.recognised(),
    )


def page_folders(names: Sequence[str], collection: str | None, max_bytes: int) -> list[PageFolder]:
    """Return the folders in the deepest folder that has all of these pages, by path: the largest that fit."""
    depth = len(PurePosixPath(posixpath.commonpath(map(posixpath.dirname, names))).parts) + 1
    counts = Counter("/".join(name.split("/")[:depth]) for name in names if name.count("/") >= depth)
    folders = [PageFolder(collection=collection, path=path, pages=pages) for path, pages in counts.most_common()]
    sizes = accumulate(len(repr(folder).encode(errors="replace")) for folder in folders)
    fitting = sum(size <= max_bytes for size in sizes)
    return sorted(folders[:fitting], key=lambda folder: folder.path)


def pages_hash(listed: Sequence[tuple[View, StoredDocument]]) -> str:
    """Hash of the listed pages, for the cursor: the generation rises with every vector too, which changes no list."""
    shown = hashlib.sha256()
    for view, document in listed:
        line = f"{view.collection}\0{document.name}\0{document.modified_ns}\0{document.total_chars}\0{document.label}\n"
        shown.update(line.encode(errors="replace"))
    return shown.hexdigest()[:12]


def results_hash(answer: SearchAnswer) -> str:
    """Hash of the passages found and their order, for the cursor: new vectors may change both."""
    return hashlib.sha256("\n".join(result.ref for result in answer.results).encode()).hexdigest()[:12]


def _part(stored: StoredChunk) -> Part | None:
    return Part(index=stored.chunk.part, of=stored.chunk.parts) if stored.chunk.parts > 1 else None


def iso_time(nanoseconds: int) -> str:
    """Return a time in nanoseconds since 1970 as ISO 8601 in UTC."""
    return iso(nanoseconds / NANOSECONDS_PER_SECOND)
