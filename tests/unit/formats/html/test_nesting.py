import pytest

from pincite.errors import InvalidInput
from support.html_pages import blocks, read


def test_a_page_of_xhtml_may_have_empty_elements() -> None:
    markup = (
        '<?xml version="1.0" encoding="iso-8859-1"?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="de"><head>'
        '<title>T</title><script src="x"/></head><body><a name="n"/><p>Gr\xfc\xdfe<br/>b</p></body></html>'
    )
    document = read(markup.encode("latin-1"))
    assert (document.text, document.title, document.language) == ("Grüße\nb\n", "T", "de")
    assert blocks(document)[0].anchors == ("n",)


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
