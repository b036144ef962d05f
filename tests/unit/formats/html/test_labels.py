import pytest

from support.html_pages import texts


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ('<p><span class="LegDS LegP2No">(1)</span><span class="LegDS LegP2Text">a valve</span>', "(1) a valve"),
        (
            '<h2><span class="LegPartNo">Part 1</span><span class="LegPartTitle">General</span></h2>',
            "## Part 1 General",
        ),
        (
            '<p><span class="ltx_tag ltx_role_refnum">[1]</span><span class="ltx_bibblock">A. Smith</span>',
            "[1] A. Smith",
        ),
        ('<p><span class="label">1.</span><cite>Smith A.</cite>', "1. Smith A."),
        ('<p><span class="number">1</span><span class="decimal">.99</span>', "1.99"),
        ('<p><span class="number">1</span><span>st</span>', "1st"),
        ('<p><span class="number">1</span>, and <span class="no">2</span>nd', "1, and 2nd"),
        ('<p><span class="x">(1)</span><span>A</span>', "(1)A"),
    ],
)
def test_a_label_is_parted_from_the_element_of_its_text(markup: str, text: str) -> None:
    assert texts(markup) == [text]


def test_the_marks_of_items_of_latexml_are_their_labels() -> None:
    def item(mark: str, text: str) -> str:
        tag = f'<span class="ltx_tag ltx_tag_item">{mark}</span>'
        return f'<li class="ltx_item" style="list-style-type:none;">{tag}<div class="ltx_para"><p>{text}</p></div></li>'

    assert texts(f"<ul>{item('•', 'one')}{item('–', 'two')}</ul>") == ["- one\n- two"]
    assert texts(f"<ol>{item('(a)', 'one')}{item('(b)', 'two')}</ol>") == ["- (a) one\n- (b) two"]


def test_a_footnote_of_latexml_is_in_brackets() -> None:
    note = (
        '<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer">'
        '<span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag ltx_tag_note">1</span>'
        "Litres a second.</span></span></span>"
    )
    assert texts(f"<p>This is what we measure.{note} And more.</p>") == [
        "This is what we measure. [Litres a second.] And more."
    ]
