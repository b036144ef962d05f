"""Comments on a page: kept apart, with their author."""

import pytest

from pincite.errors import Cancelled
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.pdf.annotations import has_shown_annotations
from pincite.formats.pdf.document import open_document
from pincite.formats.pdf.page.page import open_page
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import Aside, AsideKind, BlockKind, Box, Document
from pincite.registry import FORMATS
from support.pdf_read import document
from support.pdfs import HEIGHT, Leaf, Text, pdf, prose
from support.tagged_pdfs import lines, tagged_pdf

FORMAT = next(row for row in FORMATS if row.name == "pdf")
BODY = "the shade of the old tree"


def document_annotations(data: bytes) -> Document:
    return read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), Call())


def note(kind: str, entries: str) -> str:
    return f"<</Type/Annot/Subtype/{kind}/Rect[100 100 200 120]{entries}>>"


def read(*annotations: str) -> Document:
    return document_annotations(pdf(prose(), Leaf(prose(), f"/Annots[{' '.join(annotations)}]")))


@pytest.mark.parametrize("kind", ["Text", "Highlight", "StrikeOut", "Stamp", "Square", "Ink", "Caret"])
def test_a_comment_is_kept_apart_with_its_author_and_page(kind: str) -> None:
    found = read(note(kind, "/Contents(Is this still true?)/T(Bob)"))
    assert found.asides == (Aside(AsideKind.COMMENT, "Bob: Is this still true?", 2),)
    assert "still" not in found.text and found.coverage.complete


def test_what_is_typed_on_a_page_is_its_text_where_it_is_printed() -> None:
    found = read(note("FreeText", "/Contents(Paid in full)/T(Bob)"))
    assert found.text.endswith("Paid in full\n") and not found.asides
    block = found.sections[-1].blocks[-1]
    assert block.page == 2 and [(box.x0, box.x1) for box in block.boxes] == [(100, 200)]


def test_what_is_typed_and_hidden_is_no_text_of_the_page() -> None:
    found = read(note("FreeText", "/Contents(Paid in full)/F 2"))
    assert "Paid" not in found.text
    assert found.asides == (Aside(AsideKind.HIDDEN, "Paid in full", 2),)


def test_a_comment_without_an_author_is_its_text() -> None:
    assert [aside.text for aside in read(note("Text", "/Contents(Check)")).asides] == ["Check"]


@pytest.mark.parametrize(
    "other",
    [
        note("Link", "/Contents(Go there)/Dest[0 /Fit]"),
        note("Popup", "/Contents(Once more)"),
        note("Highlight", "/T(Bob)"),
        note("Odd", "/Contents(What)"),
        "null",
    ],
    ids=["link", "popup", "no text", "unknown", "none"],
)
def test_what_is_no_comment_is_left_out(other: str) -> None:
    assert not read(other).asides


def test_a_tagged_page_gives_its_comments_too() -> None:
    data = tagged_pdf([lines("P", "Some words.", y=700)], entries=f"/Annots[{note('Text', '/Contents(Check)/T(Bob)')}]")
    assert document_annotations(data).asides == (Aside(AsideKind.COMMENT, "Bob: Check", 1),)


def test_more_comments_than_can_be_read_are_said() -> None:
    found = read(*(note("Text", f"/Contents({n})") for n in range(5001)))
    assert len(found.asides) == 5000 and found.coverage.limits_hit == ("max_annotations",)


def test_longer_comments_than_can_be_read_are_said() -> None:
    one = note("Text", "/Contents 1 0 R")
    found = document_annotations(pdf(Leaf(prose(), f"/Annots[{one} {one}]"), objects=(f"({'x' * 3_000_000})",)))
    assert len(found.asides) == 1 and found.coverage.limits_hit == ("max_annotation_text",)


