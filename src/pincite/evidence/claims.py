"""Verify values and their cited origin, against the document itself."""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from operator import itemgetter
from typing import Any

from pincite.errors import InvalidInput
from pincite.evidence import marks
from pincite.evidence.association import Association, Place, associate
from pincite.evidence.naming import Naming, Pairs, name_element, name_value, wrong_kind
from pincite.evidence.periods import ANY_PERIOD, Period, wrong_period
from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import Prepared, occurrences, prepare, readings
from pincite.evidence.values import LOWER_END, UPPER_END, ValueMatch, find_value, has_other_value
from pincite.model.call import Call
from pincite.model.chunk import Chunk, PlacedText
from pincite.model.extraction import Citation, Evidence, EvidenceStatus, Material
from pincite.model.locator import Ref
from pincite.text.tables.columns import truth_columns, unit_of_row
from pincite.text.tables.grids import TextCell, TextGrid, grids, printed_text
from pincite.text.terms.fitting import field_name
from pincite.text.terms.label_index import collect
from pincite.text.terms.labels import label_terms
from pincite.text.terms.page_tables import page_tables
from pincite.text.terms.vocabulary import LEXICON_ALONE, Vocabulary
from pincite.text.values.tokens import CURRENCY, XML_CONVENTIONS, Conventions, conventions, stated_unit

MAX_QUOTE_CHARS = 20_000
"""Maximum length of a quote, about eight pages: no chunk but a long table is longer."""
_NAMED, _PARTLY_NAMED, _CONTRADICTED = 0.96, 0.92, 0.4
"""Share of right values whose label is the whole name of the field, has a part of it, and is of something else: of
1,388 and 392 values in 196 documents, most of which were looked at."""
_MAX_STITCHED_CHARS = 500
"""Maximum distance of the parts of a quote with omissions: a row of a table or a long sentence."""
ATTACHED_RULE = "attached data"
"""The rule of a value that an attached file has; its name follows."""
CONTINUED_RULE = "continued in"
"""The rule of a text that its passage has the beginning of; the locators of the passages with the rest follow."""
_ENDS = {
    LOWER_END: frozenset({"min", "lower", "low", "start"}),
    UPPER_END: frozenset({"max", "upper", "high", "end"}),
}
"""Words of the names of fields that ask for an end of a range."""
_ELLIPSIS = re.compile(r"…|\.\.\.")
_MAX_PLACES = 50
"""Places of one quote in a chunk that are looked at for the one with the field's label."""
_MAX_COUNTED = 1_000
"""Occurrences that are counted: more say no more of a quote."""
_CONTEXT_CHARS = 200
"""Characters before and after a value, in its line, that tell how far its tokens go on: none is longer."""
_BLOCK_CHARS = 64
"""Characters of a text whose cells are looked up together; about a line."""
_HASH_DIGITS = 32

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Claim:
    """A value with its citation.

    Attributes:
        value: The value.
        citation: Its cited place.
        field: The field's name and description, which the label in the document must not contradict.
        model: The product model that it is claimed for; empty for none.
        is_choice: Whether it is one of the schema's choices, whose letter case is the schema's.
        period: The years that it must be of.
        rivals: The names of the other fields, whose labels are not this field's; None if it needs no label.
        section: The names of the objects that the field is in.
        vocabulary: What labels of the document may be called.
        is_date: Whether it is one date.
        is_element: Whether it is of a list, whose rivals are the fields beside it.
    """

    value: Any
    citation: Citation
    field: str = ""
    model: str = ""
    is_choice: bool = False
    period: Period = ANY_PERIOD
    rivals: Sequence[str] | None = None
    section: str = ""
    vocabulary: Vocabulary = LEXICON_ALONE
    is_element: bool = False
    is_date: bool = False


