"""Markdown as prose: what a model of sentences, and the word index, are given of a text."""

import html
import re

from pincite.text.invisible import without_hidden

_LINK = re.compile(
    r"""!?\[([^\[\]\n]*)\]\((?=[^()\s]*[/#.:])(?:[^()\s]|\([^()\s]*\))+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?\)"""
)
"""A Markdown link or picture; what follows a bracket in code has no mark of an address."""

_ADDRESS = re.compile(r"<?https?://[^\s<>()\[\]\"]+>?")

DATA_MARK = "data:"
_MIN_PAYLOAD = 64
"""Characters of a data URL from which it is a picture or a font; a shorter one is an example that somebody wrote."""

_DATA_URL = re.compile(
    rf"data:(?:[\w.+-]{{1,60}}/[\w.+-]{{1,60}})?(?:;[\w.=+-]{{1,60}}){{0,4}},([^\s\"'<>()`]{{{_MIN_PAYLOAD},}})"
)
_CLOSED_DATA_URL = re.compile(_DATA_URL.pattern + r"[^\s\w]{0,8}")
"""With the brackets and quotation marks that end it: they are not to begin a chunk."""

_ROW = re.compile(r"^[ \t]*\|.*", re.MULTILINE)
_DELIMITERS = re.compile(r"[\s|:-]+")

INLINE_TAGS = "abbr|b|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|a|q|s|u|samp|small|span|strike|strong|tt|var|wbr"
BLOCK_TAGS = (
    "address|article|aside|blockquote|br|center|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|img|li"
    "|main|nav|ol|p|picture|pre|section|source|summary|table|tbody|thead|tfoot|tr|ul|caption|colgroup|col"
)
"""HTML that stands in Markdown, as alternatives of a pattern; any other `<name>` is rather a placeholder."""

_MARK = re.compile(
    r"```[\s\S]*?```|`[^`\n]*`"
    rf"|<(?:!--[\s\S]{{0,4000}}?--|/?(?:{INLINE_TAGS}|{BLOCK_TAGS}|su[bp]|t[dh])\b[^<>]{{0,1000}})>"
    r"|&(?:\#\w{1,7}|\w{2,31});"
    r"|\*\*?\*?|~~"
)
"""Code, a tag, an entity, emphasis: each begins with a character of its own, so that the search skips to it."""


def without_data(text: str) -> str:
    """Return a text without what its data URLs hold: base64 is no word and means nothing to a model."""
    if DATA_MARK not in text:
        return text
    return _DATA_URL.sub(DATA_MARK, text)


def passage(text: str) -> str:
    """Return a text as a search shows it: as written, without invisible characters, `…` for what data URLs hold.

    Either may be megabytes, or instructions to the model that reads the answer; whoever wants them reads the page.
    """
    return _DATA_URL.sub(_elided, without_hidden(text)) if DATA_MARK in text else without_hidden(text)


def _elided(url: re.Match[str]) -> str:
    return url.string[url.start() : url.start(1)] + "…"


def masked_data(text: str) -> str:
    """Return a text of the same length with spaces for what its data URLs hold.

    Cut by its tokens, a data URL stays in the chunk where it begins and takes no room in it.
    """
    if DATA_MARK not in text:
        return text
    return _CLOSED_DATA_URL.sub(_masked, text)


def _masked(url: re.Match[str]) -> str:
    return url.string[url.start() : url.start(1)] + " " * (url.end() - url.start(1))


def prose(text: str) -> str:
    """A text without marks: no tags, table bars, emphasis or addresses of links, entities as characters.

    Code stays as it is written, but for bars in the rows of a table.
    """
    text = without_data(without_hidden(text))
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "://" in text:
        text = _ADDRESS.sub("", text)
    if "|" in text:
        text = _ROW.sub(_cells, text)
    return _MARK.sub(_seen, text)


def _cells(row: re.Match[str]) -> str:
    return "" if _DELIMITERS.fullmatch(row[0]) else row[0].replace("|", " ")


def _seen(mark: re.Match[str]) -> str:
    match mark[0][0]:
        case "`":
            return mark[0]
        case "<":
            return " "
        case "&":
            return html.unescape(mark[0])
        case _:
            return "" if _is_emphasis(mark) else mark[0]


def _is_emphasis(mark: re.Match[str]) -> bool:
    """Whether a run of asterisks opens or closes: `2 * 3` and `2*3` do neither."""
    before = mark.string[mark.start() - 1 : mark.start()] or " "
    after = mark.string[mark.end() : mark.end() + 1] or " "
    opens = not after.isspace() and not before.isalnum()
    closes = not before.isspace() and not after.isalnum()
    return opens or closes
