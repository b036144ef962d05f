"""A quote that runs across a table is found as the file has it."""

import pytest

from pincite.evidence.file_order import Source, in_file_order
from pincite.evidence.quotes import Finding, Verdict, verify
from pincite.evidence.search import prepare
from pincite.model.call import Call

TABLE = "| Year | Sales |\n| --- | --- |\n| 2020 | 12.5 |\n| 2021 | 13.5 |"
TEXT = f"Sales grew.\n\n{TABLE}\n\nThey may fall.\n"
START = TEXT.index("|")
SOURCES: list[Source] = [(START, START + len(TABLE), "Year 2020 2021 Sales 12.5 13.5")]


def check(quote: str, place: tuple[int, int] = (0, len(TEXT)), sources: list[Source] = SOURCES) -> Finding:
    return verify(quote, prepare(TEXT), place, file_order=lambda: in_file_order(TEXT, sources, Call()))


@pytest.mark.parametrize("quote", ["Year 2020 2021", "2021 Sales 12.5", "Sales 12.5 13.5"])
def test_a_quote_in_the_file_s_order_is_found_at_the_table(quote: str) -> None:
    assert verify(quote, prepare(TEXT), (0, len(TEXT))).verdict is Verdict.ABSENT
    assert check(quote) == Finding(Verdict.NORMALISED, ((START, START + len(TABLE)),))


def test_a_quote_may_run_from_prose_into_a_table_and_out_of_it() -> None:
    assert check("grew. Year 2020").spans == ((TEXT.index("grew"), START + len(TABLE)),)
    assert check("12.5 13.5 They may").spans == ((START, TEXT.index(" fall")),)


def test_what_the_document_itself_says_comes_first() -> None:
    assert check("| 2020 | 12.5 |").verdict is Verdict.EXACT
    assert check("They may fall.").verdict is Verdict.EXACT
    assert check("They  may fall.").verdict is Verdict.NORMALISED


def test_a_table_outside_of_the_place_has_moved() -> None:
    assert check("2021 Sales 12.5", (0, START)) == Finding(Verdict.MOVED, ((START, START + len(TABLE)),))
    assert check("2021 Sales 12.5", (START + 5, len(TEXT))).verdict is Verdict.MOVED


@pytest.mark.parametrize("quote", ["Sales 12.5 13", "2021 Sales 13.5", "ales 12.5 13.5", "fall. Year"])
def test_the_file_s_order_is_as_strict_as_the_document_s(quote: str) -> None:
    assert check(quote).verdict is Verdict.ABSENT


def test_a_source_as_long_as_its_table_maps_as_a_whole_all_the_same() -> None:
    source = "b a".ljust(len(TABLE), ".")
    assert check("b a", sources=[(START, START + len(TABLE), source)]).spans == ((START, START + len(TABLE)),)


def test_sources_that_do_not_fit_are_left_out() -> None:
    sources: list[Source] = [*SOURCES, (START + 2, START + 9, "over it"), (START + 70, 10_000, "beyond"), (3, 5, " ")]
    assert check("over it", sources=sources).verdict is Verdict.ABSENT
    assert check("2021 Sales 12.5", sources=sources).verdict is Verdict.NORMALISED
