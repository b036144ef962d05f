"""Lines with a rule right below all of their words; those of forms and of tables have another."""

from dataclasses import replace

from pincite.formats.pdf.layout.underlines import MAX_PIECES, is_underlined, pieces_of
from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Line, line_of
from support.typed_pages import typed

(LINE,) = typed("A title")
BASELINE = 8.0


def on_baseline(line: Line) -> Line:
    return line_of([replace(word, below=BASELINE) for word in line.words])


def underlined(*rules: tuple[float, float, float]) -> bool:
    return is_underlined(on_baseline(LINE), pieces_of(Rule(*rule) for rule in rules))


def test_a_rule_right_below_all_words_underlines_them() -> None:
    assert underlined((9, 0, 35))
    assert not underlined() and not underlined((9, 0, 20)) and not underlined((9, 10, 35))


def test_the_line_of_a_form_and_of_a_table_goes_on_or_is_further_down() -> None:
    assert not underlined((9, 0, 80)) and not underlined((13, 0, 35)) and not underlined((4, 0, 35))


def test_the_rule_may_be_broken_at_descenders_and_spaces() -> None:
    assert underlined((9, 0, 5), (9, 10, 20), (9, 26, 35))
    assert not underlined((9, 0, 5), (9, 20, 35))


def test_many_short_rules_are_a_drawing() -> None:
    assert not underlined(*((9, 35 * n / MAX_PIECES, 35 * (n + 1) / MAX_PIECES) for n in range(MAX_PIECES + 1)))


def test_words_far_apart_are_a_row_and_no_title() -> None:
    (line,) = typed("Report         12")
    assert not is_underlined(on_baseline(line), pieces_of([Rule(9, 0, line.x1)]))
