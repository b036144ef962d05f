"""Print and read back: what counts as broken, what is set aside, what is printed."""

import json
import re
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest
from docx import Document

from support.scorers import scorer

printed, printed_sources, printed_styles = scorer("printed"), scorer("printed_sources"), scorer("printed_styles")
printed_docx, printed_latex = scorer("printed_docx"), scorer("printed_latex")
printed_fourth_docx, printed_seventh_designs = scorer("printed_fourth_docx"), scorer("printed_seventh_designs")
printed_eighth, printed_eighth_designs = scorer("printed_eighth"), scorer("printed_eighth_designs")
printed_eighth_foreign = scorer("printed_eighth_foreign")

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


def test_latex_gets_text_that_it_cannot_read_as_commands_or_ligatures() -> None:
    text = printed_latex.latex(SOURCE, printed_styles.Style("latex-a", "booktabs", headings="numbered"))
    assert r"\section{One}" in text and r"Say \texttt{\#x}" in text and r"\multicolumn{2}{c}{\textbf{A}}" in text
    assert printed_latex.escaped("a--b_c") == r"a-{}-b\_c"


def test_libreoffice_gets_headings_tables_and_numbers_of_sections() -> None:
    style = printed_styles.Style("libreoffice-a", "grid", font="Carlito", headings="bold", numbered=True)
    document = Document(BytesIO(printed_docx.docx(SOURCE, style)))
    assert [(one.text, one.style and one.style.name) for one in document.paragraphs[:2]] == [
        ("1 One", "Heading 1"),
        ("Say #x", "Normal"),
    ]
    assert [cell.text for cell in document.tables[0].rows[1].cells] == ["1", "1"]


def test_a_manner_of_headings_reaches_typst_and_html() -> None:
    typst = printed_styles.markup(SOURCE, printed_styles.Style("typst-a", "dark", headings="small", code="numbered"))
    assert "smallcaps" in typst and "line.number" in typst and "text(fill: white)" in typst
    html = printed_styles.markup(SOURCE, printed_styles.Style("chromium-a", "dark", headings="right", code="dark"))
    assert "text-align:right" in html and "background:#2b2b2b" in html


@pytest.mark.parametrize(
    ("drawing", "module", "earlier"),
    [
        (printed_seventh_designs.SEVENTH, printed_seventh_designs, ("fifth", "sixth")),
        (printed_eighth_designs.EIGHTH, printed_eighth_designs, ("fifth", "sixth", "seventh")),
    ],
)
def test_looks_are_the_same_whenever_they_are_drawn_and_no_two_have_one_name(
    drawing: Any, module: Any, earlier: tuple[str, ...]
) -> None:
    designs = module.DESIGNS
    assert tuple(drawing.designs()) == designs[: -len(module.PANDOC)]
    assert len({design.name for design in designs}) == len(designs)
    assert not {design.preamble for design in designs} & {
        design.preamble for name in earlier for design in printed.SETS[name][0]
    }


@pytest.mark.parametrize("designs", [printed_seventh_designs.DESIGNS, printed_eighth_designs.DESIGNS])
def test_most_looks_keep_a_row_on_one_page_and_say_so_where_they_do_not(designs: Any) -> None:
    keeping = {
        "typst": "#set table.cell(breakable: false)",
        "weasyprint": "tr,.tr{break-inside:avoid}",
        "chromium": "tr,.tr{break-inside:avoid}",
        "libreoffice": '"whole_rows": true',
    }
    designs = [design for design in designs if design.printer in keeping]
    kept = [design for design in designs if keeping[design.printer] in design.preamble]
    assert set(designs) - set(kept) == {design for design in designs if "cut" in design.flags}
    assert len(kept) > 3 * (len(designs) - len(kept))


@pytest.mark.parametrize("printer", ["weasyprint", "chromium"])
def test_a_level_of_titles_in_css_looks_like_no_other_one_and_not_like_the_text(printer: str) -> None:
    for design in printed_eighth_designs.DESIGNS:
        if design.printer == printer:
            levels = [css_of(level, design) for level in ("h1", "h2", "h3", "h4")]
            text = {"font-size": "1em", "font-weight": "400", "text-align": "left"}
            assert all(one not in (text, *levels[:at]) for at, one in enumerate(levels)), (design.name, levels)