@pytest.mark.parametrize(("kind", "is_shown"), [("Link", False), ("Text", True), ("Widget", True)])
def test_a_page_with_links_alone_has_nothing_to_show(kind: str, is_shown: bool) -> None:
    data = pdf(Leaf(prose(), f"/Annots[{note(kind, '/Contents(Check)')}]"))
    with open_document(data) as file, open_page(file.document, 1) as page:
        assert has_shown_annotations(page) == is_shown


def widget(entries: str, *, x: float = 100, y: float = 300, wide: float = 200, tall: float = 20) -> str:
    """A form field; its place in points from the page's top left corner."""
    place = f"{x} {HEIGHT - y - tall} {x + wide} {HEIGHT - y}"
    return f"<</Type/Annot/Subtype/Widget/Rect[{place}]{entries}>>"


BUTTON = "/AP<</N<</L 4 0 R/Off 4 0 R>>>>"


EMPTY = "<</Length 0>>\nstream\n\nendstream"


def form(*widgets: str, objects: tuple[str, ...] = (), fields: str = "", entries: str = "") -> bytes:
    page = Leaf(prose(), f"/Annots[{' '.join(widgets)}]{entries}")
    return pdf(page, catalog=f"/AcroForm<</Fields[{fields}]>>", objects=objects)


def document_form_fields(data: bytes, call: Call | None = None) -> Document:
    return read_document(FORMAT, Blob("a.pdf", data), ReadOptions(), call or Call())


def read_form_fields(*widgets: str, objects: tuple[str, ...] = (), fields: str = "", entries: str = "") -> Document:
    return document_form_fields(form(*widgets, objects=objects, fields=fields, entries=entries))


def listed(found: Document) -> list[str]:
    """The lines of the list at the end of the text."""
    return found.text.split("\n\n")[1].strip().split("\n") if "\n\n" in found.text else []


def test_a_field_is_said_by_its_label_and_value_after_the_page() -> None:
    found = read_form_fields(widget("/FT/Tx/T(f1)/TU(Full name)/V(Ann Smith)"), widget("/FT/Tx/T(city)/V(Bath)", y=340))
    assert listed(found) == ["- Full name: Ann Smith", "- city: Bath"]
    block = found.sections[-1].blocks[-1]
    assert (block.kind, block.page) == (BlockKind.LIST, 1)
    assert block.boxes == (Box(100, 300, 300, 320), Box(100, 340, 300, 360))
    text = found.text[block.start : block.end]
    assert [text[start:].split("\n")[0] for start in block.box_starts] == ["Full name: Ann Smith", "city: Bath"]


def test_a_tagged_page_gives_its_fields_too() -> None:
    field = widget("/FT/Tx/T(name)/V(Ann)")
    data = tagged_pdf(
        [lines("P", "Some words of a page.", y=700)], entries=f"/Annots[{field}]", catalog="/AcroForm<</Fields[]>>"
    )
    assert document_form_fields(data).text == "Some words of a page.\n\n- name: Ann\n"


def test_a_field_stands_on_its_own_page_and_that_page_alone() -> None:
    pages = [Leaf(prose(), f"/Annots[{widget(f'/FT/Tx/T(f{n})/V(value {n})')}]") for n in (1, 2)]
    found = document_form_fields(pdf(*pages, catalog="/AcroForm<</Fields[]>>"))
    lists = [block for section in found.sections for block in section.blocks if block.kind is BlockKind.LIST]
    assert [(block.page, found.text[block.start : block.end]) for block in lists] == [
        (1, "- f1: value 1"),
        (2, "- f2: value 2"),
    ]


def test_an_empty_field_is_said_where_others_were_filled_in() -> None:
    empty = [widget("/FT/Tx/T(middle name)"), widget("/FT/Btn/T(member)/AS/Off", wide=10, tall=10)]
    assert listed(read_form_fields(widget("/FT/Tx/T(name)/V(Ann)"), *empty)) == [
        "- name: Ann",
        "- middle name:",
        "- ☐ member",
    ]
    assert read_form_fields(*empty).text == document_form_fields(pdf(prose())).text


