import pytest

from support.html_pages import texts

SPACER = "<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;&nbsp; </span>"


def word(level: int, mark: str, text: str) -> str:
    ignored = f"<span style='mso-list:Ignore'>{mark}{SPACER}</span>"
    return (
        f"<p class=MsoListParagraphCxSpMiddle style='text-indent:-18.0pt;mso-list:l0 level{level} lfo1'>"
        f"<![if !supportLists]><span style='font-family:Symbol'>{ignored}</span><![endif]>{text}<o:p></o:p></p>"
    )


def filtered(margin: str, mark: str, text: str) -> str:
    style = f"{margin}text-indent:-.25in"
    return f'<p class=MsoListParagraph style="{style}">{mark}{SPACER}{text}</p>'


def test_paragraphs_of_word_are_items_with_their_level_and_number() -> None:
    markup = word(1, "·", "Valves") + word(2, "o", "Small") + word(2, "o", "Large") + word(1, "·", "Pumps")
    assert texts(f"{markup}<p class=MsoNormal>After it.</p>") == [
        "- Valves\n  - Small\n  - Large\n- Pumps",
        "After it.",
    ]
    numbered = word(1, "1.", "Open") + word(2, "a)", "Turn") + word(3, "iv.", "Left") + word(1, "1.2", "Shut")
    assert texts(numbered) == ["1. Open\n  - a) Turn\n    - iv. Left\n- 1.2 Shut"]


def test_paragraphs_of_a_filtered_page_have_their_level_by_their_margin() -> None:
    symbol = f'<span style="font-family:Symbol">·{SPACER}</span>'
    first = f'<p class=MsoListParagraph style="text-indent:-.25in">{symbol}Valves</p>'
    second = filtered("margin-left:1.0in;", "1)", "Small")
    third = filtered("margin-left:72.0pt;", "2)", "<b>Large</b> ones")
    assert texts(first + second + third) == ["- Valves\n  - 1) Small\n  - 2) Large ones"]


@pytest.mark.parametrize(
    "paragraph",
    [
        "<p class=MsoListParagraph>A paragraph in the style of a list.</p>",
        f"<p class=MsoListParagraph>More words than a mark would have.{SPACER}And more.</p>",
        "<h1 style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1 </span>Introduction</h1>",
    ],
)
def test_other_paragraphs_and_headings_keep_their_text(paragraph: str) -> None:
    (text,) = texts(paragraph)
    assert text.lstrip("# ").startswith(("A paragraph", "More words than a mark", "1 Introduction"))


def test_in_a_cell_each_item_is_a_line() -> None:
    table = texts(f"<table><tr><th>a<th>b<tr><td>{word(1, '1.', 'Open')}{word(1, '2.', 'Shut')}<td>c</table>")[0]
    assert "1. Open 2. Shut" in table
