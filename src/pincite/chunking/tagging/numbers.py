"""Clause numbers as standards write them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

MIN_SERIES = 3
"""Titles that must share the letters of an identifier (`cES1000`, `cES1001`) before it counts as a clause number:
two, as `IPv4` and `IPv6`, are names."""

MAX_INTEGER = 99
"""The greatest clause number without a dot: what is above is a year or a status code ("404 Not Found")."""

_DOTTED = r"\d{1,4}(?:\.\d{1,4})*"
_MARKS = re.compile(r"^[\s*_#\[]+|\*\*|__")
_ANNEX = re.compile(
    r"(?:annex(?:e)?|appendix|appendices|attachment|schedule|exhibit|anhang|anlage)\s+"
    rf"(?P<letter>(?-i:[A-Z]{{1,2}})(?:\.?\d{{1,3}}(?:\.\d{{1,3}})*)?|[IVX]{{1,5}}|{_DOTTED})(?![\w-]|\.\w)",
    re.IGNORECASE,
)
_NAMED = re.compile(
    rf"(?:(?P<word>section|sec\.|clause|subclause|article|art\.|rule|regulation|paragraph|chapter|part|title|book)\s+"
    rf"|\u00a7{{1,2}}\s*)(?P<number>{_DOTTED}[a-z]?|[IVXLC]{{1,7}})(?![\w-]|\.\w)",
    re.IGNORECASE,
)
_LETTERED = re.compile(r"(?P<number>[A-Z]{1,2}\.?\d{1,3}(?:\.\d{1,3})*)\.?(?=[\s:\u2013\u2014-]|$)")
_LETTER = re.compile(r"(?P<number>[A-Z])\.\s+(?=\w)")
_NUMERIC = re.compile(
    rf"(?P<number>(?P<plain>{_DOTTED})(?P<letter>[a-z])?)(?:[.)](?=[\s:A-Z]|$)|(?=[\s:\u2013\u2014]|$))"
)
_SERIES = re.compile(r"(?P<prefix>[A-Za-z]{1,8}[-_]?)(?P<number>\d{1,6}(?:\.\d{1,4})*)(?=[\s:.]|$)")
_TRAILING = re.compile(r"^[\s.:)\]\u2013\u2014*_-]+")
_CONTAINERS = frozenset({"chapter", "part", "title", "book"})
"""Words whose numbers are counted separately from those of articles and sections."""


class Numbering:
    """Recognises the clause numbers of one document's titles."""

    def __init__(self, titles: Iterable[str]) -> None:
        """Learn from all titles which letters and containers the document numbers by."""
        self._letters = Counter[str]()
        self._prefixes: defaultdict[str, set[str]] = defaultdict(set)
        self._articles = False
        self._single = Counter[str]()
        self._plain: set[str] = set()
        for title in titles:
            plain = _MARKS.sub("", title)
            if annex := _ANNEX.match(plain):
                self._letters[_letters(annex["letter"])] += 1
            elif named := _NAMED.match(plain):
                self._articles |= (named["word"] or "\u00a7").lower() not in _CONTAINERS
            elif lettered := _LETTERED.match(plain):
                self._letters[_letters(lettered["number"])] += _begins(lettered["number"])
            elif single := _LETTER.match(plain):
                self._single[single["number"]] += 1
            elif numeric := _NUMERIC.match(plain):
                self._plain.add(numeric["number"])
            if series := _SERIES.match(plain):
                self._prefixes[series["prefix"]].add(series["number"])

    def split(self, title: str) -> tuple[str, str]:
        """Return a title's clause number and the rest of it; the number is empty where there is none."""
        plain = _MARKS.sub("", title)
        for number, end in self._numbers(plain):
            return number, _TRAILING.sub("", plain[end:])
        return "", plain

    def is_annex(self, title: str) -> bool:
        """Return True for the title of an annex: "Annex B", "Appendix A.", "Schedule 2"."""
        return _ANNEX.match(_MARKS.sub("", title)) is not None

    def _is_series(self, prefix: str) -> bool:
        numbers = self._prefixes[prefix]
        return len(numbers) >= MIN_SERIES or _nested(numbers)

    def _numbers(self, plain: str) -> Iterable[tuple[str, int]]:
        """Yield the readings of a title's beginning, the likeliest first."""
        if annex := _ANNEX.match(plain):
            letter = annex["letter"]
            yield (f"Annex {letter}" if letter.isdigit() else letter.upper()), annex.end()
        elif named := _NAMED.match(plain):
            word, number = (named["word"] or "").lower(), named["number"]
            separate = word in _CONTAINERS and self._articles
            yield (f"{word.capitalize()} {number}" if separate else number), named.end()
        elif numeric := _NUMERIC.match(plain):
            # "7.13b" was put in behind 7.13 later; "1.5m" and "3d" are no numbers.
            if numeric["plain"] in self._plain if numeric["letter"] else _is_number(numeric["plain"]):
                yield numeric["number"], numeric.end()
        elif (lettered := _LETTERED.match(plain)) and self._letters[_letters(lettered["number"])]:
            yield lettered["number"], lettered.end()
        elif (single := _LETTER.match(plain)) and self._single["A"] == self._single[single["number"]] == 1:
            # Each letter once: "A. Examples", "B. Index"; outlines repeat theirs in every section.
            yield single["number"], single.end()
        elif (series := _SERIES.match(plain)) and self._is_series(series["prefix"]):
            yield series[0], series.end()


