"""What the snapshots of one PostgreSQL store share."""

import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import psycopg

from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.store import bm25
from pincite.store.base import Generation
from pincite.store.filters import FilterCache
from pincite.store.matching import KeywordLimits
from pincite.store.postgres.connections import Connection
from pincite.store.postgres.copy_keeper import CopyKeeper

if TYPE_CHECKING:
    from pincite.store.postgres.packed import Recent
    from pincite.store.postgres.words import TermCounts


@dataclass(frozen=True, slots=True)
class Shared:
    """What the snapshots of one store share.

    Attributes:
        sql: The statements.
        embedder: Id of the embedder whose vectors are searched.
        tokens: Tokenizes queries.
        limits: Limits of a keyword search.
        failure: Returns a failure of PostgreSQL as ours.
        second: Lends a call one more connection, with the row of the statement `numbers`; see `Connections.answering`.
        dimensions: Numbers of a vector, once there is one; at most one element.
        recent: What the segments do not know yet, by generation and state of the segments; only the latest.
        term_counts: What the last searches looked up of their terms, as `recent`.
        document_counts: The row of the statement of that name by generation; only the latest.
        filters: What the last filters let through.
        filtering: Guards `filters`.
        copies: Keeps the copy of a collection; None if none is kept.
    """

    sql: Mapping[str, bytes]
    embedder: int
    tokens: bm25.Tokens
    limits: KeywordLimits
    failure: Callable[[psycopg.Error], PinciteError]
    second: Callable[[Call | None], AbstractContextManager[tuple[Connection, tuple[Any, ...]]]]
    dimensions: list[int] = field(default_factory=list[int])
    recent: "dict[tuple[int, int], Recent]" = field(default_factory=dict[tuple[int, int], "Recent"])
    term_counts: "dict[tuple[int, int], TermCounts]" = field(default_factory=dict[tuple[int, int], "TermCounts"])
    document_counts: dict[Generation, Any] = field(default_factory=dict[Generation, Any])
    filters: FilterCache = field(default_factory=FilterCache)
    filtering: threading.Lock = field(default_factory=threading.Lock)
    copies: CopyKeeper | None = None
