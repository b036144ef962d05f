"""The documents of a collection as resources: listed in pages, read whole, watched for changes."""

import time
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote, unquote

from pincite.errors import InvalidInput, NotFound
from pincite.index.index import Index
from pincite.index.missing import hint, why_unread
from pincite.index.view import IndexView
from pincite.model.call import Call, retry_if_index_lost
from pincite.model.status import iso
from pincite.model.store import StoredDocument
from pincite.text.excerpt import excerpt

T = TypeVar("T")

PAGE = 500
"""Resources of one page of the list."""

SHARE = 0.05
"""Of the time that looking for changed documents may take: a first run changes many each second."""


MAX_URI_CHARS = 20_000
"""A path of 4,096 bytes, each percent-encoded, and what stands before it."""

NANOSECONDS = 1e9


@dataclass(frozen=True, slots=True)
class Resource:
    """A document, listed."""

    uri: str
    name: str
    title: str
    last_modified: str


@dataclass(frozen=True, slots=True)
class Revisions:
    """Every document's revision by its URI, at one generation.

    Attributes:
        generation: Of the index.
        by_uri: Revision by URI.
        expires_at: `time.monotonic()` value before which they are not made again.
    """

    generation: int
    by_uri: Mapping[str, str]
    expires_at: float = 0.0


class Resources:
    """The documents of one collection.

    Args:
        index: Gives the index, opened at its first use.
        collection: What the collection is called in a URI.
    """

    def __init__(self, index: Callable[[], Index], collection: str) -> None:
        self._index = index
        self._root = f"pincite://{quote(collection, safe='')}/"

    @property
    def template(self) -> str:
        """The URI template (RFC 6570) of every document, by its path in the folder."""
        return f"{self._root}{{path}}"

    def page(self, call: Call, after: str = "") -> tuple[list[Resource], str | None]:
        """The resources that follow a name, by name; and the name to go on after, None at the end.

        What comes and goes between two pages is listed, or not, as it is when its place is reached.
        """
        documents = self._ask(call, _readable)
        start = bisect_right(documents, after, key=lambda document: document.name)
        shown = documents[start : start + PAGE]
        more = start + PAGE < len(documents)
        return [self._resource(document) for document in shown], shown[-1].name if more else None

    def read(self, call: Call, uri: str) -> str:
        """The text of a document, whole.

        Raises:
            InvalidInput: The URI is not of this collection.
            NotFound: There is no such document, or it changed and is not read again yet.
        """
        if not uri.startswith(self._root):
            raise InvalidInput(f"Not a resource of this server: {excerpt(uri)!r}. They begin with {self._root}")
        if len(uri) > MAX_URI_CHARS:
            raise InvalidInput(f"The URI has {len(uri):,} characters; the maximum is {MAX_URI_CHARS:,}.")
        name = unquote(uri.removeprefix(self._root), errors="surrogatepass")
        return self._ask(call, lambda view: _text(view, name))

    def revisions(self, call: Call, known: Revisions | None) -> Revisions:
        """What there is now; what is known where nothing changed, or where that is too new to look again."""

        def look(view: IndexView) -> Revisions:
            if known is not None and known.generation == view.snapshot.generation:
                return known
            start = time.monotonic()
            by_uri = {self._uri(document): document.revision for document in _readable(view)}
            end = time.monotonic()
            return Revisions(view.snapshot.generation, by_uri, end + (end - start) / SHARE)

        if known is not None and time.monotonic() < known.expires_at:
            return known
        return self._ask(call, look)

    def _ask(self, call: Call, answer: Callable[[IndexView], T]) -> T:
        def work() -> T:
            with self._index().view(call, semantic=False) as view:
                return answer(view)

        return retry_if_index_lost(work)

    def _resource(self, document: StoredDocument) -> Resource:
        return Resource(
            uri=self._uri(document),
            name=document.name,
            title=document.title or document.first_h1 or document.name.rpartition("/")[2],
            last_modified=iso(document.modified_ns / NANOSECONDS),
        )

    def _uri(self, document: StoredDocument) -> str:
        return self._root + quote(document.name, safe="/", errors="surrogatepass")


def _text(view: IndexView, name: str) -> str:
    if why := why_unread(view, name):
        raise NotFound(why)
    document = view.snapshot.document(name)
    if document is None:
        known = [found.name for found in _readable(view)]
        raise NotFound(f"No document {excerpt(name)} here." + hint(view, name, known))
    return "".join(stored.chunk.text for stored in view.snapshot.document_chunks(document.id))


def _readable(view: IndexView) -> list[StoredDocument]:
    return [d for d in view.snapshot.documents() if not d.failure and d.name not in view.waiting]
