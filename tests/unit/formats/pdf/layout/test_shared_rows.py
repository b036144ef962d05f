from pincite.formats.pdf.layout.shared_rows import shared_rows
from pincite.formats.pdf.page.words import Line, line_of
from support.typed_pages import typed

PROSE = "words of text in one of the columns"


def shared(page: str) -> list[str]:
    """The words of a page's lines, which white parts, that share their row with others."""
    rows = typed(page)
    lines = [line for row in rows for line in _parted(row)]
    found = shared_rows(rows, lines)
    return [word.text for line in lines for word in line.words if word.first in found]


def _parted(row: Line) -> list[Line]:
    at = next((n for n in range(1, len(row.words)) if row.words[n].x0 - row.words[n - 1].x1 > row.size), len(row.words))
    return [line_of(words) for words in (row.words[:at], row.words[at:]) if words]


def test_a_title_in_a_column_of_text_shares_no_row_with_the_text_of_another_column() -> None:
    texts = [f"{PROSE}      {PROSE}"] * 6
    assert shared("\n".join([*texts, f"{'Scope':{len(PROSE)}}      {PROSE}"])) == []


def test_the_label_of_a_chart_shares_its_row_wherever_it_is_in_its_column() -> None:
    texts = [f"{PROSE}      {PROSE}"] * 6
    assert "Rate" in shared("\n".join([*texts, f"          {'Rate':{len(PROSE) - 10}}      {PROSE}"]))


def test_a_label_shares_its_row_with_the_text_at_its_side() -> None:
    page = "\n".join([f"{'Scope':12}{PROSE}", *[" " * 12 + PROSE] * 6])
    assert shared(page) == ["Scope", *PROSE.split()]
    values = "\n".join([*[PROSE] * 6, f"{'Scope':{len(PROSE)}}      12"])
    assert shared(values) == ["Scope", "12"]
