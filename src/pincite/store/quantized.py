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

_MAX_CODE = 127
"""The largest number of an int8, without -128: codes are symmetric."""
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
    """

    codes: Codes
    scales: Floats
    errors: Floats
    reaches: Floats

    @classmethod
    def empty(cls, rows: int, dimensions: int) -> "Quantized":
        """Return codes for so many rows, not yet written."""
        columns = (np.zeros(rows, np.float32) for _ in range(3))
        return cls(np.empty((rows, dimensions), np.int8), *columns)

    def write(self, start: int, vectors: Floats) -> None:
        """Write the codes of vectors as the rows from `start`."""
        for offset in range(0, len(vectors), _BLOCK_ROWS):
            block = vectors[offset : offset + _BLOCK_ROWS]
            rows = slice(start + offset, start + offset + len(block))
            self.codes[rows], self.scales[rows], self.errors[rows], self.reaches[rows] = _quantized(block)

    def bounds(self, used: int, query: Floats) -> tuple[Floats, Floats]:
        """Return the least and the greatest that the product of each of the first rows with a query can be."""
        (code,), (scale,), (error,), _ = _quantized(query[None, :])
        products: Any = simsimd.cdist(self.codes[:used], code[None, :], "dot", out_dtype="float32")
        middle = np.asarray(products, np.float32)[:, 0] * (self.scales[:used] * scale)
        reach = self.errors[:used] * np.linalg.norm(query) + self.reaches[:used] * error
        return middle - reach, middle + reach


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
