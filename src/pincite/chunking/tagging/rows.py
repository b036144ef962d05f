"""The rows of a table: which have a clause number, define a term, or command something."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.chunking.tagging.asides import inner_aside
from pincite.chunking.tagging.definitions import is_acronym
from pincite.chunking.tagging.keywords import has_keyword
from pincite.chunking.tagging.numbers import extend
from pincite.text.markup import BAR

_LINE = re.compile(r"[^\n]*(?:\n|\Z)")
_DELIMITERS = re.compile(r"[\s|:-]*-[\s|:-]*")
_MARKS = re.compile(r"[*_`]+")
_ID = re.compile(r"[A-Za-z]{0,2}\d{1,4}(?:\.\d{1,4})+")
_TERM_HEADER = re.compile(
    r"(?:defined\s+)?(?:terms?|abbreviations?|acronyms?|symbols?|expression|word)s?", re.IGNORECASE
)
_TEXT_HEADER = re.compile(
    r"(?:definitions?|meanings?|descriptions?|expansions?|explanations?|full\s+(?:name|form|term)|stands\s+for)",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"(?:(?:if|when|where|for|in|unless|before|after)\b[^.|]{1,200}?,\s+)?(?:verify|ensure|confirm|check|test|use|do\s+not|provide|require|implement|maintain|establish|define|document|enforce"
    r"|protect|limit|review|perform|configure|disable|enable|avoid|apply|develop|monitor|validate|restrict|prevent|log"
    r"|encrypt|store|identify|include|make\s+sure)\b",
    re.IGNORECASE,
)
MIN_REQUIREMENT_WORDS = 3
"""Words of the shortest requirement: "Verify log integrity"."""

MIN_SENTENCE_WORDS = 5
"""Words of a cell from which a table's first row is a sentence and no header."""


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table in Markdown.

    Attributes:
        start: First character in the document's text.
        stop: Where a note or rationale begins in it, else `end`.
        end: One past its last character.
        text: Up to `stop`, without bars.
        clause: Its number, if it has one under the table's clause; empty for none.
        definition: Whether it defines a term.
        imperative: Whether it commands something: "Verify that …".
    """

    start: int
    stop: int
    end: int
    text: str
    clause: str
    definition: bool
    imperative: bool


def rows(text: str, start: int, end: int, clause: str, *, terms: bool) -> Iterator[Row]:
    """Yield the rows of a table below its header.

    Args:
        text: The document's text.
        start: Where the table begins in it.
        end: Where it ends, blank lines included.
        clause: The clause that it is in.
        terms: True if it is in a glossary, where each row defines a term.
    """
    position, body, last = start, False, start + len(text[start:end].rstrip())
    while position < end:
        line = _LINE.match(text, position, end)
        stop = line.end() if line and line.end() < last else end
        content = text[position:stop]
        if not body:
            terms |= _is_glossary(content)
            body = _DELIMITERS.fullmatch(content.strip()) is not None
            if not body and (_says(content) or (terms and is_acronym(" ".join(_cells(content))))):
                rule = _LINE.match(text, stop, end)
                if rule and _DELIMITERS.fullmatch(rule[0].strip()):
                    stop, body = rule.end(), True
                yield _row(text, position, stop, clause, terms=terms)
        elif _is_glossary(content):
            terms = True
        elif content.strip(" |\n\t\r"):
            yield _row(text, position, stop, clause, terms=terms)
        position = stop


def _says(header: str) -> bool:
    """Return True for the first row of a table without a header: it has a sentence that may bind."""
    return has_keyword(header.lower()) and any(len(cell.split()) >= MIN_SENTENCE_WORDS for cell in _cells(header))


def _row(text: str, start: int, end: int, clause: str, *, terms: bool) -> Row:
    stop = inner_aside(text, start, end)
    cells = _cells(text[start:stop])
    numbers = (extend(cell, clause) for cell in cells[:2] if _ID.fullmatch(cell))
    number = next(filter(None, numbers), "")
    imperative = any(_IMPERATIVE.match(cell) and len(cell.split()) >= MIN_REQUIREMENT_WORDS for cell in cells)
    definition = terms and len(cells) > 1 and bool(cells[0]) and any(cells[1:])
    return Row(start, stop, end, " ".join(cells), number, definition, imperative)


def _cells(row: str) -> list[str]:
    return [_MARKS.sub("", cell).strip() for cell in BAR.split(row.strip().strip("|"))]


def _is_glossary(row: str) -> bool:
    """Return True for the header of a glossary: "Term | Definition"."""
    cells = [cell for cell in _cells(row) if cell]
    return len(cells) > 1 and bool(_TERM_HEADER.fullmatch(cells[0])) and bool(_TEXT_HEADER.match(cells[1]))
