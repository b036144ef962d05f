"""Marks: what finds cited words in another text, and what does not pass for them."""

import random
import re
from functools import partial
from typing import Any

import pytest

from pincite.evidence.marks import MARGIN_CHARS, Location, Words

TEXT = """# Costs

What we pay.

| Item | Net | Gross |
|---|---|---|
| Rent | 1,200 | 1,428 |
| Power | 1,200 | 1,300 |
| Water | 310 | 330 |

## Terms

Each bill is due *thirty days* after it came in.

## End

No more.
"""


def mark_of(words: str, text: str = TEXT, *, after: str = "", heading: str = "Costs") -> str:
    start = text.index(words, text.index(after))
    return Words(text).mark((start, start + len(words)), heading, start)


def found(mark: str, text: str, *, near: int = 0, heading: str = "Costs", lines: bool = False) -> str | None:
    """The words that are found under a heading at `near` characters before the text."""
    span = Words(text).find(mark, lambda at: Location(heading, at[0] + near, at[0] != near, 0), lines=lines)
    return None if span is None else text[slice(*span)]


def before(mark: str, text: str) -> str:
    """What is before the words that are found, on their line."""
    section = text.index("# Costs")
    span = Words(text).find(mark, lambda at: Location("Costs", at[0] - section, is_moved=False, drift=0))
    assert span is not None
    return text[: span[0]].rpartition("\n")[2]


@pytest.mark.parametrize("words", ["Each bill is due *thirty days* after it came in.", "thirty days", "1,428", "Costs"])
def test_words_are_found_where_text_was_added_and_other_text_moved(words: str) -> None:
    other = "# News\n\nAdded.\n\n" + TEXT.replace("## End\n\nNo more.\n", "") + "\nNo more bills of 1,428 pounds.\n"
    assert found(mark_of(words), other) == words


def test_a_mark_has_eleven_digits_and_fits_no_text_without_the_words() -> None:
    mark = mark_of("Each bill is due")
    assert re.fullmatch("[0-9a-z]{11}", mark)
    assert found(mark, TEXT.replace("bill", "order")) is None
    assert found("zzzzzzzzzzz", TEXT) is None


def test_a_mark_is_the_same_from_a_part_of_the_text() -> None:
    long = "\n\n".join(f"## Part {n}\n\n" + TEXT for n in range(60))
    whole = Words(long)
    draw = random.Random(7)  # noqa: S311 - nothing is secret
    for _ in range(200):
        start = draw.randrange(len(long) - 300)
        end, first = start + draw.choice((3, 30, 300)), max(0, start - MARGIN_CHARS)
        part = Words(long[first : end + MARGIN_CHARS])
        for offset in (7, None):
            assert part.mark((start - first, end - first), "", offset) == whole.mark((start, end), "", offset)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Each bill is due *thirty days* after", "Each bill\nis due **thirty\ndays** after"),
        ("“due” – always well-known, so the ﬁrst", '"due" - always well-\nknown, so the first'),
        ("| Rent | 1,200 |", "|  Rent  |   1,200   |"),
        ("### The first heading of them", "# The first heading of them"),
    ],
)
def test_white_space_typography_and_markup_are_no_words(one: str, other: str) -> None:
    text = "Before it.\n\n{}\n\nAfter it."
    assert found(mark_of(one, text.format(one), after="Before"), text.format(other)) is not None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("it MUST rotate", "it must rotate"),
        ("rose by 12 to", "rose by 1 2 to"),
        ("of -5 degrees", "of 5 degrees"),
        ("of 10² people", "of 102 people"),
        ("written in C# code", "written in C code"),
        ("a sum of 1,200 pounds", "a sum of 1,300 pounds"),
        ("a loss of (1,200) pounds", "a loss of 1,200 pounds"),
    ],
)
def test_other_words_are_not_found(one: str, other: str) -> None:
    text = "All that is before these words.\n\n{}\n\nAll that is after these words."
    assert found(mark_of(one, text.format(one)), text.format(one)) == one
    assert found(mark_of(one, text.format(one)), text.format(other)) is None


