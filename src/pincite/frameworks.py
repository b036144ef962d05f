"""What adapters of other frameworks share: passages and parts of documents with metadata, and extraction by a name."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from pincite.documents import convert, extract
from pincite.errors import InvalidInput, PinciteError
from pincite.folder import SearchResult

if TYPE_CHECKING:
    from pydantic import BaseModel

    from pincite.folder import Folder
    from pincite.knowledge import Library
    from pincite.tools.answers.knowledge import Passage

By = Literal["block", "page", "document"]
"""What of a document is a part."""

EXTRACTION = "Fill the fields from a document; null where it does not have one. Each value has its evidence."
"""What a tool of `extractor` tells a model of itself."""

NOT_SHOWN = ("kind", "boxes", "score", "pages", "incomplete")
"""Metadata that is of no use to a model."""


class Part(NamedTuple):
    """A text with its metadata, of which all values are JSON."""

    text: str
    metadata: dict[str, Any]


def passages(source: "Folder | Library", query: str, n: int) -> list[Part]:
    """Return the best passages, best first: with `ref`, `score`, `source`, `section`, `pages`, and `incomplete`.

    Passages of a folder have `boxes`, a page and a rectangle on it; passages of a library `citation` and `clause`.
    """
    return [Part(result.content, _metadata(result)) for result in source.search(query, n)]


def parts(
    file_or_url: str | os.PathLike[str], by: By = "block", *, settings: Mapping[str, object] | None = None
) -> Iterator[Part]:
    """Yield the parts of a document in reading order, with `source` and `title`; a format without pages is one page.

    Args:
        file_or_url: A file, or an http or https URL.
        by: `block` (with `kind`, `page` and `boxes`), `page`, or `document`.
        settings: See `pincite.open`.

    Raises:
        InvalidInput: `by` is another word.
        PinciteError: See `pincite.convert`.
    """
    if by not in get_args(By):
        raise InvalidInput(f"by is {by!r}; it must be {', '.join(get_args(By))}.")
    document = convert(file_or_url, settings=settings)
    about = {"source": os.fspath(file_or_url), "title": document.title}
    if by == "block":
        for block in document.blocks:
            boxes = [[box.x0, box.y0, box.x1, box.y1] for box in block.boxes]
            yield Part(block.text, {**about, "kind": str(block.kind), "page": block.page, "boxes": boxes})
    elif by == "page" and document.pages:
        for page in document.pages:
            yield Part(page.to_markdown(), {**about, "page": page.number})
    else:
        yield Part(document.to_markdown(), about)


def extractor(
    schema: "type[BaseModel] | Mapping[str, Any]",
    root: str | os.PathLike[str],
    *,
    engine: str = "rules",
    settings: Mapping[str, object] | None = None,
) -> Callable[[str], dict[str, Any]]:
    """Return a function that fills a schema from a document of a folder: `data`, `evidence` and `warnings`, or `error`.

    Args:
        schema: A pydantic model, a JSON Schema, or a skeleton.
        root: The folder whose documents may be named.
        engine: See `pincite.extract`.
        settings: See `pincite.open`.
    """
    folder = Path(root).resolve()

    def extracted(file: str) -> dict[str, Any]:
        path = (folder / file).resolve()
        if not path.is_relative_to(folder):
            return {"error": f"{file!r} is outside of the folder. Name a file in it."}
        try:
            result = extract(path, schema, engine=engine, settings=settings)
        except PinciteError as error:
            return {"error": error.message}
        evidence = {
            field: {"ref": value.ref, "page": value.page, "snippet": value.snippet, "verified": value.verified}
            for field, value in result.evidence.items()
        }
        return {"data": result.data, "evidence": evidence, "warnings": list(result.warnings)}

    return extracted


def _metadata(hit: "SearchResult | Passage") -> dict[str, Any]:
    about: dict[str, Any] = {"ref": hit.ref, "score": hit.score, "incomplete": hit.incomplete}
    if isinstance(hit, SearchResult):
        boxes = [[page, box.x0, box.y0, box.x1, box.y1] for page, box in hit.boxes]
        where = {"source": hit.file_path, "section": hit.heading_path, "pages": hit.page_numbers, "boxes": boxes}
        return about | where
    source = hit.source
    where = {"source": source.document_id, "section": source.section, "pages": source.page_numbers}
    return about | where | {"citation": source.citation, "clause": hit.metadata.clause_number}
