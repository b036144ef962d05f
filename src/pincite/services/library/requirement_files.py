"""Requirements as other programs read them: CSV and ReqIF."""

import csv
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pincite.text.csv_text import inert
from pincite.text.excerpt import REPLACEMENT
from pincite.text.xml_text import allowed

FIELDS = (
    "document_id",
    "document_title",
    "requirement_id",
    "kind",
    "text",
    "page_numbers",
    "references",
    "citation",
    "ref",
)
"""The columns, and the attributes of a requirement in ReqIF."""

Row = Mapping[str, str]
"""A requirement: a value for each of `FIELDS`."""

NAMESPACE = "http://www.omg.org/spec/ReqIF/20110401/reqif.xsd"
MAX_CHARS = 1_000_000
_IDS = uuid.UUID("6f1c2a0e-3f5b-5c0a-8a57-2a86a1d6c0aa")
"""A requirement has the same identifier in each export, by document, clause and order: a tool that imports it again
updates its own."""


def write_csv(rows: Iterable[Row], file: TextIO) -> None:
    """Write requirements as CSV with a header. A value that a spreadsheet would compute is written as text."""
    writer = csv.writer(file)
    writer.writerow(FIELDS)
    writer.writerows([inert(row[name]) for name in FIELDS] for row in rows)


def reqif(rows: Sequence[Row], time: str) -> str:
    """Return requirements as a ReqIF document: a specification for each document, an object for each requirement.

    Args:
        rows: Those of one document are neighbours.
        time: When they were exported, in ISO 8601.
    """
    root = Element("REQ-IF", xmlns=NAMESPACE)
    header = _identified(SubElement(root, "THE-HEADER"), "REQ-IF-HEADER", "header", "")
    for name, text in (
        ("CREATION-TIME", time), ("REQ-IF-TOOL-ID", "pincite"), ("REQ-IF-VERSION", "1.0"),
        ("SOURCE-TOOL-ID", "pincite"), ("TITLE", "Requirements with their references"),
    ):  # fmt: skip
        SubElement(header, name).text = text
    content = SubElement(SubElement(root, "CORE-CONTENT"), "REQ-IF-CONTENT")
    string = _identified(SubElement(content, "DATATYPES"), "DATATYPE-DEFINITION-STRING", "string", time)
    string.set("MAX-LENGTH", str(MAX_CHARS))
    types = SubElement(content, "SPEC-TYPES")
    kind = _identified(types, "SPEC-OBJECT-TYPE", "requirement", time)
    attributes = SubElement(kind, "SPEC-ATTRIBUTES")
    for name in FIELDS:
        attribute = _identified(attributes, "ATTRIBUTE-DEFINITION-STRING", name, time)
        SubElement(SubElement(attribute, "TYPE"), "DATATYPE-DEFINITION-STRING-REF").text = _id("string")
    _identified(types, "SPECIFICATION-TYPE", "document", time)
    objects, specifications = SubElement(content, "SPEC-OBJECTS"), SubElement(content, "SPECIFICATIONS")
    for document, group in groupby(rows, key=lambda row: row["document_id"]):
        specification = _identified(specifications, "SPECIFICATION", f"document {document}", time, document)
        SubElement(SubElement(specification, "TYPE"), "SPECIFICATION-TYPE-REF").text = _id("document")
        children = SubElement(specification, "CHILDREN")
        counts: Counter[str] = Counter()
        for row in group:
            counts[row["requirement_id"]] += 1
            name = f"{document} {row['requirement_id']} {counts[row['requirement_id']]}"
            _add(objects, children, row, name, time)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _add(objects: Element, children: Element, row: Row, name: str, time: str) -> None:
    spec_object = _identified(objects, "SPEC-OBJECT", name, time, row["requirement_id"] or name)
    SubElement(SubElement(spec_object, "TYPE"), "SPEC-OBJECT-TYPE-REF").text = _id("requirement")
    values = SubElement(spec_object, "VALUES")
    for field in FIELDS:
        value = SubElement(values, "ATTRIBUTE-VALUE-STRING", {"THE-VALUE": allowed(row[field], REPLACEMENT)})
        SubElement(SubElement(value, "DEFINITION"), "ATTRIBUTE-DEFINITION-STRING-REF").text = _id(field)
    place = _identified(children, "SPEC-HIERARCHY", f"place of {name}", time)
    SubElement(SubElement(place, "OBJECT"), "SPEC-OBJECT-REF").text = _id(name)


def _identified(parent: Element, tag: str, name: str, time: str, title: str = "") -> Element:
    given = {"IDENTIFIER": _id(name)} | (
        {"LAST-CHANGE": time, "LONG-NAME": allowed(title or name, REPLACEMENT)} if time else {}
    )
    return SubElement(parent, tag, given)


def _id(name: str) -> str:
    return f"_{uuid.uuid5(_IDS, name)}"
