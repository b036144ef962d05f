import pytest

from pincite.model.document import AsideKind
from support.html_pages import read, texts


def hidden(markup: str) -> list[str]:
    document = read(f"{markup}<p>shown</p>")
    assert document.text == "shown\n"
    assert {aside.kind for aside in document.asides} <= {AsideKind.HIDDEN}
    return [aside.text for aside in document.asides]


def test_an_aside_that_belongs_to_the_text_is_kept() -> None:
    assert texts('<p>a<aside class="admonition note">b</aside><aside class="ad">c</aside>') == ["a", "b"]


def test_a_form_around_the_page_is_the_page_and_a_small_one_is_a_control() -> None:
    assert texts("<form><p>The whole page is in it.</p><form>x</form></form>") == ["The whole page is in it.", "x"]
    assert texts("<form>Search</form><p>The text of the page.</p><form>Subscribe</form>") == ["The text of the page."]


@pytest.mark.parametrize("sign", ["§", "¶", "#", "⚓︎", "🔗"])
def test_a_sign_that_links_to_its_heading_is_left_out_and_a_link_that_is_read_stays(sign: str) -> None:
    mark = f'<a class="any" href="#doors">{sign}</a>'
    assert texts(f"<h2 id=doors>{mark}Doors</h2><p>a</p><h2>Gates{mark}</h2><p>b") == ["## Doors", "a", "## Gates", "b"]
    assert "C#" in read('<p>See <a href="#c">C#</a> and <a href="other.html">#</a>.').text


def test_a_gutter_is_dropped_if_it_has_line_numbers_and_kept_if_it_is_a_column() -> None:
    numbered = '<table><tr><td class="gutter"><p>1</p><p>2</p></td><td><pre>a\nb</pre></td></tr></table>'
    assert "1" not in read(numbered).text
    assert texts('<div class="twoThirds gutter"><p>The text of a column.</p></div>') == ["The text of a column."]


@pytest.mark.parametrize(
    "attribute",
    [
        "hidden",
        'style="display: none"',
        'style="color:red; VISIBILITY:hidden"',
        'style="opacity:0"',
        'style="font-size:0"',
        'style="font-size: 1px; color:black"',
        'style="font-size:0.5pt"',
        'style="color: #FFF"',
        'style="color:red;background:red"',
        'style="color:rgb(255, 255, 255) !important"',
    ],
)
def test_what_a_page_hides_is_kept_apart(attribute: str) -> None:
    assert hidden(f"<p {attribute}>Ignore <b>all</b> that</p>") == ["Ignore all that"]


@pytest.mark.parametrize(
    "markup",
    [
        '<p style="font-size:10px">x</p>',
        '<p style="opacity:0.9">x</p>',
        '<p style="background:black;color:white">x</p>',
        '<div style="background-color:#000"><p style="color:white">x</p></div>',
        '<table><tr bgcolor="navy"><td style="color:white">x</table>',
        '<p hidden="until-found">x</p>',
        '<p aria-hidden="true">x</p>',
        "<dialog open>x</dialog>",
    ],
)
def test_what_a_page_shows_is_text(markup: str) -> None:
    assert texts(markup) == ["x"]
    assert read(markup).asides == ()


def test_a_closed_dialog_and_hidden_code_are_hidden() -> None:
    assert hidden("<dialog>a</dialog><p hidden></p>") == ["a"]
    assert [aside.text for aside in read("<pre>a<i style='display:none'>b</i></pre>").asides] == ["b"]


@pytest.mark.parametrize(
    "panel",
    [
        '<div role="tabpanel" hidden>',
        '<button aria-controls="y">More</button><div id="y" style="display:none">',
        '<a data-toggle="tab" href="#y">More</a><div id="y" class="x">',
        '<button data-bs-target="#y">More</button><div id="y" class="x">',
        '<a href="#y">2 Requirements</a><section id="y" class="x"><h1>2 Requirements</h1></div>',
    ],
)
def test_what_a_control_unfolds_is_content(panel: str) -> None:
    found = read(f"<style>.x{{display:none}}</style>{panel}<p>One two</p></div><p>{'shown ' * 9}</p>")
    assert found.asides == () and "One two" in found.text


@pytest.mark.parametrize(
    "panel",
    [
        '<button aria-expanded="false">Why?</button><div style="opacity:0;height:0;overflow:hidden">',
        '<h3><button aria-expanded="false">Why?</button></h3> <div hidden>',
        '<div><span role="button" aria-expanded="false">Why?</span></div><div class="x">',
    ],
)
def test_what_follows_a_control_that_unfolds_it_is_content(panel: str) -> None:
    found = read(f"<style>.x{{display:none}}</style>{panel}<p>One two</p></div><p>{'shown ' * 9}</p>")
    assert found.asides == () and "One two" in found.text


@pytest.mark.parametrize(
    "panel",
    [
        '<button aria-expanded="false">Products</button><ul hidden><li>One two</li></ul>',
        '<button aria-expanded="false">Products</button><div hidden><a href="/a">One two</a></div>',
        '<button aria-expanded="false">Products</button><div class="dropdown-menu" hidden>One two</div>',
        "<button>Products</button><div hidden>One two</div>",
        '<button aria-expanded="false">Products</button><p>Other</p><div hidden>One two</div>',
        '<a href="#y">Contact</a><section id="y" hidden>One two</section>',
    ],
)
def test_menus_stay_hidden(panel: str) -> None:
    assert [aside.text for aside in read(f"<div>{panel}</div><p>{'shown ' * 9}</p>").asides] == ["One two"]


def test_a_closed_popup_and_the_words_for_a_formula() -> None:
    assert hidden('<div class="cookie-modal" aria-hidden="true">Accept?</div>') == ["Accept?"]
    formula = "<math><mi>x</mi></math>"
    style = "<style>.m{position:absolute;clip:rect(1px,1px,1px,1px)}</style>"
    assert "x" in read(f"{style}<p>Let <span class=m>{formula}</span> be</p>").text


def test_scripts_are_no_hidden_text() -> None:
    assert hidden("<div hidden>a<script>track()</script> b</div>") == ["a b"]


def test_readings_above_a_text_do_not_part_its_words() -> None:
    assert texts("<p><ruby>\u6cd5\u5f8b<rp>(</rp><rt>\u307b\u3046</rt><rp>)</rp></ruby>\u304c") == [
        "\u6cd5\u5f8b\u304c"
    ]
