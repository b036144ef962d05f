from pincite.formats.email.plain_text import unflowed, write
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import BlockKind, Page


def written(text: str) -> Page:
    writer = PageWriter(100)
    write(text, writer, Call())
    return writer.page()


def blocks(text: str) -> list[tuple[BlockKind, str]]:
    page = written(text)
    return [(block.kind, page.text[block.start : block.end]) for block in page.blocks]


def test_quotations_are_blocks_of_their_own() -> None:
    assert blocks("Yes.\n\nAnn wrote:\n> Shall I?\n>\n>> Who\n> asks?\nNo.") == [
        (BlockKind.PARAGRAPH, "Yes."),
        (BlockKind.PARAGRAPH, "Ann wrote:"),
        (BlockKind.QUOTE, "> Shall I?\n>\n>> Who\n> asks?"),
        (BlockKind.PARAGRAPH, "No."),
    ]


def test_an_escaped_from_is_no_quotation() -> None:
    assert blocks(">From here\nto there") == [(BlockKind.PARAGRAPH, "From here\nto there")]
    assert blocks("> a\n>From b")[0] == (BlockKind.QUOTE, "> a\n>From b")


def test_a_signature_is_kept_apart() -> None:
    assert [text for _, text in blocks("Bye\n-- \nAnn\nExample Ltd")] == ["Bye", "--\nAnn\nExample Ltd"]


def test_lines_with_marks_are_a_list() -> None:
    assert blocks(" * one\n   more\n   - two\n * three") == [(BlockKind.LIST, "- one\n  more\n  - two\n- three")]
    assert blocks("- one dash")[0][0] is BlockKind.PARAGRAPH
    assert blocks("as\n- a\n- b")[0][0] is BlockKind.PARAGRAPH


def test_the_columns_of_a_drawing_stay() -> None:
    assert blocks("  a  b\n     c") == [(BlockKind.PARAGRAPH, "a  b\n   c")]


def test_flowed_lines_are_joined() -> None:
    assert unflowed("One \ntwo\n> a \n> b\n>> c\n-- \nAnn", deletes_space=False) == "One two\n> a b\n>> c\n-- \nAnn"
    assert unflowed("鍵は \n玄関", deletes_space=True) == "鍵は玄関"
    assert unflowed(" >no quotation \n From b", deletes_space=False) == ">no quotation From b"


def test_armour_is_an_aside() -> None:
    page = written(
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nMine\n"
        "-----BEGIN PGP SIGNATURE-----\n\nabc=\n-----END PGP SIGNATURE-----\n"
    )
    assert page.text == "Mine\n"
    assert [aside.reason for aside in page.asides] == ["a signature that programs check"]
