import pytest

from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import prepare
from support.quotes_cut import FIRST, SECOND, cut


@pytest.mark.parametrize("joint", [" ", "\n\n", " … ", "... ", " [...] ", " (…) "])
def test_a_quote_of_two_places_is_stitched(joint: str) -> None:
    verdict, parts = cut(f"{SECOND}{joint}{FIRST}", "One")
    assert verdict == "stitched"
    assert parts == [SECOND, "The **second** limit is twelve"]


def test_parts_need_twelve_characters() -> None:
    text = "a b c d x. Then e f g h here is more."
    assert cut("a b c d e f g h here is", "a", text) == ("absent", [])


@pytest.mark.parametrize("count", [3, 4])
def test_up_to_four_parts_are_stitched(count: int) -> None:
    verdict, parts = cut(" ".join([FIRST, SECOND, FIRST, SECOND][:count]), "One")
    assert (verdict, len(parts)) == ("stitched", count)


def test_a_longer_first_part_leaves_enough_to_the_next() -> None:
    text = "alpha beta gamma delta epsilon zeta eta. Other: epsilon zeta eta theta."
    quote = "alpha beta gamma delta epsilon zeta eta theta"
    assert cut(quote, "alpha", text) == ("stitched", ["alpha beta gamma delta", "epsilon zeta eta theta"])


def test_parts_may_be_markdown_cut_in_two() -> None:
    text = "See [the long guide to](http://x.y) it.\n\nRead **all of this text** now."
    assert cut("Read **all of this See [the long guide", "See", text)[0] == "stitched"


def test_a_part_is_taken_from_the_place_where_it_can_be() -> None:
    text = f"{SECOND}. {FIRST}. Then {SECOND}."
    start = text.rindex("Then")
    found = verify(f"{FIRST} {SECOND}", prepare(text), (start, len(text)))
    assert found.spans[1][0] == text.rindex(SECOND)


def test_an_ellipsis_of_the_document_may_stand_in_a_part() -> None:
    text = "First wait ... then go on. Later it comes to the very end."
    assert cut("First wait ... then go on … Later it comes to the", "First", text)[0] == "stitched"


def test_a_link_of_a_stitched_quote_keeps_its_address() -> None:
    text = "See [the long guide to](http://x.y) it all.\n\nRead all of this text now."
    quote = "See [the long guide to](http://x.{}) it all. … Read all of this text"
    assert cut(quote.format("y"), "See", text)[0] == "stitched"
    assert cut(quote.format("z"), "See", text)[0] == "absent"


def test_an_ellipsis_a_million_times_is_no_quote() -> None:
    assert verify("word" + "…" * 100_000 + "x", prepare("word x"), (0, 6)).verdict is Verdict.ABSENT
    assert verify("…" * 100_000 + "x", prepare("word x"), (0, 6)).verdict is Verdict.NORMALISED


def test_a_part_may_end_in_a_number_of_several_groups() -> None:
    text = "The first part of it is here. In all that makes 1 234 567 good euros a year."
    quote = "first part of it is In all that makes 1 234 567 good euros"
    assert cut(quote, "The", text)[0] == "stitched"
