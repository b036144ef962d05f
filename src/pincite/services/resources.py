"""The documents of a collection as MCP resources: paginated list, full text, revisions for change notification."""

import time
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote, unquote

from pincite.errors import InvalidInput
from pincite.index.collection import Collection
from pincite.index.view import View
from pincite.model.call import Call, retry_if_index_lost
from pincite.model.status import iso
from pincite.model.store import StoredDocument
from pincite.model.units import NANOSECONDS_PER_SECOND
from pincite.text.excerpt import excerpt

T = TypeVar("T")

PAGE_SIZE = 500
"""Resources per page of the list."""

MAX_POLL_SHARE = 0.05
"""Maximum share of the time that polling for revisions may take: a first run changes many each second."""
MAX_URI_CHARS = 20_000
"""Maximum length of a URI: a path of 4,096 bytes, all percent-encoded, and its prefix."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A document in the list."""

    uri: str
    name: str
    title: str
    last_modified: str


@dataclass(frozen=True, slots=True)
class Revisions:
    """Every document's revision by its URI, at one generation.

    Attributes:
        generation: The index's version.
        by_uri: Revision by URI.
        expires_at: `time.monotonic()` value until which they are reused.
    """

    generation: int
    by_uri: Mapping[str, str]
    expires_at: float = 0.0


class Resources:
    """The documents of one collection.

    Args:
        collection: Returns the collection, opened at its first use.
        name: The collection's name in URIs.
    """

    def __init__(self, collection: Callable[[], Collection], name: str) -> None:
        self._collection = collection
        self._root = f"pincite://{quote(name, safe='')}/"

    @property
    def template(self) -> str:
        """The URI template (RFC 6570) of every document, by its path in the folder."""
        return f"{self._root}{{path}}"

    def page(self, call: Call, after: str = "") -> tuple[list[Resource], str | None]:
        """Return the resources after a name, by name, and the name to continue after (None at the end).

        A document added or deleted between two pages is listed as of the page that its name falls into.
        """
        documents = self._with_view(call, View.documents)
        start = bisect_right(documents, after, key=lambda document: document.name)
        shown = documents[start : start + PAGE_SIZE]
        has_next = start + PAGE_SIZE < len(documents)
        return [self._resource(document) for document in shown], shown[-1].name if has_next else None

    def read(self, call: Call, uri: str) -> str:
        """Return the full text of a document.

        Raises:
            InvalidInput: The URI is not in this collection.
            NotFound: The document does not exist, or changed and is not indexed again yet.
        """
        if not uri.startswith(self._root):
            raise InvalidInput(f"Not a resource of this server: {excerpt(uri)!r}. They begin with {self._root}")
        if len(uri) > MAX_URI_CHARS:
            raise InvalidInput(f"The URI has {len(uri):,} characters; the maximum is {MAX_URI_CHARS:,}.")
        name = unquote(uri.removeprefix(self._root), errors="surrogatepass")
        return self._with_view(call, lambda view: view.text(view.document(name)))

    def revisions(self, call: Call, known: Revisions | None) -> Revisions:
        """Return the present revisions, or `known` if the index has not changed or `known` has not expired."""

        def read_revisions(view: View) -> Revisions:
            if known is not None and known.generation == view.generation:
                return known
            start = time.monotonic()
            by_uri = {self._uri(document): document.revision for document in view.documents()}
            end = time.monotonic()
            return Revisions(view.generation, by_uri, end + (end - start) / MAX_POLL_SHARE)

        # Listing every revision takes time in a large index: do it for a bounded share of the time.
        if known is not None and time.monotonic() < known.expires_at:
            return known
        return self._with_view(call, read_revisions)

    def _with_view(self, call: Call, answer: Callable[[View], T]) -> T:
        def work() -> T:
            with self._collection().view(call, semantic=False) as view:
                return answer(view)

        return retry_if_index_lost(work)

    def _resource(self, document: StoredDocument) -> Resource:
        return Resource(
            uri=self._uri(document),
            name=document.name,
            title=document.label,
            last_modified=iso(document.modified_ns / NANOSECONDS_PER_SECOND),
        )

    def _uri(self, document: StoredDocument) -> str:
        return self._root + quote(document.name, safe="/", errors="surrogatepass")
