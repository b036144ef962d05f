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