def test_a_short_value_is_found_among_its_like_by_what_surrounds_it() -> None:
    for row in ("Rent", "Power"):
        mark = mark_of("1,200", after=row)
        assert before(mark, "# New\n\n1,200 of them.\n\n" + TEXT) == f"| {row} | "
    mark = mark_of("1,200", after="Power")
    assert found(mark, TEXT.replace("| Power | 1,200 | 1,300 |\n", "")) is None


def test_of_values_with_the_same_surroundings_the_one_at_its_offset_in_the_section_is_found() -> None:
    row = "| Rent for a year, paid in advance | 1,200 | of it the heating and the water |\n"
    text = f"# Costs\n\n{row}{row}{row}\nNo more is due."
    places = [match.start() for match in re.finditer("1,200", text)]
    for place in places:
        mark = Words(text).mark((place, place + 5), "Costs", place)
        moved = f"# New\n\nAdded.\n\n{text}"
        by = len(moved) - len(text)
        assert Words(moved).find(mark, lambda at, by=by: Location("Costs", at[0] - by, is_moved=True, drift=9)) == (
            place + by,
            place + by + 5,
        )
        assert found(mark, text, near=-13) is None


def test_of_sections_written_alike_none_is_taken_for_one_that_was_edited() -> None:
    section = "{} the Type of Messages\n\nUpon receipt of a request the bus shall {} the type of the message.\n\n"
    start = section.format("Set", "").index("request")
    for number in range(100):
        cited = Words(section.format("Set", f"set {number} of"))
        mark = cited.mark((start, start + 7), f"Set {number}", None)
        other = section.format("Get", "get")
        now = Words(other + section.replace("Type", "Kind").format("Put", f"set {number} of"))

        def locate(span: tuple[int, int], second: int = len(other)) -> Location:
            heading, first, drift = ("Put", second, 1) if span[0] >= second else ("Get", 0, 2)
            return Location(heading, span[0] - first, is_moved=False, drift=drift)

        assert now.find(mark, locate, offset=start) is None


def test_words_and_numbers_are_found_whole() -> None:
    text = "Before it all.\n\nThe art of it.\n\nAfter it all."
    assert found(mark_of("The art", text), text.replace("The art of", "The artist of")) is None


def test_whole_lines_need_nothing_around_them_where_no_others_are_the_same() -> None:
    text = "First.\n\n## Short\n\nFew words.\n\n## Next\n\nSecond.\n"
    mark = mark_of("## Short\n\nFew words.\n\n", text, heading="Short")
    other = "Other.\n\n## Short\n\nFew words.\n\n## More\n\nThree.\n"
    assert found(mark, other, lines=True) == "Short\n\nFew words."
    assert found(mark, other, near=40) is None
    assert found(mark, other.replace("words.", "words. More."), near=40, lines=True) is None
    assert found(mark, f"{other}\n{other}", near=40, lines=True) is None
    assert found(mark, f"{other}\n{other}", heading="Short", lines=True) == "Short\n\nFew words."
    assert found(mark, f"{other}\n{other}", heading="Short", near=1, lines=True) is None


def test_a_short_value_between_other_words_is_found_by_its_heading_and_place() -> None:
    other = TEXT.replace("Water", "Gases").replace("310 | 330", "310 | 340")
    mark = mark_of("310")
    assert before(mark, other) == "| Gases | "
    assert found(mark, other, near=-3) == "310"
    assert found(mark, other, near=-30) is None
    assert found(mark, other, near=-3, heading="Prices") is None


def test_a_short_value_does_not_open_at_a_place_that_keeps_more_of_what_was_around_it() -> None:
    changed = TEXT.replace("| Power | 1,200 | 1,300 |", "| Current | 1,200 | 1,300 |")
    copied = f"{changed}\n# Old\n\n{TEXT}"
    mark = mark_of("1,200", after="Power")
    heading_above = [(0, "Costs"), (copied.index("# Old"), "Old")]

    def locate(at: tuple[int, int]) -> Location:
        start, heading = [each for each in heading_above if each[0] <= at[0]][-1]
        return Location(heading, at[0] - start, is_moved=True, drift=9)

    assert Words(copied).find(mark, locate) is None


