from pincite.model.document import BlockKind
from support.odt_read import hidden, read

LIST = """
<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>
<text:list-level-style-number text:level="2" style:num-format="a" style:num-suffix=")"/></text:list-style>
<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Preformatted_20_Text"/>
<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Table"/>
"""


def test_headings_make_sections() -> None:
    found = read(
        "<text:h text:outline-level='1'>One</text:h><text:p>a</text:p><text:h text:outline-level='2'>Two</text:h>"
        "<text:p>b</text:p>"
    )
    assert [section.path for section in found.sections] == [("One",), ("One", "Two")]


def test_lists_keep_their_levels_labels_and_further_paragraphs() -> None:
    found = read(
        "<text:list text:style-name='L'><text:list-item><text:p>one</text:p><text:p>more</text:p></text:list-item>"
        "<text:list-item><text:p>two</text:p><text:list><text:list-item><text:p>in</text:p><text:list><text:list-item>"
        "<text:p>deep</text:p></text:list-item></text:list></text:list-item></text:list></text:list-item></text:list>",
        LIST,
    )
    assert found.text == "1. one\n  more\n2. two\n  - a) in\n    - deep\n"


def test_a_numbered_heading_in_a_list_has_its_number() -> None:
    def heading(text: str) -> str:
        return (
            "<text:list text:style-name='L' text:continue-numbering='true'><text:list-item>"
            f"<text:h text:outline-level='1'>{text}</text:h></text:list-item></text:list>"
        )

    found = read(heading("One") + "<text:p>a</text:p>" + heading("Two") + "<text:p>b</text:p>", LIST)
    assert [section.path for section in found.sections] == [("1. One",), ("2. Two",)]


def test_lines_of_code_are_one_block_with_their_indents() -> None:
    lines = ("if x:", "<text:s text:c='4'/>y()")
    found = read("".join(f"<text:p text:style-name='P1'>{line}</text:p>" for line in lines), LIST)
    assert found.text == "```\nif x:\n    y()\n```\n"


def test_a_table_has_its_caption_and_the_lists_in_its_cells() -> None:
    cell = "<table:table-cell><text:list><text:list-item><text:p>x</text:p></text:list-item></text:list>"
    row = f"<table:table-row>{cell}</table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell>"
    found = read(
        f"<text:p text:style-name='P2'>Table 1: Keys</text:p><table:table>{row}</table:table-row></table:table>", LIST
    )
    table = found.sections[0].blocks[0].table
    assert table is not None and table.caption == "Table 1: Keys"
    assert [one.text for one in table.cells] == ["- x", "y"]


def test_frames_show_their_pictures_and_their_text_after_the_paragraph() -> None:
    found = read(
        "<text:p>before<draw:frame><draw:text-box><text:p><draw:frame><draw:image xlink:href='Pictures/a.png'/>"
        "<svg:title>A key</svg:title></draw:frame>Figure 1</text:p></draw:text-box></draw:frame> and after</text:p>"
        "<text:p><draw:custom-shape><text:p>in a shape</text:p></draw:custom-shape></text:p>"
    )
    assert found.text == "before and after\n\nFigure 1\n\n![A key]\n\nin a shape\n"


def test_contents_and_other_lists_of_pages_are_told_apart() -> None:
    found = read(
        "<text:table-of-content><text:table-of-content-source><text:index-title-template>T</text:index-title-template>"
        "</text:table-of-content-source><text:index-body><text:p>One<text:tab/>1</text:p></text:index-body>"
        "</text:table-of-content><text:bibliography><text:index-body><text:p>Knuth</text:p></text:index-body>"
        "</text:bibliography>"
    )
    kinds = [block.kind for section in found.sections for block in section.blocks]
    assert (kinds, found.text) == ([BlockKind.CONTENTS, BlockKind.PARAGRAPH], "One\t1\n\nKnuth\n")


def test_a_section_that_is_not_displayed_is_hidden() -> None:
    found = read("<text:section text:display='none'><text:p>secret</text:p></text:section><text:p>a</text:p>")
    assert (found.text, hidden(found)) == ("a\n", [("secret", "hidden text")])


def test_deleted_text_is_left_out() -> None:
    deletion = "<text:deletion><text:p>old</text:p></text:deletion>"
    changes = f"<text:tracked-changes><text:changed-region>{deletion}</text:changed-region></text:tracked-changes>"
    assert read(f"{changes}<text:p>n<text:change/>ew</text:p>").text == "new\n"


def test_deep_nesting_is_cut_and_reported() -> None:
    deep = "<text:list><text:list-item>" * 115 + "<text:p>b</text:p>" + "</text:list-item></text:list>" * 115
    found = read(f"<text:p>a</text:p>{deep}{'<text:section>' * 150}{'</text:section>' * 150}")
    assert (found.text, found.coverage.limits_hit) == ("a\n", ("max_depth",))
