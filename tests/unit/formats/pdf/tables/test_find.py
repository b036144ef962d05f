from support.drawn_pdfs import drawn_pdf
from support.pdf_rules import CELLS, TOP, VALUES, boxed, filled, tables


def test_the_same_table_without_rules_is_none() -> None:
    assert tables(drawn_pdf(filled(*CELLS))) == ()


def test_rules_that_part_the_rows_less_than_the_values_do_are_not_taken() -> None:
    frame = f"50 {TOP} m 350 {TOP} l S 50 {TOP - 20} m 350 {TOP - 20} l S 50 {TOP - 80} m 350 {TOP - 80} l S\n"
    frame += "".join(f"{x} {TOP} m {x} {TOP - 80} l S\n" for x in (50, 150, 250, 350))
    (found,) = tables(drawn_pdf(frame + filled(*VALUES)))
    assert found.table.rows == 4


def test_rules_around_a_part_of_a_table_are_not_taken() -> None:
    part = boxed(2, 3)
    (found,) = tables(drawn_pdf(part + filled(*VALUES, ("Tax", "5", "6"), ("Fees", "7", "8"), ("Rent", "7", "8"))))
    assert found.table.rows == 7
