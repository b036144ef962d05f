"""pincite for Haystack: a converter and a retriever."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict
from haystack.components.converters.utils import normalize_metadata

import pincite
from pincite import frameworks

__all__ = ["PinciteConverter", "PinciteRetriever"]


@component
class PinciteRetriever:
    """Passages of a folder or a library, best first, each with its reference.

    `ref` in a passage's `meta` opens and checks it: `source.read(ref)`, `source.verify(ref, quote)`.

    Args:
        source: What `pincite.open` or `pincite.library` returned.
        top_k: Maximum number of passages.
    """

    def __init__(self, source: pincite.Folder | pincite.Library, top_k: int = 5) -> None:
        self._source = source
        self._top_k = top_k

    @component.output_types(documents=list[Document])
    def run(self, query: str, top_k: int | None = None) -> dict[str, list[Document]]:
        """Return the passages that answer a query best.

        Args:
            query: A question, keywords or an identifier.
            top_k: Maximum number of passages, if another one is wanted.
        """
        found = frameworks.passages(self._source, query, top_k or self._top_k)
        return {
            "documents": [
                Document(id=part.metadata["ref"], content=part.text, meta=part.metadata, score=part.metadata["score"])
                for part in found
            ]
        }


@component
class PinciteConverter:
    """Documents in any format that pincite reads, whole, by page or by block.

    Args:
        by: `block` (with `page` and `boxes` in `meta`), `page`, or `document`.
        settings: See `pincite.open`.
    """

    def __init__(self, by: frameworks.By = "block", settings: Mapping[str, object] | None = None) -> None:
        self._by: frameworks.By = by
        self._settings = settings

    @component.output_types(documents=list[Document])
    def run(
        self, sources: list[str | Path], meta: dict[str, Any] | list[dict[str, Any]] | None = None
    ) -> dict[str, list[Document]]:
        """Return the parts of files and URLs in reading order.

        Args:
            sources: Files, or http or https URLs.
            meta: Metadata to add, of all or of each.
        """
        further = normalize_metadata(meta, len(sources))
        return {
            "documents": [
                Document(content=part.text, meta={**own, **part.metadata})
                for source, own in zip(sources, further, strict=True)
                for part in frameworks.parts(source, self._by, settings=self._settings)
            ]
        }

    def to_dict(self) -> dict[str, Any]:
        """Return what a pipeline is saved with."""
        return default_to_dict(self, by=self._by, settings=dict(self._settings) if self._settings else None)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "PinciteConverter":
        """Return the component of a saved pipeline."""
        return default_from_dict(cls, data)
