"""Rules of tables that are typed as hyphens or signs of equality: they are no text of the cells."""

import re
from dataclasses import replace

from pincite.formats.pdf.page.characters import AS_HYPHENS
from pincite.formats.pdf.tables.draft import TableDraft

_TYPED_RULE = re.compile(r"-{8,}|={8,}|\u2500{8,}")
"""A rule as wide as a column of values at least: a few hyphens are a value that is missing."""


def without_typed_rules(draft: TableDraft) -> TableDraft:
    """Return a table without its typed rules in any cell, and without rows that are nothing else."""
    rules = {word.first for word in draft.words if _TYPED_RULE.fullmatch(word.text.translate(AS_HYPHENS))}
    if not rules:
        return draft
    left = [replace(cell, words=tuple(word for word in cell.words if word.first not in rules)) for cell in draft.cells]
    cells = [cell for cell in left if cell.words]
    filled = {row for cell in cells for row in range(cell.row, cell.row + cell.row_span)}
    emptied = {cell.row for cell in draft.cells} - filled
    numbers = {row: number for number, row in enumerate(row for row in range(draft.rows) if row not in emptied)}
    return replace(
        draft,
        rows=draft.rows - len(emptied),
        header_rows=draft.header_rows - sum(row < draft.header_rows for row in emptied),
        cells=tuple(replace(cell, row=numbers[cell.row]) for cell in cells),
    )
