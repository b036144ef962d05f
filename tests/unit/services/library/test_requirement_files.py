"""Requirements as CSV and ReqIF."""

import csv
import io
from importlib.resources import as_file, files
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from pincite.services.library.requirement_files import FIELDS, NAMESPACE, reqif, write_csv

TIME = "2026-11-28T12:00:00Z"
NAMES = {"r": NAMESPACE}


def row(clause: str, text: str, document: str = "a") -> dict[str, str]:
    given = {"document_id": document, "requirement_id": clause, "text": text, "ref": f"{document}@00000000#h1-c1"}
    return dict.fromkeys(FIELDS, "") | given


def text_of(requirement: ET.Element) -> str | None:
    values = requirement.findall("r:VALUES/r:ATTRIBUTE-VALUE-STRING", NAMES)
    return values[FIELDS.index("text")].get("THE-VALUE")


def test_csv_has_a_header_and_no_value_that_a_spreadsheet_computes() -> None:
    file = io.StringIO()
    write_csv([row("5.1", 'Say "yes",\nand no.'), row("5.2", "=1+1"), row("5.3", "-1 shall do")], file)
    header, *rows = csv.reader(io.StringIO(file.getvalue()))
    assert tuple(header) == FIELDS
    assert [each[FIELDS.index("text")] for each in rows] == ['Say "yes",\nand no.', "'=1+1", "'-1 shall do"]


def test_reqif_has_each_requirement_with_its_fields_in_its_documents_order() -> None:
    rows = [row("5.1", "One & <two>\x00."), row("5.1", "Three."), row("1", "Other.", document="b")]
    root = ET.fromstring(reqif(rows, TIME))  # noqa: S314 - written here
    objects = {each.get("IDENTIFIER"): each for each in root.iterfind(".//r:SPEC-OBJECT", NAMES)}
    texts = [
        [text_of(objects[place.text]) for place in specification.iterfind(".//r:SPEC-OBJECT-REF", NAMES)]
        for specification in root.iterfind(".//r:SPECIFICATION", NAMES)
    ]
    assert texts == [["One & <two>\ufffd.", "Three."], ["Other."]]
    known = {each.get("IDENTIFIER") for each in root.iter()}
    assert all(each.text in known for each in root.iter() if each.tag.endswith("-REF"))
    assert len(objects) == len({*objects}) == 3


def test_a_requirement_keeps_its_identifier_when_its_words_change() -> None:
    first, second = (reqif([row("5.1", text)], TIME) for text in ("One.", "Another."))
    assert first.replace("One.", "Another.") == second


def test_reqif_is_valid_by_the_schema_of_its_authors() -> None:
    pytest.importorskip("reqif", reason="reqif is not installed: make dev")
    xmlschema: Any = pytest.importorskip("xmlschema")
    rows = [row("5.1", "One & <two>\x00."), row("", "No number."), row("1", "Other.", document="b")]
    with as_file(files("reqif") / "reqif_schema" / "reqif.xsd") as path:
        schema = xmlschema.XMLSchema(path)
        for given in (rows, []):
            schema.validate(reqif(given, TIME))
        with pytest.raises(xmlschema.XMLSchemaValidationError):
            schema.validate(reqif(rows, TIME).replace("<TYPE>", "<KIND>").replace("</TYPE>", "</KIND>"))
