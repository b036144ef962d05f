"""Bold and slanted type of fonts without a name, as Type 3 fonts are, by the widths and edges of their letters."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from pincite.formats.pdf.page.characters import Characters, Run
from pincite.formats.pdf.page.pdfium import font_of, glyph_boxes
from pincite.formats.pdf.page.rectangles import displayed

MIN_BOLD_RATIO, MAX_BOLD_RATIO = 1.03, 1.3
"""Width of each letter of a bold font relative to that in the font of the text: Computer Modern has 1.09 to 1.19,
its fonts of formulas .8 to 1.6; Source Serif has 1.04 to 1.24."""
MIN_SHARED_LETTERS = 4
MIN_WIDER_SHARE = 0.9
"""Share of the letters that are so much wider: some may have another form."""
MIN_SLANTED_SHARE, MAX_UPRIGHT_SHARE = 0.9, 0.5
"""Share of the letters of a slanted font, and of the upright one of the text, whose glyph reaches beyond its
advance, as what leans to the right does."""
MAX_EDGE_DIFFERENCE_PT = 0.005
"""Distance of a glyph's edge from that of its box: pdfium widens the box to its glyph."""


def with_faces(runs: list[Run], source: Characters) -> list[Run]:
    """Return the runs with those in bold or slanted type whose fonts do not say so because they have no name."""
    unnamed = [run for run in runs if not run.style.font and run.style.face and not run.style.turns]
    letters = list(_letters(unnamed, source)) if unnamed else []
    if not letters:
        return runs
    widths = (source.edges[2] - source.edges[0]).tolist()
    counts = Counter(face for face, _, _ in letters)
    text = counts.most_common(1)[0][0]
    bold = bold_faces(((face, source.text[index], widths[index] / size) for face, size, index in letters), text)
    slanted = slanted_faces(_reaching(letters, source), text)
    # A box is widened to a slanted letter, so that it tells no weight.
    bold -= slanted
    return [_with_face(run, source, counts, bold, slanted) for run in runs] if bold or slanted else runs


def _with_face(
    run: Run, source: Characters, known: Container[int], bold: Container[int], slanted: Container[int]
) -> Run:
    style = run.style
    if style.font or style.turns:
        return run
    face = style.face
    if face not in known and run.last > run.first:
        # A ligature that begins a word may be in a font of its own.
        faces = map(font_of, filter(None, source.objects(range(run.first, run.last + 1))))
        face = next((other for other in faces if other in known), face)
    if face not in bold and face not in slanted:
        return run
    marked = replace(style, bold=style.bold or face in bold, italic=style.italic or face in slanted)
    return replace(run, style=marked)


def _letters(runs: Iterable[Run], source: Characters) -> Iterator[tuple[int, float, int]]:
    """Yield font, size and index of the letters of runs, but for those of ligatures, which may be in another font."""
    in_ligature = _in_ligature(source)
    for run in runs:
        # The letters behind a ligature are in another font than that of the run's style.
        if run.style.size and not in_ligature[run.first]:
            for index in range(run.first, run.last + 1):
                if source.text[index].isalpha() and not in_ligature[index]:
                    yield run.style.face, run.style.size, index


def _in_ligature(source: Characters) -> list[bool]:
    """Return True for each character that may be part of a ligature, whose box pdfium repeats or divides equally."""
    left, _, right, _ = source.edges
    steps, widths = np.diff(left), right - left
    is_repeated = np.abs(steps) <= MAX_EDGE_DIFFERENCE_PT
    is_divided = np.abs(steps - widths[:-1]) <= MAX_EDGE_DIFFERENCE_PT
    is_same = (is_repeated | is_divided) & (np.abs(np.diff(widths)) <= MAX_EDGE_DIFFERENCE_PT)
    parts: list[bool] = (np.append(is_same, False) | np.append(False, is_same)).tolist()
    return parts


def _reaching(letters: Iterable[tuple[int, float, int]], source: Characters) -> list[tuple[int, str, bool]]:
    """Return font, letter, and True if its glyph reaches the right edge of its box, once for each letter of a font."""
    indices: dict[tuple[int, str], int] = {}
    for face, _, index in letters:
        indices.setdefault((face, source.text[index]), index)
    places = list(indices.values())
    boxes = glyph_boxes.read(source.page.text_pointer, places)
    gaps = source.edges[2][places] - displayed(boxes, source.page.space)[2]
    reaching: list[bool] = (gaps <= MAX_EDGE_DIFFERENCE_PT).tolist()
    return [(face, letter, reaches) for (face, letter), reaches in zip(indices, reaching, strict=True)]


def slanted_faces(letters: Iterable[tuple[int, str, bool]], text: int) -> frozenset[int]:
    """Return the fonts nearly all of whose letters reach beyond their advance, if few of the text's do.

    Args:
        letters: Address of the font, letter, and True if it reaches so far; each letter of a font once.
        text: Address of the font of the text.
    """
    counts: Counter[int] = Counter()
    reaching: Counter[int] = Counter()
    for face, _, reaches in letters:
        counts[face] += 1
        reaching[face] += reaches
    if reaching[text] > MAX_UPRIGHT_SHARE * counts[text]:
        return frozenset()
    return frozenset(
        face
        for face, count in counts.items()
        if count >= MIN_SHARED_LETTERS and reaching[face] >= MIN_SLANTED_SHARE * count
    )


def bold_faces(letters: Iterable[tuple[int, str, float]], text: int) -> frozenset[int]:
    """Return the fonts whose letters are wider than those of the font of the text.

    Args:
        letters: Address of the font, letter, and width in em.
        text: Address of the font of the text.
    """
    widths: dict[int, dict[str, float]] = {}
    for face, letter, width in letters:
        widths.setdefault(face, {}).setdefault(letter, width)
    own = widths.pop(text, {})
    return frozenset(face for face, others in widths.items() if _is_wider(others, own))


def _is_wider(widths: Mapping[str, float], text: Mapping[str, float]) -> bool:
    """Return True if nearly all letters that two fonts have are wider in the first one, by about the same."""
    ratios = [width / text[letter] for letter, width in widths.items() if text.get(letter)]
    wider = sum(MIN_BOLD_RATIO <= ratio <= MAX_BOLD_RATIO for ratio in ratios)
    return len(ratios) >= MIN_SHARED_LETTERS and wider >= MIN_WIDER_SHARE * len(ratios)
