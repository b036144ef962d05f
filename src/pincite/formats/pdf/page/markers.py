"""Labels before a text: bullets, list numbers, section numbers, dot leaders."""

import re

_BULLET = re.compile(r"[•●▪■□◦‣\u2043∙·○▫◆◇►▶➢➤✓✔❖–—\-*\ue000-\uf8ff\ufffd]")
"""Also what symbol fonts say without a Unicode value."""
_RULE = re.compile(r"[_=\-–—.*~]{8,}")
_LABEL = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z]|[ivxlc]{1,6}|[IVXLC]{1,6})[.)]|\(\d{1,3}\)|\d{1,2}(?:\.\d{1,2}){1,3}\.?")
_SECTION = re.compile(
    r"(?:(?:part|item|chapter|section|appendix|annex|article|note|kapitel|anhang|teil)\s+)?"
    r"(?P<number>[A-Z]?\d{1,3}(?:\.\d{1,3}){0,5}|[IVX]{1,5}|[A-Z](?:\.\d{1,3}){0,4})(?P<end>[.:)]?)(?=\s|$)",
    re.IGNORECASE,
)
_LEADER = re.compile(r"(?:\.{4,}|(?:\. ){4,}|…{2,}|_{6,})\s*(?:[A-Z]-)?(?P<page>\d{1,4}|[ivxlc]+)\s*$")
_LAST_NUMBER = re.compile(r"\s(?:[A-Z]-)?(?P<page>\d{1,4})$")


def is_bullet(word: str) -> bool:
    """Whether a word is the mark of a list item without a number."""
    return _BULLET.fullmatch(word) is not None


def is_rule(word: str) -> bool:
    """Whether a word is a rule that is drawn with characters."""
    return _RULE.fullmatch(word) is not None


def is_label(word: str) -> bool:
    """Whether a word is the number of a list item."""
    return _LABEL.fullmatch(word) is not None


def section_depth(text: str) -> int:
    """How many numbers a heading's own number has: `1.2 Scope` two; 0 where it has none."""
    found = _SECTION.match(text)
    if found is None:
        return 0
    number: str = found["number"]
    if not any(character.isdigit() for character in number) and not found["end"]:
        return 0
    return number.count(".") + 1


def leader_page(text: str) -> str:
    """The page number at the end of an entry with dot leaders; empty where there is none."""
    found = _LEADER.search(text)
    return found["page"] if found else ""


def last_number(text: str) -> int | None:
    """The number at the end of a line of text; None where there is none, or nothing but numbers."""
    found = _LAST_NUMBER.search(text)
    if found is None or not any(character.isalpha() for character in text):
        return None
    return int(found["page"])
