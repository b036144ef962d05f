import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite.model.document import Block, BlockKind, Box, Cell, Coverage, Document, Section, Table
from pincite.transports.cli.commands.convert import described
from support.decks import Deck
from support.http_stub import answering
from support.tagged_pdfs import lines, tagged_pdf


def test_markdown_comes_out_as_it_went_in(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("convert", docs / "keys.md")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (docs / "keys.md").read_text(encoding="utf-8")


def test_a_document_can_come_from_a_url_or_from_standard_input(
    pincite: Callable[..., Any], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = "<html><body><h1>Keys</h1><p>Rotate them.</p></body></html>"
    with answering({"/keys.html": (200, page, "")}) as port:
        url = f"http://127.0.0.1:{port}/keys.html"
        refused = pincite("convert", url)
        assert refused.code == 2 and "private" in refused.err
        monkeypatch.setenv("DOWNLOAD_ALLOW_PRIVATE", "true")
        assert pincite("convert", url).out.startswith("# Keys\n\nRotate them.")
        assert pincite("convert", f"http://127.0.0.1:{port}/gone.html").code == 2
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(page.encode())))
    assert pincite("convert", "-").out.startswith("# Keys\n\nRotate them.")
    assert list(home.iterdir()) == []


def test_markdown_can_go_to_a_file(pincite: Callable[..., Any], docs: Path, home: Path) -> None:
    ran = pincite("convert", docs / "keys.md", "-o", home / "out.md")
    assert (ran.code, ran.out) == (0, "")
    assert (home / "out.md").read_bytes() == (docs / "keys.md").read_bytes()


def test_machines_get_blocks_whose_spans_count_in_the_markdown(pincite: Callable[..., Any], docs: Path) -> None:
    answer = json.loads(pincite("convert", docs / "keys.md", "--json").out)
    assert (answer["name"], answer["title"], answer["media_type"]) == ("keys.md", "Keys", "text/markdown")
    shown = [(block["kind"], answer["markdown"][slice(*block["span"])]) for block in answer["blocks"]]
    assert shown == [
        ("heading", "# Keys"),
        ("heading", "## Rotation"),
        ("paragraph", "Rotate the signing keys every month."),
    ]
    assert [block["level"] for block in answer["blocks"]] == [1, 2, 0]
    assert answer["coverage"]["complete"] is True


def test_what_was_not_read_is_told_and_is_exit_code_one(pincite: Callable[..., Any], docs: Path) -> None:
    (docs / "old.md").write_bytes(("ä ö ü ß " * 4).encode() + b"caf\xe9\n")
    ran = pincite("convert", docs / "old.md")
    assert (ran.code, ran.out) == (1, "ä ö ü ß " * 4 + "caf\ufffd\n")
    assert ran.err.startswith("note: Not all was read: 1 place is not valid in the file's encoding")


def test_a_lying_name_is_told(pincite: Callable[..., Any], docs: Path) -> None:
    (docs / "a.pdf").write_text("The page was not found.", encoding="utf-8")
    ran = pincite("convert", docs / "a.pdf")
    assert (ran.code, ran.out) == (0, "The page was not found.")
    assert ran.err == "note: Its name ends in .pdf, but it is no such file: it was read as text.\n"


@pytest.mark.parametrize(
    ("name", "data", "code", "said"),
    [
        ("a.zip", b"PK\5\6" + bytes(18), 2, "It is a zip archive. Unpack it and use the files in it."),
        ("a.docx", b"PK\3\4", 2, "It is a zip file whose end is missing. It is damaged: fetch or save it again."),
        ("a.bin", bytes(100), 2, "Its content is binary, of no known format."),
        ("a.md", b"\n" * 5000, 2, "No text in 5,000 bytes: it is blank."),
        ("gone.md", None, 2, "There is no file 'gone.md' here. Check the path."),
    ],
)
def test_what_cannot_be_read_is_an_error_of_the_table(
    pincite: Callable[..., Any], docs: Path, name: str, data: bytes | None, code: int, said: str
) -> None:
    if data is not None:
        (docs / name).write_bytes(data)
    ran = pincite("convert", docs / name)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err == f"error: {said}\n"


def test_a_folder_is_no_document(pincite: Callable[..., Any], docs: Path) -> None:
    ran = pincite("convert", docs)
    assert ran.code == 2
    assert "'docs' is a folder." in ran.err


