"""Statements that find the nearest vectors: from their index, or by comparing every chunk that passes a filter."""

# ruff: noqa: S608 - of what is not ours, only integers are part of a statement
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pincite.model.search import NO_FILTER, Filter
from pincite.store.postgres.columns import conditions, vector_text
from pincite.store.postgres.sizes import EXACT_ROWS

if TYPE_CHECKING:
    from pincite.model.vector import Vector

MIN_EF_SEARCH = 100
"""Least number of candidates that HNSW keeps while it walks the graph, for a recall@10 of .98 or more."""

Statement = tuple[bytes, Mapping[str, Any]]
"""A statement with its arguments."""


def from_index(embedder: int, dimensions: int, vector: "Vector", n: int, where: Filter = NO_FILTER) -> Statement:
    """Return the statement for about the n nearest chunks of the index, with their vectors in full precision.

    A scan of a graph returns as many chunks as it kept candidates and then begins anew, at twice the cost: so it keeps
    n. They are set where the vector is read, which is before the scan begins. Integers are part of the text, so that a
    statement without a filter can have one plan.

    Args:
        embedder: The embedder's id.
        dimensions: Those of its vectors.
        vector: The query.
        n: Number of chunks.
        where: Restricts the chunks.
    """
    condition, given = conditions(where)
    joined = f" JOIN chunk ON chunk.id = near.chunk_id AND {condition}" if condition else ""
    kept = max(n, MIN_EF_SEARCH)
    query = f"(SELECT %(vector)s::halfvec({int(dimensions)}) FROM set_config('hnsw.ef_search', '{int(kept)}', true))"
    # The index is used only for exactly its expression.
    order = f"near.half::halfvec({int(dimensions)}) <#> {query}"
    select = f"SELECT near.chunk_id FROM near{joined} WHERE near.embedder = {int(embedder)}"
    statement = _with_vectors(embedder, f"{select} ORDER BY {order} LIMIT {int(n)}")
    return statement, {**given, "vector": vector_text(vector)}


def among_filtered(embedder: int, dimensions: int, vector: "Vector", where: Filter, n: int) -> Statement:
    """Return the statement that compares the chunks which pass a filter, without sending their ids to and fro.

    It returns no row where more than `EXACT_ROWS` pass, and one of NULLs where none of those that pass has a vector.
    """
    condition, given = conditions(where)
    few = f"SELECT id FROM chunk WHERE {condition} LIMIT {EXACT_ROWS + 1}"
    passing = (
        " AND near.chunk_id = ANY(ARRAY(SELECT id FROM few)::bigint[])"
        f" AND (SELECT count(*) FROM few) <= {EXACT_ROWS}"
    )  # fmt: skip
    statement = (
        f"WITH few AS MATERIALIZED ({few}),"
        f" best AS MATERIALIZED ({_compared(embedder, dimensions, passing, n)})"
        f" SELECT found.* FROM (SELECT count(*) AS passing FROM few) AS counted"
        f" LEFT JOIN ({_VECTORS.format(embedder=int(embedder))}) AS found ON true WHERE passing <= {EXACT_ROWS}"
    )
    return statement.encode(), {**given, "vector": vector_text(vector)}


_VECTORS = (
    "SELECT chunk.id, vector.vector FROM best JOIN chunk ON chunk.id = best.chunk_id"
    " JOIN vector ON vector.embedder = {embedder} AND vector.embed_hash = chunk.embed_hash"
)


def _compared(embedder: int, dimensions: int, condition: str, n: int) -> str:
    # Anything added to the distance keeps the planner from the index.
    distance = f"near.half::halfvec({int(dimensions)}) <#> %(vector)s::halfvec({int(dimensions)})"
    return (
        f"SELECT near.chunk_id FROM near WHERE near.embedder = {int(embedder)} {condition}"
        f" ORDER BY ({distance}) + 0, near.chunk_id LIMIT {int(n)}"
    )


def _with_vectors(embedder: int, best: str) -> bytes:
    return f"WITH best AS MATERIALIZED ({best}) {_VECTORS.format(embedder=int(embedder))}".encode()
