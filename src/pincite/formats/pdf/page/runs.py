"""Runs of characters in one style without white space, of which words are made."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pincite.formats.pdf.page.accents import FILLER
from pincite.formats.pdf.page.characters import Characters, Run, Style

MIN_WORD_GAP_EM = 0.22
"""Gap between two characters that ends a word. Boxes are loose ones: tight ones leave wider gaps inside `5,50`."""
MIN_STYLE_GAP_EM = 0.15
"""The same where font or colour change at one size: parts of a word touch there, and tight lines have narrow spaces."""
MIN_LONE_GAP_EM = 0.15
"""The same between two letters of a word whose other characters touch, as in `ifsuch`."""
MAX_TOUCHING_GAP_EM = 0.05
MIN_LETTERS = 4
"""Characters of a text that show how far apart they are."""
_MAX_SIZE_DIFFERENCE_SHARE = 0.15
"""Share of the larger font size by which parts of one word may differ; superscripts are cut off."""
_TOKEN = re.compile(r"[•●▪◦‣](?=[^\W\d_])|\S+")
"""A bullet right before a word is one of its own."""


def word_gap_em(look: tuple[Any, ...], other: tuple[Any, ...]) -> float:
    """Return the gap that ends a word between two characters, from their sizes, fonts, bold, italic and colours."""
    return MIN_STYLE_GAP_EM if look[0] == other[0] and look != other else MIN_WORD_GAP_EM


def lone_gap(text: str, gaps: Sequence[float], size: float) -> int | None:
    """Return the index of the letter before the only gap of a text in one style, between two words; None without one.

    Args:
        text: Its characters.
        gaps: Distances between them, one less.
        size: Font size.
    """
    if len(text) < MIN_LETTERS:
        return None
    *others, widest = sorted(gaps)
    index = gaps.index(widest)
    is_lone = widest > MIN_LONE_GAP_EM * size and others[-1] <= MAX_TOUCHING_GAP_EM * size
    return index if is_lone and text[index].isalpha() and text[index + 1].isalpha() else None


def runs_of(source: Characters) -> Iterator[Run]:
    """Split the text at white space, wide gaps and changes of style; most words are one run.

    Only the first and last character's styles are compared, and the ones between only where these differ: a
    style takes several calls into pdfium.
    """
    tokens = [token.span() for token in _TOKEN.finditer(source.text)]
    if not tokens:
        return
    firsts, lasts = [first for first, _ in tokens], [end - 1 for _, end in tokens]
    objects = source.objects(firsts)
    styles = source.styles(firsts, objects)
    uniform, gaps = source.are_uniform(firsts, lasts, objects, styles), source.widest_gaps(firsts, lasts)
    runs = map(Run, firsts, lasts, styles, objects)
    for run, same, gap in zip(runs, uniform, gaps, strict=True):
        if same and gap <= MIN_LONE_GAP_EM * run.style.size:
            yield run
        elif same and gap <= MIN_WORD_GAP_EM * run.style.size:
            yield from _split_at_lone_gap(source, run)
        else:
            yield from _split_run(source, run, same=same)


def _split_at_lone_gap(source: Characters, run: Run) -> Iterator[Run]:
    """Split a run in one style at the only gap between its characters, if there is one."""
    gaps: list[float] = source.gaps[run.first : run.last].tolist()
    index = lone_gap(source.text[run.first : run.last + 1], gaps, run.style.size)
    if index is None:
        yield run
        return
    first = run.first + index + 1
    yield replace(run, last=first - 1)
    yield replace(run, first=first, object=source.objects([first])[0])


def _split_run(source: Characters, run: Run, *, same: bool) -> Iterator[Run]:
    """Split a run at wide gaps and, unless all characters have the `same` style, at changes of style."""
    indices = range(run.first, run.last + 1)
    objects = [run.object] * len(indices) if same else source.objects(indices)
    styles = [run.style] * len(indices) if same else source.styles(indices, objects)
    gaps: list[float] = source.gaps[run.first : run.last].tolist()
    start, style, text_object = run.first, run.style, run.object
    for index, gap, next_style, next_object in zip(indices[1:], gaps, styles[1:], objects[1:], strict=True):
        if source.text[index] == FILLER:
            continue
        if gap > word_gap_em(style.look, next_style.look) * style.size or not _can_share_word(style, next_style):
            yield Run(start, index - 1, style, text_object)
            start, style, text_object = index, next_style, next_object
    yield Run(start, run.last, style, text_object)


def _can_share_word(style: Style, other: Style) -> bool:
    if style is other:
        return True
    return (
        style.turns == other.turns
        and style.painted == other.painted
        and abs(style.size - other.size) <= _MAX_SIZE_DIFFERENCE_SHARE * max(style.size, other.size)
        and style.mcid == other.mcid
    )
