import pytest

from support.html_pages import texts


def test_white_space_is_as_a_browser_shows_it() -> None:
    assert texts("<p> a\n  b\t<b>c</b> d&nbsp;e </p>") == ["a b c d e"]


def test_a_break_is_a_line_and_two_are_a_paragraph() -> None:
    assert texts("<p>a<br>b<br> <br>c<hr>d") == ["a\nb", "c", "d"]


def test_powers_stay_powers_and_ordinals_stay_words() -> None:
    assert texts("<p>10<sup>5</sup> x<sup>-n</sup> 1<sup>st</sup> H<sub>2</sub>O 5<sub>10</sub> <sup>a</sup>") == [
        "10^5 x^-n 1st H2O 5_10 a"
    ]


def test_what_was_struck_out_says_so_and_a_quotation_has_its_marks() -> None:
    assert texts("<p><del>9</del> <s>8</s> <ins>7</ins> <q>so</q></p>") == ["~~9~~ ~~8~~ 7 “so”"]


def test_a_term_is_marked_where_it_is_defined() -> None:
    assert texts("<p>A <dfn>pump</dfn> is a <em>device</em>. <dfn>C*</dfn> too.</p>") == [
        "A *pump* is a device. C* too."
    ]
    assert texts("<h2>The <dfn>pump</dfn></h2><dl><dt><dfn>valve</dfn></dt><dd>Part.</dd></dl>") == [
        "## The pump",
        "- **valve**\n  Part.",
    ]


def test_a_term_has_its_asterisks() -> None:
    assert texts("<dl><dt>int get(server *s, char *id)</dt><dd>Gets it.</dd></dl>") == [
        "- **int get(server *s, char *id)**\n  Gets it."
    ]


def test_soft_hyphens_and_single_characters_without_width_are_left_out() -> None:
    assert texts("<p>im&shy;por\u200btant\ufeff</p>") == ["important"]


def test_links_are_written_with_their_target_as_it_is() -> None:
    assert texts('<p>See <a href="../b.html#c"> b <i>c</i> </a>and <a href="#d">d</a>.') == [
        "See [b c](../b.html#c) and [d](#d)."
    ]


@pytest.mark.parametrize("href", ["", "javascript:go()", "data:text/html,x"])
def test_a_link_to_nowhere_is_its_text(href: str) -> None:
    assert texts(f'<p><a href="{href}">a</a>') == ["a"]


def test_a_target_cannot_end_its_link() -> None:
    assert texts('<p><a href="a b(c)">x</a> <a href="d)">y</a> <a href="e\n">z</a>') == [
        "[x](a%20b(c)) [y](d%29) [z](e)"
    ]
