import struct

from pincite.formats.ppt.records import Kind, Record
from pincite.formats.ppt.text import Text, body_markup, texts


def record(kind: int, data: bytes) -> Record:
    return Record(kind, 0, data, is_container=False)


def header(kind: int) -> Record:
    return record(Kind.TEXT_HEADER, struct.pack("<I", kind))


def test_each_header_begins_a_text() -> None:
    found = list(
        texts([header(0), record(Kind.BYTES, b"Caf\xe9"), header(1), record(Kind.CHARACTERS, "鍵".encode("utf-16-le"))])
    )
    assert found == [Text(0, "Café"), Text(1, "鍵")]


def test_a_number_that_is_not_in_the_file_is_left_out() -> None:
    (text,) = texts([header(4), record(Kind.BYTES, b"Page * of 9"), record(4056, struct.pack("<I", 5))])
    assert "<a:t>Page  of 9</a:t>" in body_markup(text)


def test_paragraphs_have_the_level_and_the_bullet_of_their_run() -> None:
    style = struct.pack("<IHI", 4, 0, 0) + struct.pack("<IHIH", 5, 2, 1, 0)
    markup = body_markup(Text(1, "one\rtwo\rx", style))
    levels = ['<a:pPr lvl="0"><a:buChar char="•"/>', '<a:pPr lvl="2"><a:buNone/>', '<a:pPr lvl="2"><a:buNone/>']
    assert [part.partition("</a:pPr>")[0] for part in markup.split("<a:p>")[1:]] == levels


def test_properties_of_a_run_that_are_of_no_interest_are_passed_over() -> None:
    # Bullet, its colour, tabs and spacing stand before the next run.
    masks = 1 | 1 << 5 | 1 << 12 | 1 << 20
    first = struct.pack("<IHIHIHHI", 4, 0, masks, 1, 0xFFFFFF, 90, 1, 7)
    markup = body_markup(Text(4, "one\rtwo", first + struct.pack("<IHI", 4, 1, 0)))
    assert markup.count('lvl="0"><a:buChar') == 1 and markup.count('lvl="1"><a:buNone') == 1


def test_text_is_escaped_and_lines_are_kept() -> None:
    assert "<a:t>a &lt;b&gt;</a:t></a:r><a:br/><a:r><a:t>c</a:t>" in body_markup(Text(4, "a <b>\x0bc\x01"))


def test_a_damaged_style_is_none() -> None:
    assert 'lvl="0"' in body_markup(Text(4, "one", b"\1\0"))
