"""References to clauses, tables and figures of the same document, and to other documents."""

import re
from bisect import bisect_left
from collections.abc import Container, Iterator
from dataclasses import dataclass

_DOTTED = r"(?:\d{1,3}(?:\.\d{1,3})+|[A-Z](?:\.\d{1,3})+)"
_NUMBER = r"(?:\d{1,4}(?:\.\d{1,4})*|[A-Z](?:\.\d{1,4})+)"
_BODIES = (
    r"(?:ISO(?:/(?:IEC|TS|TR|IEEE|ASTM|SAE))*|IEC(?:/IEEE)?|IEEE(?:\s+Std\.?)?|EN(?:\s+ISO)?|DIN|BS|ANSI(?:/[A-Z]+)?|ASTM"
    r"|NIST\s+(?:SP|IR|FIPS)|SP|FIPS(?:\s+PUB)?|MIL-STD|MIL-HDBK|DO|ED|ECSS|ITU-[TR](?:\s+Rec(?:ommendation|\.)?)?|NASA-STD"
    r"|SAE(?:\s+(?:ARP|AS|J))?|STANAG|ETSI(?:\s+(?:EN|TS|TR))?|UL|NFPA|BCP|STD)"
)
_STARTS = (
    ("RFC", 0), ("ection", 1), ("lause", 1), ("ubclause", 1), ("hapter", 1), ("rticle", 1), ("SECTION", 0), ("Sec.", 0),
    ("\u00a7", 0), ("nnex", 1), ("ppendi", 1), ("ANNEX", 0), ("APPENDIX", 0), ("Table", 0), ("Fig", 0), ("ISO", 0),
    ("IEC", 0), ("IEEE", 0), ("EN ", 0), ("DIN ", 0), ("BS ", 0), ("ANSI", 0), ("ASTM", 0), ("NIST ", 0), ("SP ", 0),
    ("FIPS", 0), ("MIL-", 0), ("DO-", 0), ("ED-", 0), ("ECSS", 0), ("ITU-", 0), ("NASA-", 0), ("SAE ", 0),
    ("See ", 0), ("see ", 0), ("STANAG", 0), ("ETSI", 0), ("UL ", 0), ("NFPA", 0), ("BCP", 0), ("STD ", 0),
)  # fmt: skip
"""What references contain, and how many characters after their beginning: searching for words is ten times as fast as
for a pattern of alternatives."""
_FINDER = re.compile(
    r"RFC\s?\d{3,5}|"
    rf"(?:[Ss]ubclauses?|[Ss]ections?|[Cc]lauses?|[Cc]hapters?|[Aa]rticles?|SECTIONS?|Sec\.|\u00a7{{1,2}})\s{{0,2}}{_NUMBER}"
    rf"(?:(?:\s*,\s*|\s*,?\s+(?:and|or|to|through)\s+|\s?[-\u2013]\s?){_NUMBER})*"
    rf"|[Ss]ee\s{{1,2}}(?:also\s)?{_DOTTED}(?:(?:\s*,\s*|\s*,?\s+(?:and|or|to|through)\s+){_DOTTED})*(?![.\d]*\d)"
    r"|(?:[Aa]nnex(?:es)?|[Aa]ppendix|[Aa]ppendices|ANNEX|APPENDIX)\s{1,2}[A-Z](?:\.\d{1,4})*"
    r"(?:(?:\s*,\s*|\s*,?\s+(?:and|or)\s+)[A-Z](?:\.\d{1,4})*)*(?![\w])"
    r"|(?:Tables?|Figures?|Fig\.)\s(?:[A-Z][.-]?)?\d{1,4}(?:[.-]\d{1,3})*"
    rf"|{_BODIES}[\s-]\d[\dA-Za-z]*(?:[-./]\d[\dA-Za-z]*)*(?::\d{{4}})?"
)
_LISTED = re.compile(r"(?:,|\b(?:and|or))\s*$")
"""What parts two clauses of a list, and not the ends of a range."""
_PART = re.compile(rf"{_NUMBER}|(?<![A-Za-z])[A-Z](?![A-Za-z])")
_OF = re.compile(
    r"\s*(?:of|in|from)\s+(?:the\s+)?\[{0,2}(?P<document>RFC\s?-?\d{3,5}|"
    + _BODIES
    + r"[\s-]\d[\w.:/-]*\w|[A-Z][A-Z0-9.:-]{2,24}(?=\]))"
)
_BEFORE = re.compile(r"(?P<document>RFC\s?-?\d{3,5}|" + _BODIES + r"[\s-]\d[\w.:/-]*\w)\]{0,2}(?:\([^)]*\))?,?\s*$")

LOOK_BACK_CHARS = 80
"""Characters before a clause number that are searched for the document it belongs to: "RFC 9110 §4.2"."""


