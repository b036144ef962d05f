"""Terms of lists of definitions: bold lines above indented texts, where other text is as far left as they are."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from pincite.formats.pdf.layout.paragraphs import Paragraph

MIN_INDENT_EM, MAX_INDENT_EM = 1.4, 6.0
"""Indent of a definition relative to its term: browsers have 40 px, LaTeX 2.5 em."""
MAX_EDGE_DIFFERENCE_PT = 2
"""Distance of left edges that are the same."""
MAX_SIZE_RATIO = 1.06
"""Size of a term relative to its definition, which is that of the text."""
MIN_TERMS = 2
"""Terms one behind the other, with their definitions, that make a list."""

MIN_LINES = 2
"""Lines of the longest definition of a list whose terms have white above them."""
MIN_LINE_INDENT_EM, SINGLE_STEP_SHARE = 2.1, 0.92
"""Indent of definitions of single lines, as first lines of paragraphs have up to 2 em, and their leading relative to
their distance from the term, which is less than that of a heading from the line above."""

MAX_STEP_RATIO = 1.35
"""Distance of a term from the line above it relative to the leading of a definition: browsers add little to it."""

_Part = TypeVar("_Part")


def with_terms(parts: Sequence[_Part | Paragraph]) -> list[_Part | Paragraph]:
    """Return the parts of a page in reading order, with those paragraphs marked that are terms of definitions.

    Where more of the text is below titles and indented than not, these are headings, unless no white is above them.
    """
    marked, lists = list(parts), list(_lists(parts))
    # Most pages have no term.
    edges = _edges_of_text(parts) if any(lists) else Counter[int]()
    for number, entries in enumerate(lists):
        # Of a single line the first indent of a paragraph is no other than that of a definition.
        terms = len(entries) + (number == 0 and bool(entries) and _begins_within(parts, entries[0]))
        is_close = bool(entries) and _are_close(parts, entries)
        # At the foot of a page the list goes on on the next one.
        terms += is_close and entries[-1][2] == len(parts)
        if terms < MIN_TERMS or (max(lines for *_, lines in entries) < MIN_LINES and not is_close):
            continue
        left, indented = round(entries[0][0].lines[0].x0), sum(lines for *_, lines in entries)
        near = range(left - MAX_EDGE_DIFFERENCE_PT, left + MAX_EDGE_DIFFERENCE_PT + 1)
        if is_close or sum(edges[edge] for edge in near) >= indented:
            for term, start, _, _ in entries:
                marked[start] = replace(term, is_term=True)
    return marked


def _edges_of_text(parts: Iterable[object]) -> Counter[int]:
    """Count the lines of running text by the left edge of their paragraph, in whole points."""
    edges: Counter[int] = Counter()
    for part in parts:
        if isinstance(part, Paragraph) and not part.label and not _is_bold(part):
            edges[round(min(line.x0 for line in part.lines))] += len(part.lines)
    return edges


_Entry = tuple[Paragraph, int, int, int]
"""A term, its place, that behind its definition, and the lines of that."""


def _lists(parts: Sequence[object]) -> Iterator[list[_Entry]]:
    """Yield the terms that are one behind the other."""
    entries: list[_Entry] = []
    for entry in _entries(parts):
        if entries and entries[-1][2] != entry[1]:
            yield entries
            entries = []
        entries.append(entry)
    yield entries


def _entries(parts: Sequence[object]) -> Iterator[_Entry]:
    start = 0
    while start < len(parts):
        stop, lines, term = start + 1, 0, parts[start]
        if isinstance(term, Paragraph) and _may_be_term(term):
            while stop < len(parts) and (count := _lines_of_definition(parts[stop], term)):
                stop, lines = stop + 1, lines + count
            # At the foot of a page the definition is on the next one.
            if lines or stop == len(parts):
                yield term, start, stop, lines
        start = stop


def _begins_within(parts: Sequence[object], entry: _Entry) -> bool:
    """Return True if a page begins with the rest of a definition, up to a term."""
    term, start, _, _ = entry
    return start > 0 and all(_lines_of_definition(part, term) for part in parts[:start])


def _are_close(parts: Sequence[object], entries: Sequence[_Entry]) -> bool:
    """Return True if no term has more white above it than lines are apart, as headings have.

    A list may have some above it. Of single lines the terms are as near to the line above as to that below.
    """
    leading = _leading(parts, entries)
    steps: list[float] = []
    for term, start, _, _ in entries[len(entries) > 1 :]:
        above = parts[start - 1] if start else None
        step = term.lines[0].y1 - above.lines[-1].y1 if isinstance(above, Paragraph) else 0
        steps += [step / leading] if step > 0 and leading > 0 else []
    return bool(steps) and max(steps) <= MAX_STEP_RATIO


def _leading(parts: Sequence[object], entries: Sequence[_Entry]) -> float:
    """Return the least distance of two lines of definitions, or of terms and single lines far right of them; else 0."""
    leadings: list[float] = []
    steps: list[float] = []
    for term, start, _, lines in entries:
        text = parts[start + 1] if lines else None
        if not isinstance(text, Paragraph):
            continue
        line, first = term.lines[0], text.lines[0]
        leadings += [text.lines[1].y1 - first.y1] if len(text.lines) > 1 else []
        is_far = first.x0 - line.x0 >= MIN_LINE_INDENT_EM * first.size
        steps += [(first.y1 - line.y1) * SINGLE_STEP_SHARE] if is_far else []
    return min(leadings) if leadings else min(steps, default=0.0)


def _may_be_term(paragraph: Paragraph) -> bool:
    return len(paragraph.lines) == 1 and _is_bold(paragraph) and not paragraph.label


def _is_bold(paragraph: Paragraph) -> bool:
    # Most paragraphs begin in plain type.
    return paragraph.lines[0].words[0].bold and all(word.bold for word in paragraph.words)


def _lines_of_definition(part: object, term: Paragraph) -> int:
    """Return how many lines a part has if it is, or goes on with, the definition of a term; else 0."""
    if not isinstance(part, Paragraph) or part.label or _is_bold(part):
        return 0
    line = term.lines[0]
    indents = [(other.x0 - line.x0) / line.size for other in part.lines]
    is_text = all(line.size <= MAX_SIZE_RATIO * other.size for other in part.lines)
    is_indented = all(MIN_INDENT_EM <= indent <= MAX_INDENT_EM for indent in indents)
    return len(part.lines) if is_text and is_indented else 0
