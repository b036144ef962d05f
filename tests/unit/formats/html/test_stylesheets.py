import pytest

from support.html_pages import read


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
        ".x{color:rgb(0 0 0 / 0%)}",
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
        ".x{font-size:0} .x b{font-size:14px;color:#333}",
        ".x{visibility:hidden} .x b{visibility:visible}",
        ".x{color:transparent;background-clip:text}",
        ".x{color:white;background:#036}",
        "body{background:black} .x{color:white}",
        "div{background:url(dark.png)} .x{color:white}",
        ".x{color:var(--ink)}",
        ".x{color:rgb(0, 0, 0)}",
        ".x{color:hsl(0, 0%, 0%)}",
        ".x{color:rgba(199 73 0 / 1)}",
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
