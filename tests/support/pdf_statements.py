"""Tables without rules, found in lines typed as they look."""

from pincite.formats.pdf.tables.borderless import find_borderless
from pincite.formats.pdf.tables.draft import TableDraft
from pincite.formats.pdf.tables.segments import rows_of
from support.typed_pages import grid, typed


def found(page: str, **how: object) -> list[TableDraft]:
    return find_borderless(rows_of(typed(page, **how)))  # type: ignore[arg-type]  # handed on as they are


def only(page: str, **how: object) -> list[list[str]]:
    drafts = found(page, **how)
    assert len(drafts) == 1
    return grid(drafts[0])


STATEMENT = """
(In millions)                        2022       2021
Current assets:
  Cash and cash equivalents       $ 1,234    $   987
  Inventories, net                    (56)         —
Total assets                      $ 1,178    $   987
"""
