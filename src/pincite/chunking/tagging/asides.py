"""Notes, examples, rationale and captions: text that explains and never binds."""

import re

_NOTE_WORDS = (
    r"notes?(?:\s+\d{1,3})?(?:\s+to\s+(?:the\s+)?(?:entry|table|figure)\b[^:.\n]{0,12})?"
    r"|(?:informative|explanatory|editor'?s'?|editorial|implementation|application|drafting)\s+note(?:\s+\d{1,3})?"
    r"|(?:non-?normative|informative)(?:\s+(?:comment|remark|text)s?|(?=:))|remarks?|rationale|commentary|comment"
    r"|(?:supplemental|supplementary)\s+guidance|discussion|explanation|background|intent"
)
_EXAMPLE_WORDS = r"(?:for\s+)?examples?(?:\s+\d{1,3})?|(?:non-?normative|informative)\s+examples?|e\.g\."
_LEAD = r"[\s>*_|+\u2022\u00b7<\[(!-]*"
_LEAD_CHARS = " \t\n\r\f\v>*_|+\u2022\u00b7<[(!-"
_FIRST_WORDS = (
    "note", "example", "for example", "rationale", "remark", "comment", "informative", "explanatory", "editor", "non",
    "implementation", "application", "drafting", "supplement", "discussion", "explanation", "background", "intent",
    "e.g.",
)  # fmt: skip
"""How notes and examples begin: most paragraphs are distinguished from them without a pattern."""
_CAPTION_LETTERS = frozenset("fFtT")
_NOTE = re.compile(
    rf"{_LEAD}(?:{_NOTE_WORDS})(?:[*_]{{1,3}}(?=\s)|[*_\])]*\s*(?:[:.\u2014\u2013]|\s-\s|$|\n))", re.IGNORECASE
)
_EXAMPLE = re.compile(
    rf"{_LEAD}(?:{_EXAMPLE_WORDS})(?:[*_]{{1,3}}(?=\s)|[*_\])]*\s*(?:[:\u2014\u2013]|\s-\s|$|\n))", re.IGNORECASE
)
_NOTE_CAPITALS = re.compile(rf"{_LEAD}(?:NOTES?|RATIONALE)\b(?!\s+(?:THAT|SHALL|MUST)\b)")
_EXAMPLE_CAPITALS = re.compile(rf"{_LEAD}EXAMPLES?\b")
_ALONE = re.compile(rf"{_LEAD}(?:{_NOTE_WORDS}|{_EXAMPLE_WORDS})[\s*_:.\])\u2014\u2013]*", re.IGNORECASE)
_TITLED = re.compile(
    rf"{_LEAD}(?:{_NOTE_WORDS}|{_EXAMPLE_WORDS})[*_]*\s*[:.\u2014\u2013]\s*(?:[^\s.:;!?]++\s?+){{1,8}}", re.IGNORECASE
)
"""The title of a note: "Note: On pumps"."""
_INNER = re.compile(
    r"(?<=[\s|.>])[(\[]?[*_]{0,3}(?:Rationale|RATIONALE|Notes?|NOTES?|Note\s\d{1,2}|NOTE\s\d{1,2}|Example|EXAMPLE)[*_]{0,3}\s*:"
)
_FIGURE = re.compile(
    r"[\s*_]*(?:figure|fig\.)\s*(?:[A-Z]{1,2}[.-]?)?\d++(?:[.-]\d++)*+[a-z]?+\b(?!\s+(?:is|are|shows?|illustrates?|depicts?"
    r"|gives?|describes?|presents?|contains?|and|below|above|,))",
    re.IGNORECASE,
)
_TABLE = re.compile(
    r"[\s*_]*(?:table|tab\.)\s*(?:[A-Z]{1,2}[.-]?)?\d++(?:[.-]\d++)*+[a-z]?+\b(?!\s+(?:is|are|shows?|lists?|gives?"
    r"|describes?|defines?|presents?|contains?|summari[sz]es|specifies|and|below|above|,))",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"\s*(?:!\[[^\]]*\]\([^)]*\)\s*)+")

MAX_CAPTION_CHARS = 300
"""A paragraph that begins "Figure 3" and is longer speaks of the figure."""

MAX_MARKER_CHARS = 60
"""Characters within which a paragraph says that it is a note."""


def aside(text: str) -> str:
    """Return the chunk type of a paragraph that is a note ("guidance") or an example; empty for all others."""
    head = text[:MAX_MARKER_CHARS]
    if not head.lstrip(_LEAD_CHARS).lower().startswith(_FIRST_WORDS):
        return ""
    if _EXAMPLE.match(head) or _EXAMPLE_CAPITALS.match(head):
        return "example"
    return "guidance" if _NOTE.match(head) or _NOTE_CAPITALS.match(head) else ""


def is_marker(text: str) -> bool:
    """Return True for a paragraph that is a marker alone, "Note" or "Example:", whose text is the next one."""
    return len(text) <= MAX_MARKER_CHARS and (_ALONE.fullmatch(text) is not None or _TITLED.fullmatch(text) is not None)


def inner_aside(text: str, start: int, end: int) -> int:
    """Return where a note or rationale begins within a paragraph or table row; `end` if there is none."""
    found = _INNER.search(text, start, end)
    return found.start() if found else end


def caption(text: str) -> str:
    """Return "figure" or "table" for the caption of one, or a picture; empty for all other paragraphs."""
    if "![" not in text[:MAX_MARKER_CHARS] and text.lstrip(_LEAD_CHARS)[:1] not in _CAPTION_LETTERS:
        return ""
    if len(text) > MAX_CAPTION_CHARS:
        return "figure" if _IMAGE.fullmatch(text) else ""
    if _FIGURE.match(text) or _IMAGE.fullmatch(text):
        return "figure"
    return "table" if _TABLE.match(text) else ""
