"""pincite for LlamaIndex: a retriever, a reader, and extraction as a tool."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from llama_index.core.readers.base import BaseReader
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import Document, NodeWithScore, QueryBundle, TextNode
from llama_index.core.tools import FunctionTool
from pydantic import BaseModel

import pincite
from pincite import frameworks

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
                node=_shown(TextNode(id_=part.metadata["ref"], text=part.text, metadata=part.metadata)),
                score=part.metadata["score"],
            )
            for part in frameworks.passages(self._source, query_bundle.query_str, self._top_k)
        ]


class PinciteReader(BaseReader):
    """Documents in any format that pincite reads, whole, by page or by block.

    Args:
        by: `block` (with `page` and `boxes` in the metadata), `page`, or `document`.
        settings: See `pincite.open`.
    """

    def __init__(self, by: frameworks.By = "block", *, settings: Mapping[str, object] | None = None) -> None:
        self._by: frameworks.By = by
        self._settings = settings

    def lazy_load_data(
        self, file: str | os.PathLike[str], extra_info: Mapping[str, Any] | None = None
    ) -> Iterator[Document]:
        """Yield the parts of a file or a URL in reading order. A format without pages is one page.

        Args:
            file: A file, or an http or https URL.
            extra_info: Metadata to add, as `SimpleDirectoryReader` gives it.
        """
        for part in frameworks.parts(file, self._by, settings=self._settings):
            yield _shown(Document(text=part.text, metadata={**(extra_info or {}), **part.metadata}))


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
    extract = frameworks.extractor(schema, root, engine=engine, settings=settings)
    return FunctionTool.from_defaults(extract, name=name, description=frameworks.EXTRACTION)


N = TypeVar("N", bound=TextNode | Document)


def _shown(node: N) -> N:
    # LlamaIndex puts all other metadata before the text that is embedded and that a model sees.
    node.excluded_embed_metadata_keys = node.excluded_llm_metadata_keys = list(frameworks.NOT_SHOWN)
    return node
