import pytest

from support.odt_read import hidden, read

STYLES = """
<style:style style:name="up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>
<style:style style:name="off" style:family="text"><style:text-properties text:display="none"/></style:style>
<style:style style:name="white" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>
<style:style style:name="dark" style:family="paragraph">
<style:paragraph-properties fo:background-color="#000000"/></style:style>
"""


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        ("a \n  b<text:s text:c='3'/>c<text:tab/>d<text:line-break/>e", "a b   c\td\ne"),
        ("one <text:span> two</text:span>", "one two"),
        ("m<text:span text:style-name='up'>2</text:span>", "m^2"),
        ("<text:a xlink:href='https://a.example/x'>here</text:a> and", "[here](https://a.example/x) and"),
        ("<text:a xlink:href='https://a.example'>https://a.example</text:a>", "https://a.example"),
        ("see <text:a xlink:href='#1.Scope|outline'>Scope</text:a>", "see Scope"),
        ("<text:bookmark-ref>2</text:bookmark-ref> of <text:page-count>9</text:page-count>", "2 of 9"),
        (
            "<text:ruby><text:ruby-base>漢字</text:ruby-base><text:ruby-text>かんじ</text:ruby-text></text:ruby>",
            "漢字(かんじ)",
        ),
        ("sof\N{SOFT HYPHEN}ten", "soften"),
    ],
)
def test_a_paragraph_reads_as_it_is_printed(inside: str, text: str) -> None:
    assert read(f"<text:p>{inside}</text:p>", STYLES).text == f"{text}\n"


def test_hidden_text_is_apart_with_its_reason() -> None:
    found = read(
        "<text:p>a<text:span text:style-name='off'>b</text:span><text:span text:style-name='white'>c</text:span>"
        "<text:hidden-text text:is-hidden='true'>d</text:hidden-text></text:p>",
        STYLES,
    )
    assert found.text == "a\n"
    assert hidden(found) == [("bd", "hidden text"), ("c", "the colour of its background")]


def test_white_text_on_a_dark_ground_is_seen() -> None:
    white = "<text:span text:style-name='white'>c</text:span>"
    found = read(f"<text:p text:style-name='dark'>{white}</text:p><draw:frame><draw:text-box><text:p>{white}</text:p>"
                 "</draw:text-box></draw:frame>", STYLES)  # fmt: skip
    assert (found.text, hidden(found)) == ("c\n\nc\n", [])


def test_bookmarks_are_anchors() -> None:
    found = read("<text:p><text:bookmark-start text:name='here'/>a<text:bookmark-end text:name='here'/></text:p>")
    assert found.sections[0].blocks[0].anchors == ("here",)


def test_deep_nesting_is_cut_and_reported() -> None:
    found = read(f"<text:p>a{'<text:span>' * 200}b{'</text:span>' * 200}</text:p>")
    assert (found.text, found.coverage.limits_hit) == ("a\n", ("max_depth",))
