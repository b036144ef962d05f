import pytest

from support.html_pages import texts


@pytest.mark.parametrize(
    ("markup", "labels"),
    [
        ("<ol start=3><li>x<li>x", "3. 4."),
        ("<ol type=a start=26><li>x<li>x<li value=2>x", "z. aa. b."),
        ("<ol type=A><li>x<li type=i>x", "A. ii."),
        ("<ol type=I start=4><li>x<li>x<li value=4000>x", "IV. V. 4000."),
        ("<ol start=many><li>x<li value=-1>x<li>x", "1. -1. 0."),
        ("<ol type=a start=0><li>x", "0."),
        ('<ol class="loweralpha simple" start=2><li>x', "b."),
        ('<ol style="margin:0; list-style-type: Upper-Roman"><li>x<li>x', "I. II."),
        ('<ol style="list-style:none" class=none><li>(1)', "(1)"),
        ("<ol class=none><li>x", "1."),
    ],
)
def test_labels_are_those_that_a_browser_shows(markup: str, labels: str) -> None:
    (text,) = texts(markup)
    assert [line.removeprefix("- ").split()[0] for line in text.splitlines()] == labels.split()
