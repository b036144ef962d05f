import pytest

from pincite.errors import Cancelled
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.markdown.reader import read
from pincite.model.call import Call
from support.calls import StopAfter
from support.markdown_read import blocks, document, paths


def test_every_kind_of_block_has_its_exact_span() -> None:
    text = (
        "# Title #\n\n"
        "Some words\nin two lines.\n\n\n"
        "- one\n- two\n\n  more\n\n"
        "1. first\n\n"
        "> quote\n> # no section\n> words\nlazy\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        "```python title=x\n# no heading\n```\n\n"
        "    indented\n\n    code\n\n"
        "Setext\nheading\n---\n"
        "***\n"
        "<div>\n# no heading\n</div>\n\n"
        "[ref]: https://example.org\n"
        "   end  "
    )
    assert blocks(text) == [
        ("heading", "# Title #"),
        ("paragraph", "Some words\nin two lines."),
        ("list", "- one\n- two\n\n  more"),
        ("list", "1. first"),
        ("quote", "> quote\n> # no section\n> words\nlazy"),
        ("table", "| a | b |\n|---|---|\n| 1 | 2 |"),
        ("code", "```python title=x\n# no heading\n```"),
        ("code", "    indented\n\n    code"),
        ("heading", "Setext\nheading\n---"),
        ("other", "***"),
        ("html", "<div>\n# no heading\n</div>"),
        ("other", "[ref]: https://example.org"),
        ("paragraph", "   end"),
    ]


def test_a_list_of_too_many_items_ends_the_outline_and_is_said() -> None:
    found = document("- a\n" * 100 + "\n# A\n", max_blocks=5)
    assert [section.path for section in found.sections] == [()]
    assert not found.coverage.complete


def test_deep_nesting_loses_no_text() -> None:
    text = "> " * 200 + "a\n\n# A\n"
    assert paths(text) == ["", "A"]


def test_a_cancelled_call_stops_between_blocks() -> None:
    call = Call()
    stream = read(Blob("a.md", b"# A\n"), ReadOptions(), call)
    next(stream)
    call.stop.set()
    with pytest.raises(Cancelled):
        next(stream)


@pytest.mark.parametrize(
    ("head", "line"),
    [("", "a line\n"), ("| a | b |\n|---|---|\n", "| a | b |\n"), ("", "- an item\n"), ("", "a paragraph\n\n")],
    ids=repr,
)
def test_a_call_that_ends_within_a_long_block_stops_there(head: str, line: str) -> None:
    text = head + line * 100_000
    stop = StopAfter()
    stream = read(Blob("a.md", text.encode()), ReadOptions(), Call(stop=stop))
    next(stream)
    stop.left = 40  # the lines of the text are found by then
    with pytest.raises(Cancelled):
        next(stream)