def css_of(level: str, design: Any) -> dict[str, str]:
    """The rules for the titles of a level, without those of what is around them."""
    found = {"font-weight": "700"}
    white = {"margin", "margin-bottom", "padding", "line-height", "text-indent", "hyphens", "break-before"}
    for selectors, rules in re.findall(r"([^{}]+)\{([^{}]*)\}", design.preamble):
        if level in re.split(r"[,\s]+", selectors.strip()):
            found |= dict(rule.split(":", 1) for rule in rules.split(";") if ":" in rule)
    return {name: value for name, value in found.items() if name not in white}


def test_levels_of_one_size_in_typst_differ_in_something_else() -> None:
    for design in printed_eighth_designs.DESIGNS:
        if design.printer == "typst":
            (sizes, look) = re.findall(r"#let sizes = \((.*)\)\n#let look\(level, it\) = (.*)", design.preamble)[0]
            first, second, third, fourth = map(float, sizes.split(","))
            assert first > second >= third >= fourth
            assert second > third or "level == 2" in look or "level < 3" in look, design.name
            assert third > fourth or "level == 3" in look or "level < 4" in look, design.name


@pytest.mark.parametrize(
    ("third", "fourth", "told"),
    [
        ([11, True, "000000"], [10.5, True, "000000"], True),
        ([10.5, True, "000000"], [10.5, True, "808080"], True),
        ([10.6, True, "000000"], [10.5, True, "000000"], False),
        ([12, True, "000000"], [10.5, False, "000000"], False),
    ],
)
def test_titles_of_office_looks_are_told_by_size_weight_or_colour_from_each_other_and_from_the_text(
    third: list[Any], fourth: list[Any], *, told: bool
) -> None:
    levels = [[18, True, "000000"], [14, True, "000000"], third, fourth]
    assert printed_eighth_designs.tells_levels(levels) is told


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([["Enrollment", "forged evidence"], ["Bank", "another's identity"]], True),
        ([["Enrollment", "forged evidence"], ["", "another's identity"]], False),
        ([["North", "Branch", "1,204"], ["", "Other branch", "(17.5%)"]], True),
        ([["North", "4.1, 4.2"], ["", "4.1.3, 5.2"]], False),
    ],
)
def test_a_row_without_a_first_cell_is_told_by_a_figure_alone(rows: list[list[str]], *, told: bool) -> None:
    assert printed_eighth.tells_rows(printed_sources.table_of([["A", "B", "C"][: len(rows[0])], *rows])) is told


def test_a_document_in_another_language_has_its_numbers_and_sums_that_are_right() -> None:
    report = list(printed_eighth_foreign.report(printed_eighth_foreign.TONGUES["german"], 1))
    assert report == list(printed_eighth_foreign.report(printed_eighth_foreign.TONGUES["german"], 1))
    statement = next(block for block in report if block.rows and block.rows[0][0].text == "in Tausend Euro")
    *values, total = [int(row[1].text.replace(".", "")) for row in statement.rows[1:]]
    assert sum(values) == total


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
    read = printed_sources.table_of(rows, header_rows)
    score = printed.score(SOURCE, printed_styles.Style("typst-a", "booktabs"), [read])
    assert (score.headers, score.headers_all) == (headers, 1)
    assert score.line("typst-a").endswith(f"{headers}/1 {headers:.3f}")


def test_libreoffice_gets_rows_that_are_whole_a_header_that_repeats_and_a_manner_of_titles() -> None:
    design = next(one for one in printed_seventh_designs.DESIGNS if one.printer == "libreoffice")
    settings = json.loads(design.preamble) | {"whole_rows": True, "repeated": True, "titles": "ruled"}
    made = printed_fourth_docx.docx(SOURCE, replace(design, preamble=json.dumps(settings)))
    document = Document(BytesIO(made))
    marks = document.element.xpath("//w:trPr/*")
    assert [mark.tag.partition("}")[2] for mark in marks] == ["cantSplit", "tblHeader", "cantSplit"]
    assert document.styles["Heading 1"].element.xpath("w:pPr/w:pBdr/w:bottom")
