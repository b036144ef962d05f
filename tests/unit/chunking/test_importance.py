import pytest

from pincite.chunking.importance import content_type, importance

LONG = "Words without any weight that fill a line of text to its very end. "


@pytest.mark.parametrize(
    ("text", "score"),
    [
        (LONG, 0.5),
        ("short", 0.3),
        (f"# Title\n\n{LONG}", 0.7),
        (f"### Title\n\n{LONG}", 0.7),
        (f"#### Title\n\n{LONG}", 0.5),
        (f"TITLE OF THIS\n{LONG}", 0.7),
        (f"#hashtag {LONG}", 0.5),
        (f"{LONG} 12.5%", 0.65),
        (f"{LONG} $12", 0.65),
        (f"{LONG} €12", 0.65),
        (f"{LONG} 12 and 12.50", 0.5),
        (f"{LONG} A Key Finding", 0.6),
        (f"{LONG} the results", 0.6),
        (f"{LONG} a monkey on a keyboard", 0.5),
        (f"# One\n\n# Two\n\nSUMMARY\n\n{LONG} 5% 6% $7 key results", 0.95),
        ("# Key: $5", 0.75),
        ("", 0.3),
    ],
)
def test_each_condition_counts_once(text: str, score: float) -> None:
    assert importance(text) == score


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("| a | b |", "table"),
        ("a\tb", "table"),
        ("# A\n\n- item\n\n| a |", "table"),
        ("- item", "list"),
        ("• item", "list"),
        ("* item", "list"),
        ("# A\n\n  - nested", "list"),
        ("-item and *emphasis*", "text"),
        ("--- Page 1 ---\n\nwords", "text"),
        ("# A\n\nwords", "heading"),
        ("#### A\n\nwords", "heading"),
        ("###### A", "heading"),
        ("####### A", "text"),
        ("ALL CAPITALS\nwords", "heading"),
        ("A\nwords", "text"),
        ("2024\nwords", "text"),
        ("words", "text"),
        ("", "text"),
    ],
)
def test_the_first_type_that_fits_counts(text: str, kind: str) -> None:
    assert content_type(text) == kind
