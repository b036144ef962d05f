"""Prefer what an attached invoice says: its fields have names that no layout hides.

An attachment is not what a person sees. So its value is looked for in print: under the field's own label, else as a
line or cell of its own. Where the print has another value under that label, and this one nowhere, neither counts; an
amount with the other sign is no other.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from pincite.agents.rules.options import Option
from pincite.agents.rules.typing import TypedValue
from pincite.text.terms.labels import contradicts, label_terms
from pincite.text.terms.pairs import Pair, Source
from pincite.text.values.tokens import UNKNOWN_CONVENTIONS, Conventions, read_tokens

_ATTACHED_SCORE = 2.0
"""Above any score of a label."""
_MIN_LONE_CHARS = 5
"""Letters and digits from which a text that occurs once in print is taken for the value: a shorter one recurs."""
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Preferred:
    """What an attachment says of a field.

    Attributes:
        options: The options that are left, the best first; the chosen one alone if an attachment has the field.
        note: Why none is left though an attachment has the field; empty otherwise.
    """

    options: list[Option]
    note: str = ""


def prefer_attached(
    options: list[Option], printed: str, form: Conventions, headings: Callable[[int], Sequence[str]]
) -> Preferred:
    """Return the option of an attachment, at its place in print if it has one; without an attachment all options.

    Args:
        options: The options of one field, the best first.
        printed: The document's text without attachments.
        form: How it writes numbers and dates.
        headings: Returns the headings above an index of it.
    """
    attached = [one for one in options if one.candidate.is_attached]
    others = [one for one in options if not one.candidate.is_attached]
    if not attached:
        return Preferred(others)
    best = attached[0]
    same = next((one for one in others if _key(one.value.value) & _key(best.value.value)), None)
    # A credit note's type code turns the sign of its sums: the page's is the one that a reader sees.
    turned = _turned(best.value.value)
    same = same or next((one for one in others if turned & _key(one.value.value)), None)
    if same is not None:
        return Preferred([replace(same, score=_ATTACHED_SCORE)])
    if (
        others
        and not _is_printed(best.value.value, printed, form)
        and not _overlap(best.value.value, others[0].value.value)
    ):
        page, name = others[0], best.candidate.grid.attachment if best.candidate.grid else ""
        note = f"the page says {page.value.value!r} at {page.candidate.label!r}, {name} says {best.value.value!r}"
        return Preferred([], note)
    return Preferred([_in_print(best, printed, headings) or replace(best, score=_ATTACHED_SCORE)])


def _turned(value: Any) -> frozenset[Any]:
    """Return what an amount may be with the other sign."""
    is_amount = isinstance(value, int | float) and not isinstance(value, bool) and value != 0
    return frozenset({-Decimal(str(value))}) if is_amount else frozenset()


def _in_print(option: Option, printed: str, headings: Callable[[int], Sequence[str]]) -> Option | None:
    """Return a text at the place where it occurs in print, if that is one line or cell of its own."""
    value = option.value.value
    if not isinstance(value, str) or sum(map(str.isalnum, value)) < _MIN_LONE_CHARS:
        return None
    words = r"\s+".join(map(re.escape, value.split()))
    places = list(re.finditer(rf"(?<![^\n|])[ \t#*]*(?P<value>{words})[ \t]*(?=$|\|)", printed, re.MULTILINE))
    if len(places) != 1:
        return None
    start, end = places[0].span("value")
    named = option.field.name.terms
    if any(contradicts(named, label_terms(heading), is_context=True) for heading in headings(start)):
        return None
    candidate = Pair("", (), start, end, printed[start:end], start, Source.TITLE)
    return replace(option, candidate=candidate, value=TypedValue(value, 0, end - start), score=_ATTACHED_SCORE)


def _overlap(one: Any, other: Any) -> bool:
    """Return True if a text is a part of the other: `Max Mustermann` of `Herrn Max Mustermann`."""
    first, second = _plain(str(one)), _plain(str(other))
    return isinstance(one, str) and (first in second or second in first)


def _is_printed(value: Any, printed: str, form: Conventions) -> bool:
    expected = _key(value)
    if any(isinstance(one, Decimal | date) for one in expected):
        return bool(expected & _meanings(printed, form))
    return _plain(str(value)) in _plain(printed)


def _meanings(text: str, form: Conventions = UNKNOWN_CONVENTIONS) -> frozenset[Any]:
    tokens = read_tokens(text, form)
    return frozenset[Any]().union(*(one.days for one in tokens), *(n.readings for one in tokens for n in one.numbers))


def _key(value: Any) -> frozenset[Any]:
    """Return what a value may be: equal ones share an element, however they are printed."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return frozenset({Decimal(str(value))})
    text = str(value).strip()
    tokens = read_tokens(text)
    is_whole = len(tokens) == 1 and tokens[0].end - tokens[0].start == len(text)
    meanings = _meanings(text) if is_whole else frozenset[Any]()
    return meanings if is_whole and tokens[0].days else meanings | {_plain(text)}


def _plain(text: str) -> str:
    return _SPACE.sub("", text).casefold()
