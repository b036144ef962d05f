"""The looks of the fifth set, drawn from the pieces of each engine: each piece occurs about as often as the others."""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from types import ModuleType
from typing import Any, TypeVar

import printed_fifth_css
import printed_fifth_latex
import printed_fifth_typst
from printed_fifth_css import Piece
from printed_fourth import Design

PARTS = (
    "PAGES", "FONTS", "PARAGRAPHS", "HEADINGS", "NUMBERS", "RULES", "CELLS", "CAPTIONS", "CODE", "LISTS", "HEADS",
)  # fmt: skip
"""Names of the tuples of pieces, in the order in which the pieces stand in a preamble."""
TABLES = ("Table Grid", "Light List Accent 2", "Medium Grid 1", "Light Shading Accent 1")
OFFICE_FONTS = ("Liberation Serif", "Liberation Sans", "DejaVu Serif", "Noto Sans")
OFFICE_PAGES = (([21, 29.7], 2.5, 1), ([21.59, 27.94], 2, 2), ([29.7, 21], 2.2, 1), ([21, 29.7], 3.2, 1))
OFFICE_HEADINGS = (
    [[18, True, "000000"], [14, True, "000000"], [11, True, "000000"], [10, True, "555555"]],
    [[22, False, "2E74B5"], [15, False, "2E74B5"], [12, False, "1F4D78"], [11, False, "1F4D78"]],
    [[14, True, "000000"], [10.5, True, "000000"], [10.5, False, "000000"], [10.5, False, "777777"]],
    [[16, True, "7F0000"], [13, True, "7F0000"], [11, True, "404040"], [10, True, "404040"]],
)

_T = TypeVar("_T")


@dataclass(frozen=True)
class Drawing:
    """What the looks of a set are drawn from.

    Attributes:
        seed: A number that no other set has.
        name: Of each look, after its printer and before its number.
        looks: Numbers of looks by printer.
        more: By printer and part, pieces besides those of the fifth set.
        latex: LaTeX after each preamble.
        untitled: CSS of looks whose headings are tagged as paragraphs, before that of the pieces.
        tables: Word's table styles, fonts, pages with margin and columns, and headings of LibreOffice's looks.
        office: By name, what more settings of LibreOffice's looks are drawn from (`printed_fourth_docx`).
        parts: Names of the tuples of pieces, for a set that has more of them than the fifth.
        lacking: By printer, what no piece may have in its flags or rules.
    """

    seed: int
    name: str
    looks: Mapping[str, int]
    more: Mapping[str, Mapping[str, Sequence[Piece]]] = field(default_factory=dict[str, Mapping[str, Sequence[Piece]]])
    latex: str = r"\sloppy"
    untitled: str = ""
    tables: Sequence[str] = TABLES
    fonts: Sequence[str] = OFFICE_FONTS
    pages: Sequence[tuple[list[float], float, int]] = OFFICE_PAGES
    headings: Sequence[list[list[Any]]] = OFFICE_HEADINGS
    office: Mapping[str, Sequence[Any]] = field(default_factory=dict[str, Sequence[Any]])
    parts: Sequence[str] = PARTS
    lacking: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])

    def designs(self) -> Iterator[Design]:
        """Yield the drawn looks; the same ones every time."""
        yield from _typst(self)
        yield from _css(self, "weasyprint", ("rotated",))
        yield from _css(self, "chromium", ("string(", "{float:left;clear:left"))
        yield from _latex(self)
        yield from _libreoffice(self)


def _drawn(draw: random.Random, pieces: Sequence[_T], count: int) -> list[_T]:
    """Return pieces in random order, none of them again before each was drawn."""
    drawn: list[_T] = []
    while len(drawn) < count:
        drawn += draw.sample(pieces, len(pieces))
    return drawn[:count]