def test_check_boxes_say_whether_they_are_on() -> None:
    on = widget("/FT/Btn/T(a)/TU(I agree)/V/Yes/AS/Yes", wide=10, tall=10)
    off = widget("/FT/Btn/T(b)/TU(Call me)/V/Off/AS/Off", wide=10, tall=10)
    assert listed(read_form_fields(on, off)) == ["- ☒ I agree", "- ☐ Call me"]


RADIO = (
    "<</FT/Btn/Ff 49152/T(size)/TU(Size)/V/L/Kids[2 0 R 3 0 R]>>",
    widget(f"/Parent 1 0 R/AS/Off{BUTTON.replace('/L', '/S')}", x=100, wide=10, tall=10),
    widget(f"/Parent 1 0 R/AS/L{BUTTON}", x=140, wide=10, tall=10),
    EMPTY,
)


def test_radio_buttons_are_one_field_with_the_box_of_the_chosen_one() -> None:
    found = read_form_fields("2 0 R", "3 0 R", objects=RADIO, fields="1 0 R")
    assert listed(found) == ["- Size: L"]
    assert found.sections[-1].blocks[-1].boxes == (Box(140, 300, 150, 310),)


def test_a_radio_button_chosen_on_another_page_is_said_there() -> None:
    pages = [Leaf(prose(), f"/Annots[{number} 0 R]") for number in (2, 3)]
    found = document_form_fields(pdf(*pages, catalog="/AcroForm<</Fields[1 0 R]>>", objects=RADIO))
    assert found.text.count("Size") == 1 and found.text.endswith("- Size: L\n")


def test_radio_buttons_of_which_none_is_chosen_are_an_empty_field() -> None:
    buttons = [widget(f"/Parent 1 0 R{state}{BUTTON}", wide=10, tall=10) for state in ("/AS/Off", "")]
    objects = ("<</FT/Btn/Ff 49152/T(size)/Kids[2 0 R 3 0 R]>>", *buttons, EMPTY)
    found = read_form_fields(widget("/FT/Tx/T(name)/V(Ann)"), "2 0 R", "3 0 R", objects=objects, fields="1 0 R")
    assert listed(found) == ["- name: Ann", "- size:"]


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ("/Ff 131072/Opt[[(de)(Germany)][(fr)(France)]]/V(fr)", "France"),
        ("/Ff 131072/Opt[(a)(b)]/V(b)", "b"),
        ("/Ff 393216/Opt[(a)(b)]/V(something else)", "something else"),
        ("/Ff 2097152/Opt[(a)(b)(c)]/V[(a)(c)]", "a, c"),
        (f"/Ff 131072/Opt[{'(a)' * 1001}]/V(a)", "a"),
    ],
    ids=["labelled", "plain", "typed in", "several", "very many"],
)
def test_a_choice_says_what_a_person_sees(entries: str, said: str) -> None:
    found = read_form_fields("1 0 R", objects=(widget(f"/FT/Ch/T(choice){entries}"),), fields="1 0 R")
    assert listed(found) == [f"- choice: {said}"]


def test_fields_that_the_form_lists_and_others_are_said_alike() -> None:
    fields = [
        widget("/FT/Tx/T(f1)/TU(Full name)/V(Ann Smith)"),
        widget("/FT/Btn/T(f2)/TU(I agree)/V/Yes/AS/Yes"),
        widget("/FT/Ch/Ff 131072/Opt[(a)(b)]/T(f3)/V(b)"),
        widget("/FT/Tx/Ff 8192/T(f4)/V(secret)"),
        widget("/FT/Btn/Ff 65536/T(f5)"),
    ]
    references = " ".join(f"{n} 0 R" for n in range(1, 6))
    found = read_form_fields(references, objects=tuple(fields), fields=references)
    assert listed(found) == ["- Full name: Ann Smith", "- ☒ I agree", "- f3: b"]
    assert found.text == read_form_fields(*fields).text


