import re
import zlib
from pathlib import Path

import pypdfium2.raw as pdfium
import pytest
from pypdfium2 import PdfDocument

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf import document as opening
from pincite.formats.pdf.document import (
    MAX_DRAWN_FORMS,
    MAX_LEVELS,
    count_drawn_forms,
    rebuild_trailer,
    repairs,
    unpacked_objects,
)
from pincite.formats.pdf.reader import read as read_pdf
from pincite.model.call import Call
from support.hostile import CRAFTED
from support.pdf_read import ENCRYPTED, document
from support.pdfs import column, pdf, prose


def test_bytes_before_the_file_do_no_harm() -> None:
    assert document(pdf(prose(), header=b"\x00" * 500)).text


def test_a_file_whose_first_line_is_missing_is_read() -> None:
    whole = pdf(prose())
    cut = whole[whole.index(b"obj") - 4 :]
    assert document(b"%\xe2\xe3\xcf\xd3\n" + cut).text == document(whole).text


def test_what_is_no_pdf_is_refused() -> None:
    with pytest.raises(Unsupported, match="not a PDF"):
        list(read_pdf(Blob("a.pdf", b"hello"), ReadOptions(), Call()))


def test_a_file_that_cannot_be_opened_is_refused() -> None:
    with pytest.raises(InvalidInput, match="damaged"):
        document(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(100))


@pytest.mark.parametrize("lost", [b"xref\n0", b"/Type/Catalog", b"/Type/Pages"], ids=["trailer", "catalog", "pages"])
def test_a_file_whose_end_is_missing_is_read_as_far_as_it_goes(lost: bytes) -> None:
    whole = pdf(*[column(f"This is page {number}.", y=300) for number in range(1, 5)])
    found = document(whole[: whole.rindex(lost)])
    assert found.text.count("This is page") == 4
    assert [failure.page for failure in found.coverage.failed] == [None]
    assert "end is missing" in found.coverage.failed[0].reason


def test_a_file_that_claims_pages_it_has_not_is_given_up_soon() -> None:
    found = document(re.sub(rb"/Count 1/Kids\[\d+ 0 R\]", b"/Count 900/Kids[13 0 R]", pdf(prose())))
    assert found.coverage.pages == 900
    assert len(found.coverage.failed) == 51
    assert "others were not tried" in found.coverage.failed[-1].reason


def test_a_file_without_pages_says_so() -> None:
    assert "no pages" in document(pdf()).coverage.failed[0].reason


@pytest.mark.data
@pytest.mark.parametrize("name", sorted(ENCRYPTED))
def test_encrypted_files_are_refused_with_advice(data: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"encrypted.*without a password"):
        document((data / "hostile" / name).read_bytes())


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
    """Before pdfium parses it, which takes longer than any test may."""
    data = CRAFTED[name]()
    assert count_drawn_forms(data) > MAX_DRAWN_FORMS
    with pytest.raises(InvalidInput, match="draws forms within forms more than 100,000 times"):
        document(data)


def test_nothing_is_put_together_of_a_file_without_pages() -> None:
    assert rebuild_trailer(b"%PDF-1.7\n1 0 obj\n<</Type/Font>>\nendobj\n") is None
    assert list(repairs(b"%PDF-1.7\n1 0 obj\n<</Type/Font>>\nendobj\n")) == []


def stream(number: int, objects: dict[int, bytes], packed: bytes | None = None) -> bytes:
    """An object stream, as writers of PDF 1.5 make them."""
    header, body = b"", b""
    for member, content in objects.items():
        header += b"%d %d " % (member, len(body))
        body += content + b" "
    data = zlib.compress(header + body) if packed is None else packed
    about = b"/Type /ObjStm /N %d /First %d /Filter/FlateDecode/Length %d" % (len(objects), len(header), len(data))
    return b"%d 0 obj\n<<%s>>\nstream\n%s\nendstream\nendobj\n" % (number, about, data)


def with_pages_in_a_stream(pages: int) -> bytes:
    """A file without its end, all of whose pages are in an object stream."""
    whole = pdf(*[column(f"This is page {number}.", y=300) for number in range(1, pages + 1)])
    inside: dict[int, bytes] = {}

    def take(match: re.Match[bytes]) -> bytes:
        inside[int(match[1])] = match[2]
        return b""

    page = re.compile(rb"(\d+) 0 obj\n?(<<(?:(?!endobj|stream).)*?/Type/Page(?!s).*?)\n?endobj\n", re.DOTALL)
    kept = page.sub(take, whole)
    assert len(inside) == pages
    return kept[: kept.rindex(b"xref\n0")] + stream(900, inside)


def test_pages_in_object_streams_are_found() -> None:
    found = document(with_pages_in_a_stream(3))
    assert found.text.count("This is page") == 3
    assert "end is missing" in found.coverage.failed[0].reason


def test_a_stream_that_ends_early_gives_what_is_whole() -> None:
    cut = with_pages_in_a_stream(3)
    found = document(cut[: cut.rindex(b"\nendstream") - 8])
    assert found.text.count("This is page") >= 2


def test_an_object_that_was_updated_further_down_counts() -> None:
    data = stream(5, {7: b"<</Old true>>", 8: b"<</Kept true>>"}) + b"7 0 obj\n<</New true>>\nendobj\n"
    assert unpacked_objects(data) == b"8 0 obj\n<</Kept true>> \nendobj\n"


@pytest.mark.parametrize("packed", [b"not packed", b"", zlib.compress(b"x y <</Type/Page>>")])
def test_what_cannot_be_unpacked_is_left_out(packed: bytes) -> None:
    data = stream(5, {7: b"<</Type/Page>>"}, packed)
    assert unpacked_objects(data) == b""
    with pytest.raises(InvalidInput, match="damaged"):
        document(b"%PDF-1.7\n" + data)


def test_a_bomb_is_unpacked_to_the_limit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MAX_UNPACKED_BYTES", 100_000)
    streams = b"".join(stream(5 + n, {70 + n: b"<<" + b" " * 90_000 + b">>"}) for n in range(50))
    assert len(unpacked_objects(streams)) < 101_000


def test_files_may_be_read_beside_each_other_and_beside_other_users_of_the_library() -> None:
    data = pdf(prose())
    other = PdfDocument(data)
    with opening.open_document(data) as first, opening.open_document(data) as second:
        for opened in (first, second):
            assert pdfium.FPDF_GetPageCount(opened.document) == 1
    assert len(other) == 1
    other.close()


def test_a_file_is_read_with_the_fonts_of_a_fresh_library(monkeypatch: pytest.MonkeyPatch) -> None:
    restarts: list[bool] = []
    destroy = pdfium.FPDF_DestroyLibrary
    monkeypatch.setattr(pdfium, "FPDF_DestroyLibrary", lambda: (restarts.append(True), destroy()))
    with opening.open_document(pdf(prose())), opening.open_document(pdf(prose())):
        pass
    assert restarts == [True]
    with opening.open_document(pdf(prose())):
        pass
    assert restarts == [True, True]