@dataclass(frozen=True, slots=True)
class References:
    """The references of one text, found once.

    Attributes:
        positions: Where each begins, ascending.
        names: What each refers to: a clause number of the same document, or a name.
    """

    positions: tuple[int, ...]
    names: tuple[str, ...]

    def within(self, start: int, end: int, clause: str) -> tuple[str, ...]:
        """Return the names of those in a span, each once, in order, without the span's own clause."""
        first, last = bisect_left(self.positions, start), bisect_left(self.positions, end)
        return tuple(name for name in dict.fromkeys(self.names[first:last]) if name != clause)


def references(text: str, clauses: Container[str]) -> References:
    """Find the references of a text.

    Args:
        text: The document's text.
        clauses: The document's own clause numbers: "Section 5.2" becomes `5.2` if it is one of them.
    """
    found = [*_found(text, clauses)]
    return References(tuple(position for position, _ in found), tuple(name for _, name in found))


def _found(text: str, clauses: Container[str]) -> Iterator[tuple[int, str]]:
    end = 0
    for start in _candidates(text):
        match = _FINDER.match(text, start) if start >= end else None
        if match is None or (start and (text[start - 1].isalnum() or text[start - 1] == "#")):
            continue
        end = match.end()
        words = " ".join(match[0].split())
        if match[0][:3] in {"Tab", "Fig"}:
            yield start, re.sub(r"^(Table|Figure)s", r"\1", words)
        elif _is_clause(words):
            after = _document_after(text, match)
            before = "" if after else _document_before(text, match)
            for part in _PART.finditer(words, _name_end(words)):
                document = after or ("" if _is_own(words, part, clauses) else before)
                # "See 5.1" names a clause only if the document has it: other numbers are dotted, too.
                if document or part[0] in clauses or not words.startswith(("See", "see")):
                    yield start, _name(words, part[0], document, clauses)
        elif not _has_section(text, match):
            yield start, _spaced(words)


def _candidates(text: str) -> list[int]:
    """Return where a reference may begin, ascending."""
    positions: set[int] = set()
    for word, lead in _STARTS:
        at = text.find(word)
        while at >= 0:
            positions.add(max(0, at - lead))
            at = text.find(word, at + 1)
    return sorted(positions)


def _is_clause(words: str) -> bool:
    return words[0] == "\u00a7" or words[:3].lower() in {"sub", "sec", "see", "cla", "cha", "art", "ann", "app"}


def _name_end(words: str) -> int:
    return 1 if words[0] == "\u00a7" else max(words.find(" "), 0)


def _name(words: str, number: str, document: str, clauses: Container[str]) -> str:
    if document:
        return f"{document} \u00a7{number}"
    if number in clauses:
        return number
    kind = words.split(" ", maxsplit=1)[0] if words[0] != "\u00a7" else "\u00a7"
    singular = {"appendices": "Appendix", "annexes": "Annex"}.get(kind.lower(), kind.rstrip("s").capitalize())
    return f"\u00a7{number}" if kind == "\u00a7" else f"{singular} {number}"


def _is_own(words: str, part: re.Match[str], clauses: Container[str]) -> bool:
    """Return True for the second of two clauses after one singular sign, if this document has it.

    "RFC 9110 §4.2 and 5.3" names one clause of the RFC; "RFC 9110 §§4.2 and 5.3" names two, as "Sections" does.
    """
    name = words[: _name_end(words)]
    is_plural = words[1] == "\u00a7" or name.endswith(("s", "S"))
    return not is_plural and _LISTED.search(words, 0, part.start()) is not None and part[0] in clauses


def _document_after(text: str, match: re.Match[str]) -> str:
    """Return the other document that clauses belong to, if the text names one after them; else empty."""
    named = _OF.match(text, match.end(), match.end() + LOOK_BACK_CHARS)
    return _spaced(named["document"]) if named else ""


def _document_before(text: str, match: re.Match[str]) -> str:
    """Return the other document that clauses belong to, if the text names one before them; else empty."""
    named = _BEFORE.search(text, max(0, match.start() - LOOK_BACK_CHARS), match.start())
    return _spaced(named["document"]) if named else ""


def _spaced(name: str) -> str:
    return re.sub(r"^RFC-?(?=\d)", "RFC ", " ".join(name.split()))


_SECTION_AFTER = re.compile(r"\]{0,2}(?:\([^)\s]*\))?,?\s*(?:[Ss]ections?|[Cc]lauses?|\u00a7{1,2})\s*\d")
_SECTION_BEFORE = re.compile(
    rf"(?:[Ss]ections?|[Cc]lauses?|[Ss]ee|\u00a7)\s*{_NUMBER}(?:(?:,|,?\s+(?:and|or|to))\s+{_NUMBER})*\s*(?:of|in|from)\s+(?:the\s+)?\[{{0,2}}$"
)


def _has_section(text: str, match: re.Match[str]) -> bool:
    """Return True if a document is named as that of a clause, which is a reference of its own."""
    if _SECTION_AFTER.match(text, match.end()):
        return True
    return _SECTION_BEFORE.search(text, max(0, match.start() - LOOK_BACK_CHARS), match.start()) is not None
