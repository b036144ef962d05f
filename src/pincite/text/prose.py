"""Markdown as plain prose, the input of the embedding model and of the keyword index."""

import html
import re

from pincite.text.invisible import without_hidden
from pincite.text.lexical import DATA_URI_SCHEME

_LINK = re.compile(
    r"""!?\[([^\[\]\n]*)\]\((?=[^()\s]*[/#.:])(?:[^()\s]|\([^()\s]*\))+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?\)"""
)
"""A Markdown link or picture. The target must look like an address, for `a[0](x)` is code."""

_ADDRESS = re.compile(r"<?https?://[^\s<>()\[\]\"]+>?")

_MIN_PAYLOAD_CHARACTERS = 64
"""Minimum characters of a data URL's payload; a shorter one is an example that somebody wrote, not a picture."""

_DATA_URL = re.compile(
    rf"data:(?:[\w.+-]{{1,60}}/[\w.+-]{{1,60}})?(?:;[\w.=+-]{{1,60}}){{0,4}},([^\s\"'<>()`]{{{_MIN_PAYLOAD_CHARACTERS},}})"
)
_CLOSED_DATA_URL = re.compile(_DATA_URL.pattern + r"[^\s\w]{0,8}")
"""With the brackets and quotation marks that close it, so that no chunk begins with them."""

_LONGEST_EMPTY_CHARS = 20_000
"""No heading and few drawings are longer: a passage that is, is taken as it is."""

_MARKUP_CHARS = 300
"""No heading has this many characters beside its words, an anchor included."""

_PAGE_DIGITS = 4
"""Digits of the number of a page: `PINCITE_MAX_PAGES` is 5000."""

_ROW = re.compile(r"^[ \t]*\|.*", re.MULTILINE)
_DELIMITERS = re.compile(r"[\s|:-]+")

INLINE_TAGS = "abbr|b|big|cite|code|del|dfn|em|font|i|ins|kbd|mark|a|q|s|u|samp|small|span|strike|strong|tt|var|wbr"
BLOCK_TAGS = (
    "address|article|aside|blockquote|br|center|dd|details|div|dl|dt|figcaption|figure|footer|h[1-6]|header|hr|img|li"
    "|main|nav|ol|p|picture|pre|section|source|summary|table|tbody|thead|tfoot|tr|ul|caption|colgroup|col"
)
"""HTML tags in Markdown, as alternatives of a pattern; any other `<name>` is most likely a placeholder."""

_MARK = re.compile(
    r"```[\s\S]*?```|`[^`\n]*`"
    rf"|<(?:!--[\s\S]{{0,4000}}?--|/?(?:{INLINE_TAGS}|{BLOCK_TAGS}|su[bp]|t[dh])\b[^<>]{{0,1000}})>"
    r"|&(?:\#\w{1,7}|\w{2,31});"
    r"|\*\*?\*?|~~"
)
"""Code, a tag, an entity or emphasis. Each begins with a character of its own, so that the search skips to it."""


_SILENT = re.compile(
    r"<(svg|iframe|object|embed|video|audio|canvas|script|style)\b[^<>]{0,2000}(?:(?<=/)>|>(?:[\s\S]*?</\1\s*>|[\s\S]*))"
    r"""|^[ ]{0,3}\[(?!\^)[^\]\n]+\]:[ \t]+\S+(?:[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?[ \t]*$"""
    r"|^(?:\([\w.:/-]+\)=|\.\. _[^\n]*:|\[\[[^\]\n]+\]\])[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""Another page, a player or a drawing in a page, with the labels in it; the address that a link's name stands for; the
name by which links find a place, in MyST, reStructuredText and AsciiDoc."""

_MAY_BE_SILENT = ("<", "]:", ")=", ".. _", "[[")

_ANCHOR = re.compile(r"\{[#.:][^{}\n]{0,200}\}")


def says_something(text: str, heading: str) -> bool:
    """Return True if a passage has letters or digits besides its heading, embedded pages, drawings and link targets."""
    is_marked = any(mark in text for mark in _MAY_BE_SILENT)
    if len(text) > (_LONGEST_EMPTY_CHARS if is_marked else len(heading) + _MARKUP_CHARS):
        return True
    said = letters(prose(_ANCHOR.sub("", _SILENT.sub("", text) if is_marked else text)))
    return bool(said.removeprefix(letters(heading)))


def contents_titles(text: str) -> list[str]:
    """Return the titles of a table of contents, by `letters`: each ends at a line that ends in the number of its page.

    Empty if the numbers fall somewhere or a title stands twice, as in a table.
    """
    titles, pages, title = list[str](), [0], ""
    for line in text.splitlines():
        shown = line.rstrip(" |")
        start = shown.rstrip("0123456789")
        title += "" if line.startswith("#") else start
        if 0 < len(shown) - len(start) <= _PAGE_DIGITS and (said := letters(title)):
            titles.append(said)
            pages.append(int(shown[len(start) :]))
            title = ""
    return titles if pages == sorted(pages) and len(set(titles)) == len(titles) else []


def letters(text: str) -> str:
    """Return the letters and digits of a text: what two spellings of one heading have in common."""
    return "".join(filter(str.isalnum, text))


def without_data(text: str) -> str:
    """Return a text without the payload of its data URLs: base64 has no words and no meaning for a model."""
    if DATA_URI_SCHEME not in text:
        return text
    return _DATA_URL.sub(DATA_URI_SCHEME, text)


def passage(text: str) -> str:
    """Return a text for a search result: as written, without invisible characters, with `…` for data URL payloads.

    Either may be megabytes, or instructions to the model that reads the answer; both remain on the page.
    """
    return _DATA_URL.sub(_elided, without_hidden(text)) if DATA_URI_SCHEME in text else without_hidden(text)


def _elided(url: re.Match[str]) -> str:
    return url.string[url.start() : url.start(1)] + "…"


def masked_data(text: str) -> str:
    """Return a text of the same length with spaces for the payload of its data URLs.

    Spaces have no tokens: a chunker that counts tokens in this text keeps a data URL in one chunk, at no cost.
    """
    if DATA_URI_SCHEME not in text:
        return text
    return _CLOSED_DATA_URL.sub(_masked, text)


def _masked(url: re.Match[str]) -> str:
    return url.string[url.start() : url.start(1)] + " " * (url.end() - url.start(1))


def prose(text: str) -> str:
    """Return a text without tags, table bars, emphasis and link addresses, with entities as characters.

    Code is unchanged, except for bars in table rows.
    """
    # Data URLs first: the patterns below would scan their megabytes. Each pattern runs only if its mark occurs.
    text = without_data(without_hidden(text))
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "://" in text:
        text = _ADDRESS.sub("", text)
    if "|" in text:
        text = _ROW.sub(_cells, text)
    return _MARK.sub(_plain_text, text)


def _cells(row: re.Match[str]) -> str:
    return "" if _DELIMITERS.fullmatch(row[0]) else row[0].replace("|", " ")


def _plain_text(mark: re.Match[str]) -> str:
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
    """Return True if a run of asterisks opens or closes emphasis: `2 * 3` and `2*3` do neither."""
    before = mark.string[mark.start() - 1 : mark.start()] or " "
    after = mark.string[mark.end() : mark.end() + 1] or " "
    opens = not after.isspace() and not before.isalnum()
    closes = not before.isspace() and not after.isalnum()
    return opens or closes
