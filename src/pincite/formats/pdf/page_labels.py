"""What is printed on pages as their numbers, where that is not the number of the page in the file."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import Handle
from pincite.formats.pdf.page.pdfium import read_utf16
from pincite.model.call import Call

MOST_RUNS = 200
"""Runs of labels that are said."""
_LONGEST = 256
"""Bytes of a label that is read."""
_NUMBER = re.compile(r"(.*?)([0-9]{1,9}|[ivxlcdm]{1,15}|[IVXLCDM]{1,15})")
_NUMERALS = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_LETTERS = dict(zip("ivxlcdm", (1, 5, 10, 50, 100, 500, 1000), strict=True))


def page_labels(document: Handle, pages: int, call: Call) -> str:
    """The labels of pages by runs, as `1–4: i–iv, 5–124: 1–120`; empty where they are the pages' numbers.

    Args:
        document: pdfium's document.
        pages: How many of its pages are looked at.
        call: Asked now and then.
    """
    labels: list[str] = []
    for index in range(pages):
        call.check()
        labels.append(_label(document, index))
    if all(label in ("", str(number)) for number, label in enumerate(labels, 1)):
        return ""
    runs = [_said(first, last, labels) for first, last in _runs(labels) if labels[first]]
    more = [f"and {len(runs) - MOST_RUNS} more"] if len(runs) > MOST_RUNS else []
    return ", ".join(runs[:MOST_RUNS] + more)


def _label(document: Handle, index: int) -> str:
    length = pdfium.FPDF_GetPageLabel(document, index, None, 0)
    if not 0 < length <= _LONGEST:
        return ""
    text = read_utf16(length, pdfium.FPDF_GetPageLabel, document, index)
    return " ".join("".join(filter(str.isprintable, text)).split())


def _runs(labels: list[str]) -> Iterator[tuple[int, int]]:
    """First and last index of labels that count up."""
    first = 0
    for index, (one, other) in enumerate(pairwise(labels), 1):
        if other != _following(one):
            yield first, index - 1
            first = index
    yield first, len(labels) - 1


def _said(first: int, last: int, labels: list[str]) -> str:
    if first == last:
        return f"{first + 1}: {labels[first]}"
    return f"{first + 1}–{last + 1}: {labels[first]}–{labels[last]}"


def _following(label: str) -> str:
    """The label of the next page, where this one ends in a number; empty for none."""
    found = _NUMBER.fullmatch(label)
    if found is None:
        return ""
    before, number = found.groups()
    if number.isdigit():
        return f"{before}{int(number) + 1}"
    numeral = _roman(_value(number.lower()) + 1)
    return before + (numeral if number.islower() else numeral.upper())


def _value(numeral: str) -> int:
    values = [_LETTERS[letter] for letter in numeral]
    return sum(-one if one < other else one for one, other in pairwise([*values, 0]))


def _roman(value: int) -> str:
    return "".join(_digits(value))


def _digits(value: int) -> Iterable[str]:
    for worth, digit in _NUMERALS:
        yield digit * (value // worth)
        value %= worth
