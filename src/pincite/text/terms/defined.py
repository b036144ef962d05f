"""Read what agreements call by a name: `Acme LLC (the "Landlord")`, `Acme Bank, as Agent`, whose law governs them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.text.terms.labels import label_terms
from pincite.text.values.tokens import read_tokens

_WORD = r"(?:[A-Z0-9&][^\s,;:()“”\"|]*)"
_NAME = (
    r"(?!(?:for|whereas|this|now|in)\b)(?-i:"
    rf"{_WORD}(?:,? (?:(?:of|the|and|for|de) (?=[A-Z]))*{_WORD}){{0,9}})"
)
_PARTY = re.compile(
    rf"(?:(?<=\bbetween\s)|(?<=\bamong\s)|(?<=\bby\s)|(?<=\bto\s)|(?<=\bwith\s)|(?<=[,)]\sand\s)|^)(?P<value>{_NAME})"
    r"(?:,\s(?:an?|the)\s[^()“”\"]{3,120})?\s*\Z",
    re.MULTILINE | re.IGNORECASE,
)
_DEFINED = re.compile(r"\((?:[^()“”\"]{0,40}\s)?[“\"](?P<label>[^“”\"()]{3,40}?),?[”\"]\)")
"""The name that an agreement gives to what is before it."""
_ROLE = re.compile(
    rf"^[ \t>*#]*(?P<value>{_NAME}),?\s+as\s+(?:the\s+)?(?P<label>{_WORD}(?: {_WORD}){{0,3}})", re.MULTILINE
)
_LAW = re.compile(
    r"\b(?:governed|construed|determined|enforced|interpreted)\b[^.;]{0,100}?\b(?<!of )(?P<label>laws?\sof)\s(?:the\s)?"
    r"(?:(?:State|Commonwealth|Province|Republic|Kingdom)\sof\s)?(?P<value>[A-Z][a-z]+(?: [A-Z][a-z]+){0,2})"
    r"(?=[,.;]|\s[a-z](?!nd\b))"
)
"""Whose law an agreement is under; of two laws none."""
_MAX_BEFORE_CHARS = 300
"""Characters before a name in brackets in which what it names begins."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A label and its value in a text.

    Attributes:
        label: The span of the label.
        value: The span of the value.
    """

    label: tuple[int, int]
    value: tuple[int, int]


def read_defined(text: str) -> Iterator[Defined]:
    """Yield what a text calls by a name, which may be before or behind it."""
    for match in _DEFINED.finditer(text):
        before = text[max(0, match.start() - _MAX_BEFORE_CHARS) : match.start()].rpartition("\n\n")[2]
        first, before = match.start() - len(before), before.rstrip()
        if "date" in label_terms(match["label"]):
            found = [(one.start, one.end) for one in read_tokens(before) if one.days and one.end == len(before)]
        else:
            party = _PARTY.search(before)
            found = [party.span("value")] if party and " " in party["value"] else []
        for start, end in found:
            yield Defined(match.span("label"), (first + start, first + end))
    for match in (*_ROLE.finditer(text), *_LAW.finditer(text)):
        yield Defined(match.span("label"), match.span("value"))
