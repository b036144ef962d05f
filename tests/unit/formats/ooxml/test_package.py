import io
import re
import zipfile

import pytest

from pincite.errors import InvalidInput
from pincite.formats.ooxml import package
from support.docx_read import MAIN, read
from support.word import Word, part_of, styled, with_part


def test_a_strict_document_is_read_as_a_transitional_one() -> None:
    data = Word().add(styled("Heading1", "T")).saved()
    for name in (MAIN, "word/styles.xml"):
        strict = re.sub(
            rb"http://schemas.openxmlformats.org/(wordprocessingml)/2006/main",
            rb"http://purl.oclc.org/ooxml/\1/main",
            part_of(data, name),
        )
        data = with_part(data, name, strict)
    assert read(data).text == "# T\n"


def test_a_part_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_PART_BYTES", 1000)
    with pytest.raises(InvalidInput, match="too large"):
        read(Word())


def test_a_part_that_is_packed_wrongly_is_damaged() -> None:
    data = bytearray(Word().add("text " * 500).saved())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as file:
        place = file.getinfo(MAIN).header_offset + 60
    data[place : place + 40] = b"\xff" * 40
    with pytest.raises(InvalidInput, match="damaged"):
        read(bytes(data))


def test_a_relation_that_leads_out_of_the_package_is_not_followed() -> None:
    data = with_part(Word().add(styled("Heading1", "T")).saved(), "word/styles.xml", None)
    relations = part_of(data, "word/_rels/document.xml.rels")
    outside = relations.replace(b'Target="styles.xml"', b'TargetMode="External" Target="https://e.org/styles.xml"')
    document = read(with_part(data, "word/_rels/document.xml.rels", outside))
    assert document.text == "T\n" and "no styles" in document.warnings[0] and not document.coverage.failed