def test_a_value_does_not_open_in_a_copy_far_away_while_what_is_around_its_own_place_is_edited() -> None:
    text = "In the queue of a writer 4,096 entries wait at most.\n"
    own = text.replace("queue", "long queue").replace("entries", "messages")
    mark = mark_of("4,096", text)

    def locate(at: tuple[int, int]) -> Location:
        is_copy = at[0] > len(own)
        return Location("Other" if is_copy else "Costs", at[0] % len(own), is_moved=True, drift=7 * is_copy)

    assert Words(own + text).find(mark, locate) is None


def test_a_word_in_emphasis_by_underscores_is_found_beside_other_words() -> None:
    text = "Guidelines on _enrolment_ and proofing"
    assert found(mark_of("enrolment", text), text.replace("Guidelines", "Rules")) == "enrolment"
    assert found(mark_of("enrolment", text), text.replace(" _enrol", "s_enrol")) is None


def test_a_value_that_moved_does_not_open_at_another_place_where_both_may_be_meant() -> None:
    once = "Whoever keeps a boat in the harbour pays a fee of 1,200 pounds a year for it.\n"
    mark, other = mark_of("1,200", once), once.replace("pounds", "euros")
    assert found(mark, once, near=700) == "1,200"
    assert found(mark, other + once, near=-7) is None
    assert found(mark, once + other) == "1,200"


def test_of_two_copies_of_a_paragraph_the_one_in_its_section_is_found_and_none_of_two_that_moved() -> None:
    words = "An exemplar is put into the bucket with the highest value, and is replaced by whatever comes after it."
    before = "What is said above it, in one place as in the other."
    text = f"{before}\n\n{words}\n\n{before}\n\n{words}\n"
    first, second = (match.start() for match in re.finditer(words, text))
    mark = Words(text).mark((first, first + len(words)), "Histogram > Exemplars", first)

    def locate(at: tuple[int, int], *, drift: int, is_moved: bool) -> Location:
        return Location("Exemplars", at[0], is_moved or at[0] >= second, drift + (at[0] >= second))

    assert Words(text).find(mark, partial(locate, drift=0, is_moved=False)) == (first, first + len(words))
    reworded = text.replace(before, "Reworded.", 1)
    assert Words(reworded).find(mark, partial(locate, drift=3, is_moved=True)) is None


def test_of_equal_copies_the_one_where_it_is_expected_is_found_and_no_other() -> None:
    text = ("The same words, as often as you like to read them here.\n" * 5).strip()
    words = text.partition("\n")[0]
    for number in (1, 3):
        start = number * (len(words) + 1)
        mark = Words(text).mark((start, start + len(words)), "", start)
        assert found(mark, text, near=17, heading="") is None
        span = Words(text).find(mark, lambda at: Location("", at[0], is_moved=True, drift=9))
        assert span == (start, start + len(words))


def test_a_rule_between_two_texts_is_found_by_them() -> None:
    text = "One text that is certainly long enough to be one.\n\n---\n\nAnother text that is long enough, too."
    assert found(mark_of("---", text, heading=""), f"# New\n\n{text}\n\n---\n\nThird.") == "---"


def test_the_lines_of_words_include_their_markup() -> None:
    text = "Text.\n\n```\ncode here\n```\n\n## Head\n\nMore.\n"
    start, head = text.index("code"), text.index("Head")
    words = Words(text)
    assert text[slice(*words.with_lines((start, start + 9)))] == "```\ncode here\n```"
    assert text[slice(*words.with_lines((head, head + 4)))] == "## Head"
    assert text[slice(*words.with_lines((start, start + 4)))] == "```\ncode"


def test_marks_stay_the_same_for_ever_since_they_are_in_reports() -> None:
    assert mark_of("1,428") == "0w1xvo9hu8d"
    assert mark_of(TEXT) == "afe5xlywgc0"


def test_few_words_are_sought_at_one_length_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    text = TEXT + "\n\nAnd so on, for a long time." * 10_000
    words, hashed = Words(text), list[int]()
    hashes = Words._hashes  # pyright: ignore[reportPrivateUsage]

    def count(self: Words, starts: Any, ends: Any) -> Any:
        hashed.append(len(starts))
        return hashes(self, starts, ends)

    monkeypatch.setattr(Words, "_hashes", count)
    assert words.find(mark_of("1,428"), lambda at: Location("Costs", at[0], is_moved=True, drift=9)) is not None
    assert 0 < sum(hashed) <= len(text)
