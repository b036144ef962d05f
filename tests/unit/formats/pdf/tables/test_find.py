from pincite.formats.pdf.page.rules import Rule, Rules
from pincite.formats.pdf.page.words import Line, line_of
from pincite.formats.pdf.tables.find import choose_tables
from support.drawn_pdfs import drawn_pdf
from support.pdf_rules import CELLS, TOP, VALUES, boxed, filled, tables
from support.typed_pages import grid, word


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


def placed(*texts: tuple[str, float, float]) -> Line:
    return line_of([word(text, x0, y0, int(1000 * y0 + x0)) for text, x0, y0 in texts])


def test_values_in_the_middle_of_their_wrapped_texts_are_of_one_row_between_rules() -> None:
    """Lines are so far apart that those above and below the values would be rows of their own without rules."""

    def row(top: float, number: str) -> list[Line]:
        values = (number, 0, top + 15), ("Share", 30, top + 15), ("2.00", 205, top + 15), ("4.00", 255, top + 15)
        return [placed(("Following", 30, top)), placed(*values), placed(("Liability", 30, top + 30))]

    names = placed(("Pos", 0, 0), ("Description", 30, 0), ("Price", 200, 0), ("Sum", 260, 0))
    rules = Rules([Rule(y, 0, 275) for y in (-3, 15, 125)])
    (table,) = choose_tables([names, *row(20, "1"), *row(80, "2")], rules)
    assert grid(table) == [
        ["Pos", "Description", "Price", "Sum"],
        ["1", "Following Share Liability", "2.00", "4.00"],
        ["2", "Following Share Liability", "2.00", "4.00"],
    ]


def test_a_number_alone_in_the_last_line_of_a_text_is_no_row_that_rules_join() -> None:
    names = placed(("Date", 0, 0), ("Details", 40, 0), ("Paid", 150, 0), ("Balance", 220, 0))
    values = ("8,115.18", 150.0), ("87,311.49", 220.0)
    short = placed(("01/01", 0, 20), ("Method", 40, 20), *((text, x0, 20) for text, x0 in values))
    first = placed(("02/01", 0, 39), ("Company", 40, 39), *((text, x0, 39) for text, x0 in values))
    wrapped = [placed(("programme", 40, 51)), placed(("established", 40, 63)), placed(("787332", 70, 75))]
    horizontal = [Rule(y, -5, 275) for y in (-5, 15, 34, 90)]
    vertical = [Rule(x, -5, 90) for x in (-5, 35, 145, 215, 275)]
    (table,) = choose_tables([names, short, first, *wrapped], Rules(horizontal, vertical))
    assert grid(table)[2] == ["02/01", "Company programme established 787332", "8,115.18", "87,311.49"]
