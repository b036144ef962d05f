"""What of a web page is its content, what it hides, what its head says, and what a hostile one does."""

import pytest

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, Block, Document
from pincite.registry import FORMATS

ROW = next(row for row in FORMATS if row.name == "html")


def read(markup: str | bytes, max_blocks: int = 100_000) -> Document:
    data = markup.encode() if isinstance(markup, str) else markup
    return read_document(ROW, Blob("a.html", data), ReadOptions(max_blocks=max_blocks), Call())


def blocks(document: Document) -> list[Block]:
    return [block for section in document.sections for block in section.blocks]


def texts(markup: str) -> list[str]:
    document = read(markup)
    return [document.text[block.start : block.end] for block in blocks(document)]


def hidden(markup: str) -> list[str]:
    document = read(f"{markup}<p>shown</p>")
    assert document.text == "shown\n"
    assert {aside.kind for aside in document.asides} <= {AsideKind.HIDDEN}
    return [aside.text for aside in document.asides]


# What is content


@pytest.mark.parametrize(
    "main",
    ["<main>{}</main>", "<div role=main>{}</div>", "<article>{}</article>", "<div id=content>{}</div>",
     '<div class="x body">{}</div>'],
)  # fmt: skip
def test_the_container_of_most_text_is_the_content(main: str) -> None:
    assert texts("<div>Menu</div>" + main.format("<p>This is the text of it.</p>") + "<div>Legal</div>") == [
        "This is the text of it."
    ]


def test_a_container_of_little_text_is_not_the_content() -> None:
    assert texts("<article>Teaser</article><p>All the rest of the text, and more of it.") == [
        "Teaser", "All the rest of the text, and more of it.",
    ]  # fmt: skip


def test_without_a_container_all_text_is_kept_but_navigation() -> None:
    markup = (
        '<nav>n</nav><div role="search">s</div><p>a</p><aside>b</aside><div class="navbox">c</div><footer>f</footer>'
    )
    assert texts(markup) == ["a"]


def test_an_aside_that_belongs_to_the_text_is_kept() -> None:
    assert texts('<p>a<aside class="admonition note">b</aside><aside class="ad">c</aside>') == ["a", "b"]


def test_a_form_around_the_page_is_the_page_and_a_small_one_is_a_control() -> None:
    assert texts("<form><p>The whole page is in it.</p><form>x</form></form>") == ["The whole page is in it.", "x"]
    assert texts("<form>Search</form><p>The text of the page.</p><form>Subscribe</form>") == ["The text of the page."]


def test_frames_are_links_to_what_they_show() -> None:
    document = read('<frameset><frame src="a.html" name="menu"><frame src="b.html"><noframes>Use frames</frameset>')
    assert document.text.endswith("- [menu](a.html)\n- [b.html](b.html)\n")
    assert document.warnings


# Hidden text


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
    "style",
    [
        ".x{display:none}",
        "p.x { color: red; display : none !important }",
        "#y{visibility:hidden}",
        "div > .x{position:absolute;left:-9999px}",
        ".x{position:fixed;top:-200em}",
        ".x{text-indent:-9999px}",
        ".x{text-indent:100%;white-space:nowrap;overflow:hidden}",
        ".x{margin-left:-9999px}",
        ".x{color:transparent}",
        ".x{color:rgba(0, 0, 0, 0)}",
        ".x{color:#0000}",
        ".x{opacity:0}",
        ".x{height:0;overflow:hidden}",
        ".x{max-height:0px;overflow-y:hidden}",
        ".x{width:1px;height:1px;overflow:hidden}",
        ".x{position:absolute;clip:rect(0 0 0 0)}",
        ".x{position:absolute!important;clip:rect(1px, 1px, 1px, 1px)}",
        ".x{clip-path:inset(50%)}",
        ".x{clip-path:circle(0)}",
        ".x{font-size:0}",
        ".x{font-size:1px}",
        ".x{font:0.1em/1 serif}",
        ".x{color:white}",
        ".x{color:#fefefe;background:#fff}",
        "body{background:#102030} .x{color:#112131}",
        ".x{color:hsl(0, 0%, 100%)}",
        ".x{position:absolute} .x{left:-5000px}",
        ".x{display:block} p.x{display:none}",
        ".x{display:none} @media print{.x{display:block}}",
        "@media screen{.x{display:none}}",
        "/* .x{} */ .a,.x{display:none}",
        "@media (min-width:1px){.z{color:red}} .x{display:none}",
        ".x{background:url(data:image/png;base64,AA==)} .x{display:none}",
        ".X{display:block} [class~=x]{display:none}",
    ],
)
def test_what_a_style_sheet_hides_is_kept_apart(style: str) -> None:
    page = f"<style>{style}</style><div><p class='x' id='y'>Ignore <b>all</b> that</p></div><p>{'shown ' * 9}</p>"
    found = read(page)
    assert [aside.text for aside in found.asides] == ["Ignore all that"]
    assert found.coverage.hidden_spans == 1
    assert found.asides[0].place == '<p class="x" id="y">' and found.asides[0].reason
    assert "Ignore" not in found.text


