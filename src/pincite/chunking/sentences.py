"""Sentence boundaries in any script."""

import re
from collections.abc import Iterator


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NEVER_LAST = _set("approx c.f cf d.h dr e.g i.e incl mr mrs ms prof resp st u.a viz vs z.b")
"""Abbreviations that no sentence ends with."""

_BEFORE_NUMBER = _set("app art ch cl ed eds eq eqs fig figs no nos p para pp ref refs sec secs tab vol vols")
"""Abbreviations that end no sentence before a number or bracket: "Fig. 3", "no. 12"."""

_BEFORE_NAME = _set("co corp inc jr ltd sr")
"""Abbreviations that end a sentence only before a word that begins one."""

_LABELS = _set(
    "annex appendix attachment box case category class clause column exhibit figure form grade group item level line"
    " method model note option part phase row schedule section series step table type zone"
)
"""Words before the letter or number that names a part: "Annex A." ends a sentence, "by J." does not."""

_BEFORE_TITLE = _set("am by dem den der des from im in of per see to under vom zum")
"""Words before the number of a title or an ordinal: "as defined in 3. Identifier", "am 3. Oktober"."""

_OPENERS = _set(
    "a after all an and any as at before both but by das der die each ein eine es every for from he her his however if"
    " in it its no note on once one only or other otherwise see she sie some such that the their then there therefore"
    " these they this those thus to two unless we wenn when where while with you"
)
"""Words that a sentence begins with, and no name or title that follows an initial or a number."""

_EAST_ASIAN = "\u3002\uff01\uff1f\uff61"
"""Ideographic full stop, fullwidth exclamation and question mark, halfwidth full stop: no space is required after."""
_EAST_ASIAN_CLOSING = "\u201d\u2019\u300d\u300f\u3011\uff09"
_STOPS = ".!?\u2026\u061f\u06d4\u0964\u0965"
"""Also ellipsis, Arabic question mark and full stop, danda and double danda."""
_CLOSING = "\"'\u201d\u2019\u00bb)\\]*_`"
_END = re.compile(
    rf"[{_EAST_ASIAN}]+[{_EAST_ASIAN_CLOSING}]*\s*|[{_STOPS}]+[{_CLOSING}]*(?:\s\u00bb)?\s+"
    r"(?:\[\^[^\]\s]{1,40}\](?!:)\s*|[\[(][A-Za-z]{2,}[\w./-]*\d[\w./-]*[\])]\s*)*"
)
"""The end of a sentence, with a guillemet spaced as in French, footnotes in Markdown ("[^2]") or a label ("(SRS-004)").
"""
_NUMBER_ALONE = re.compile(r"[\s>*_#|-]*\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlc]{1,5})")
_LAST_WORDS = re.compile(
    r"(?:(?P<before>[^\s(\[]+)\s+)?[\"'\u201c\u2018(\[*_`]*(?P<last>[^\s(\[\"'\u201c\u2018*_`]+)\Z"
)
_KEYWORD = re.compile(r"(?:MUST|SHALL|SHOULD|MAY)\b(?!:)")
"""What no sentence begins with: "Characters (see 2.2.) MUST be encoded"."""
_FIRST_WORD = re.compile(r"[\W_]*([^\W_]*)")
_LETTER_AND_STOP = re.compile(r"[^\W\d_]\.")
_LOOK_BACK_CHARS = 60
"""Characters before a full stop that are searched for an abbreviation and the word before it."""


def sentence_ends(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the positions after each sentence and its trailing white space, ascending; `end` is the last.

    No sentence ends before a small letter, after its own number in a list ("11. Doors …"), or after an abbreviation,
    an initial or the number of a title that it refers to. The name of a part ("Annex A.", "Table 1."), a unit
    ("10 s.") and a clause number ("4.2.") may end one.
    """
    last = start
    for match in _END.finditer(text, start, end):
        stop = match.end()
        if stop < end and not (text[stop].islower() or _KEYWORD.match(text, stop) or _goes_on(text, last, match)):
            yield stop
            last = stop
    if end > start:
        yield end


def _goes_on(text: str, start: int, match: re.Match[str]) -> bool:
    """Return True if the full stop in a sentence that begins at `start` does not end it."""
    stop = match.start()
    if match[0].rstrip() == ".." and text[start:stop][-1:].isspace():
        return True  # "0 .. 1"
    if text[stop] != "." or text[stop + 1 : stop + 2] == ".":
        return False
    if _NUMBER_ALONE.fullmatch(text, start, stop):
        return True
    words = _LAST_WORDS.search(text, max(start, stop - _LOOK_BACK_CHARS), stop)
    return words is not None and _is_inner(words["last"], (words["before"] or "").strip(",;:"), text, match.end())


def _is_inner(word: str, before: str, text: str, stop: int) -> bool:
    """Return True for a word that its full stop belongs to."""
    folded, following = word.lower(), _FIRST_WORD.match(text, stop)
    opens = following is not None and following[1].lower() in _OPENERS
    if folded in _NEVER_LAST or (len(word) == 1 and word.isalpha() and _LETTER_AND_STOP.fullmatch(before)):
        return True
    if folded in _BEFORE_NUMBER:
        return text[stop].isdigit() or text[stop] in "([\u00a7"
    if opens or before.lower() in _LABELS:
        return False
    if folded in _BEFORE_NAME:
        return True
    if word.isdigit():
        return before.lower() in _BEFORE_TITLE
    is_unit = before[-1:].isdigit()
    return not is_unit and (len(word) == 1 or (word[-2:-1] == "." and word[-1].isalpha())) and word[-1].isalpha()
