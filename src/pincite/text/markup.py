"""Edits that replace Markdown and HTML markup with what a reader sees."""

import html
import re
from bisect import bisect_right
from dataclasses import dataclass, field

from pincite.model.call import Call
from pincite.text.characters import CELL, Edit
from pincite.text.prose import BLOCK_TAGS, INLINE_TAGS

_FENCE = re.compile(r"^[ \t>]*+(?:(?P<ticks>`{3,})[^`\n]*+|(?P<tildes>~{3,})[^\n]*+)$", re.MULTILINE)
_FENCE_END = re.compile(r"^[ \t>]*+(?P<run>`{3,}|~{3,})[ \t]*+\r?$", re.MULTILINE)
_DELIMITERS = re.compile(
    r"^[ \t>]*+(?=[^\n]*\|)\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+\r?$", re.MULTILINE
)
# Rules, and the underlines of headings.
_RULE = r"={2,}|-{3,}|(?:\*[ \t]*+){3,}|(?:_[ \t]*+){3,}"
_BULLET = r"[*+\u2022\u2023\u25e6\u25aa\u25cf-][ \t]++(?:\[[ xX]\][ \t]++)?(?![\d.,])"
"""Not before a number: at a line's start `- 5` may be a difference or a sign."""
_LINE = re.compile(
    rf"^[ \t]*+(?:(?:{_RULE})[ \t]*+\r?$|(?:>[ \t]?)*+(?:#{{1,6}}(?=[ \t])|{_BULLET}|(?<=>)|(?<=>[ \t])))",
    re.MULTILINE,
)
_NOT_QUOTED = re.compile(r">[ \t]*+\Z")
_BREAK = re.compile(r"\n(?:[ \t>]*+\r?\n|(?=[ \t>]*+(?:[*+-]|\d{1,9}[.)]|#{1,6}|\|)[ \t]))")
"""The start of a new block: inline markup never continues across it."""
_LABEL = re.compile(r"^ {0,3}\[([^\^\[\]\n][^\[\]\n]{0,200})\]:[ \t]*[^\s]", re.MULTILINE)

