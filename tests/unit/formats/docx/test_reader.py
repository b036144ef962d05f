import csv
from pathlib import Path

import pytest

from pincite.errors import Cancelled, InvalidInput, ReadingFailed, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.docx.names import w
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.document import BlockKind
from support.docx_read import DOCX, MAIN, all_blocks, read
from support.word import Word, item, part_of, styled, with_part
from support.word_probes import blocks, headings


@pytest.mark.parametrize(("named", "language"), [("de_AT", "de-AT"), ("", "en-US"), ("no language!", "en-US")])
def test_the_language_is_the_one_that_the_document_names(named: str, language: str) -> None:
    word = Word().add("body")
    word.made.core_properties.language = named
    assert read(word).language == language


def test_an_embedded_document_is_said_to_be_missing() -> None:
    document = read(Word().add("a", '<w:altChunk r:id="rId1"/>'))
    assert [failure.reason for failure in document.coverage.failed] == [
        "a document that is embedded in this one was not read"
    ]


def test_parts_that_are_not_there_are_done_without() -> None:
    data = Word().add(styled("Heading1", "T"), item("x", 1)).saved()
    relations = part_of(data, "word/_rels/document.xml.rels")
    document = read(with_part(data, "word/_rels/document.xml.rels", None))
    assert document.text == "T\n\nx\n" and len(document.warnings) == 2
    assert b"styles.xml" in relations
    document = read(with_part(data, "word/styles.xml", None))
    assert document.text == "T\n\n- x\n" and "styles.xml is missing" in document.coverage.failed[0].reason


@pytest.mark.parametrize(
    "name", ["word/styles.xml", "word/numbering.xml", "word/_rels/document.xml.rels", "_rels/.rels"]
)
def test_a_broken_part_is_a_failure_that_is_told_and_the_text_is_read(name: str) -> None:
    document = read(with_part(Word().add("text").saved(), name, b"<broken"))
    assert document.text == "text\n"
    assert [name in failure.reason for failure in document.coverage.failed] == [True]


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "missing"), (b"<broken", "damaged"), (f'<document xmlns="{w("x")[1:-2]}"/>'.encode(), "no body")],
)
def test_a_broken_main_part_is_refused(content: bytes | None, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read(with_part(Word().saved(), MAIN, content))


def test_another_kind_of_document_is_refused() -> None:
    with pytest.raises(Unsupported, match="not a Word document"):
        read(with_part(Word().saved(), MAIN, b"<worksheet/>"))


def test_entities_are_refused() -> None:
    xml = part_of(Word().add("a&amp;lol;b").saved(), MAIN).replace(b"&amp;lol;", b"&lol;")
    bomb = xml.replace(b"<w:document", b'<!DOCTYPE x [<!ENTITY lol "lol">]><w:document', 1)
    with pytest.raises(ReadingFailed, match="declares a document type"):
        read(with_part(Word().saved(), MAIN, bomb))


def test_too_many_blocks_are_one() -> None:
    document = read(Word().add(*"abcdef"), max_blocks=3)
    assert len(all_blocks(document)) == 3 and document.coverage.limits_hit == ("max_blocks",)


def test_reading_stops_when_the_caller_goes_away() -> None:
    call = Call()
    call.stop.set()
    with pytest.raises(Cancelled):
        read_document(DOCX, Blob("a.docx", Word().saved()), ReadOptions(), call)


@pytest.mark.data
def test_the_verification_standard_is_read_to_the_cell(data: Path) -> None:
    """Two cells differ in the file itself: a number, and marks of emphasis that the CSV keeps."""
    folder = data / "asvs-4.0.3"
    document = read((folder / "asvs-4.0.3-en.docx").read_bytes())
    assert len(headings(document)) == 165
    tables = [block.table for block in blocks(document, BlockKind.TABLE) if block.table]
    assert len(tables) == 75
    printed: dict[str, list[str]] = {}
    for table in tables:
        rows: dict[int, dict[int, str]] = {}
        for cell in table.cells:
            rows.setdefault(cell.row, {})[cell.column] = cell.text
        printed |= {row.get(0, ""): [row.get(column, "") for column in range(1, 7)] for row in rows.values()}
    with (folder / "asvs-4.0.3-en.csv").open(encoding="utf-8", newline="") as file:
        wanted = {row["req_id"]: list(row.values())[5:] for row in csv.DictReader(file)}
    printed = {f"V{key.strip('*V')}": row for key, row in printed.items()}
    assert len(wanted) == 286
    assert {key for key, row in wanted.items() if printed[key] != row} == {"V3.4.3", "V10.3.3"}
    assert all(key.lstrip("V") in document.text for key in wanted)


def test_what_is_not_well_formed_is_read_as_far_as_it_goes() -> None:
    data = Word().add("one", "two").saved()
    found = read(with_part(data, MAIN, part_of(data, MAIN).replace(b"two</w:t>", b"two</w:t><w:br/ >")))
    assert found.text == "one\n\ntwo\n"
    assert "word/document.xml is damaged" in found.coverage.failed[0].reason
