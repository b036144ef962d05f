"""Replacements for block rules of markdown-it that take too much time or memory; they find the same blocks."""

from collections.abc import Callable
from typing import cast

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, fence, heading, hr, html_block, list_block, reference, table

from pincite.model.call import Call

Rule = Callable[[StateBlock, int, int, bool], bool]

LINES_BETWEEN_CHECKS = 4096
"""Lines of one block between two checks for cancellation: some 10 ms."""

MAX_DEFINITION_LINES = 64
"""Maximum lines of a link definition."""

_TERMINATORS: dict[str, tuple[Rule, ...]] = {
    "`": (fence,),
    "~": (fence,),
    ">": (blockquote,),
    "-": (hr, list_block),
    "*": (hr, list_block),
    "_": (hr,),
    "+": (list_block,),
    "<": (html_block,),
    "#": (heading,),
    **dict.fromkeys("0123456789", (list_block,)),
}
"""First character of a line → the rules by which it may end a paragraph; tables are checked separately."""

_UNDERLINES = {"=": 1, "-": 2}
_DELIMITERS = frozenset("|-:")
_SILENT = True


class InterruptibleState(StateBlock):
    """Parser state with the call to check for cancellation."""

    call: Call


def install(parser: MarkdownIt) -> None:
    """Replace a parser's own rules with these."""
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.block.ruler.at("reference", _reference)
    parser.block.ruler.at("paragraph", _paragraph)
    # Underlined headings are found by the rule for paragraphs, in one pass over the lines.
    parser.disable("lheading")


def _paragraph(state: StateBlock, start: int, _end: int, _silent: bool) -> bool:
    """Parse a paragraph or a heading with an underline.

    markdown-it tries every rule at every line; this one tries only those that the line's first character allows.
    """
    above, state.parentType = state.parentType, "paragraph"
    source, begins, shifts, ends, indents = state.src, state.bMarks, state.tShift, state.eMarks, state.sCount
    line, end, level = start + 1, state.lineMax, 0
    while line < end:
        if line % LINES_BETWEEN_CHECKS == 0:
            _check(state)
        position = begins[line] + shifts[line]
        if position >= ends[line]:
            break
        indent = indents[line]
        first = source[position]
        # A line indented further is a continuation, not code; a negative indent marks a line that a quote continued.
        if 0 <= indent <= state.blkIndent + 3:
            if first in _DELIMITERS and line - 1 > start and _is_table_start(state, line - 1, end):
                line -= 1
                break
            if first in _UNDERLINES and indent >= state.blkIndent and _is_underline(state, line, first):
                level = _UNDERLINES[first]
                break
            if any(rule(state, line, end, _SILENT) for rule in _TERMINATORS.get(first, ())):
                break
        line += 1
    state.line = line + bool(level)
    _push(state, start, line, level)
    state.parentType = above
    return True


def _push(state: StateBlock, start: int, end: int, level: int) -> None:
    kind, tag = ("heading", f"h{level}") if level else ("paragraph", "p")
    state.push(f"{kind}_open", tag, 1).map = [start, state.line]
    inline = state.push("inline", "", 0)
    inline.map = [start, end]
    if level:
        inline.content = state.getLines(start, end, state.blkIndent, False).strip()  # noqa: FBT003 - markdown-it's
    state.push(f"{kind}_close", tag, -1)


def _is_table_start(state: StateBlock, line: int, end: int) -> bool:
    """Return True if a paragraph's line is the first of a table; one that a quote continued is not."""
    return state.sCount[line] >= 0 and table(state, line, end, _SILENT)


def _is_underline(state: StateBlock, line: int, marker: str) -> bool:
    position = state.skipCharsStr(state.bMarks[line] + state.tShift[line], marker)
    return state.skipSpaces(position) >= state.eMarks[line]


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Run markdown-it's rule on a bounded number of lines: its own reads to the end of the text for each definition."""
    line_max = state.lineMax
    state.lineMax = min(line_max, start + MAX_DEFINITION_LINES)
    try:
        return reference(state, start, end, silent)
    finally:
        state.lineMax = line_max


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Run markdown-it's rule without creating tokens for cells."""
    if not table(state, start, end, _SILENT):
        return False
    if silent:
        return True
    above, state.parentType = state.parentType, "table"
    line = start + 2
    while line < end and not _ends_table(state, line, end):
        line += 1
        if line % LINES_BETWEEN_CHECKS == 0:
            _check(state)
    state.parentType = above
    state.line = line
    state.push("table_open", "table", 1).map = [start, line]
    state.push("table_close", "table", -1)
    return True


def _ends_table(state: StateBlock, line: int, end: int) -> bool:
    if state.sCount[line] < state.blkIndent or state.isEmpty(line) or state.is_code_block(line):
        return True
    first = state.src[state.bMarks[line] + state.tShift[line]]
    return any(rule(state, line, end, _SILENT) for rule in _TERMINATORS.get(first, ()))


def _check(state: StateBlock) -> None:
    cast("InterruptibleState", state).call.check()
