"""The second set of what is printed and read back: sources and styles that nobody had printed before.

Written and frozen on 2026-11-23 before any of it was printed, because the third of the first set had been scored nine
times, and its last misses had to be looked at: news articles, abstracts full of compounds, web pages, pages in German,
French, Italian, Spanish and Portuguese, and more generated tables, in other fonts, measures and numbers of columns.
"""

import json
import re
import tarfile
from collections.abc import Iterator, Sequence

from lxml import html

from printed_sources import DATA, Block, Cell, Source, generated, hashed, markdown_blocks, with_dense_levels
from printed_styles import Style

ARTICLES, ABSTRACTS, PAGES = 12, 9, 2
"""Numbers of sources of news articles, of abstracts, and of each language's pages."""
ARTICLES_EACH, ABSTRACTS_EACH, PAGES_EACH = 3, 10, 12
"""What one source is made of."""
MAX_HTML_BLOCKS = 200
SEEDS = range(101, 107)
LANGUAGES = {"de": "de", "fr": "fr", "it": "it", "es": "es", "pt_BR": "pt"}
"""Folders of pages and the language by which their words are broken."""
WEB_PAGES = (
    "html/apache-rewrite.html",
    "html/cmake-lib.html",
    "html/pg-datetime.html",
    "html/py-asyncio-task.html",
    "html/py-csv.html",
    "html/sqlite-article.html",
    "office/test_blog.html",
    "standards/did-core-1.0/did-core-1.0.html",
    "standards/rfc9110/rfc9110.html",
)
_HEADING = re.compile("h[1-6]")

STYLES = (
    Style("typst-letter", "none", hyphenated=True, size=11, font="Liberation Serif", margin_cm=1.2),
    Style("typst-slim", "rows", hyphenated=True, font="New Computer Modern", margin_cm=6, code_columns=40),
    Style("typst-journal", "booktabs", columns=2, hyphenated=True, heads=True, size=9, font="New Computer Modern"),
    Style("typst-bulletin", "header", columns=3, hyphenated=True, size=8.5, font="Liberation Sans", code_columns=40),
    Style("typst-gazette", "rows", columns=3, hyphenated=True, tagged=True, size=9, code_columns=40),
    Style("typst-memo", "grid", hyphenated=True, tagged=True, font="Liberation Sans", margin_cm=3.5, code_columns=50),
    Style(
        "typst-narrow", "striped", columns=2, hyphenated=True, tagged=True, numbered=True, font="Liberation Sans Narrow"
    ),
    Style("typst-book", "none", hyphenated=True, heads=True, plain_headings=True, size=11, margin_cm=4),
    Style("typst-proceedings", "columns", columns=2, hyphenated=True, numbered=True, size=9.5, font="Liberation Serif"),
    Style("weasyprint-letter", "header", hyphenated=True, size=11, font="Liberation Serif", margin_cm=1.2),
    Style("weasyprint-slim", "none", hyphenated=True, margin_cm=6, code_columns=40),
    Style("weasyprint-journal", "booktabs", columns=2, hyphenated=True, heads=True, size=9, font="Liberation Serif"),
    Style("weasyprint-bulletin", "rows", columns=3, hyphenated=True, size=8, font="Liberation Sans", code_columns=40),
    Style("weasyprint-memo", "grid", hyphenated=True, tagged=True, font="Liberation Sans", margin_cm=3.5),
    Style(
        "weasyprint-narrow", "striped", columns=2, hyphenated=True, tagged=True, size=10, font="Liberation Sans Narrow"
    ),
    Style("weasyprint-book", "columns", hyphenated=True, heads=True, plain_headings=True, size=10.5, margin_cm=4),
    Style(
        "weasyprint-gazette",
        "header",
        columns=3,
        hyphenated=True,
        tagged=True,
        size=8,
        font="Liberation Serif",
        code_columns=40,
    ),
    Style(
        "weasyprint-proceedings",
        "none",
        columns=2,
        hyphenated=True,
        numbered=True,
        size=9.5,
        font="Liberation Serif",
    ),
)


def sources() -> list[Source]:
    """Return the sources; files are chosen by the hash of their names."""
    return [
        *_articles(),
        *_abstracts(),
        *_foreign_pages(),
        *(Source(f"html/{name}", with_dense_levels(web_page(name))) for name in WEB_PAGES),
        *(Source(f"generated-{seed}", tuple(generated(seed))) for seed in SEEDS),
    ]


