from pincite.model.document import AsideKind, Document
from support.pdf_layout import read
from support.pdfs import Text, prose


def asides(document: Document, kind: AsideKind) -> list[tuple[int | None, str]]:
    return [(aside.page, aside.text) for aside in document.asides if aside.kind is kind]


def test_running_heads_and_feet_are_kept_apart() -> None:
    pages = [
        [Text("A Report", y=30), *prose(y=100), Text(f"Page {number} of 4", x=280, y=770)] for number in range(1, 5)
    ]
    found = read(*pages)
    assert "Report" not in found.text
    assert asides(found, AsideKind.HEADER) == [(number, "A Report") for number in range(1, 5)]
    assert asides(found, AsideKind.FOOTER) == [(number, f"Page {number} of 4") for number in range(1, 5)]


def test_pages_that_begin_with_the_same_text_keep_it() -> None:
    found = read(*[[*prose(y=60), *prose(y=96), *prose(y=132)]] * 4)
    assert not found.asides


def test_page_numbers_in_roman_numerals_are_running_feet() -> None:
    found = read(*[[*prose(y=100), Text(number, x=300, y=770)] for number in ("ii", "iii")])
    assert asides(found, AsideKind.FOOTER) == [(1, "ii"), (2, "iii")]


def test_heads_that_change_with_the_chapter_are_told_by_their_page_numbers() -> None:
    names = ("Introduction", "Methods", "Results", "Discussion", "Summary")
    pages = [[Text(f"{name} {number + 10}", y=30), *prose(y=100)] for number, name in enumerate(names)]
    assert [text for _, text in asides(read(*pages), AsideKind.HEADER)] == [
        f"{name} {n + 10}" for n, name in enumerate(names)
    ]


def test_a_heading_at_the_top_of_every_page_stays_if_it_is_large_or_moves() -> None:
    large = [[Text("Control Objective", y=40, size=16), *prose(y=100)] for _ in range(4)]
    moving = [[Text("Control Objective", y=40 + 12 * n, font="B"), *prose(y=130)] for n in range(4)]
    assert not read(*large).asides
    assert not read(*moving).asides