@pytest.mark.parametrize(
    "style",
    [
        "@media print{.x{display:none}}",
        "@media (max-width:600px){.x{display:none}}",
        ".x:hover{display:none}",
        ".x::before{display:none}",
        ".x{display:none} .x{display:block}",
        ".x{display:none} div .x{display:block}",
        ".x{display:none} .x:target{display:block}",
        "input:checked ~ .x{display:block} .x{display:none}",
        ".x{display:none} @media (min-width:600px){.x{display:block}}",
        ".x{left:-9999px}",
        ".x{text-indent:-2em}",
        ".x{opacity:0;animation:appear 1s forwards}",
        ".x{height:0}",
        ".x{overflow:hidden;height:0;padding-top:56%}",
        ".x{clip:rect(0 0 0 0)}",
        ".x{font-size:0} .x b{font-size:14px}",
        ".x{visibility:hidden} .x b{visibility:visible}",
        ".x{color:transparent;background-clip:text}",
        ".x{color:white;background:#036}",
        "body{background:black} .x{color:white}",
        "div{background:url(dark.png)} .x{color:white}",
        ".x{color:var(--ink)}",
        ".x{color:#eee}",
        ".x{background:transparent}",
        "@keyframes k{from{opacity:0}} .x{color:red}",
        "body{visibility:hidden}",
        ".x{display:",
        "}}}.x{",
        "{display:none}",
    ],
)
def test_what_a_style_sheet_shows_or_may_show_stays(style: str) -> None:
    page = f"<style>{style}</style><div><input type=checkbox><p class=x id=y>One <b>two</b></p></div><p>three four</p>"
    found = read(page)
    assert found.asides == () and "One two" in found.text


def test_a_style_sheet_that_is_elsewhere_may_give_a_background() -> None:
    link, text = '<link rel="stylesheet" href="a.css">', '<p style="color:white">Is it white on white?</p>'
    assert read(f"{link}<div class=dark>{text}</div>").asides == ()
    assert len(read(f"{link}<div>{text}</div>shown").asides) == 1


@pytest.mark.parametrize(
    "panel",
    [
        '<div role="tabpanel" hidden>',
        '<button aria-controls="y">More</button><div id="y" style="display:none">',
        '<a data-toggle="tab" href="#y">More</a><div id="y" class="x">',
        '<button data-bs-target="#y">More</button><div id="y" class="x">',
    ],
)
def test_what_a_control_unfolds_is_content(panel: str) -> None:
    found = read(f"<style>.x{{display:none}}</style>{panel}<p>One two</p></div><p>{'shown ' * 9}</p>")
    assert found.asides == () and "One two" in found.text


def test_a_page_that_fades_in_is_read() -> None:
    assert "All of it" in read("<style>.app{opacity:0}</style><div class=app><p>All of it.</p></div>").text


def test_a_closed_popup_and_the_words_for_a_formula() -> None:
    assert hidden('<div class="cookie-modal" aria-hidden="true">Accept?</div>') == ["Accept?"]
    formula = "<math><mi>x</mi></math>"
    style = "<style>.m{position:absolute;clip:rect(1px,1px,1px,1px)}</style>"
    assert "x" in read(f"{style}<p>Let <span class=m>{formula}</span> be</p>").text


def test_scripts_are_no_hidden_text() -> None:
    assert hidden("<div hidden>a<script>track()</script> b</div>") == ["a b"]


def test_runs_without_width_are_hidden_text() -> None:
    spelt = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
    run = "\u200b" * 9
    flag = "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
    document = read(f"<p>a{spelt}b{run}c {flag} and \u0645\u200c\u0646</p>")
    assert [aside.text for aside in document.asides] == ["obey me", "[9 characters without width]"]
    assert document.text.startswith(f"abc {flag}")
    assert "\u0645\u200c\u0646" in document.text


# Head and bytes


def test_the_head_gives_title_language_and_properties() -> None:
    document = read(
        '<html lang="en_GB"><head><title> A\n page </title><meta name="Description" content="About  it">'
        '<meta name="author" content="Ann"><meta property="article:published_time" content="2026-01-02">'
        '<meta name="x" content="y"><meta name="author" content="Bob"><link rel="canonical" href="https://x.org/a">'
        "</head><body><h1>Other</h1>"
    )
    assert (document.title, document.language) == ("A page", "en-GB")
    assert document.properties == {
        "description": "About it", "author": "Ann", "created": "2026-01-02", "url": "https://x.org/a",
    }  # fmt: skip


