import pytest

from support.html_pages import blocks, read, texts


def test_inline_elements_join_and_blocks_part() -> None:
    assert texts("<div>a<span>b</span><p>c</p>d<section>e</section></div>") == ["ab", "c", "d", "e"]


def test_a_formula_is_its_alternative_text_or_its_elements() -> None:
    tex = '<math><annotation encoding="application/x-tex">z^2</annotation></math>'
    markup = f'<p><math alttext="a/b"><mi>a</mi></math>, {tex}, <math><mi>x</mi> <mi>y</mi></math>'
    assert texts(markup + "</p>") == ["a/b, z^2, xy"]


def test_comments_scripts_and_templates_say_nothing() -> None:
    dropped = "<!-- c --><script>s</script><style>t</style><noscript>n</noscript><template>e</template><svg>v</svg>"
    assert texts(f"<p>a{dropped}b</p><button>c</button><select><option>o</select>") == ["ab"]


def test_a_check_box_shows_whether_it_is_checked() -> None:
    assert texts("<ul><li><input type=checkbox checked>a<li><input type=checkbox>b<li><input>c</ul>") == [
        "- [x] a\n- [ ] b\n- c"
    ]


def test_what_details_hold_is_shown() -> None:
    assert texts("<details><summary>More</summary>all of it</details>") == ["More", "all of it"]


def test_links_start_at_the_base_where_the_page_has_one() -> None:
    assert texts('<base href="https://x.org/a/"><p><a href="b">b</a> <a href="//[">c</a>') == [
        "[b](https://x.org/a/b) [c](//[)"
    ]


def test_a_picture_in_a_link_is_named() -> None:
    assert texts('<p><a href="x"><img alt="Logo"></a>') == ["[![Logo]](x)"]


def test_a_role_makes_a_heading() -> None:
    markup = '<div role="heading" aria-level="3">a</div><p role="heading">b<div role=heading aria-level=77>c</div>'
    assert [block.level for block in blocks(read(markup))] == [3, 2, 6]


def test_pictures_are_named_where_they_have_a_name() -> None:
    assert texts('<p><img alt="alone"></p><p>a <img alt="b"> <img alt=""><img></p><h2><img alt="c"></h2>') == [
        "![alone]", "a ![b]", "## c",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "markup",
    [
        "<table><tr><td>a<td><table><tr><td>x<td>y</table></table>",
        "<table><tr><td>a<td><h2>x</h2></table>",
        "<table role=presentation><caption>c</caption><tr><td>a<td>x</table>",
        "<table><tr><td>a</table>",
    ],
)
def test_a_table_that_lays_out_the_page_is_none(markup: str) -> None:
    assert "a" in texts(markup)


@pytest.mark.parametrize("box", ['<div class="note">{}</div>', '<div class="admonition"><div class="x">{}</div></div>'])
def test_the_title_of_an_admonition_does_not_end_the_section_that_it_is_in(box: str) -> None:
    page = "<h2>Cleaning</h2><p>a<h3>Daily</h3><p>b" + box.format("<h3>Note</h3><p>c") + "<p>d<h3>Weekly</h3><p>e"
    assert [section.path for section in read(page).sections] == [
        ("Cleaning",),
        ("Cleaning", "Daily"),
        ("Cleaning", "Daily", "Note"),
        ("Cleaning", "Weekly"),
    ]


def test_the_title_of_an_admonition_is_at_most_of_the_deepest_level() -> None:
    page = '<h6>Deep</h6><p>a<div class="tip"><h3>Tip</h3><p>b</div>'
    assert [block.level for block in blocks(read(page)) if block.level] == [6, 6]