def test_a_file_over_the_limit_is_not_read(
    pincite: Callable[..., Any], docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_MAX_FILE", "0.00001")
    assert "is larger than 1e-05 MB. Raise PINCITE_MAX_FILE." in pincite("convert", docs / "keys.md").err


def test_a_file_that_is_closed_to_us_says_so(pincite: Callable[..., Any], docs: Path) -> None:
    (docs / "loop.md").symlink_to(docs / "loop.md")
    ran = pincite("convert", docs / "loop.md")
    assert ran.code == 2
    assert "'loop.md' cannot be read: " in ran.err


def test_a_table_comes_with_its_cells_and_place() -> None:
    table = Table(1, 2, (Cell(0, 0, "a"), Cell(0, 1, "b", header=True)), place="Sheet1!A1:B1")
    block = Block(BlockKind.TABLE, 0, 5, table=table, page=1, boxes=(Box(1, 2, 3, 4),))
    section = Section(0, 0, (), 0, 5, (block,))
    document = Document("a.xlsx", "a | b", (section,), None, "00", "x/y", {}, None, Coverage())
    shown = json.loads(json.dumps(described(document)))["blocks"][0]
    assert shown["boxes"] == [[1, 2, 3, 4]]
    assert shown["table"]["place"] == "Sheet1!A1:B1"
    assert shown["table"]["cells"][1] == {
        "row": 0,
        "column": 1,
        "text": "b",
        "row_span": 1,
        "column_span": 1,
        "header": True,
    }


@pytest.fixture
def pdf(docs: Path) -> Path:
    path = docs / "two.pdf"
    pages = ([lines("H1", "One", y=700), lines("P", "first words", y=650)], [lines("P", "second words", y=700)])
    path.write_bytes(tagged_pdf(*pages))
    return path


def test_a_pdf_is_printed_page_after_page(pincite: Callable[..., Any], pdf: Path) -> None:
    assert pincite("convert", pdf).out == "# One\n\nfirst words\nsecond words\n"


def test_one_page_is_printed_alone(pincite: Callable[..., Any], pdf: Path) -> None:
    assert pincite("convert", pdf, "--page", "2").out == "second words\n\n"
    answer = json.loads(pincite("convert", pdf, "--page", "2", "--json").out)
    (block,) = answer["blocks"]
    assert answer["markdown"][slice(*block["span"])] == "second words"
    assert (block["page"], len(block["boxes"]), block["box_starts"]) == (2, 1, [0])


def test_a_page_that_is_not_there_is_told(pincite: Callable[..., Any], pdf: Path, docs: Path) -> None:
    assert pincite("convert", pdf, "--page", "3").err == "error: There is no page 3. It has 2.\n"
    assert "The format has no pages." in pincite("convert", docs / "keys.md", "--page", "1").err


def test_a_page_is_drawn_with_its_blocks(pincite: Callable[..., Any], pdf: Path, tmp_path: Path) -> None:
    target = tmp_path / "page.png"
    ran = pincite("convert", pdf, "--page", "1", "--boxes", target)
    assert (ran.code, ran.out) == (0, "1 heading (red)\n1 paragraph (blue)\n")
    assert target.read_bytes().startswith(b"\x89PNG")


def test_a_picture_needs_a_page_of_a_pdf_and_a_place(pincite: Callable[..., Any], pdf: Path, tmp_path: Path) -> None:
    assert "Name it: --page 1" in pincite("convert", pdf, "--boxes", tmp_path / "page.png").err
    ran = pincite("convert", pdf, "--page", "1", "--boxes", tmp_path / "none" / "page.png")
    assert ran.code == 2 and "page.png' cannot be written" in ran.err


def test_only_pages_of_a_pdf_are_drawn(pincite: Callable[..., Any], docs: Path, tmp_path: Path) -> None:
    deck = Deck()
    deck.slide("One")
    (docs / "deck.pptx").write_bytes(deck.saved())
    ran = pincite("convert", docs / "deck.pptx", "--page", "1", "--boxes", tmp_path / "page.png")
    assert "Only pages of a PDF can be drawn." in ran.err


def test_hidden_text_is_shown_on_request(pincite: Callable[..., Any], docs: Path) -> None:
    page = "<style>.x{display:none}</style><p class=x>Obey\x1b[2J me</p><p>Shown to everybody.</p>"
    (docs / "a.html").write_text(page, encoding="utf-8")
    plain = pincite("convert", docs / "a.html")
    assert (plain.out, plain.err) == (
        "Shown to everybody.\n",
        "note: 1 span of hidden text left out. Show hidden text: --hidden\n",
    )
    assert pincite("convert", docs / "a.html", "--hidden").out == '<p class="x">: display: none\n  Obey\ufffd[2J me\n'
    answer = json.loads(pincite("convert", docs / "a.html", "--hidden", "--json").out)
    (found,) = answer["hidden"]
    assert (found["place"], found["reason"], found["page"]) == ('<p class="x">', "display: none", None)
    assert pincite("convert", docs / "keys.md", "--hidden").err == "note: The document has no hidden text.\n"


def test_what_surrounds_a_page_is_shown_on_request(pincite: Callable[..., Any], docs: Path) -> None:
    (docs / "a.html").write_text("<div>Menu</div><main><p>This is the text of the page.</main>", "utf-8")
    converted = pincite("convert", docs / "a.html")
    assert converted.out == "This is the text of the page.\n"
    assert converted.err == "note: Text around the page's main content was left out. Show it: --hidden\n"
    assert pincite("convert", docs / "a.html", "--hidden").out == "a.html: outside the page's main content\n  Menu\n"
