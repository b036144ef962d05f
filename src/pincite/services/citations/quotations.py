"""The quotations of a Markdown text, and the references beside them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from pincite.errors import InvalidInput
from pincite.model.locator import parse
from pincite.services.citations.page_links import escaped_ref, linked_ref
from pincite.text.quotation_marks import CLOSING, MARKS

MAX_WORDS_BETWEEN = 6
"""Words between a quotation and its reference, as of "— NIST SP 800-63B, section 5.1": more are another sentence."""

MAX_WORDS_BETWEEN_REFS = 1
"""Words between two references of one quotation: "and"."""

_MARKS = re.compile(f"([{MARKS}])")

_SEPARATE = ("fence", "code_block", "heading_open", "html_block", "hr")
"""Blocks across which no reference belongs to a quotation."""

_DASHES = ("—", "–", "--")


@dataclass(frozen=True, slots=True)
class Quotation:
    """Quoted words that are attributed to a reference.

    Attributes:
        words: The words, without quotation marks; code spans keep their backticks.
        ref: The reference.
        line: Line of the reference, from 1.
    """

    words: str
    ref: str
    line: int


class _Parser(MarkdownIt):
    """CommonMark with tables, whose link targets are kept as they are written: a reference is no URL."""

    def __init__(self) -> None:
        super().__init__("commonmark")
        self.enable("table")

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the name is the base class's
        """Accept any target."""
        return bool(url)

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - as above
        """Return the target unchanged."""
        return url


def quotations(text: str) -> Iterator[Quotation]:
    """Yield each quotation that has a reference beside it, in order, once for each of its references.

    A quotation is a block quote, or text between double quotation marks. Its references are the links and code spans
    that follow with at most `MAX_WORDS_BETWEEN` words between, or the link that it is the text of.
    """
    scan = _Scan()
    for token in _Parser().parse(text):
        yield from scan.block(token)


def with_refs(text: str, newer: Mapping[str, str]) -> str:
    """Return a text with references replaced, in links to the web page, too.

    Args:
        text: The text.
        newer: What replaces each reference.
    """
    written = {form(ref): form(newer[ref]) for form in (str, escaped_ref) for ref in newer}
    # Neither the end of a longer path nor the start of a longer reference.
    any_of = "|".join(map(re.escape, written))
    pattern = re.compile(rf"(?<![^\s`<>()\[\]\"'=])(?:{any_of})(?![\w:~-])")
    return pattern.sub(lambda match: written[match[0]], text) if written else text


@dataclass(slots=True)
class _Scan:
    """The state of a walk over the tokens of a text.

    Attributes:
        quoted: Words of the last quotation; empty if none is near.
        gap: What was read since the quotation or its last reference.
        depth: Number of the block quotes that the walk is in.
        block_quote: What the outermost block quote says since its start or its last reference.
        opened: Opening quotation mark and what follows it, while it is not closed.
        limit: Maximum words of the gap.
    """

    quoted: str = ""
    gap: str = ""
    depth: int = 0
    block_quote: list[str] = field(default_factory=list[str])
    opened: list[str] = field(default_factory=list[str])
    limit: int = MAX_WORDS_BETWEEN

    def block(self, token: Token) -> Iterator[Quotation]:
        """Read a block."""
        if token.type == "blockquote_open":
            self.depth += 1
        elif token.type == "blockquote_close":
            self.depth -= 1
            if not self.depth:
                self._quote("".join(self.block_quote))
                self.block_quote = []
        elif token.type in _SEPARATE and not self.depth:
            self.quoted = ""
        elif token.type == "inline":
            yield from self._inline(token.children or [], (token.map or [0])[0] + 1)
        else:
            self.block_quote += [token.content] * bool(self.depth)

    def _inline(self, tokens: Sequence[Token], line: int) -> Iterator[Quotation]:
        linked, label = "", ""
        for token in tokens:
            line += token.type in ("softbreak", "hardbreak")
            ref = _ref(token)
            if ref and token.type == "link_open":
                linked, label = ref, ""
            elif token.type == "link_close" and linked:
                self._read(label if _unwrapped(label) else "")
                yield from self._cite(linked, line)
                linked = ""
            elif linked:
                label += _plain(token)
            elif ref:
                yield from self._cite(ref, line)
            else:
                self._read(_plain(token))
        self._close()
        self._read("\n\n")

    def _read(self, text: str) -> None:
        """Read text that is no reference."""
        if self.depth:
            self.block_quote.append(text)
            return
        for piece in filter(None, _MARKS.split(text)):
            if self.opened and piece in CLOSING[self.opened[0]]:
                words, self.opened = "".join(self.opened[1:]), []
                self._quote(words)
            elif self.opened or (piece in CLOSING and not self.gap[-1:].isalnum()):  # 5" is a measure
                self.opened.append(piece)
            else:
                self._between(piece)

    def _cite(self, ref: str, line: int) -> Iterator[Quotation]:
        """Yield the quotation that a reference is beside, if there is one."""
        self._close()
        self._quote(_without_attribution("".join(self.block_quote)))
        if self.quoted:
            yield Quotation(self.quoted, ref, line)
        self.block_quote, self.gap, self.limit = [], "", MAX_WORDS_BETWEEN_REFS

    def _quote(self, words: str) -> None:
        if any(map(str.isalnum, words)):
            self.quoted, self.gap, self.limit = words.strip(), "", MAX_WORDS_BETWEEN

    def _close(self) -> None:
        """Read a quotation mark that nothing closes as any other character."""
        opened, self.opened = "".join(self.opened), []
        self._between(opened)

    def _between(self, text: str) -> None:
        self.gap += text
        if sum(any(map(str.isalnum, word)) for word in self.gap.split()) > self.limit:
            self.quoted, self.gap = "", self.gap[-1:]


def _ref(token: Token) -> str:
    """Return the reference that a code span or the target of a link is; empty if it is none."""
    written = token.content if token.type == "code_inline" else str(token.attrGet("href") or "")
    try:
        return str(parse(linked_ref(written)))
    except InvalidInput:
        return ""


def _plain(token: Token) -> str:
    match token.type:
        case "softbreak" | "hardbreak":
            return "\n"
        case "code_inline":
            return token.markup + token.content + token.markup
        case "text":
            return token.content
        case _:
            return ""


def _unwrapped(text: str) -> str:
    """Return what is between the quotation marks that a text begins and ends with; empty without them."""
    text = text.strip()
    return text[1:-1] if text[-1:] in CLOSING.get(text[:1], ()) else ""


def _without_attribution(text: str) -> str:
    """Return what a block quote says before the line of its source, which begins with a dash or has no word."""
    text = text.rstrip()
    before, _, last = text.rpartition("\n")
    if last.lstrip().startswith(_DASHES) or not any(map(str.isalnum, last)):
        return before
    return text.rstrip("".join(_DASHES) + " (")
