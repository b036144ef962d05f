"""The looks of the fifth set, drawn from the pieces of each engine: each piece occurs about as often as the others."""

import json
import random
from collections.abc import Iterator, Sequence
from types import ModuleType

import printed_fifth_css
import printed_fifth_latex
import printed_fifth_typst
from printed_fifth_css import Piece
from printed_fourth import Design

SEED = 5
PARTS = (
    "PAGES", "FONTS", "PARAGRAPHS", "HEADINGS", "NUMBERS", "RULES", "CELLS", "CAPTIONS", "CODE", "LISTS", "HEADS",
)  # fmt: skip
"""Names of the tuples of pieces, in the order in which the pieces stand in a preamble."""
LOOKS = {"typst": 9, "weasyprint": 9, "chromium": 6, "latex": 6}
"""How many are drawn, by printer."""


def _drawn(draw: random.Random, pieces: Sequence[Piece], count: int) -> list[Piece]:
    """Return pieces in random order, none of them again before each was drawn."""
    drawn: list[Piece] = []
    while len(drawn) < count:
        drawn += draw.sample(pieces, len(pieces))
    return drawn[:count]


def _looks(printer: str, module: ModuleType, lacking: Sequence[str] = ()) -> Iterator[tuple[str, list[Piece]]]:
    """Yield names and pieces; pieces in whose flags or rules is one of `lacking` are left out."""
    draw = random.Random(f"{SEED} {printer}")  # noqa: S311 - a drawing that can be repeated
    parts: list[list[Piece]] = []
    for part in PARTS:
        known = [
            piece for piece in getattr(module, part) if not any(word in piece.css + piece.flags for word in lacking)
        ]
        parts.append(_drawn(draw, known, LOOKS[printer]))
    for number, pieces in enumerate(zip(*parts, strict=True), 1):
        yield f"{printer}-look{number}", list(pieces)


def _design(name: str, pieces: Sequence[Piece], preamble: str, more_flags: str = "") -> Design:
    page, code = pieces[PARTS.index("PAGES")], pieces[PARTS.index("CODE")]
    flags = {flag for piece in pieces for flag in piece.flags.split()} | set(more_flags.split())
    return Design(
        name,
        preamble,
        frozenset(flags - {"tagged"}),
        int((page.width_pt - code.padding_pt) / code.code_pt) - 1,
        page.columns,
        "tagged" in flags,
    )


def _typst() -> Iterator[Design]:
    for (name, pieces), tags in zip(_looks("typst", printed_fifth_typst), printed_fifth_typst.TAGS, strict=True):
        preamble = "\n".join([printed_fifth_typst.BEFORE, *(piece.css for piece in pieces), printed_fifth_typst.AFTER])
        yield _design(name, pieces, preamble, f"rtl {tags}")


def _css(printer: str, lacking: Sequence[str]) -> Iterator[Design]:
    tags_of = printed_fifth_css.TAGS[printer]
    for (name, pieces), tags in zip(_looks(printer, printed_fifth_css, lacking), tags_of, strict=True):
        # The page last: what it sets for narrow columns overrules the others.
        preamble = "\n".join([printed_fifth_css.COMMON, *(piece.css for piece in reversed(pieces))])
        yield _design(name, pieces, preamble, f"rtl {tags}")


def _latex() -> Iterator[Design]:
    for name, pieces in _looks("latex", printed_fifth_latex):
        # Sloppy: long words do not leave the page.
        yield _design(name, pieces, "\n".join([*(piece.css for piece in pieces), r"\sloppy"]))


def _libreoffice() -> Iterator[Design]:
    """Yield looks in paragraph styles and Word's table styles."""
    draw = random.Random(f"{SEED} libreoffice")  # noqa: S311 - a drawing that can be repeated
    tables = draw.sample(["Table Grid", "Light List Accent 2", "Medium Grid 1", "Light Shading Accent 1"], 4)
    fonts = draw.sample(["Liberation Serif", "Liberation Sans", "DejaVu Serif", "Noto Sans"], 4)
    pages = (([21, 29.7], 2.5, 1), ([21.59, 27.94], 2, 2), ([29.7, 21], 2.2, 1), ([21, 29.7], 3.2, 1))
    headings = draw.sample(
        [
            [[18, True, "000000"], [14, True, "000000"], [11, True, "000000"], [10, True, "555555"]],
            [[22, False, "2E74B5"], [15, False, "2E74B5"], [12, False, "1F4D78"], [11, False, "1F4D78"]],
            [[14, True, "000000"], [10.5, True, "000000"], [10.5, False, "000000"], [10.5, False, "777777"]],
            [[16, True, "7F0000"], [13, True, "7F0000"], [11, True, "404040"], [10, True, "404040"]],
        ],
        4,
    )
    tagged = (True, False, False, True)
    for at, (page, margin, columns) in enumerate(pages):
        size = draw.choice([9.5, 10, 10.5])
        settings = {
            "page": page, "margin": margin, "columns": columns, "font": fonts[at], "size": size,
            "headings": headings[at], "table": tables[at], "justified": at % 2 == 1, "shaded": at > 1,
            "header": draw.choice(["", "Ref. 2025/118 - {source}", "Draft for comments"]),
            "cell_space": draw.choice([0, 2]), "cell_size": size - 1 if columns == 1 else 6.5,
        }  # fmt: skip
        width_pt = (page[0] - 2 * margin - 1.3 * (columns - 1)) / columns * 72 / 2.54
        flags = frozenset({"numbered"} if at in (0, 2) else set[str]())
        code_columns = int(width_pt / (size * 0.85 * 0.6)) - 1
        yield Design(f"libreoffice-look{at + 1}", json.dumps(settings), flags, code_columns, columns, tagged[at])


_PANDOC = (
    Design(
        "pandoc-look1",
        "--pdf-engine=pdflatex -V documentclass=scrartcl -V fontsize=11pt -V papersize=a4 -V fontfamily=utopia -N",
        code_columns=60,
    ),
    Design(
        "pandoc-look2",
        "--pdf-engine=pdflatex -V documentclass=extarticle -V fontsize=9pt -V geometry:margin=3.4cm -V indent=true "
        "-V fontfamily=mathptmx --highlight-style=zenburn",
        code_columns=66,
    ),
)
DESIGNS = (
    *_typst(),
    *_css("weasyprint", ("rotated",)),
    *_css("chromium", ("string(", "{float:left;clear:left")),
    *_latex(),
    *_libreoffice(),
    *_PANDOC,
)
