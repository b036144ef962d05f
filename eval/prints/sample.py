"""A sample of the rendered sources for other readers, and the score of their Markdown.

Every reader's Markdown is parsed by `markdown_sources.markdown_blocks`, pincite's too, and scored as `rendered.py`
scores blocks. The sample is the same for all readers: of each style of the frozen third the three sources that come
first by hash of both names.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from markdown_sources import Source, markdown_blocks, sources
from rendered import Score, of_part, printed, score
from styles import STYLES, Style

SOURCES_OF_EACH_STYLE = 3
"""The slowest of the readers takes half a second a page."""


def write_prints(folder: Path, printers: Path) -> None:
    """Write the PDFs of the sample to a folder."""
    for style, source in _chosen():
        for own, data in printed([source], style, printers):
            (folder / f"{_title(style, own)}.pdf").write_bytes(data)


def score_prints(folder: Path) -> str:
    """Return how well the Markdown in a folder, made of the sample's PDFs, agrees with their sources."""
    total = Score()
    for style, source in _chosen():
        text = (folder / f"{_title(style, source)}.md").read_text("utf-8")
        total.add(score(source, style, markdown_blocks(text)))
    f1 = 2 * total.headings / max(1, total.headings_read + total.headings_all)
    return (
        f"rows {total.rows / total.rows_all:.3f}, false tables {total.false_tables}, headings {f1:.3f}, "
        f"order {total.similarity / total.prints:.3f}, code {total.code / total.code_all:.3f}, "
        f"broken {total.broken}, cut {total.cut} of {total.prints} prints"
    )


def _chosen() -> Iterator[tuple[Style, Source]]:
    every = sources()
    for style in STYLES:
        own = of_part(style, every, is_frozen=True)
        own.sort(key=lambda source: hashlib.sha256(f"{style.name} {source.name}".encode()).digest())
        yield from ((style, source) for source in own[:SOURCES_OF_EACH_STYLE])


def _title(style: Style, source: Source) -> str:
    return f"{style.name}--{source.name.replace('/', '_')}"
