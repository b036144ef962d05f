"""Print and read back: what counts as broken, what is set aside, what is printed."""

import pytest

from support.scorers import scorer

printed, printed_sources, printed_styles = scorer("printed"), scorer("printed_sources"), scorer("printed_styles")

SOURCE = printed_sources.Source(
    "a",
    (
        printed_sources.Block("heading", (("One", False),), level=1),
        printed_sources.Block("paragraph", (("Say ", False), ("#x", True))),
        printed_sources.Block("table", rows=((printed_sources.Cell("A", 2),), (printed_sources.Cell("1"),) * 2)),
    ),
)


@pytest.mark.parametrize(
    ("text", "true_text", "broken"),
    [
        ("a third-party here", "a third-party here", []),
        ("a compre-hensive one", "a comprehensive one", ["compre-hensive"]),
        ("a compre- hensive one", "a comprehensive one", ["compre- hensive"]),
        ("a thirdparty here", "a third-party here", ["thirdparty"]),
        ("short- and long-term", "short- and long-term", []),
    ],
)
def test_a_word_is_broken_by_a_hyphen_of_the_print_or_without_its_own(
    text: str, true_text: str, broken: list[str]
) -> None:
    assert list(printed.broken_words(text, true_text)) == broken


def test_a_third_of_each_group_is_set_aside_whatever_the_order_of_names() -> None:
    names = [f"{group}-{number}" for group in ("typst", "weasyprint") for number in range(9)]
    frozen = printed_sources.frozen(names)
    assert frozen == printed_sources.frozen(reversed(names))
    assert sum(name.startswith("typst") for name in frozen) == 3
    assert len(frozen) == 6


def test_typst_gets_every_text_as_a_string_and_weasyprint_as_escaped_html() -> None:
    typst = printed_styles.markup(SOURCE, printed_styles.Style("typst-a", "booktabs"))
    assert '#heading(level: 1, "One")' in typst and '#raw("#x")' in typst and "colspan: 2" in typst
    html = printed_styles.markup(SOURCE, printed_styles.Style("weasyprint-a", "none"))
    assert "<h1>One</h1>" in html and "<code>#x</code>" in html and "colspan=2" in html
