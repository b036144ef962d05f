"""pincite for LangChain: a retriever, a document loader, and extraction as a tool."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, ConfigDict

import pincite

__all__ = ["PinciteLoader", "PinciteRetriever", "extraction_tool"]


class PinciteRetriever(BaseRetriever):
    """Passages of a folder or a library, best first, each with its reference.

    `ref` in a passage's metadata opens and checks it: `source.read(ref)`, `source.verify(ref, quote)`.

    Attributes:
        source: What `pincite.open` or `pincite.library` returned.
        k: Maximum number of passages.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    source: pincite.Folder | pincite.Library
    k: int = 5

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        del run_manager
        return [
            Document(found.content, id=found.ref, metadata=_metadata(found))
            for found in self.source.search(query, self.k)
        ]


class PinciteLoader(BaseLoader):
    """A document in any format that pincite reads, whole, by page or by block.

    Args:
        file_or_url: A file, or an http or https URL.
        by: `block` (with `page` and `boxes` in the metadata), `page`, or `document`.
        settings: See `pincite.open`.
    """

    def __init__(
        self,
        file_or_url: str | os.PathLike[str],
        by: Literal["block", "page", "document"] = "block",
        *,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        self._source = os.fspath(file_or_url)
        self._by = by
        self._settings = settings

    def lazy_load(self) -> Iterator[Document]:
        """Yield the parts in reading order. A format without pages is one page."""
        document = pincite.convert(self._source, settings=self._settings)
        about = {"source": self._source, "title": document.title}
        if self._by == "block":
            for block in document.blocks:
                boxes = [[box.x0, box.y0, box.x1, box.y1] for box in block.boxes]
                place = {"kind": str(block.kind), "page": block.page, "boxes": boxes}
                yield Document(block.text, metadata={**about, **place})
        elif self._by == "page" and document.pages:
            for page in document.pages:
                yield Document(page.to_markdown(), metadata={**about, "page": page.number})
        else:
            yield Document(document.to_markdown(), metadata=about)


def extraction_tool(
    schema: type[BaseModel] | Mapping[str, Any],
    root: str | os.PathLike[str],
    *,
    name: str = "extract_fields",
    engine: str = "rules",
    settings: Mapping[str, object] | None = None,
) -> StructuredTool:
    """Return a tool that fills a schema from a document, each value with the place that proves it.

    Args:
        schema: A pydantic model, a JSON Schema, or a skeleton.
        root: The folder whose documents the agent may name.
        name: The tool's name.
        engine: See `pincite.extract`.
        settings: See `pincite.open`.
    """
    folder = Path(root).resolve()

    def extract(file: str) -> dict[str, Any]:
        path = (folder / file).resolve()
        if not path.is_relative_to(folder):
            return {"error": f"{file!r} is outside of the folder. Name a file in it."}
        try:
            result = pincite.extract(path, schema, engine=engine, settings=settings)
        except pincite.PinciteError as error:
            return {"error": error.message}
        evidence = {
            field: {"ref": found.ref, "page": found.page, "snippet": found.snippet, "verified": found.verified}
            for field, found in result.evidence.items()
        }
        return {"data": result.data, "evidence": evidence, "warnings": list(result.warnings)}

    description = "Fill the fields from a document; null where it does not have one. Each value has its evidence."
    return StructuredTool.from_function(extract, name=name, description=description)


def _metadata(found: Any) -> dict[str, Any]:
    about: dict[str, Any] = {"ref": found.ref, "score": found.score}
    if isinstance(found, pincite.SearchResult):
        place = {"source": found.file_path, "section": found.heading_path, "pages": found.page_numbers}
    else:
        source = found.source
        place = {"source": source.document_id, "section": source.section, "pages": source.page_numbers}
        about |= {"citation": source.citation, "clause": found.metadata.clause_number}
    return {**about, **place, "incomplete": found.incomplete}
