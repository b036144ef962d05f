"""The documents of collections as MCP resources: paginated list, full text, revisions for change notification."""

import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote, unquote

from pincite.errors import InvalidInput
from pincite.index.collection import Collection
from pincite.index.view import View
from pincite.model.call import Call, retry_if_index_lost
from pincite.model.sizes import NANOSECONDS_PER_SECOND
from pincite.model.status import iso
from pincite.model.store import StoredDocument
from pincite.text.excerpt import excerpt

T = TypeVar("T")

SCHEME = "pincite://"

PAGE_SIZE = 500
"""Resources per page of the list."""

MAX_POLL_SHARE = 0.05
"""Maximum share of the time that polling for revisions may take: a first run changes many each second."""
MAX_URI_CHARS = 20_000
"""Maximum length of a URI: a path of 4,096 bytes, all percent-encoded, and its prefix."""


@dataclass(frozen=True, slots=True)
class Resource:
    """A document in the list.

    Attributes:
        last_modified: When it changed last; None for what describes the server.
    """

    uri: str
    name: str
    title: str
    last_modified: str | None


@dataclass(frozen=True, slots=True)
class Information:
    """A text that describes the server, listed before the documents.

    Attributes:
        uri: Its URI, of a scheme of its own.
        title: Its title.
        text: Returns it, as Markdown.
    """

    uri: str
    title: str
    text: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Revisions:
    """Every document's revision by its URI, at one generation of each collection.

    Attributes:
        generations: The version of each collection's index.
        by_uri: Revision by URI.
        expires_at: `time.monotonic()` value until which they are reused.
    """

    generations: tuple[int, ...]
    by_uri: Mapping[str, str]
    expires_at: float = 0.0


class Resources:
    """The documents of collections.

    Args:
        names: The names of the collections, in the order in which their documents are listed.
        collection: Returns the collection of a name, opened at its first use.
        information: What describes the server.
    """

    def __init__(
        self, names: Sequence[str], collection: Callable[[str], Collection], information: Sequence[Information] = ()
    ) -> None:
        self._information = {item.uri: item for item in information}
        self._roots = {f"{SCHEME}{quote(name, safe='')}/": name for name in names}
        self._collection = collection

    @property
    def templates(self) -> Sequence[str]:
        """The URI templates (RFC 6570) of every document, by its name: one a collection."""
        return [f"{root}{{path}}" for root in self._roots]

    def document_page(self, call: Call, after: str = "") -> tuple[list[Resource], str | None]:
        """Return the resources after a URI, by collection and name, and the URI to continue after (None at the end).

        A document added or deleted between two pages is listed as of the page that its name falls into.

        Raises:
            InvalidInput: `after` is not in these collections.
        """
        first, name = self._parsed(after) if after else (next(iter(self._roots), ""), "")
        roots = list(self._roots)
        described = () if after else self._information.values()
        shown = [Resource(item.uri, item.uri.rpartition("/")[2], item.title, None) for item in described]
        for root in roots[roots.index(first) :] if first else []:
            documents = self._with_view(call, root, View.documents)
            start = bisect_right(documents, name, key=lambda document: document.name) if root == first else 0
            room = PAGE_SIZE - len(shown)
            shown += [_resource(root, document) for document in documents[start : start + room]]
            if start + room < len(documents):
                return shown, shown[-1].uri
        return shown, None

    def document_text(self, call: Call, uri: str) -> str:
        """Return the full text of a document.

        Raises:
            InvalidInput: The URI is not in these collections.
            NotFound: The document does not exist, or changed and is not indexed again yet.
        """
        if (information := self._information.get(uri)) is not None:
            return information.text()
        root, name = self._parsed(uri)
        return self._with_view(call, root, lambda view: view.text(view.document(name)))

    def revisions(self, call: Call, known: Revisions | None) -> Revisions:
        """Return the present revisions, or `known` if the index has not changed or `known` has not expired."""
        # Listing every revision takes time in a large index: do it for a bounded share of the time.
        if known is not None and time.monotonic() < known.expires_at:
            return known
        generations = tuple(self._with_view(call, root, lambda view: view.generation) for root in self._roots)
        if known is not None and known.generations == generations:
            return known
        start = time.monotonic()
        by_uri: dict[str, str] = {}
        for root in self._roots:
            documents = self._with_view(call, root, View.documents)
            by_uri |= {_uri(root, document): document.revision for document in documents}
        end = time.monotonic()
        return Revisions(generations, by_uri, end + (end - start) / MAX_POLL_SHARE)

    def _parsed(self, uri: str) -> tuple[str, str]:
        """Return the root and the document's name of a URI.

        Raises:
            InvalidInput: It is too long, or not in these collections.
        """
        if len(uri) > MAX_URI_CHARS:
            raise InvalidInput(f"The URI has {len(uri):,} characters; the maximum is {MAX_URI_CHARS:,}.")
        root = next((root for root in self._roots if uri.startswith(root)), None)
        if root is None:
            known = " or ".join([*self._roots, *self._information])
            begin = f"They begin with {known}" if known else "It has none."
            raise InvalidInput(f"Not a resource of this server: {excerpt(uri)!r}. {begin}")
        return root, unquote(uri.removeprefix(root), errors="surrogatepass")

    def _with_view(self, call: Call, root: str, answer: Callable[[View], T]) -> T:
        def work() -> T:
            with self._collection(self._roots[root]).view(call, semantic=False) as view:
                return answer(view)

        return retry_if_index_lost(work)


def _resource(root: str, document: StoredDocument) -> Resource:
    return Resource(
        uri=_uri(root, document),
        name=document.name,
        title=document.label,
        last_modified=iso(document.modified_ns / NANOSECONDS_PER_SECOND),
    )


def _uri(root: str, document: StoredDocument) -> str:
    return root + quote(document.name, safe="/", errors="surrogatepass")