def _is_number(number: str) -> bool:
    return "." in number or int(number) <= MAX_INTEGER


def _letters(number: str) -> str:
    return number.rstrip("0123456789.").upper()


def _nested(numbers: set[str]) -> bool:
    """Return True if one number is under another: `V11` and `V11.1` are clauses even if there is no third."""
    return any(number.rpartition(".")[0] in numbers for number in numbers)


def _begins(number: str) -> bool:
    """Return True for the first number of a letter: `A.1`, `V1`, `V1.2`."""
    return number.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ").lstrip(".").split(".")[0] in {"0", "1"}


def follows(number: str, last: str) -> bool:
    """Return True if a clause number may come next in a document: 4.2.1, 4.3 and 5 after 4.2, but not 7.1."""
    if not last:
        return number in {"0", "1", "A", "0.1", "1.1", "1.0", "A.1"}
    # "2.0 Scope" may be chapter 2, or the first clause of it.
    parts, before = _parts(number.removesuffix(".0")), _parts(last.removesuffix(".0"))
    if number in {f"{last}.0", f"{'.'.join(before)}.1"}:
        return True
    if len(parts) > len(before):
        return False
    same = parts[:-1] == before[: len(parts) - 1]
    return (same and _next(before[len(parts) - 1]) == parts[-1]) or (parts == ["A"] and before[0].isdigit())


def under(number: str, clause: str, last: str) -> bool:
    """Return True if a number is a new one under a clause: 5.1.3 under 5.1 after 5.1.1, but not after 5.1.4."""
    if not clause or not number.startswith(f"{clause}."):
        return False
    parts, before = _parts(number), _parts(last)
    if not all(part.isdigit() for part in (*parts[1:], *before[1:])):
        return False
    return [int(part) for part in parts[1:]] > [int(part) for part in before[1:]] or parts[0] != before[0]


def _parts(number: str) -> list[str]:
    return number.split(".")


def _next(part: str) -> str:
    if part.isdigit():
        return str(int(part) + 1)
    return chr(ord(part) + 1) if len(part) == 1 else part


def extend(number: str, clause: str) -> str:
    """Return a row's number as one under its clause: `2.1.3` under `V2.1` is `V2.1.3`; empty if it is not under it."""
    letters = re.match(r"[A-Za-z]+(?=\d)", clause)
    full = letters[0] + number if letters and number[:1].isdigit() else number
    return full if clause and full.startswith(f"{clause}.") else ""
