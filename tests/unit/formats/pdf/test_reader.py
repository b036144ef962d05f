"""What of a PDF is read, what is kept apart, and what is said where it cannot be read."""

import random
import re
from contextlib import suppress
from pathlib import Path

import pytest

from pincite.errors import Cancelled, InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.reader import read as read_pdf
from pincite.formats.pdf.reader import read_pages
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import AsideKind, Document, Head, Page
from pincite.registry import FORMATS
from support.pdfs import PARAGRAPH, Content, Filled, Leaf, Text, column, pdf, prose

FORMAT = next(row for row in FORMATS if row.name == "pdf")


def document(data: bytes, options: ReadOptions | None = None) -> Document:
    return read_document(FORMAT, Blob("a.pdf", data), options or ReadOptions(), Call())


def read(*pages: Content | Leaf, info: str = "", catalog: str = "") -> Document:
    return document(pdf(*pages, info=info, catalog=catalog))


def hidden(found: Document) -> list[str]:
    return [aside.text for aside in found.asides if aside.kind is AsideKind.HIDDEN]


def test_a_document_says_its_title_properties_and_language() -> None:
    info = "/Title(The Report)/Author(Ann)/CreationDate(D:20230201093000Z)/ModDate(D:2024)"
    found = read(prose(), info=info, catalog="/Lang(en-GB)")
    assert (found.title, found.language) == ("The Report", "en-GB")
    assert found.properties == {
        "title": "The Report",
        "author": "Ann",
        "created": "2023-02-01T09:30:00",
        "modified": "2024",
    }
    assert (found.coverage.pages, found.coverage.read, found.coverage.complete) == (1, 1, True)


@pytest.mark.parametrize("title", ["Untitled", "report.docx", "Microsoft Word - report.doc", "42", ""])
def test_a_title_that_a_program_made_is_none(title: str) -> None:
    assert read(prose(), info=f"/Title({title})").title is None


def test_odd_dates_and_languages_are_left_out() -> None:
    found = read(prose(), info="/CreationDate(yesterday)", catalog="/Lang(no language at all)")
    assert (found.language, dict(found.properties)) == (None, {})


@pytest.mark.parametrize(
    "unseen",
    [
        Text("ignore all of this", y=300, mode=3),
        Text("ignore all of this", y=300, size=1),
        Text("ignore all of this", y=300, colour="1 1 1"),
        Text("ignore all of this", x=-400, y=300),
        Text("ignore all of this", y=2000),
    ],
    ids=["invisible", "tiny", "white", "left of the page", "below the page"],
)
def test_what_nobody_can_see_is_kept_apart_and_counted(unseen: Text) -> None:
    found = read([*prose(), unseen, *prose(y=400)])
    assert "ignore" not in found.text
    assert hidden(found) == ["ignore all of this"]
    assert found.coverage.hidden_spans == 1


def test_white_text_on_a_dark_ground_or_a_picture_is_seen() -> None:
    dark = Filled(60, 280, 400, 310, "0 0 0.5")
    picture = Filled(60, 480, 400, 510, picture=True)
    texts = [Text("on blue", y=300, colour="1 1 1"), Text("on a picture", y=500, colour="1 1 1")]
    found = read([*prose(), dark, picture, *texts])
    assert "on blue" in found.text and "on a picture" in found.text and not hidden(found)


def test_white_text_on_a_white_ground_is_not() -> None:
    layers = [Filled(60, 280, 400, 310, "0 0 0.5"), Filled(60, 280, 400, 310, "1 1 1")]
    assert hidden(read([*prose(), *layers, Text("on white", y=300, colour="1 1 1")])) == ["on white"]


def test_a_scan_is_named_as_not_read() -> None:
    found = read(prose(), [Filled(0, 0, 612, 792, picture=True)])
    assert [failure.page for failure in found.coverage.failed] == [2]
    assert "OCR" in found.coverage.failed[0].reason
    assert (found.coverage.pages, found.coverage.read) == (2, 1)


def test_the_text_layer_of_a_scan_is_read_and_said_to_be_one() -> None:
    lines = [Text(line, y=100 + 12 * n, mode=3) for n, line in enumerate(PARAGRAPH)]
    found = read([Filled(0, 0, 612, 792, picture=True), *lines, Text("too small", y=300, mode=3, size=1)])
    assert found.text == " ".join(PARAGRAPH) + "\n"
    assert found.coverage.complete and "scans" in found.warnings[0]
    assert hidden(found) == ["too small"]


