"""An 8-bit copy of vectors, whose scan leaves the few rows that can be among the nearest.

A scan of float32 vectors takes as long as memory takes to deliver them; their 8-bit codes are a quarter of that. A row
x is kept as codes c and a scale s, x ≈ s·c. With e = ‖x - s·c‖ and r = ‖s·c‖ kept, too, the product of x and a query q
differs from that of both codes by at most e·‖q‖ + r·‖q - q̂‖ (Cauchy-Schwarz), so no row of the nearest is ever lost.
This module imports simsimd, whose kernels release the interpreter lock.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import simsimd

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int8]
Rows = npt.NDArray[np.intp]

ROUNDING_SLACK = 1e-5
"""Far above the rounding of a float32 product of unit vectors, so that no candidate is lost to it."""

_MAX_CODE = 127
"""The largest number of an int8, without -128: codes are symmetric."""
_PART_SCORES = 64
# Rows that are rounded at once: at 384 dimensions their copies stay in the processor's second cache.
_BLOCK_ROWS = 256


@dataclass(frozen=True, slots=True)
class Quantized:
    """The codes of a matrix; rows are only written once.

    Attributes:
        codes: (rows, dimensions).
        scales: s of each row.
        errors: e of each row.
        reaches: r of each row.
        maxima: The greatest e and r of all rows.
    """

    codes: Codes
    scales: Floats
    errors: Floats
    reaches: Floats
    maxima: Floats

    @classmethod
    def empty(cls, rows: int, dimensions: int) -> "Quantized":
        """Return codes for so many rows, not yet written."""
        scales, errors, reaches = (np.zeros(rows, np.float32) for _ in range(3))
        return cls(np.empty((rows, dimensions), np.int8), scales, errors, reaches, np.zeros(2, np.float32))

    def write(self, start: int, vectors: Floats) -> None:
        """Write the codes of vectors as the rows from `start`."""
        for offset in range(0, len(vectors), _BLOCK_ROWS):
            block = vectors[offset : offset + _BLOCK_ROWS]
            rows = slice(start + offset, start + offset + len(block))
            self.codes[rows], self.scales[rows], self.errors[rows], self.reaches[rows] = _quantized(block)
            np.maximum(self.maxima, [self.errors[rows].max(), self.reaches[rows].max()], out=self.maxima)

    def candidates(self, used: int, query: Floats, n: int, rows: Rows | None = None) -> Rows:
        """Return the rows that can be among the n of greatest product with a query, ascending.

        Args:
            used: The number of written rows.
            query: The query.
            n: Number of rows.
            rows: The rows to choose from; None for all.
        """
        (code,), (scale,), (error,), _ = _quantized(query[None, :])
        products: Any = simsimd.cdist(self.codes[:used], code[None, :], "dot", out_dtype="float32")
        middle: Floats = np.asarray(products, np.float32)[:, 0]
        # In place: new arrays of this size take longer than the arithmetic.
        middle *= self.scales[:used]
        middle *= scale
        if rows is not None:
            middle = middle[rows]
        length = np.linalg.norm(query)
        farthest = self.maxima[0] * length + self.maxima[1] * error
        # First by the widest bounds of any row, which take one comparison a row; then by those of each that is left.
        kept = np.flatnonzero(middle >= n_th_greatest(middle, n) - 2 * farthest - ROUNDING_SLACK)
        places = kept if rows is None else rows[kept]
        middle, reach = middle[kept], self.errors[places] * length + self.reaches[places] * error
        return places[middle + reach >= n_th_greatest(middle - reach, n, exact=True) - ROUNDING_SLACK]


def n_th_greatest(scores: Floats, n: int, *, exact: bool = False) -> float:
    """Return the n-th greatest score, or a lower bound of it that takes less time; -inf if there are at most n.

    The bound is the n-th greatest maximum of a part: one pass over the scores, where a partition moves them all.
    """
    size = len(scores)
    if size <= n:
        return -np.inf
    if not exact and size >= 4 * n * _PART_SCORES:
        even = size - size % _PART_SCORES
        scores = scores[:even].reshape(_PART_SCORES, -1).max(axis=0)  # this axis takes a tenth of the time
    return float(np.partition(scores, len(scores) - n)[len(scores) - n])


def _quantized(block: Floats) -> tuple[Codes, Floats, Floats, Floats]:
    """Return the codes of each row, its scale, its rounding error, and the length of what the codes stand for."""
    scales = np.maximum(np.abs(block).max(axis=1), np.finfo(np.float32).tiny * _MAX_CODE) / np.float32(_MAX_CODE)
    scaled = block / scales[:, None]
    rounded = np.rint(scaled)
    scaled -= rounded
    # Lengths in units of the scale: squares of tiny numbers would be 0.
    return (
        rounded.astype(np.int8),
        scales,
        np.linalg.norm(scaled, axis=1) * scales,
        np.linalg.norm(rounded, axis=1) * scales,
    )