class ClaimVerifier:
    """Verifies claims about one document. Thread-safe."""

    def __init__(self, material: Material, call: Call | None = None) -> None:
        """Prepare a document, in about 0.3 ms per kilobyte.

        Raises:
            Cancelled: The call is cancelled.
            TimeoutExceeded: The deadline has passed.
        """
        self._text = material.document.text
        self._name, self._revision = material.document.name, material.revision
        self._sections = material.document.sections
        self._coverage = material.document.coverage
        self._printed = printed_text(material.document)
        self._chunks = material.chunks
        self._by_locator = {chunk.locator: chunk for chunk in material.chunks}
        self._starts = [chunk.start for chunk in material.chunks]
        self._prepared: Prepared = prepare(self._text, call)
        self._grids: list[TextGrid] = list(grids(material.document))
        self._material = material
        self._pairs: dict[Vocabulary, Pairs] = {}
        self._grid_starts = [grid.start for grid in self._grids]
        self._on_pages: dict[Vocabulary, dict[int, list[tuple[TextGrid, TextCell]]]] = {}

    @cached_property
    def form(self) -> Conventions:
        """How the document writes numbers and dates."""
        return conventions(self._printed)

    @cached_property
    def _words(self) -> marks.Words:
        return marks.Words(self._text)

    @cached_property
    def _pages(self) -> Sequence[tuple[int, int]]:
        """Where the blocks of known pages start, and their pages, in order."""
        blocks = (block for section in self._sections for block in section.blocks)
        return sorted((block.start, block.page) for block in blocks if block.page is not None)

    def verify(self, claim: Claim, call: Call | None = None) -> Evidence:
        """Return the evidence of a claim; its status says whether it holds.

        The quote is found by strict normalisation and cut again from the document, the value is found in it by its
        type, and label, row and column must agree.
        """
        call = call or Call()
        quote, chunk = claim.citation.quote, self._by_locator.get(claim.citation.locator)
        is_read = self._is_read(claim.citation)
        if not is_read and (not any(map(str.isalnum, quote)) or len(quote) > MAX_QUOTE_CHARS):
            return _refused(claim, EvidenceStatus.UNGROUNDED, "the quote has no word or is too long")
        span = self._cited(claim.citation, call)
        if span is None:
            return _refused(claim, EvidenceStatus.UNGROUNDED, "the quote is not in the document")
        found = self._value_in(claim, span, chunk)
        if found.status is EvidenceStatus.CONFLICT and not is_read and chunk is not None:
            return self._elsewhere(claim, chunk) or found
        return found

    def _elsewhere(self, claim: Claim, chunk: Chunk) -> Evidence | None:
        """Return the evidence of another place in the chunk that has the same words: those of a cell may recur."""
        cited = (chunk.start, chunk.end)
        for wording in readings(claim.citation.quote, self._prepared):
            for span in islice(occurrences(wording, self._prepared, cited), 1, _MAX_PLACES):
                found = self._value_in(claim, span, chunk)
                if found.status.is_grounded:
                    return found
        return None

    def _page_cells_at(self, index: int, vocabulary: Vocabulary) -> Sequence[tuple[TextGrid, TextCell]]:
        """Return the cells that have an index of the document's text, of the tables that positions on pages tell."""
        if vocabulary not in self._on_pages:
            found: dict[int, list[tuple[TextGrid, TextCell]]] = {}
            for grid in page_tables(self._material, vocabulary):
                for cell in (one for cells in grid.rows[grid.header_rows :] for one in cells):
                    for block in range(cell.start // _BLOCK_CHARS, (cell.end - 1) // _BLOCK_CHARS + 1):
                        found.setdefault(block, []).append((grid, cell))
            self._on_pages[vocabulary] = found
        near = self._on_pages[vocabulary].get(index // _BLOCK_CHARS, ())
        return [(grid, cell) for grid, cell in near if cell.start <= index < cell.end]

    def row_of(self, citation: Citation, vocabulary: Vocabulary, call: Call) -> tuple[TextGrid, int] | None:
        """Return the row of a table that a citation is in; None outside of one, and for several rows."""
        span = self._cited(citation, call) if any(map(str.isalnum, citation.quote)) else None
        grid = self.grid_at(span[0]) if span else None
        if span is None:
            return None
        if grid is None:
            placed = (cells[0] for index in range(*span) if (cells := self._page_cells_at(index, vocabulary)))
            lines = {(one.start, cell.row): (one, cell.row) for one, cell in placed}
            return next(iter(lines.values())) if len(lines) == 1 else None
        rows = {cell.row for cell in (grid.cell_at(span[0]), *grid.between(*span)) if cell is not None}
        return (grid, rows.pop()) if len(rows) == 1 else None

    def _is_read(self, citation: Citation) -> bool:
        """Return True if an engine read the quote at a place, which needs no search, only a comparison."""
        read = citation.quote_span
        return read is not None and citation.quote != "" and self._text[slice(*read)] == citation.quote

    def _cited(self, citation: Citation, call: Call) -> Span | None:
        """Return the span of a quote: in the cited chunk, else the nearest elsewhere."""
        if self._is_read(citation):
            return citation.quote_span
        quote, chunk = citation.quote, self._by_locator.get(citation.locator)
        cited = (chunk.start, chunk.end) if chunk else (0, 0)
        try:
            # A quote of two places marks what it leaves out; the others are whole or not there.
            finding = verify(quote, self._prepared, cited, call, in_parts=_ELLIPSIS.search(quote) is not None)
        except InvalidInput:
            return None
        if finding.verdict is Verdict.ABSENT:
            return None
        span = (min(start for start, _ in finding.spans), max(end for _, end in finding.spans))
        if finding.verdict is Verdict.STITCHED and span[1] - span[0] > _MAX_STITCHED_CHARS:
            return None
        return span

    def _value_in(self, claim: Claim, span: Span, cited: Chunk | None) -> Evidence:
        snippet = self._text[slice(*span)]
        grid = self.grid_at(span[0])
        place = Place(self._text, span, grid, self._heading_path(span[0]))
        matches = self._matches(claim, place)
        if not matches:
            other = has_other_value(claim.value, snippet)
            status = EvidenceStatus.CONFLICT if other else EvidenceStatus.UNGROUNDED
            whole = ValueMatch(0, len(snippet))
            placed = self._evidence(claim, span, whole, Association(""), cited)
            return _refused(claim, status, "the value is not in the quoted text", replace(placed, raw=None))
        choices = [(match, self._associate(claim, place, match)) for match in matches]
        match, association = next((one for one in choices if not one[1].problem), choices[0])
        problem = (
            association.problem
            or self._wrong_answer(claim, grid, span[0] + match.start)
            or self._wrong_period(claim, place, span[0] + match.start)
        )
        found = self._evidence(claim, span, match, association, cited)
        return _refused(claim, EvidenceStatus.CONFLICT, problem, found) if problem else found

    def _associate(self, claim: Claim, place: Place, match: ValueMatch) -> Association:
        is_currency = "currency" in label_terms(claim.field) and re.fullmatch(CURRENCY, str(claim.value))
        # An attached invoice names what its page prints without a label, and a currency is what it is beside amounts.
        is_named = claim.rivals is not None and not is_currency and not any(one.attachment for one in self._grids)
        found = associate(place, match, claim.field, claim.model, is_named=is_named)
        if not is_named or claim.rivals is None or found.problem:
            return found
        if (ends := _ENDS.get(match.rule)) and not ends & label_terms(f"{claim.field} {claim.section}"):
            return replace(found, problem=f"it is the {match.rule}")
        naming = self._naming(claim, place, (place.span[0] + match.start, place.span[0] + match.end), claim.rivals)
        return replace(
            found, label=naming.label or found.label, problem=naming.problem, fit=naming.fit, rule=naming.rule
        )

    def _naming(self, claim: Claim, place: Place, span: Span, rivals: Sequence[str]) -> Naming:
        pairs = self.pairs(claim.vocabulary)
        field, others = field_name(claim.field, claim.section), [field_name(one) for one in rivals]
        printed = self._text[slice(*span)]
        # The unit of a number may be in its label alone.
        is_figure = printed[:1].isdigit() and not any(map(str.isalpha, printed))
        is_text = isinstance(claim.value, str) and not (is_figure and any(map(str.isalpha, claim.value)))
        if problem := wrong_kind(field, printed, claim.vocabulary, is_text=is_text, is_date=claim.is_date):
            return Naming(problem=problem)
        if claim.is_element:
            cell = place.grid.cell_at(span[0]) if place.grid else None
            places = [(place.grid, cell), *self._page_cells_at(span[0], claim.vocabulary)]
            named = [
                name_element(
                    pairs, grid, cell, self._text, span, field, others, place.headings, claim.vocabulary,
                    is_text=is_text,
                )
                for grid, cell in places
            ]  # fmt: skip
            return next((one for one in named if not one.problem), named[0])
        is_part = claim.is_choice or isinstance(claim.value, bool)
        return name_value(pairs, self._text, span, field, others, is_part=is_part, is_text=is_text)

    def pairs(self, vocabulary: Vocabulary) -> Pairs:
        """Return the document's pairs of label and value."""
        if vocabulary not in self._pairs:
            self._pairs[vocabulary] = Pairs(collect(self._material, self._grids, vocabulary))
        return self._pairs[vocabulary]

    def _wrong_answer(self, claim: Claim, grid: TextGrid | None, index: int) -> str:
        """Return a problem if true or false is read of a mark in the column of the answer no."""
        cell = grid.cell_at(index) if grid is not None and isinstance(claim.value, bool) else None
        columns = truth_columns(grid) if grid is not None and cell is not None else None
        if cell is None or columns is None or cell.row == 0 or cell.column != columns[1]:
            return ""
        return "the mark is in the column of the answer no"

    def _wrong_period(self, claim: Claim, place: Place, index: int) -> str:
        cell = place.grid.cell_at(index) if place.grid else None
        return wrong_period(claim.period, place.grid, cell, place.line_before(index))

    def _matches(self, claim: Claim, place: Place) -> list[ValueMatch]:
        """Return where the snippet has the value; a unit may be stated by the label or header of its cell alone."""
        read = claim.citation.span
        if read and place.span[0] <= read[0] and read[1] <= place.span[1]:
            parts = [(*read, self._units_at(place, read[0]))]
        else:
            parts = [(*place.span, "")]
            cells = place.grid.between(*place.span) if place.grid else ()
            parts += [(cell.start, cell.end, self._units_at(place, cell.start)) for cell in cells]
        form = XML_CONVENTIONS if place.grid is not None and place.grid.attachment else self.form
        for start, end, unit in parts:
            first, last = self._line_around(start, end)
            text, within = self._text[first:last], (start - first, end - first)
            found = find_value(claim.value, text, within=within, form=form, unit=unit, is_choice=claim.is_choice)
            if found:
                offset = first - place.span[0]
                return [replace(one, start=one.start + offset, end=one.end + offset) for one in found]
        return []

    def _line_around(self, start: int, end: int) -> Span:
        first = max(self._text.rfind("\n", 0, start) + 1, start - _CONTEXT_CHARS)
        last = self._text.find("\n", end, end + _CONTEXT_CHARS)
        return first, last if last >= 0 else end + _CONTEXT_CHARS

    def _units_at(self, place: Place, index: int) -> str:
        cell = place.grid.cell_at(index) if place.grid else None
        of_row = unit_of_row(place.grid, cell.row) if place.grid and cell else ""
        return of_row or stated_unit(place.labels(index))

    def _evidence(
        self, claim: Claim, span: Span, match: ValueMatch, association: Association, cited: Chunk | None
    ) -> Evidence:
        start, end = span[0] + match.start, span[0] + match.end
        chunks = self._chunks_of(start, end)
        chunk, more = chunks[0], [one.locator for one in chunks[1:]]
        placed = tuple(box for one in chunks for box in placed_at(one, start - one.start, end - one.start))
        end = self._within(chunk, end)
        first, last = max(span[0], chunk.start), self._within(chunk, span[1])
        raw = self._text[start:end]
        grid = self.grid_at(start)
        # No page shows an attachment: what it alone says is the document's word, and not its print.
        attached = f"{ATTACHED_RULE} {grid.attachment}" if grid is not None and grid.attachment else ""
        continued = f"{CONTINUED_RULE} {', '.join(more)}" if more else ""
        rule = "; ".join(filter(None, [attached, association.rule, match.rule, continued]))
        warnings = [
            "Found elsewhere than cited" if cited is not None and chunk is not cited else "",
            "The text could also be read as another value" if match.is_ambiguous else "",
        ]
        pages = [one.page for one in placed] or list(chunk.pages)
        return Evidence(
            status=EvidenceStatus.DERIVED if rule else EvidenceStatus.VERIFIED,
            locator=chunk.locator,
            ref=self._reference(chunk, (start, end)),
            snippet=self._text[first:last],
            start=start - chunk.start,
            end=end - chunk.start,
            chunk_hash=hashlib.sha256(chunk.text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH_DIGITS],
            placed=placed,
            page=self._page_at(chunk, start),
            row=association.row,
            column=association.column,
            label=association.label or None,
            raw=raw,
            normalized=claim.value,
            occurrences=min(self._text.count(raw), _MAX_COUNTED),
            rule=rule,
            ocr=self._coverage.recognised(pages, [(first, last)]) or "",
            warning="; ".join(filter(None, warnings)),
            confidence=_NAMED if association.fit >= 1 and not match.is_ambiguous else _PARTLY_NAMED,
        )

    def _reference(self, chunk: Chunk, span: Span) -> str | None:
        """Return the reference to a span of a chunk; None if the document's revision is not known."""
        if not self._revision:
            return None
        within = span[0] - chunk.start, span[1] - chunk.start
        section = self._chunks[chunk.ordinal - chunk.part + 1]
        mark = self._words.mark(span, chunk.breadcrumb, span[0] - section.start)
        return str(Ref(self._name, self._revision, chunk.locator, within, mark))

    def _page_at(self, chunk: Chunk, index: int) -> int | None:
        """Return the page of an index of the text; a chunk may go on over several."""
        if len(chunk.pages) < 2:  # noqa: PLR2004 - the chunk has one page, or none
            return next(iter(chunk.pages), None)
        number = bisect_right(self._pages, index, key=itemgetter(0))
        return self._pages[max(0, number - 1)][1]

    def _within(self, chunk: Chunk, end: int) -> int:
        """Return the end of a span, or that of its chunk's words if the span goes on after them."""
        return end if end <= chunk.end else chunk.start + len(self._text[chunk.start : chunk.end].rstrip())

    def _chunks_of(self, start: int, end: int) -> Sequence[Chunk]:
        """Return the chunks that have a span, at least one."""
        first = max(0, bisect_right(self._starts, start) - 1)
        return self._chunks[first : max(first + 1, bisect_left(self._starts, end))]

    def chunk_at(self, index: int) -> Chunk | None:
        """Return the chunk that has an index of the document's text."""
        number = bisect_right(self._starts, index) - 1
        chunk = self._chunks[number] if number >= 0 else None
        return chunk if chunk is not None and index < chunk.end else None

    def grid_at(self, index: int) -> TextGrid | None:
        """Return the table that has an index of the document's text."""
        number = bisect_right(self._grid_starts, index) - 1
        grid = self._grids[number] if number >= 0 else None
        return grid if grid is not None and index < grid.end else None

    def _heading_path(self, index: int) -> Sequence[str]:
        chunk = self.chunk_at(index)
        return chunk.heading_path if chunk else ()


def placed_at(chunk: Chunk, start: int, end: int) -> tuple[PlacedText, ...]:
    """Return the boxes of a part of a chunk's text."""
    return tuple(one for one in chunk.boxes if one.start < end and start < one.end)


def _refused(claim: Claim, status: EvidenceStatus, reason: str, place: Evidence | None = None) -> Evidence:
    """Return the evidence of a value that does not hold, with its place if the quote is in the document."""
    locator, snippet = (place.locator, place.snippet) if place else (None, claim.citation.quote[:200])
    candidate = {"value": claim.value, "locator": locator, "snippet": snippet, "reason": reason}
    return replace(
        place or Evidence(status), status=status, normalized=None, rule="", warning=reason, candidates=(candidate,),
        confidence=_CONTRADICTED if status is EvidenceStatus.CONFLICT else 0.0,
    )  # fmt: skip