def test_an_empty_page_is_read() -> None:
    found = read(prose(), [])
    assert found.coverage.complete and found.coverage.read == 2


def test_letters_without_a_meaning_are_said_to_be_in_doubt() -> None:
    found = read([*prose(), *column("(cid:12)(cid:13)(cid:14)(cid:15)", y=300)])
    assert "garbage" in found.coverage.failed[0].reason and found.text


def test_control_characters_of_a_font_are_no_text() -> None:
    found = read([*prose(), Text("a\x01b\x1fc", y=300)])
    assert found.text.endswith("a\ufffdb\ufffdc\n")


def test_pages_beyond_the_limit_are_said() -> None:
    found = document(pdf(*[prose()] * 3), ReadOptions(max_pages=2))
    assert found.coverage.limits_hit == ("max_pages",)
    assert (found.coverage.pages, found.coverage.read) == (3, 2)


def test_bytes_before_the_file_do_no_harm() -> None:
    assert document(pdf(prose(), header=b"\x00" * 500)).text


def test_a_file_whose_first_line_is_missing_is_read() -> None:
    whole = pdf(prose())
    cut = whole[whole.index(b"obj") - 4 :]
    assert document(b"%\xe2\xe3\xcf\xd3\n" + cut).text == document(whole).text


def test_what_is_no_pdf_is_refused() -> None:
    with pytest.raises(Unsupported, match="no PDF"):
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


def test_a_page_that_is_gone_is_named() -> None:
    whole = pdf(*[column(f"This is page {number}.", y=300) for number in range(1, 4)])
    place = whole.index(b"/Type/Page/", whole.index(b"This is page 2"))
    found = document(whole[:place] + b"/Type/None/" + whole[place + 11 :])
    assert "page 1" in found.text and "page 3" in found.text


def test_damage_anywhere_ends_in_a_document_or_a_clear_error() -> None:
    whole = pdf(*[[*prose(times=3), Filled(0, 0, 10, 10, picture=True)]] * 2, info="/Title(A)", outline=[("A", 1)])
    chance = random.Random(7)  # noqa: S311 - the same damage every time
    for _ in range(150):
        damaged = bytearray(whole)
        for _ in range(chance.randint(1, 20)):
            damaged[chance.randrange(8, len(damaged))] = chance.randrange(256)
        with suppress(InvalidInput):
            assert document(bytes(damaged[: chance.randint(100, len(damaged))])).coverage


def test_reading_stops_when_the_caller_goes_away() -> None:
    call = Call()
    pages = read_pdf(Blob("a.pdf", pdf(*[prose()] * 60)), ReadOptions(), call)
    assert isinstance(next(pages), Head)
    assert next(pages)
    call.stop.set()
    with pytest.raises(Cancelled):
        list(pages)


def test_a_long_document_is_read_page_by_page() -> None:
    pages = [
        [*prose(), Text(f"Part {n}", y=130, font="B"), *prose(y=160), Text(str(n), x=300, y=770)] for n in range(70)
    ]
    found = document(pdf(*pages))
    assert [section.path[-1] for section in found.sections if section.path] == [f"Part {n}" for n in range(70)]
    assert sum(aside.kind is AsideKind.FOOTER for aside in found.asides) == 70


ENCRYPTED = {"aes-128.pdf", "aes-256-r6.pdf", "encrypted.pdf", "rc4-128.pdf"}


@pytest.mark.data
def test_files_that_broke_parsers_are_read(data: Path) -> None:
    files = {file.name: file.read_bytes() for file in (data / "hostile").glob("*.pdf")}
    assert files.keys() > ENCRYPTED
    for name in files.keys() - ENCRYPTED:
        assert document(files[name]).coverage.pages, name


@pytest.mark.data
@pytest.mark.parametrize("name", sorted(ENCRYPTED))
def test_encrypted_files_are_refused_with_advice(data: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match=r"encrypted.*without a password"):
        document((data / "hostile" / name).read_bytes())


@pytest.mark.data
def test_right_to_left_lines_are_read_in_the_order_of_the_file(data: Path) -> None:
    source = Blob("a.pdf", (data / "office" / "right_to_left_01.pdf").read_bytes())
    _, page = read_pages(source, ReadOptions(), Call(), by_tags=False)
    assert isinstance(page, Page)
    assert "تحسين اإلنتاجية وحل المشكالت من خالل البرمجة بلغة R" in page.text
    assert len(page.blocks) == 5
    assert all(len(block.boxes) > 1 for block in page.blocks[1:])
