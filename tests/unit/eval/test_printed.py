"""Print and read back: what counts as broken, what is set aside, what is printed."""

import json
from dataclasses import replace
from io import BytesIO

import pytest
from docx import Document

from support.scorers import scorer

printed, printed_sources, printed_styles = scorer("printed"), scorer("printed_sources"), scorer("printed_styles")
printed_docx, printed_latex = scorer("printed_docx"), scorer("printed_latex")
printed_fourth_docx, printed_seventh_designs = scorer("printed_fourth_docx"), scorer("printed_seventh_designs")

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


def test_looks_are_the_same_whenever_they_are_drawn_and_no_two_have_one_name() -> None:
    designs = printed_seventh_designs.DESIGNS
    assert tuple(printed_seventh_designs.SEVENTH.designs()) == designs[: -len(printed_seventh_designs.PANDOC)]
    assert len({design.name for design in designs}) == len(designs)
    assert not {design.preamble for design in designs} & {
        design.preamble for name in ("fifth", "sixth") for design in printed.SETS[name][0]
    }


def test_most_looks_keep_a_row_on_one_page_and_say_so_where_they_do_not() -> None:
    keeping = {
        "typst": "#set table.cell(breakable: false)",
        "weasyprint": "tr,.tr{break-inside:avoid}",
        "chromium": "tr,.tr{break-inside:avoid}",
        "libreoffice": '"whole_rows": true',
    }
    designs = [design for design in printed_seventh_designs.DESIGNS if design.printer in keeping]
    kept = [design for design in designs if keeping[design.printer] in design.preamble]
    assert set(designs) - set(kept) == {design for design in designs if "cut" in design.flags}
    assert len(kept) > 3 * (len(designs) - len(kept))


def test_libreoffice_gets_rows_that_are_whole_a_header_that_repeats_and_a_manner_of_titles() -> None:
    design = next(one for one in printed_seventh_designs.DESIGNS if one.printer == "libreoffice")
    settings = json.loads(design.preamble) | {"whole_rows": True, "repeated": True, "titles": "ruled"}
    made = printed_fourth_docx.docx(SOURCE, replace(design, preamble=json.dumps(settings)))
    document = Document(BytesIO(made))
    marks = document.element.xpath("//w:trPr/*")
    assert [mark.tag.partition("}")[2] for mark in marks] == ["cantSplit", "tblHeader", "cantSplit"]
    assert document.styles["Heading 1"].element.xpath("w:pPr/w:pBdr/w:bottom")