def test_a_value_of_lines_keeps_them() -> None:
    found = read_form_fields(widget(r"/FT/Tx/Ff 4096/T(address)/V(1 High  Street\r\nBath\n\n  UK\001)"))
    assert found.text.endswith("- address: 1 High Street\n  Bath\n  UK\n")


def test_a_label_that_ends_in_a_colon_has_no_other() -> None:
    assert listed(read_form_fields(widget("/FT/Tx/T(f1)/TU(Name: )/V(Ann)"))) == ["- Name: Ann"]


def test_a_field_that_no_form_lists_and_whose_parent_may_say_more_is_left_out() -> None:
    found = read_form_fields(
        "2 0 R", objects=("<</FT/Tx/Ff 8192/T(pw)>>", widget("/Parent 1 0 R/FT/Tx/T(a)/V(secret)"))
    )
    assert "secret" not in found.text


def test_a_field_without_a_name_is_its_value() -> None:
    kid = widget("/Parent 1 0 R")
    found = read_form_fields("2 0 R", objects=("<</FT/Tx/T()/V(Ann)/Kids[2 0 R]>>", kid), fields="1 0 R")
    assert listed(found) in (["- Ann"], [])


def test_a_value_at_two_places_is_said_once_with_both() -> None:
    objects = ("<</FT/Tx/T(name)/V(Ann)/Kids[2 0 R 3 0 R]>>", widget("/Parent 1 0 R"), widget("/Parent 1 0 R", y=500))
    found = read_form_fields("2 0 R", "3 0 R", objects=objects, fields="1 0 R")
    assert listed(found) == ["- name: Ann"]
    assert found.sections[-1].blocks[-1].boxes == (Box(100, 300, 300, 320), Box(100, 500, 300, 520))


def test_a_value_that_is_printed_where_its_field_stands_is_not_said_again() -> None:
    field = widget("/FT/Tx/T(name)/V(Ann Smith)")
    page = Leaf([*prose(), Text("Ann Smith", x=104, y=314)], f"/Annots[{field}]")
    assert document_form_fields(pdf(page, catalog="/AcroForm<</Fields[]>>")).text.count("Ann Smith") == 1


def test_a_part_of_a_printed_word_is_not_the_value() -> None:
    page = Leaf([*prose(), Text("15 May", x=104, y=314)], f"/Annots[{widget('/FT/Tx/T(count)/V(5)')}]")
    assert document_form_fields(pdf(page, catalog="/AcroForm<</Fields[]>>")).text.endswith("- count: 5\n")


@pytest.mark.parametrize(
    "entries", ["/Ff 8192/FT/Tx", "/FT/Sig", "/FT/Btn/Ff 65536"], ids=["password", "signature", "push"]
)
def test_a_password_a_signature_and_a_button_are_never_said(entries: str) -> None:
    found = read_form_fields(widget(f"{entries}/T(pw)/V(secret)"), widget("/FT/Tx/T(name)/V(Ann)"))
    assert listed(found) == ["- name: Ann"] and not found.asides


@pytest.mark.parametrize(
    "unseen",
    [
        widget("/FT/Tx/T(note)/V(ignore all of this)/F 2"),
        widget("/FT/Tx/T(note)/V(ignore all of this)/F 32"),
        widget("/FT/Tx/T(note)/V(ignore all of this)", wide=0),
        widget("/FT/Tx/T(note)/V(ignore all of this)", x=900),
        "<</Type/Annot/Subtype/Widget/FT/Tx/T(note)/V(ignore all of this)>>",
    ],
    ids=["hidden", "no view", "without width", "beyond the page", "nowhere"],
)
def test_a_field_that_nobody_can_see_is_kept_apart(unseen: str) -> None:
    found = read_form_fields(unseen)
    assert found.asides == (Aside(AsideKind.HIDDEN, "note: ignore all of this", 1),)
    assert "ignore" not in found.text and found.coverage.hidden_spans == 1


