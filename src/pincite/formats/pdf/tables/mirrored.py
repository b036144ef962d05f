"""Pages from right to left, mirrored: labels are left of their values then, as the table finder expects."""

from collections.abc import Iterable
from dataclasses import replace

from pincite.formats.pdf.page.placed_text import split_baselines
from pincite.formats.pdf.page.rules import Point, Rule, Rules
from pincite.formats.pdf.page.words import Line, Word, line_of
from pincite.formats.pdf.tables.draft import TableDraft


def mirrored_lines(lines: Iterable[Line]) -> list[Line]:
    """Return lines with x counted from the right, and their words in that order."""
    return [line_of(sorted(mirrored_words(line.words), key=lambda word: word.x0)) for line in lines]


def mirrored_words(words: Iterable[Word]) -> list[Word]:
    """Return words with x counted from the right."""
    return [replace(word, x0=-word.x1, x1=-word.x0) for word in words]


def mirrored_rules(rules: Rules) -> Rules:
    """Return ruling lines with x counted from the right."""

    def point(place: Point) -> Point:
        x, y = place
        return -x, y

    return Rules(
        [Rule(rule.position, -rule.end, -rule.start) for rule in rules.horizontal],
        [Rule(-rule.position, rule.start, rule.end) for rule in rules.vertical],
        [(-x1, y0, -x0, y1) for x0, y0, x1, y1 in rules.shades],
        list(map(point, rules.slants)),
        list(map(point, rules.curves)),
    )


def unmirrored(draft: TableDraft) -> TableDraft:
    """Return a draft of mirrored words as one of the page: columns, and words in each line of a cell, from the left."""
    cells = [
        replace(
            cell,
            column=draft.columns - cell.column - cell.column_span,
            words=tuple(
                word
                for line in split_baselines(mirrored_words(cell.words))
                for word in sorted(line, key=lambda word: word.x0)
            ),
        )
        for cell in draft.cells
    ]
    by_place = sorted(cells, key=lambda cell: (cell.row, cell.column))
    return replace(draft, cells=tuple(by_place), words=tuple(mirrored_words(draft.words)))
