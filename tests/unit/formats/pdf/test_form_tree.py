"""Files whose forms draw forms are refused before pdfium parses them."""

import time
import zlib

import pytest

from pincite.errors import InvalidInput
from pincite.formats.pdf.form_tree import MAX_DRAWN_FORMS, MAX_LEVELS, count_drawn_forms
from support.hostile import CRAFTED
from support.pdf_read import document


def form(number: int, content: bytes, **drawable: int) -> bytes:
    names = b" ".join(b"/%b %d 0 R" % (name.encode(), target) for name, target in drawable.items())
    head = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<<%b>>>>/Length %d>>" % (names, len(content))
    return b"%d 0 obj\n%b\nstream\r\n%b\nendstream\nendobj\n" % (number, head, content)


LEAF = form(9, b"0 0 m 9 9 l S")


def test_forms_are_counted_as_often_as_they_are_drawn() -> None:
    inner, outer = form(2, b"/A Do /A Do /B Do", A=9, B=9), form(1, b"/X Do q /X Do Q /Other Do", X=2)
    assert count_drawn_forms(inner + LEAF) == 3
    assert count_drawn_forms(outer + inner + LEAF) == 2 * (1 + 3)
    assert count_drawn_forms(form(1, zlib.compress(b"/X Do " * 5), X=9) + LEAF) == 5
    # Of two objects with one number the later counts, and a picture is no form.
    assert count_drawn_forms(inner + form(2, b"/A Do", A=9) + LEAF) == 1
    assert count_drawn_forms(form(1, b"/P Do", P=7)) == count_drawn_forms(b"") == 0


def test_resources_that_are_objects_of_their_own_are_followed() -> None:
    drawing = b"1 0 obj\n<</Subtype/Form/Resources %b/Length 11>>\nstream\n/X Do /X Do\nendstream\nendobj\n"
    names, resources = b"<</X 9 0 R>>", b"<</XObject<</X 9 0 R>>>>"
    own = b"5 0 obj\n%b\nendobj\n"
    assert count_drawn_forms(drawing % b"5 0 R" + own % resources + LEAF) == 2
    assert count_drawn_forms(drawing % b"<</XObject 5 0 R>>" + own % names + LEAF) == 2
    assert count_drawn_forms(drawing % b"6 0 R" + b"6 0 obj\n<</XObject 5 0 R>>\nendobj\n" + own % names + LEAF) == 2
    packed = zlib.compress(b"4 0 5 5 " + b"null " + resources)
    stream = b"7 0 obj\n<</Type/ObjStm/N 2/First 8/Length %d>>\nstream\n%b\nendstream\nendobj\n" % (len(packed), packed)
    assert count_drawn_forms(drawing % b"5 0 R" + stream + LEAF) == 2
    assert count_drawn_forms(drawing % b"5 0 R" + LEAF) == count_drawn_forms(drawing % b"1 0 R" + LEAF) == 0


def test_a_tree_whose_resources_are_objects_of_their_own_is_counted() -> None:
    tree = b"".join(
        b"%d 0 obj\n<</Subtype/Form/Resources %d 0 R/Length 11>>\nstream\n/X Do /X Do\nendstream\nendobj\n"
        b"%d 0 obj\n<</XObject<</X %d 0 R>>>>\nendobj\n" % (level, level + 100, level + 100, level + 1)
        for level in range(1, 25)
    )
    assert count_drawn_forms(tree + form(25, b"")) > MAX_DRAWN_FORMS


def test_forms_are_counted_to_the_last_level_that_pdfium_parses() -> None:
    assert count_drawn_forms(form(1, b"/X Do", X=1)) == MAX_LEVELS
    assert count_drawn_forms(CRAFTED["forms in forms.pdf"]()) == MAX_LEVELS
    assert count_drawn_forms(form(1, b"/X Do", X=2) + form(2, b"/X Do /X Do", X=1)) > MAX_DRAWN_FORMS


@pytest.mark.parametrize("name", ["a tree of forms.pdf", "a wide tree of forms.pdf", "a form in itself.pdf"])
def test_a_tree_of_forms_is_refused_at_once(name: str) -> None:
    data = CRAFTED[name]()
    assert count_drawn_forms(data) > MAX_DRAWN_FORMS
    started = time.process_time()
    with pytest.raises(InvalidInput, match="draws forms within forms more than 100,000 times"):
        document(data)
    assert time.process_time() - started < 5