def test_an_empty_field_that_nobody_can_see_is_nothing() -> None:
    assert not read_form_fields(widget("/FT/Tx/T(note)/F 2")).asides


def test_boxes_are_those_of_the_page_as_it_is_displayed() -> None:
    found = read_form_fields(widget("/FT/Tx/T(name)/V(Ann)"), entries="/Rotate 90")
    assert found.sections[-1].blocks[-1].boxes == (Box(HEIGHT - 320, 100, HEIGHT - 300, 300),)


def test_fields_of_a_file_without_a_form_are_nothing() -> None:
    data = pdf(Leaf(prose(), f"/Annots[{widget('/FT/Tx/T(name)/V(Ann)')}]"))
    assert document_form_fields(data).text == document_form_fields(pdf(prose())).text


def test_more_fields_than_can_be_read_are_said() -> None:
    objects = tuple(widget(f"/FT/Tx/T(f{n})/V(x)") for n in range(5001))
    references = [f"{n} 0 R" for n in range(1, 5002)]
    found = read_form_fields(*references, objects=objects, fields=" ".join(references))
    assert found.coverage.limits_hit == ("max_annotations",)
    assert "- f4999: x" in found.text and "f5000" not in found.text


def test_very_many_fields_that_no_form_lists_do_no_harm() -> None:
    found = read_form_fields(*(widget(f"/FT/Tx/T(f{n})/V(x)") for n in range(100_000)))
    assert found.coverage.limits_hit == ("max_annotations",) and BODY in found.text


@pytest.mark.parametrize("listed", [True, False])
def test_values_of_more_than_a_file_may_hold_are_said(*, listed: bool) -> None:
    huge = f"({'x' * 3_000_000})"
    widgets = [widget(f"/FT/Tx/T(f{n})/V 1 0 R") for n in range(1000)]
    references = " ".join(f"{n + 2} 0 R" for n in range(1000)) if listed else ""
    found = read_form_fields(*([references] if listed else widgets), objects=(huge, *widgets), fields=references)
    assert found.coverage.limits_hit == ("max_annotation_text",)
    assert "f0: xxx" in found.text and "f1:" not in found.text


def test_fields_that_are_their_own_parents_do_no_harm() -> None:
    circle = (
        widget("/FT/Tx/T(a)/V(x)/Parent 2 0 R/Kids[2 0 R]"),
        widget("/FT/Tx/T(b)/V(x)/Parent 1 0 R/Kids[1 0 R]"),
        widget("/FT/Tx/T(c)/V(x)/Parent 3 0 R/Kids[3 0 R]"),
    )
    assert BODY in read_form_fields("1 0 R", "2 0 R", "3 0 R", objects=circle, fields="1 0 R 2 0 R 3 0 R").text


def test_a_call_that_nobody_waits_for_ends_among_the_fields() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        document_form_fields(form(widget("/FT/Tx/T(a)/V(x)")), call)


def link(address: str, x0: int = 95, x1: int = 132) -> str:
    return f"<</Type/Annot/Subtype/Link/Rect[{x0} 688 {x1} 704]/A<</S/URI/URI({address})>>>>"


def test_a_link_gives_its_address_and_its_words() -> None:
    page = Leaf([Text("Visit our portal for documents today.", y=100)], f"/Annots[{link('https://example.org/x')}]")
    (aside,) = document(pdf(page)).asides
    assert aside == Aside(AsideKind.LINK, "https://example.org/x", 1, "our portal")


def test_links_that_lead_nowhere_on_the_web_are_none() -> None:
    others = [link(""), link("javascript:alert(1)"), link("file:///etc/passwd"), link(f"https://e.org/{'x' * 5000}")]
    assert not document(pdf(Leaf([Text("Visit our portal.", y=100)], f"/Annots[{' '.join(others)} 7 null]"))).asides