_INLINE_TAG = re.compile(rf"</?(?:{INLINE_TAGS})\b")
# First the character that may begin markup, then the construct: most text has none and is skipped at once.
_TOKEN = re.compile(r"[\\`<&!\[\]*_~|]")
# The bounds (`{0,1000}`) keep the scan linear for text with many unclosed tags.
_INLINE = re.compile(
    r"(?P<dash>(?:(?<![\w-])(?:\\-){2,3}(?![\w-]|\\-)|(?<=[^\W\d_])(?:\\-){2,3}(?=[^\W\d_])))"
    r"|(?P<escape>\\[!-/:-@\[-`{-~]|\\(?=\r?\n))"
    r"|(?P<ticks>`++)"
    r"|(?P<comment><!--)"
    r"|<(?P<script>su[pb])>(?P<raised>[^<>\n]{1,20})</su[pb]>"
    r"|(?P<column></?t[dh]\b[^<>]{0,1000}>)"
    rf"|(?P<tag></?(?:{INLINE_TAGS}|{BLOCK_TAGS})(?:\s[^<>]{{0,1000}}=[^<>]{{0,1000}})?\s*/?>)"
    r"|(?P<address><(?:https?|mailto|ftp):[^<>\s]{1,2000}>)"
    r"|(?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<open>!?\[)"
    r"|(?P<close>\](?:\((?P<target>[^()\n]*+(?:\([^()\n]*+\)[^()\n]*+)*+)\)|\[(?P<label>[^\[\]\n]*+)\])?)"
    r"|(?P<mark>\*++|_++|~~)"
    r"|(?P<cell>\|)"
)
_TICKS = re.compile(r"`++")
_ESCAPED_BAR = re.compile(r"\\\|")
BAR = re.compile(r"(?<!\\)\|")
"""What separates the cells of a row: a bar that is not escaped."""
_RAISED = str.maketrans("0123456789+-\u2212–n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻ⁿ")
_LOWERED = str.maketrans("0123456789+-\u2212–n", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋ₙ")
_NUMERAL = re.compile(r"[0-9+\u2212–n-]+")
_ORDINAL = re.compile(r"[^\W\d_]{2,}")


def labels(text: str) -> frozenset[str]:
    """Return the labels of the links that a text defines (`[label]: address`), normalised."""
    return frozenset(_label(match[1]) for match in _LABEL.finditer(text))


def in_document(text: str, call: Call | None = None) -> list[Edit]:
    """Return the edits that turn a document's Markdown into what its reader sees."""
    scan = _Scan(text, labels(text), fragment=False, call=call or Call())
    position = 0
    while fence := _FENCE.search(text, position):
        scan.prose(position, fence.start())
        closing = _closing(text, fence)
        scan.edits.append((*fence.span(), ""))
        position = closing.end() if closing else len(text)
        if closing:
            scan.edits.append((*closing.span(), ""))
    scan.prose(position, len(text))
    return scan.done()


def in_quote(text: str, known: frozenset[str]) -> list[Edit]:
    """Return the edits that turn an excerpt of Markdown into what its reader sees.

    Args:
        text: The excerpt, cut anywhere; marks whose other half was cut off are removed, too.
        known: Labels of the links that the whole document defines.
    """
    scan = _Scan(text, known, fragment=True, call=Call())
    scan.edits.extend((*fence.span(), "") for fence in _FENCE.finditer(text))
    scan.prose(0, len(text))
    return scan.done()


def _closing(text: str, fence: re.Match[str]) -> re.Match[str] | None:
    opened = fence["ticks"] or fence["tildes"]
    return next((end for end in _FENCE_END.finditer(text, fence.end()) if end["run"].startswith(opened)), None)


def _label(text: str) -> str:
    return " ".join(text.lower().split())


@dataclass(slots=True)
class _Scan:
    """Collects the edits of one text.

    Attributes:
        text: The text.
        known: Labels of the document's links.
        fragment: True if the text was cut from a document, so that marks may lack their other half.
        call: Checked for cancellation.
        edits: The edits so far, in any order.
        tables: Spans of the tables so far.
        comments: False once an open comment had no end, so that the text is not searched for one again.
        has_bars: True if the text is a fragment with a bar that is not escaped.
    """

    text: str
    known: frozenset[str]
    fragment: bool
    call: Call
    edits: list[Edit] = field(default_factory=list[Edit])
    tables: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    comments: bool = True
    has_bars: bool = field(init=False)

    def __post_init__(self) -> None:
        self.has_bars = self.fragment and BAR.search(self.text) is not None

    def done(self) -> list[Edit]:
        """Return the edits in order; of two that overlap the one that starts first, or the longer."""
        # Edits may overlap where a construct contains another, as a comment contains tags.
        edits: list[Edit] = []
        for edit in sorted(self.edits, key=lambda edit: (edit[0], -edit[1])):
            if not edits or edit[0] >= edits[-1][1]:
                edits.append(edit)
        return edits

    def prose(self, start: int, end: int) -> None:
        """Collect the edits of a part of the text outside code blocks."""
        for row in _DELIMITERS.finditer(self.text, start, end):
            self.edits.append((*row.span(), ""))
            self.tables.append(self._table(*row.span(), start, end))
        for line in _LINE.finditer(self.text, start, end):
            if not self._is_before_number(line):
                self.edits.append((*line.span(), ""))
        position = start
        for match in _BREAK.finditer(self.text, start, end):
            self.call.check()
            _Block(self, position, match.start()).read()
            position = match.end()
        _Block(self, position, end).read()

    def is_in_table(self, index: int) -> bool:
        """Return True if a bar at this index separates two cells."""
        table = bisect_right(self.tables, (index, len(self.text))) - 1
        return self.fragment or (table >= 0 and index < self.tables[table][1])

    def is_cell_code(self, start: int) -> bool:
        """Return True if a code span that starts here is in a cell, where an escaped bar is a bar in code, too."""
        # A fragment has no delimiter row: another bar is the sign of cells.
        return self.has_bars if self.fragment else self.is_in_table(start)

    def comment(self, start: int) -> int | None:
        """Return the end of the comment that begins here; None if it has none."""
        end = self.text.find("-->", start) if self.comments else -1
        self.comments = end >= 0
        return end + len("-->") if end >= 0 else None

    def _is_before_number(self, line: re.Match[str]) -> bool:
        """Return True for `> 5`, which may be a comparison."""
        return _NOT_QUOTED.search(line[0]) is not None and self.text[line.end() : line.end() + 1].isdigit()

    def _table(self, start: int, end: int, first: int, last: int) -> tuple[int, int]:
        head = max(first, self.text.rfind("\n", first, max(first, start - 1)) + 1)
        while end < last:
            line_end = self.text.find("\n", end + 1, last)
            line_end = last if line_end < 0 else line_end
            if self.text.find("|", end + 1, line_end) < 0:
                break
            end = line_end
        return head, end


class _Block:
    """Scans the inline markup of one paragraph, list or table."""

    def __init__(self, scan: _Scan, start: int, end: int) -> None:
        self.scan, self.text, self.start, self.end = scan, scan.text, start, end
        self.brackets: list[tuple[int, int]] = []
        self.marks: dict[str, list[int]] = {"*": [], "_": [], "~": []}
        self.closers = _tick_pairs(self.text, start, end)

    def read(self) -> None:
        position = self.start
        while start := _TOKEN.search(self.text, position, self.end):
            token = _INLINE.match(self.text, start.start(), self.end)
            position = self._token(token) if token else start.end()
        if self.scan.fragment:
            for places in self.marks.values():
                self._remove(*((place, place + 1) for place in places))

    def _token(self, token: re.Match[str]) -> int:
        """Collect the edits of one token and return where to go on."""
        start, end = token.span()
        match token.lastgroup:
            case "ticks":
                return self._code(start, end)
            case "comment":
                return self._comment(start)
            case "open":
                self.brackets.append((start, end))
            case "close":
                self._link(token)
            case "mark":
                self._mark(start, end)
            case "address":
                self._remove((start, start + 1), (end - 1, end))
            case "raised":
                self._script(token)
            case _:
                self._character(token)
        return end

    def _character(self, token: re.Match[str]) -> None:
        start, end = token.span()
        match token.lastgroup:
            case "escape":
                self._edit(start, end, self.text[start + 1 : end])
            case "dash":
                self._edit(start, end, "—")
            case "entity":
                self._edit(start, end, html.unescape(token[0]))
            case "tag":
                self._edit(start, end, "" if _INLINE_TAG.match(token[0]) else " ")
            case _:
                self._cell(start, end)

    def _edit(self, start: int, end: int, reading: str) -> None:
        self.scan.edits.append((start, end, reading))

    def _remove(self, *spans: tuple[int, int]) -> None:
        self.scan.edits.extend((start, end, "") for start, end in spans)

    def _code(self, start: int, end: int) -> int:
        closer = self.closers.get(start)
        if closer is None:
            if self.scan.fragment:
                self._remove((start, end))
            return end
        self._remove((start, end), (closer, closer + end - start))
        if self.scan.is_cell_code(start):
            for bar in _ESCAPED_BAR.finditer(self.text, end, closer):
                self._remove((bar.start(), bar.start() + 1))
        return closer + end - start

    def _comment(self, start: int) -> int:
        end = self.scan.comment(start)
        if end is None:
            return start + 1
        self._remove((start, end))
        return end

    def _script(self, token: re.Match[str]) -> None:
        raised = token["raised"]
        if _NUMERAL.fullmatch(raised):
            self._edit(*token.span(), raised.translate(_RAISED if token["script"] == "sup" else _LOWERED))
        elif _ORDINAL.fullmatch(raised):
            self._remove((token.start(), token.start("raised")), (token.end("raised"), token.end()))

    def _cell(self, start: int, end: int) -> None:
        if end - start > 1 or self.scan.is_in_table(start):
            self._edit(start, end, CELL)
            # Emphasis never spans two cells.
            self.marks = {mark: [] for mark in self.marks}

    def _link(self, token: re.Match[str]) -> None:
        if not self.brackets:
            return
        opened, inner = self.brackets.pop()
        label = token["label"] or self.text[inner : token.start()][:200]
        if token["target"] is not None or _label(label) in self.scan.known:
            self._remove((opened, inner), token.span())

    def _mark(self, start: int, end: int) -> None:
        """Match emphasis by the rules of CommonMark, one character at a time; never between digits."""
        before, after = self.text[start - 1 : start] or " ", self.text[end : end + 1] or " "
        within = before.isalnum() and after.isalnum()
        # `2*3` is a product and `snake_case` a name.
        if within and (before.isdigit() or after.isdigit() or self.text[start] == "_"):
            return
        opens = not after.isspace() and (after.isalnum() or not before.isalnum())
        closes = not before.isspace() and (before.isalnum() or not after.isalnum())
        stack = self.marks[self.text[start]]
        position = start
        while closes and stack and position < end:
            opened = stack.pop()
            self._remove((opened, opened + 1), (position, position + 1))
            position += 1
        if opens or (self.scan.fragment and closes):
            stack.extend(range(position, end))


def _tick_pairs(text: str, start: int, end: int) -> dict[int, int]:
    """The start of each run of backticks → the start of the next run of its length."""
    pairs: dict[int, int] = {}
    last: dict[int, int] = {}
    for run in _TICKS.finditer(text, start, end):
        length = run.end() - run.start()
        # A code span ends at the next run of the same length, whatever runs are between.
        if length in last:
            pairs[last[length]] = run.start()
        last[length] = run.start()
    return pairs
