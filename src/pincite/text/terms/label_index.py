"""The pairs of label and value of a document, collected once and found by the terms of their labels."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pincite.model.call import Call
from pincite.model.extraction import Material
from pincite.text.tables.grids import TextGrid, printed_text
from pincite.text.terms.fitting import MIN_FIT, FieldName, fit, is_general
from pincite.text.terms.form_pairs import of_form
from pincite.text.terms.issuer import read_issuer
from pincite.text.terms.pairs import BOX_LABEL, Pair, Source, of_text
from pincite.text.terms.table_pairs import of_table
from pincite.text.terms.vocabulary import COLON, COLONS, LEXICON_ALONE, Vocabulary

_MIN_BOXES = 4
"""Different numbers of boxes from which a document is a form of them."""


class LabelIndex:
    """The pairs of a document in order of their values, by the terms of their labels and headers."""

    def __init__(self, pairs: Sequence[Pair]) -> None:
        """Index pairs."""
        self.pairs = pairs
        self._by_term: dict[str, list[int]] = {}
        self._counts = Counter(one.labels[0] for one in pairs)
        self._title = frozenset[str]().union(*(one.labels[0] for one in pairs if one.source is Source.TITLE))
        self._named: dict[FieldName, list[tuple[float, Pair]]] = {}
        for number, pair in enumerate(pairs):
            terms = pair.header_terms.union(*pair.labels)
            for term in terms | {"rate"} if "tax" in terms else terms:
                self._by_term.setdefault(term, []).append(number)

    def sharing(self, names: Iterable[frozenset[str]]) -> Iterator[Pair]:
        """Yield the pairs whose label or header has a term of a field's names; for those of a document all."""
        terms = frozenset[str]().union(*names)
        if "document" in terms:
            return iter(self.pairs)
        numbers = {number for term in terms for number in self._by_term.get(term, ())}
        return map(self.pairs.__getitem__, sorted(numbers))

    def is_open(self, field: FieldName, pair: Pair) -> bool:
        """Return True if a label says only that it is a date, a number or a name, and nothing of what.

        The only one of a document may be that of any field; in a sentence, of one whose words the title has.
        """
        is_known = pair.source is not Source.IN_TEXT or field.own - pair.labels[0] <= self._title
        return is_general(field, pair) and not (is_known and self._counts[pair.labels[0]] == 1)

    def named(self, field: FieldName) -> Sequence[tuple[float, Pair]]:
        """Return the pairs whose labels may name a field with their fit, the best first."""
        if field not in self._named:
            shared = self.sharing(field.names)
            found = ((fit(field, one), one) for one in shared if not self.is_open(field, one))
            self._named[field] = sorted((one for one in found if one[0] >= MIN_FIT), key=lambda one: -one[0])
        return self._named[field]


def collect(
    material: Material, grids: Sequence[TextGrid], vocabulary: Vocabulary = LEXICON_ALONE, call: Call | None = None
) -> LabelIndex:
    """Return the pairs of a document, collected once.

    Args:
        material: The document.
        grids: Its tables.
        vocabulary: What its labels may be called.
        call: Checked for cancellation; receives progress in passages.
    """
    if vocabulary not in material.derived:
        material.derived[vocabulary] = LabelIndex(_collected(material, grids, vocabulary, call or Call()))
    return material.derived[vocabulary]


def _collected(material: Material, grids: Sequence[TextGrid], vocabulary: Vocabulary, call: Call) -> list[Pair]:
    found: list[Pair] = []
    boxes = {match[0] for match in BOX_LABEL.finditer(material.document.text)}
    vocabulary = replace(vocabulary, is_boxed=len(boxes) >= _MIN_BOXES)
    starts = [chunk.start for chunk in material.chunks]
    for grid in grids:
        number = bisect_right(starts, grid.start) - 1
        heading = _context(material.chunks[number].heading_path) if number >= 0 else ()
        call.check()
        found += of_table(grid, heading, vocabulary)
    for number, chunk in enumerate(material.chunks):
        call.check()
        call.progress(number, len(material.chunks), "passages searched for labels")
        found += of_text(chunk, _context(chunk.heading_path), vocabulary)
    found += of_form(material.chunks, vocabulary, call)
    found += _title(material)
    found += read_issuer(printed_text(material.document), found)
    return sorted(found, key=lambda one: (one.start, one.source))


def _context(headings: Sequence[str]) -> tuple[str, ...]:
    """Return the heading of a passage, unless it is a line of a form in large type: `Client: Opay Brand: Oride`."""
    return tuple(one for one in headings[-1:] if not COLON.search(one) or one[-1:] in COLONS)


def _title(material: Material) -> Iterator[Pair]:
    """Yield the document's first heading as its own label: a series is named "Acme X Series"."""
    for section in material.document.sections:
        block = next((block for block in section.blocks if block.title), None) if section.number == 1 else None
        if block is not None and (start := material.document.text.find(block.title, block.start)) >= 0:
            end = start + len(block.title)
            yield Pair(block.title, (), start, end, block.title, start, Source.TITLE)
