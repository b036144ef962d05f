"""Render and read back: what counts as broken, what is set aside, what is rendered."""

import pytest

from support.scorers import scorer

rendered, sources, styles = scorer("prints/rendered"), scorer("prints/markdown_sources"), scorer("prints/styles")

SOURCE = sources.Source(
    "a",
    (
        sources.Block("heading", (("One", False),), level=1),
        sources.Block("paragraph", (("Say ", False), ("#x", True))),
        sources.Block("table", rows=((sources.Cell("A", 2),), (sources.Cell("1"),) * 2)),
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
    assert list(rendered.broken_words(text, true_text)) == broken


def test_a_third_of_each_group_is_set_aside_whatever_the_order_of_names() -> None:
    names = [f"{group}-{number}" for group in ("typst", "weasyprint") for number in range(9)]
    frozen = sources.frozen(names)
    assert frozen == sources.frozen(reversed(names))
    assert sum(name.startswith("typst") for name in frozen) == 3
    assert len(frozen) == 6


def test_typst_gets_every_text_as_a_string_and_weasyprint_as_escaped_html() -> None:
    typst = styles.markup(SOURCE, styles.Style("typst-a", "booktabs"))
    assert '#heading(level: 1, "One")' in typst and '#raw("#x")' in typst and "colspan: 2" in typst
    html = styles.markup(SOURCE, styles.Style("weasyprint-a", "none"))
    assert "<h1>One</h1>" in html and "<code>#x</code>" in html and "colspan=2" in html


@pytest.mark.parametrize(
    ("rows", "header_rows", "headers"),
    [
        ((("a",), ("1", "1")), 1, 1),
        ((("A",), ("1", "1")), 0, 0),
        ((("A", "1"), ("1",)), 1, 0),
        ((("A",), ("1", "1")), 2, 0),
    ],
)
def test_a_header_counts_if_it_has_the_names_of_the_source_and_no_other_row(
    rows: tuple[tuple[str, ...], ...], header_rows: int, headers: int
) -> None:
    read = sources.table_of(rows, header_rows)
    score = rendered.score(SOURCE, styles.Style("typst-a", "booktabs"), [read])
    assert (score.headers, score.headers_all) == (headers, 1)
    assert score.line("typst-a").endswith(f"{headers}/1 {headers:.3f}")
