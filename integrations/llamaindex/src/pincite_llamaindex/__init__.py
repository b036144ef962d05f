"""pincite for LlamaIndex: a retriever, a reader, and extraction as a tool."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar

from llama_index.core.readers.base import BaseReader
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import Document, NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import FunctionTool
from pydantic import BaseModel

import pincite

_NOT_SHOWN = ["kind", "boxes", "score", "pages", "incomplete"]
"""Metadata that is neither embedded nor shown to a model: LlamaIndex puts all other before the text."""

__all__ = ["PinciteReader", "PinciteRetriever", "extraction_tool"]


class PinciteRetriever(BaseRetriever):
    """Passages of a folder or a library, best first, each with its reference.

    `ref` in a node's metadata opens and checks it: `source.read(ref)`, `source.verify(ref, quote)`.

    Args:
        source: What `pincite.open` or `pincite.library` returned.
        similarity_top_k: Maximum number of passages.
    """

    def __init__(self, source: pincite.Folder | pincite.Library, similarity_top_k: int = 5) -> None:
        super().__init__()
        self._source = source
        self._top_k = similarity_top_k

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return [
            NodeWithScore(
                node=_shown(TextNode(id_=found.ref, text=found.content, metadata=_metadata(found))), score=found.score
            )
            for found in self._source.search(query_bundle.query_str, self._top_k)
        ]


class PinciteReader(BaseReader):
    """Documents in any format that pincite reads, whole, by page or by block.

    Args:
        by: `block` (with `page` and `boxes` in the metadata), `page`, or `document`.
        settings: See `pincite.open`.
    """

    def __init__(
        self, by: Literal["block", "page", "document"] = "block", *, settings: Mapping[str, object] | None = None
    ) -> None:
        self._by = by
        self._settings = settings

    def lazy_load_data(
        self, file: str | os.PathLike[str], extra_info: Mapping[str, Any] | None = None
    ) -> Iterator[Document]:
        """Yield the parts of a file or a URL in reading order. A format without pages is one page.

        Args:
            file: A file, or an http or https URL.
            extra_info: Metadata to add, as `SimpleDirectoryReader` gives it.
        """
        document = pincite.convert(file, settings=self._settings)
        about = {**(extra_info or {}), "source": os.fspath(file), "title": document.title}
        if self._by == "block":
            for block in document.blocks:
                boxes = [[box.x0, box.y0, box.x1, box.y1] for box in block.boxes]
                place = {"kind": str(block.kind), "page": block.page, "boxes": boxes}
                yield _shown(Document(text=block.text, metadata={**about, **place}))
        elif self._by == "page" and document.pages:
            for page in document.pages:
                yield Document(text=page.to_markdown(), metadata={**about, "page": page.number})
        else:
            yield Document(text=document.to_markdown(), metadata=about)


def extraction_tool(
    schema: type[BaseModel] | Mapping[str, Any],
    root: str | os.PathLike[str],
    *,
    name: str = "extract_fields",
    engine: str = "rules",
    settings: Mapping[str, object] | None = None,
) -> FunctionTool:
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
    return FunctionTool.from_defaults(extract, name=name, description=description)


N = TypeVar("N", bound=TextNode | Document)


def _shown(node: N) -> N:
    node.excluded_embed_metadata_keys = node.excluded_llm_metadata_keys = _NOT_SHOWN
    return node


def _metadata(found: Any) -> dict[str, Any]:
    about: dict[str, Any] = {"ref": found.ref, "score": found.score}
    if isinstance(found, pincite.SearchResult):
        place = {"source": found.file_path, "section": found.heading_path, "pages": found.page_numbers}
    else:
        source = found.source
        place = {"source": source.document_id, "section": source.section, "pages": source.page_numbers}
        about |= {"citation": source.citation, "clause": found.metadata.clause_number}
    return {**about, **place, "incomplete": found.incomplete}
