"""The posting lists of frequent terms as bitmaps: a bit for each row of a segment.

A list of 4-byte rows is longer than a bitmap with ranks, of 0.19 bytes a row of the segment, if a twentieth of them
contain the term. Above all, whether a row contains a term is one look-up in a bitmap, and a binary search of some
17 steps in a list, each in a part of memory that no cache holds.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
Terms = npt.NDArray[np.uint32]
Counts = npt.NDArray[np.uint16]

_WORD_BITS = 64
_ONE = np.uint64(1)


@dataclass(frozen=True, slots=True)
class Bitmaps:
    """The posting lists of some terms.

    Attributes:
        terms: The terms, ascending.
        first_row: The row of the first bit.
        size: Number of rows.
        words: (terms, words of 64 rows), the first row of each in its lowest bit.
        ranks: (terms, words), the number of a term's entries up to the end of each word.
        starts: Where the frequencies of each term start, and where the last ones end.
        counts: The frequency of each entry, by term and row.
    """

    terms: Terms
    first_row: int
    size: int
    words: npt.NDArray[np.uint64]
    ranks: npt.NDArray[np.uint32]
    starts: Integers
    counts: Counts

    def place(self, term: int) -> int | None:
        """Return the index of a term among these; None if it is not one of them."""
        place = int(np.searchsorted(self.terms, np.uint32(term)))
        return place if place < len(self.terms) and self.terms[place] == term else None

    def postings(self, place: int) -> tuple[Rows, Counts]:
        """Return the rows that contain a term, ascending, and its frequency in each."""
        bits = np.unpackbits(self.words[place].view(np.uint8), count=self.size, bitorder="little")
        rows = np.flatnonzero(bits.view(np.bool_)).astype(np.int32)
        rows += self.first_row
        return rows, self.counts[self.starts[place] : self.starts[place + 1]]

    def occurrences(self, place: int, rows: Rows) -> tuple[Integers, Counts]:
        """Return which of these rows contain a term, as indices, and its frequency in each; see `postings`."""
        bits = rows - self.first_row
        # A negative number is above all others without its sign.
        if len(bits) and bits.view(np.uint32).max() >= self.size:
            inside = np.flatnonzero(bits.view(np.uint32) < self.size)
            places, counts = self.occurrences(place, rows[inside])
            return inside[places], counts
        numbers, shifts = bits >> 6, (bits & (_WORD_BITS - 1)).view(np.uint32)
        # With the bit of a row in the lowest place, what is below it has been shifted out.
        words = self.words[place][numbers] >> shifts
        holding = np.flatnonzero(words & _ONE)
        # Counted from the word's end, which saves the mask of the bits below.
        after = np.bitwise_count(words[holding])
        entries = self.ranks[place][numbers[holding]] - after
        return holding, self.counts[self.starts[place] : self.starts[place + 1]][entries]

    def listed(self) -> tuple[Terms, Rows, Counts]:
        """Return the term, the row and the frequency of each entry, by term and row."""
        rows = [self.postings(place)[0] for place in range(len(self.terms))]
        return np.repeat(self.terms, np.diff(self.starts)), np.concatenate(rows), self.counts


def pack(terms: Terms, starts: Integers, rows: Rows, counts: Counts, first_row: int, size: int) -> Bitmaps:
    """Return lists as bitmaps.

    Args:
        terms: The terms, ascending; at least one.
        starts: Where each term's list starts, and where the last one ends.
        rows: The row of each entry, ascending within a list.
        counts: The frequency of each.
        first_row: The first row.
        size: Number of rows.
    """
    width = -(-size // _WORD_BITS)
    words = np.zeros((len(terms), width), np.uint64)
    ranks = np.zeros((len(terms), width), np.uint32)
    for place in range(len(terms)):
        bits = np.zeros(width * _WORD_BITS, np.bool_)
        bits[rows[starts[place] : starts[place + 1]] - first_row] = True
        words[place] = np.packbits(bits, bitorder="little").view(np.uint64)
        np.cumsum(np.bitwise_count(words[place]), out=ranks[place])
    return Bitmaps(terms, first_row, size, words, ranks, starts, counts)
