"""pincite for LangChain: a retriever, a document loader, and extraction as a tool."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import StructuredTool
from pydantic import BaseModel, ConfigDict

import pincite
from pincite import frameworks

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
        found = frameworks.passages(self.source, query, self.k)
        return [Document(part.text, id=part.metadata["ref"], metadata=part.metadata) for part in found]


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
        by: frameworks.By = "block",
        *,
        settings: Mapping[str, object] | None = None,
    ) -> None:
        self._source = file_or_url
        self._by: frameworks.By = by
        self._settings = settings

    def lazy_load(self) -> Iterator[Document]:
        """Yield the parts in reading order. A format without pages is one page."""
        for part in frameworks.parts(self._source, self._by, settings=self._settings):
            yield Document(part.text, metadata=part.metadata)


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
    extract = frameworks.extractor(schema, root, engine=engine, settings=settings)
    return StructuredTool.from_function(extract, name=name, description=frameworks.EXTRACTION)