def _looks(
    drawing: Drawing, printer: str, module: ModuleType, lacking: Sequence[str] = ()
) -> Iterator[tuple[str, list[Piece]]]:
    """Yield names and pieces; pieces in whose flags or rules is one of `lacking` are left out."""
    draw = random.Random(f"{drawing.seed} {printer}")  # noqa: S311 - a drawing that can be repeated
    lacking = (*lacking, *drawing.lacking.get(printer, ()))
    parts: list[list[Piece]] = []
    for part in drawing.parts:
        pieces = (*getattr(module, part, ()), *drawing.more.get(printer, {}).get(part, ()))
        known = [piece for piece in pieces if not any(word in piece.css + piece.flags for word in lacking)]
        parts.append(_drawn(draw, known, drawing.looks[printer]))
    for number, pieces in enumerate(zip(*parts, strict=True), 1):
        yield f"{printer}-{drawing.name}{number}", list(pieces)


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


def _typst(drawing: Drawing) -> Iterator[Design]:
    looks = _looks(drawing, "typst", printed_fifth_typst)
    for (name, pieces), tags in zip(looks, cycle(printed_fifth_typst.TAGS), strict=False):
        preamble = "\n".join([printed_fifth_typst.BEFORE, *(piece.css for piece in pieces), printed_fifth_typst.AFTER])
        yield _design(name, pieces, preamble, f"rtl {tags}")


def _css(drawing: Drawing, printer: str, lacking: Sequence[str]) -> Iterator[Design]:
    looks = _looks(drawing, printer, printed_fifth_css, lacking)
    for (name, pieces), tags in zip(looks, cycle(printed_fifth_css.TAGS[printer]), strict=False):
        # The page last: what it sets for narrow columns overrules the others.
        base = printed_fifth_css.COMMON + (drawing.untitled if "untitled" in tags else "")
        preamble = "\n".join([base, *(piece.css for piece in reversed(pieces))])
        yield _design(name, pieces, preamble, f"rtl {tags}")


def _latex(drawing: Drawing) -> Iterator[Design]:
    for name, pieces in _looks(drawing, "latex", printed_fifth_latex):
        # Sloppy: long words do not leave the page.
        yield _design(name, pieces, "\n".join([*(piece.css for piece in pieces), drawing.latex]))


def _libreoffice(drawing: Drawing) -> Iterator[Design]:
    """Yield looks in paragraph styles and Word's table styles."""
    draw = random.Random(f"{drawing.seed} libreoffice")  # noqa: S311 - a drawing that can be repeated
    count = drawing.looks["libreoffice"]
    tables, fonts = draw.sample(drawing.tables, count), draw.sample(drawing.fonts, count)
    pages, headings = drawing.pages, draw.sample(drawing.headings, count)
    more = {name: _drawn(draw, choices, count) for name, choices in drawing.office.items()}
    for at, (page, margin, columns) in enumerate(pages):
        size = draw.choice([9.5, 10, 10.5])
        settings = {
            "page": page, "margin": margin, "columns": columns, "font": fonts[at], "size": size,
            "headings": headings[at], "table": tables[at], "justified": at % 2 == 1, "shaded": at % 4 > 1,
            "header": draw.choice(["", "Ref. 2025/118 - {source}", "Draft for comments"]),
            "cell_space": draw.choice([0, 2]), "cell_size": size - 1 if columns == 1 else 6.5,
            **{name: choices[at] for name, choices in more.items()},
        }  # fmt: skip
        width_pt = (page[0] - 2 * margin - 1.3 * (columns - 1)) / columns * 72 / 2.54
        flags = {"numbered"} if at % 4 in (0, 2) else set[str]()
        flags |= {"cut"} if settings.get("whole_rows") is False else set()
        code_columns = int(width_pt / (size * 0.85 * 0.6)) - 1
        yield Design(
            f"libreoffice-{drawing.name}{at + 1}",
            json.dumps(settings),
            frozenset(flags),
            code_columns,
            columns,
            at % 4 in (0, 3),
        )


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
FIFTH = Drawing(5, "look", {"typst": 9, "weasyprint": 9, "chromium": 6, "latex": 6, "libreoffice": 4})
DESIGNS = (*FIFTH.designs(), *_PANDOC)
