"""Prints for other readers: a sample of the open fifth set and of the first set's frozen third, and their scores.

Every reader's Markdown is parsed by `printed_sources.markdown_blocks`, pincite's too, and scored as `printed.py` scores
blocks. The sample is the same for all readers: of each look the three sources that come first by hash of both names,
less those whose letters its printer lacks.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from printed import SETS, Score, part, printed, score
from printed_fourth import Design
from printed_sources import Source, markdown_blocks
from printed_styles import Style

PRINTS = {"prints": ("fifth", False), "prints-first": ("first", True)}
"""Sets of `printed.py` by name of the sample, and if it is their frozen part."""
PRINTS_EACH = 3
"""Of each look: the slowest of the readers takes half a second a page."""


def write_prints(name: str, folder: Path, printers: Path) -> None:
    """Write the PDFs of a sample to a folder."""
    for title, data in _sample(name, printers):
        (folder / f"{title}.pdf").write_bytes(data)


def score_prints(name: str, folder: Path) -> str:
    """Return how well the Markdown in a folder, made of a sample's PDFs, agrees with their sources."""
    total = Score()
    for style, source in _chosen(name):
        file = folder / f"{_title(style, source)}.md"
        # None if the printer lacks the source's letters.
        if file.exists():
            total.add(score(source, style, markdown_blocks(file.read_text("utf-8"))))
    f1 = 2 * total.headings / max(1, total.headings_read + total.headings_all)
    return (
        f"rows {total.rows / total.rows_all:.3f}, false tables {total.false_tables}, headings {f1:.3f}, "
        f"order {total.similarity / total.prints:.3f}, code {total.code / total.code_all:.3f}, "
        f"broken {total.broken}, cut {total.cut} of {total.prints} prints"
    )


def _sample(name: str, printers: Path) -> Iterator[tuple[str, bytes]]:
    for style, source in _chosen(name):
        for own, data in printed([source], style, printers):
            yield _title(style, own), data


def _chosen(name: str) -> Iterator[tuple[Style | Design, Source]]:
    set_name, sealed = PRINTS[name]
    styles, make_sources = SETS[set_name]
    sources = make_sources()
    is_chosen = part(set_name, [style.name for style in styles], [source.name for source in sources])
    for style in styles:
        own = [source for source in sources if is_chosen(style.name, source.name, sealed)]
        own.sort(key=lambda source: hashlib.sha256(f"{style.name} {source.name}".encode()).digest())
        yield from ((style, source) for source in own[:PRINTS_EACH])


def _title(style: Style | Design, source: Source) -> str:
    return f"{style.name}--{source.name.replace('/', '_')}"
