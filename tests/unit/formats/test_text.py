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


def test_marks_of_markdown_and_front_matter_are_no_headings() -> None:
    document = read_document(FORMATS[1], Blob("a.txt", b"# one\n\n---\na: b\n---\n"), ReadOptions(), Call())
    assert [(section.number, section.path) for section in document.sections] == [(0, ())]
    assert document.title is None


def test_what_passes_the_limit_is_one_block() -> None:
    assert blocks("a\n\nb\n\nc\n\nd\n", limit=3) == [("paragraph", "a"), ("paragraph", "b"), ("other", "c\n\nd")]


def test_form_feeds_and_exotic_line_ends_do_not_part_paragraphs() -> None:
    assert blocks("a\fb\u2028c\x1cd\n") == [(BlockKind.PARAGRAPH.value, "a\fb\u2028c\x1cd")]


def test_underlined_and_numbered_lines_are_headings_of_the_whole_text() -> None:
    text = b"Rules\n=====\nText.\n\nScope\n-----\n\nMore.\n"
    document = read_document(FORMATS[1], Blob("a.txt", text), ReadOptions(), Call())
    assert [section.path for section in document.sections] == [("Rules",), ("Rules", "Scope")]
    assert document.title == "Rules"
    assert document.text == text.decode()
    assert blocks(text.decode()) == [
        ("heading", "Rules\n====="),
        ("paragraph", "Text."),
        ("heading", "Scope\n-----"),
        ("paragraph", "More."),
    ]


def test_a_text_with_numbered_headings_and_no_title_is_called_as_its_file() -> None:
    text = b"1. Scope\n\nThis.\n\n2. Terms\n\nThat.\n\n3. Rules\n\nAll.\n"
    document = read_document(FORMATS[1], Blob("rules/a.txt", text), ReadOptions(), Call())
    assert document.title == "a.txt"
    assert [section.path[0] for section in document.sections] == ["1. Scope", "2. Terms", "3. Rules"]
