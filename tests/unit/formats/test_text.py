from pincite.formats.base import Blob, ReadOptions
from pincite.formats.text import read
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import BlockKind, Page
from pincite.registry import FORMATS


def blocks(text: str, limit: int = 100) -> list[tuple[str, str]]:
    _, page = read(Blob("a.txt", text.encode()), ReadOptions(max_blocks=limit), Call())
    assert isinstance(page, Page)
    return [(block.kind.value, page.text[block.start : block.end]) for block in page.blocks]


def test_paragraphs_stand_between_blank_lines() -> None:
    assert blocks("\n\n  one\ntwo \r\n \t\r\nthree\r\rfour") == [
        ("paragraph", "  one\ntwo"),
        ("paragraph", "three"),
        ("paragraph", "four"),
    ]


def test_headings_are_nothing_special() -> None:
    document = read_document(FORMATS[1], Blob("a.txt", b"# one\n\n---\na: b\n---\n"), ReadOptions(), Call())
    assert [(section.number, section.path) for section in document.sections] == [(0, ())]
    assert document.title is None


def test_what_passes_the_limit_is_one_block() -> None:
    assert blocks("a\n\nb\n\nc\n\nd\n", limit=3) == [("paragraph", "a"), ("paragraph", "b"), ("other", "c\n\nd")]


def test_form_feeds_and_exotic_line_ends_do_not_part_paragraphs() -> None:
    assert blocks("a\fb\u2028c\x1cd\n") == [(BlockKind.PARAGRAPH.value, "a\fb\u2028c\x1cd")]
