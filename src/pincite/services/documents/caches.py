"""The three caches of documents at URLs: what was downloaded, what was read of it, what was indexed of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.model.document import Document
from pincite.services.timed_cache import CacheStatistics, TimedCache

if TYPE_CHECKING:
    from pincite.services.documents.derived import DerivedCache
    from pincite.services.documents.downloads import Download
    from pincite.services.documents.retrievers import RetrieverCache


@dataclass(frozen=True, slots=True)
class Caches:
    """The caches of a server.

    Attributes:
        download: Downloads by URL.
        document: Documents by the fingerprint of their bytes and their reader.
        derived: What the documents face makes of these: a part of their layer.
        retriever: Indexes by URL, content, policy and model.
    """

    download: "TimedCache[str, Download]"
    document: TimedCache[str, Document]
    derived: "DerivedCache"
    retriever: "RetrieverCache"

    def statistics(self) -> Mapping[str, CacheStatistics]:
        """Return the statistics of each layer."""
        document = self.document.statistics()
        return {
            "download": self.download.statistics(),
            "document": replace(document, bytes=document.bytes + self.derived.statistics().bytes),
            "retriever": self.retriever.statistics(),
        }

    def clear_documents(self) -> int:
        """Remove all documents and what was made of them; return the number of documents."""
        self.derived.clear()
        return self.document.clear()
