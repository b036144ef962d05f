import pytest

from pincite.formats.pdf.page.drawn_underscores import with_underscores
from pincite.formats.pdf.page.rules import Rule
from pincite.formats.pdf.page.words import Word


def word(text: str, x0: float, x1: float, first: int, y1: float = 110.0) -> Word:
    last = first + len(text) - 1
    return Word(text, x0, y1 - 10, x1, y1, 10, "CMR10", False, False, 0, first, last, -1, 0, 0)  # noqa: FBT003


UNDERSCORE = Rule(107.7, 130.6, 133.6)


def texts(words: list[Word], *rules: Rule) -> list[str]:
    return [each.text for each in with_underscores(words, rules)]


def test_a_short_rule_that_touches_two_words_is_an_underscore() -> None:
    words = [word("work", 110, 130, 0), word("mem,", 133.6, 150, 5), word("set", 153, 165, 10)]
    (joined, _) = with_underscores(words, [Rule(20, 72, 540), UNDERSCORE])
    assert (joined.text, joined.x0, joined.x1, joined.last) == ("work_mem,", 110, 150, 8)


def test_a_name_may_have_several() -> None:
    words = [word("a", 125, 130, 0), word("b", 133.6, 138, 2), word("c", 141.6, 146, 4)]
    assert texts(words, UNDERSCORE, Rule(107.7, 138.6, 141.6)) == ["a_b_c"]


@pytest.mark.parametrize(
    "rules",
    [
        (),
        (Rule(103, 130.6, 133.6),),
        (Rule(107.7, 120, 123),),
        (Rule(107.7, 110, 150),),
        (UNDERSCORE, Rule(107.7, 110, 130.5)),
        (Rule(118, 130.6, 133.6),),
    ],
    ids=["none", "as high as a hyphen", "elsewhere", "below both", "below the word, too", "below the line"],
)
def test_other_rules_join_nothing(rules: tuple[Rule, ...]) -> None:
    assert texts([word("work", 110, 130, 0), word("mem", 133.6, 150, 5)], *rules) == ["work", "mem"]


def test_words_of_other_lines_and_signs_are_not_joined() -> None:
    assert texts([word("work", 110, 130, 0), word("mem", 133.6, 150, 5, y1=125)], UNDERSCORE) == ["work", "mem"]
    assert texts([word("work:", 110, 130, 0), word("mem", 133.6, 150, 6)], UNDERSCORE) == ["work:", "mem"]