def _paragraphs(text: str) -> Iterator[Block]:
    for part in re.split(r"\n+", text):
        if part.strip():
            yield Block("paragraph", ((" ".join(part.split()), False),))


def _heading(text: str, level: int) -> Block:
    return Block("heading", ((" ".join(text.split()), False),), level=level)


def _articles() -> Iterator[Source]:
    truth: dict[str, dict[str, str]] = json.loads((DATA / "reading/articles/truth.json").read_text("utf-8"))
    names = hashed(truth)
    for number in range(ARTICLES):
        blocks = [_heading(f"Articles, part {number + 1}", 1)]
        for count, name in enumerate(names[number * ARTICLES_EACH : (number + 1) * ARTICLES_EACH], 1):
            blocks += [_heading(f"Article {['one', 'two', 'three'][count - 1]}", 2)]
            blocks += _paragraphs(truth[name]["articleBody"])
        yield Source(f"articles-{number + 1}", tuple(blocks))


def _abstracts() -> Iterator[Source]:
    lines = (DATA / "ir/cranfield/corpus.jsonl").read_text("utf-8").splitlines()
    rows = {row["_id"]: row for row in map(json.loads, lines) if row["text"].strip()}
    names = hashed(rows)
    for number in range(ABSTRACTS):
        blocks = [_heading(f"Abstracts, part {number + 1}", 1)]
        for name in names[number * ABSTRACTS_EACH : (number + 1) * ABSTRACTS_EACH]:
            blocks += [_heading(rows[name]["title"].rstrip(" ."), 2), *_paragraphs(rows[name]["text"])]
        yield Source(f"cranfield-{number + 1}", tuple(blocks))


def _foreign_pages() -> Iterator[Source]:
    with tarfile.open(DATA / "docs-tldr.tar.xz") as archive:
        texts = {
            member.name: file.read().decode("utf-8")
            for member in archive
            if member.name.endswith(".md") and (file := archive.extractfile(member))
        }
    for folder, language in LANGUAGES.items():
        names = hashed(name for name in texts if name.startswith(f"pages.{folder}/"))
        for number in range(PAGES):
            chosen = names[number * PAGES_EACH : (number + 1) * PAGES_EACH]
            blocks = [block for name in chosen for block in markdown_blocks(texts[name])]
            yield Source(f"tldr-{folder}-{number + 1}", with_dense_levels(blocks), language)


def web_page(name: str, limit: int = MAX_HTML_BLOCKS) -> Sequence[Block]:
    """Return the first blocks of a page from its first heading on; of tables those without spanning cells."""
    tree = html.fromstring((DATA / name).read_bytes())
    blocks: list[Block] = []
    for element in tree.iter("h1", "h2", "h3", "h4", "h5", "h6", "p", "li", "dt", "dd", "pre", "table"):
        if any(parent.tag in ("li", "dt", "dd", "pre", "table", "p", "nav") for parent in element.iterancestors()):
            continue
        text = element.text_content()
        if element.tag == "table":
            blocks += _table(element)
        elif element.tag == "pre":
            blocks += [Block("code", ((text.expandtabs(4).strip("\n"), True),))] if text.strip() else []
        elif _HEADING.fullmatch(element.tag):
            blocks += [_heading(text.rstrip("¶# \n"), int(element.tag[1]))] if text.strip() else []
        elif text.strip() and blocks and element.find(".//pre") is None and element.find(".//table") is None:
            kind = "item" if element.tag == "li" else "paragraph"
            blocks.append(Block(kind, ((" ".join(text.split()), False),)))
    return blocks[:limit]


def _table(element: html.HtmlElement) -> list[Block]:
    if element.find(".//table") is not None or element.xpath(".//*[@colspan or @rowspan]"):
        return []
    rows = [[" ".join(cell.text_content().split()) for cell in row.iter("td", "th")] for row in element.iter("tr")]
    rows = [row for row in rows if any(row)]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:  # noqa: PLR2004 - no table else
        return []
    return [Block("table", rows=tuple(tuple(map(Cell, row)) for row in rows))]
