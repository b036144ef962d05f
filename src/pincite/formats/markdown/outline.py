"""The top-level blocks of a Markdown text, from markdown-it's block rules alone.

The content of lists, quotes and tables is parsed, as it decides where they end, but produces no tokens: the tokens of a
page with a million list items would take gigabytes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, cast

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from pincite.formats.markdown import block_rules
from pincite.model.call import Call

MAX_NESTING = 60
"""Maximum levels of lists and quotes (a list takes two), which bounds the parser's recursion."""

MAX_HEADING_CHARACTERS = 1000
"""Characters of a heading that its title is made from."""

_TOKENS_PER_BLOCK = 10
"""Maximum tokens of all levels for each block of the limit; ordinary pages have up to 5."""

_TAB_COLUMNS = 4
"""Tab stops of CommonMark (2.2)."""
_TEXT_LINE = re.compile(r"(?P<line>(?P<white>[ \t]*)[^\n]*)(?:\n|(?<!\n)\Z)")

_INLINE_MARKUP = frozenset("\\`*_<>&![]~\n\t")


@dataclass(frozen=True, slots=True)
class Outlined:
    """A top-level block.

    Attributes:
        kind: markdown-it's token type (`paragraph_open`, `fence`, …), or `rest` for all text
            after the last block of the limit.
        first: Its first line, from 0.
        end: One past its last line.
        level: Heading level; 0 for everything else.
        content: A heading's inline content; a fence's info string.
    """

    kind: str
    first: int
    end: int
    level: int = 0
    content: str = ""


class Outline:
    """The blocks of one text, and its titles, whose links may be defined anywhere in it.

    Args:
        text: Markdown; lines end with a line feed alone.
        limit: Maximum number of blocks; the remaining text is one more.
        call: Checked for cancellation at every block.
    """

    def __init__(self, text: str, limit: int, call: Call) -> None:
        self._env: dict[str, Any] = {}
        self._parser = _parser()
        self._state = _TopLevel(text, self._parser, self._env, limit, call)

    def blocks(self) -> Iterator[Outlined]:
        """Yield the blocks in order; blank lines belong to none."""
        self._parser.block.tokenize(self._state, 0, self._state.lineMax)
        headings = iter(self._state.headings)
        for token in self._state.tokens:
            first, end = token.map or (0, 0)
            if token.type == "heading_open":
                yield Outlined(token.type, first, end, int(token.tag[1]), next(headings).content)
            else:
                yield Outlined(token.type, first, end, content=token.info)

    @property
    def cut(self) -> bool:
        """True if `blocks` reached the limit."""
        return self._state.cut

    def title(self, content: str) -> str:
        """Return the plain text of a heading, without markup, with white space collapsed."""
        content = content[:MAX_HEADING_CHARACTERS]
        if not _INLINE_MARKUP.isdisjoint(content):
            tokens: list[Token] = []
            self._parser.inline.parse(content, self._parser, self._env, tokens)
            content = "".join(_plain(token) for token in tokens)
        return " ".join(content.split())


def _plain(token: Token) -> str:
    if token.type in ("softbreak", "hardbreak"):
        return " "
    if token.type == "html_inline":
        return " " if token.content.lower().startswith("<br") else ""
    if token.type == "image":
        return "".join(_plain(child) for child in token.children or ())
    return token.content


class _TopLevel(block_rules.InterruptibleState):
    """Parser state that keeps only the tokens of the outermost level, and the content of its headings."""

    def __init__(self, text: str, parser: MarkdownIt, env: dict[str, Any], limit: int, call: Call) -> None:
        super().__init__("", parser, env, [])
        self.headings: list[Token] = []
        self.cut = False
        self.call = call
        self._find_lines(text)
        self._limit = limit
        self._pushed = 0
        self._dropped = Token("dropped", "", 0)

    def _find_lines(self, text: str) -> None:
        """Fill the tables of line starts, line ends and indents as markdown-it's own loop does.

        That loop takes a second for a million lines, and cannot be interrupted.
        """
        ends = (self.bMarks, self.eMarks, self.tShift, self.sCount)
        sentinel = [marks.pop() for marks in ends]
        self.src = text
        for number, match in enumerate(_TEXT_LINE.finditer(text)):
            if number % block_rules.LINES_BETWEEN_CHECKS == 0:
                self.call.check()
            white = match["white"]
            if match.end() == len(text) and len(white) == match.end() - match.start():
                break  # white space without a line feed at the end of the text is no line
            self.bMarks.append(match.start())
            self.eMarks.append(match.end("line"))
            self.tShift.append(len(white))
            self.sCount.append(len(white.expandtabs(_TAB_COLUMNS)) if "\t" in white else len(white))
        for marks, last in zip(ends, (len(text), len(text), *sentinel[2:]), strict=True):
            marks.append(last)
        self.bsCount = [0] * len(self.bMarks)
        self.lineMax = len(self.bMarks) - 1

    @property
    def is_full(self) -> bool:
        """True if the limit is reached."""
        return len(self.tokens) >= self._limit or self._pushed >= self._limit * _TOKENS_PER_BLOCK

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        self._pushed += 1
        if nesting < 0:
            self.level -= 1
        level = self.level
        if nesting > 0:
            self.level += 1
        # Only headings need their inline content, for the title; all other inline tokens are dropped.
        if ttype == "inline" and level == 1 and self.tokens[-1].type == "heading_open":
            kept = self.headings
        elif nesting < 0 or level:
            return self._dropped
        else:
            kept = self.tokens
        token = Token(ttype, tag, nesting, level=level, block=True)
        kept.append(token)
        return token


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True})
    parser.enable(["table", "strikethrough"])
    block_rules.install(parser)
    parser.block.ruler.before("table", "checkpoint", _checkpoint)
    # Rules are compiled on first use, which is not thread-safe.
    parser.block.ruler.getRules("")
    parser.inline.ruler.getRules("")
    parser.inline.ruler2.getRules("")
    return parser


def _checkpoint(state: StateBlock, start: int, end: int, _silent: bool) -> bool:
    """A block rule that checks for cancellation, and ends the outline at the limit."""
    outline = cast("_TopLevel", state)
    outline.call.check()
    if not outline.is_full:
        return False
    outline.cut = True
    state.line = end
    state.push("rest", "", 0).map = [start, end]
    return True