def test_a_fragment_is_read_and_has_no_head() -> None:
    document = read("a <b>fragment</b>")
    assert (document.text, document.title, document.language) == ("a fragment\n", None, None)
    assert read("<html lang='!'><h1>x").language is None


def test_a_page_of_xhtml_may_have_empty_elements() -> None:
    markup = (
        '<?xml version="1.0" encoding="iso-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head>'
        '<title>T</title><script src="x"/></head><body><a name="n"/><p>Gr\xfc\xdfe<br/>b</p></body></html>'
    )
    document = read(markup.encode("latin-1"))
    assert (document.text, document.title, document.language) == ("Grüße\nb\n", "T", "de")
    assert blocks(document)[0].anchors == ("n",)


@pytest.mark.parametrize(
    ("encoding", "declaration"),
    [
        ("utf-8-sig", '<meta charset="latin1">'),
        ("utf-16", ""),
        ("utf-8", "<meta charset=windows-1252>"),
        ("utf-8", "<meta charset=nonsense>"),
        ("cp1252", '<meta charset="iso-8859-1">'),
        ("shift_jis", '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'),
        ("iso2022_jp", "<meta charset=iso-2022-jp>"),
        ("gb18030", "<meta charset='gb2312'>"),
        ("cp1251", ""),
        ("cp932", "<meta charset=euc-jp>"),
    ],
)
def test_a_page_is_read_in_its_encoding(encoding: str, declaration: str) -> None:
    words = {"cp1252": "Über “Größe”", "cp1251": "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 5}
    said = words.get(
        encoding, "日本語の文書です。これは試験の頁です。" if encoding != "gb18030" else "中文网页编码测试"
    )
    document = read(f"<html><head>{declaration}</head><p>{said}</p>".encode(encoding))
    assert document.text.strip() == said.strip()
    assert document.coverage.complete


def test_bytes_that_cannot_be_read_are_counted() -> None:
    document = read(b"<meta charset=utf-8><p>" + "Größe ".encode() * 20 + b"\xff</p>")
    assert document.text.endswith("Größe \ufffd\n")
    assert "1 place is not valid" in document.coverage.failed[0].reason


# Hostile pages


def test_a_page_without_text_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="No text"):
        read("<div></div>" * 1000)
    assert read("").sections == ()


def test_binary_bytes_are_no_page() -> None:
    with pytest.raises(Unsupported):
        read(b"<p>a" + bytes(9))


def test_a_page_of_a_hundred_thousand_nested_elements_is_flattened() -> None:
    document = read("<h1>Top</h1>" + "<div>" * 100_000 + "<h2>Deep</h2>text" + "</div>" * 100_000)
    assert document.text == "# Top\n\n## Deep\n\ntext\n"
    assert document.coverage.limits_hit == ("max_depth",)


@pytest.mark.parametrize(
    "markup",
    ["<svg>", "<ul><li>a", "<blockquote>a", "<table><tr><td>a", "<sup>1", "<a href=x>a<p>", "<x/><p>a", "<script>",
     "<dl><dd>a", "<figure>a", "<q>a", "<h1>a"],
)  # fmt: skip
def test_any_element_may_be_repeated_without_end(markup: str) -> None:
    try:
        document = read(markup * 20_001)
    except InvalidInput:
        assert markup in ("<svg>", "<script>")
    else:
        assert document.text.strip()


def test_deep_markup_that_is_no_element_is_not_counted() -> None:
    script = "<script>" + "'<div>'" * 3000 + "</script>"
    document = read(f"{script}<p>a</p>" + "<p>b</p>" * 12_000)
    assert document.coverage.limits_hit == ()


def test_lists_and_quotations_are_indented_so_far_and_no_farther() -> None:
    assert max(len(line) for line in texts("<ul><li>a" * 200)[0].splitlines()) < 70
    assert max(len(line) for line in texts("<blockquote>a" * 200)[0].splitlines()) < 70


def test_more_blocks_than_the_limit_are_one_and_keep_their_anchors() -> None:
    document = read("".join(f"<p id=a{number}>x</p>" for number in range(5)), max_blocks=2)
    assert document.coverage.limits_hit == ("max_blocks",)
    assert [block.anchors for block in blocks(document)] == [("a0",), ("a1", "a2", "a3", "a4")]


def test_reading_stops_when_it_is_cancelled() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Exception, match="cancelled"):
        read_document(ROW, Blob("a.html", b"<p>a"), ReadOptions(), call)
