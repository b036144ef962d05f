"""The collections of a server: opened at their first use, and reopened if their file was lost."""

import logging
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pincite.errors import Ambiguous, ConfigError, IndexLost, NotFound, PinciteError
from pincite.index.collection import Collection, Spec
from pincite.index.updating.missing import hint, nearest_hint
from pincite.model.call import Call
from pincite.model.locator import Ref
from pincite.text.excerpt import excerpt, excerpts
from pincite.toolkit import Scope

log = logging.getLogger("pincite.index")

MAX_IDLE_CACHED = 8
"""Cached collections kept open while idle: each costs some file handles, a thread and its vectors in memory."""


class Shelf:
    """The specs that a server holds, and the collections open of them, the most recently used last. Thread-safe.

    Args:
        opening: Opens the collection of a spec.
        specs: What is held from the start.
    """

    def __init__(self, opening: Callable[[Spec], Collection], specs: Iterable[Spec] = ()) -> None:
        self._opening = opening
        self._specs = {spec.name: spec for spec in specs}
        self._open: dict[str, Collection] = {}
        self._lock = threading.RLock()

    def specs(self) -> Sequence[Spec]:
        """Return all specs, in the order in which they were added."""
        with self._lock:
            return tuple(self._specs.values())

    def add(self, spec: Spec) -> None:
        """Hold a spec.

        Raises:
            ConfigError: Another one of this name is held.
        """
        with self._lock:
            if self._specs.setdefault(spec.name, spec) != spec:
                raise ConfigError(f"Two collections are named {excerpt(spec.name)}. Rename one of them.")

    def open(self, spec: Spec) -> Collection:
        """Hold a spec, and return its collection.

        Raises:
            ConfigError: Another one of this name is held, or it cannot be opened.
        """
        with self._lock:
            self.add(spec)
            return self.collection(spec.name)

    @contextmanager
    def using(self, spec: Spec) -> Generator[Collection]:
        """Hold a spec, and keep its collection from being closed or dropped; see `open`."""
        with ExitStack() as use:
            with self._lock:
                collection = self.open(spec)
                use.enter_context(collection.in_use())
            yield collection

    def collection(self, name: str) -> Collection:
        """Return the collection of a spec that is held, opened anew if its file is lost.

        Raises:
            IndexLost: It is held no more.
        """
        if (collection := self.held(name)) is None:
            raise IndexLost("The index was evicted during the call. Ask again.")
        return collection

    def held(self, name: str) -> Collection | None:
        """Return the collection of a spec, opened anew if its file is lost; None if it is held no more."""
        with self._lock:
            if name not in self._specs:
                return None
            collection = self._open.get(name)
            if collection is not None and collection.is_lost():
                log.warning("index.reopened")
                collection.close()
                del self._open[name]
                collection = None
            if collection is None:
                collection = self._opening(self._specs[name])
            self._open.pop(name, None)
            self._open[name] = collection
            self._close_idle()
            return collection

    def drop(self, name: str, files: Iterable[Path] = ()) -> bool:
        """Hold a cached collection no more and delete its files; return False if it is in use: nothing changes."""
        with self._lock:
            collection = self._open.get(name)
            if collection is not None and not _close_if_idle(collection):
                return False
            self._open.pop(name, None)
            self._specs.pop(name, None)
            for path in files:
                path.unlink(missing_ok=True)
            return True

    def close(self) -> None:
        """Close every collection."""
        with self._lock, ExitStack() as closing:
            for collection in self._open.values():
                closing.callback(collection.close)

    def _close_idle(self) -> None:
        """Close the least recently used of too many cached collections, but none in use."""
        cached = [name for name, collection in self._open.items() if collection.spec.kind == "cached"]
        excess = len(cached) - MAX_IDLE_CACHED
        for name in cached[:-1]:
            if excess > 0 and _close_if_idle(self._open[name]):
                del self._open[name]
                excess -= 1


def _close_if_idle(collection: Collection) -> bool:
    try:
        return collection.close_if_idle()
    except PinciteError as error:  # a damaged file that cannot be moved must not fail a call to another collection
        log.warning("index.not_closed", extra={"problem": error.message})
        return True


class Collections:
    """The collections that a server, or a part of it, may read.

    Args:
        shelf: What the server holds.
        scope: The collections that may be read; None for all that are held.
        recall: Returns the collection of a reference that none of them has, made anew; None if there is none.
    """

    def __init__(
        self,
        shelf: Shelf,
        scope: Scope | None = None,
        recall: Callable[[Ref, Call], Collection | None] | None = None,
    ) -> None:
        self._shelf = shelf
        self._scope = scope
        self._recall = recall

    def within(self, scope: Scope) -> "Collections":
        """Return the collections in a scope."""
        return Collections(self._shelf, scope if self._scope is None else self._scope.intersection(scope))

    def get(self, name: str) -> Collection:
        """Return the collection of this name, opened at the first call and reopened if its file is lost.

        Raises:
            NotFound: There is none; the message names the nearest.
            ConfigError: It cannot be opened.
        """
        names = [spec.name for spec in self._specs()]
        if name not in names:
            raise NotFound(f"No collection {excerpt(name)!r} here." + nearest_hint(name, names))
        return self._shelf.collection(name)

    def find(self, ref: Ref, call: Call) -> Collection:
        """Return the collection that a reference cites, by document and revision.

        If none has the revision, it is the one whose document of that name has the words, else the first one with a
        document of that name; a single collection is returned without being searched.

        Raises:
            NotFound: No collection has a document of this name; the message names the nearest.
            Ambiguous: Two collections have this revision of a document of this name, or its words.
        """
        specs = [spec for spec in self._specs() if spec.may_have(ref.document)]
        # Of two models' indexes of one document either serves.
        names = list({spec.content or spec.name: spec.name for spec in specs}.values())
        if len(names) == 1 and self._recall is None:
            return self._shelf.collection(names[0])
        matches: list[str] = []
        holders: list[str] = []
        homonyms: list[str] = []
        known: list[str] = []
        deadline: float | None = None
        for collection in filter(None, map(self._shelf.held, names)):
            deadline = collection.fresh_deadline(call) if deadline is None else deadline
            with collection.view(call, semantic=False, deadline=deadline) as view:
                if view.has(ref):
                    matches.append(collection.spec.name)
                elif view.has_words(ref):
                    holders.append(collection.spec.name)
                if view.holds(ref.document):
                    homonyms.append(collection.spec.name)
                known += [document.name for document in view.documents()]
        recalled = None if matches or self._recall is None else self._recall(ref, call)
        if recalled is not None:
            return recalled
        matches = matches or holders
        if len(matches) > 1:
            raise Ambiguous(
                f"{excerpt(str(ref))} is in several collections: {excerpts(matches)}. "
                "Name one of them as collection, or read it with a tool of it."
            )
        if not matches and not homonyms:
            raise NotFound(f"No document {excerpt(ref.document)!r} here." + hint(ref.document, None, known))
        return self._shelf.collection((matches or homonyms)[0])

    def _specs(self) -> Sequence[Spec]:
        specs = self._shelf.specs()
        return specs if self._scope is None else [spec for spec in specs if spec.name in self._scope.collections]
