import pytest

from pincite.errors import Unsupported
from pincite.formats.doc.fib import Part, Stories
from support.compound import doc, old_doc
from support.doc_read import fib, manual


def test_stories_follow_each_other() -> None:
    stories = Stories(10, 2, 3, 0, 4, 5, 6)
    places = [stories.start(name) for name in ("text", "footnotes", "margins", "comments", "endnotes", "boxes")]
    assert (places, stories.total) == ([0, 10, 12, 15, 19, 24], 30)


def test_structures_are_found_by_their_place_in_the_head() -> None:
    head = fib(manual())
    assert not head.is_old
    assert head.stories.boxes and head.stories.endnotes and head.part(Part.STYLES)
    # A list ends where its levels begin.
    assert head.table.find(head.part(Part.LISTS)) + len(head.part(Part.LISTS)) == head.end(Part.LISTS)


def test_a_head_with_fewer_structures_has_none_of_the_others() -> None:
    assert fib(doc("a\r")).part(Part.LIST_OVERRIDES) == b""


def test_word_6_has_its_structures_elsewhere() -> None:
    head = fib(old_doc(b"a\r", language=0x419, flags=0x1000, fonts=b"fonts"))
    assert (head.is_old, head.is_wide, head.language, head.text_start) == (True, True, 0x419, 1024)
    assert (head.part(Part.FONTS), head.part(Part.BOX_TEXTS)) == (b"fonts", b"")


def test_documents_before_word_6_are_refused() -> None:
    data = old_doc(b"a\r")
    with pytest.raises(Unsupported, match="Word 2 or older"):
        fib(data.replace(b"\xdc\xa5\x65\0", b"\xdc\xa5\x2d\0"))
