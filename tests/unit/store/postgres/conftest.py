"""A collection to copy into memory."""

from typing import Any

import numpy as np

from pincite.store.postgres.reads import CopyReads

EAST = np.array([1, 0], np.float32)


class Database:
    """Chunks as (document, terms in order), the log of changes, and the statements."""

    def __init__(self) -> None:
        self.chunks = {1: (10, [1, 2, 0, 1]), 2: (10, [2, 0]), 4: (20, [3, 0, 3])}
        self.terms = {"run": 1, "dog": 2, "cat": 3}
        self.logged: list[tuple[int, int]] = []
        self.statements: list[str] = []

    def reads(self, generation: int = 1, total: int | None = None) -> CopyReads:
        return CopyReads(generation, 0, len(self.chunks) if total is None else total, 1, self.rows, self.batches)

    def batches(self, name: str, arguments: Any) -> list[list[tuple[Any, ...]]]:
        rows = self.rows(name, arguments)
        return [rows[:1], rows[1:]]

    def rows(self, name: str, arguments: Any) -> list[tuple[Any, ...]]:
        self.statements.append(name)
        if name == "dimensions":
            return [(2,)]
        if name == "vector_rows":
            return [(number, document, EAST.tobytes()) for number, (document, _) in self.chunks.items()]
        if name == "vector_changes":
            since = [(number, at) for number, at in self.logged if at > arguments["since"]]
            documents = {number: document for number, (document, _) in self.chunks.items()}
            return [(number, at, documents.get(number), EAST.tobytes()) for number, at in since]
        if name == "terms_of_chunks":
            return [
                (number, sum(term > 0 for term in terms), np.array(terms, "<u4").tobytes(), document)
                for number, (document, terms) in self.chunks.items()
                if number > arguments[0]
            ]
        if name == "logged_chunks":
            return [(number, number in self.chunks) for number, at in self.logged if at > arguments[0]][: arguments[1]]
        assert name == "terms_after"
        return [(term, number) for term, number in self.terms.items() if number > arguments[0]]
