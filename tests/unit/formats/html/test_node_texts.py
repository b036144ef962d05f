from selectolax.lexbor import LexborHTMLParser, LexborNode

from pincite.formats.html.node_texts import MAX_TAG_CHARACTERS, link_targets, opening_tag, running_text


def node(markup: str) -> LexborNode:
    found = LexborHTMLParser(markup).css_first("div")
    assert found is not None
    return found


def test_an_opening_tag_is_cut() -> None:
    assert opening_tag(node('<div class="a">x</div>')) == '<div class="a">'
    assert opening_tag(node("<div hidden title='a \"b\" &amp; c'><p>x</div>")) == (
        '<div hidden="" title="a &quot;b&quot; &amp; c">'
    )
    assert len(opening_tag(node(f'<div class="{"a" * 200}">x</div>'))) == MAX_TAG_CHARACTERS + 1


def test_the_text_of_scripts_and_styles_is_none_of_an_element() -> None:
    assert running_text(node("<div>a<script>s</script><style>t</style><p>b</p></div>")).split() == ["a", "b"]


def test_link_targets_are_ids_and_names_of_anchors() -> None:
    assert link_targets(node('<div><p id="a">x</p><a name="b">y</a><input name="c"></div>')) == ["a", "b"]
