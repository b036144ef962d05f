"""Results of extraction as tables, in CSV or XLSX: a row for each document, or for each item of its list."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO, StringIO
from itertools import chain
from typing import Any, cast
from zipfile import ZIP_DEFLATED, ZipFile

from pincite.model.schema import ListNode, ObjectNode, Schema, dotted, fields_of
from pincite.model.schema import Path as FieldPath
from pincite.text.csv_text import inert
from pincite.text.excerpt import REPLACEMENT
from pincite.text.xml_text import escaped

CSV, XLSX = ".csv", ".xlsx"
"""The endings of tables."""
EVIDENCE = ("status", "confidence", "page", "snippet", "ref")
"""What is in the columns beside a value."""
_PARTS = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default '
    'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override '
    'PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.'
    'worksheet+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
    'Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="results" '
    'sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
}
"""The parts of a workbook beside its one sheet."""


def leaves(data: Any, evidence: Any, path: FieldPath = ()) -> Iterator[tuple[FieldPath, Any, Mapping[str, Any]]]:
    """Yield each leaf of a result: its path, its value and its record of evidence."""
    if isinstance(evidence, Mapping) and "locator" in evidence and "snippet" in evidence:
        yield path, data, cast("Mapping[str, Any]", evidence)
    elif isinstance(evidence, Mapping) and isinstance(data, Mapping):
        for key, tree in cast("Mapping[str, Any]", evidence).items():
            yield from leaves(cast("Mapping[str, Any]", data).get(key), tree, (*path, key))
    elif isinstance(evidence, list) and isinstance(data, list):
        pairs = zip(cast("list[Any]", data), cast("list[Any]", evidence), strict=True)
        for number, (value, tree) in enumerate(pairs):
            yield from leaves(value, tree, (*path, number))


def document_rows(schema: Schema, records: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """Yield the header and a row for each document: each field with its evidence, a list of objects as JSON.

    Args:
        schema: The fields.
        records: Each a result with the name of its `file`, or an `error` in its place.
    """
    fields = [path for path, _ in fields_of(schema.root, ())]
    columns = [dotted(path) + suffix for path in fields for suffix in ("", *(f" {part}" for part in EVIDENCE))]
    yield ["file", *columns, "error"]
    for record in records:
        cells = chain.from_iterable(field_cells(fields, record))
        yield [record["file"], *cells, record.get("error", {}).get("message")]


def item_rows(schema: Schema, records: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """Yield the header and a row for each object of a document's first list of objects, beside its other values."""
    fields = dict(fields_of(schema.root, ()))
    lists = ((path, node.item) for path, node in fields.items() if isinstance(node, ListNode))
    items, item = next(((path, node) for path, node in lists if isinstance(node, ObjectNode)), ((), ObjectNode({})))
    columns, inner = [path for path in fields if path != items], [path for path, _ in fields_of(item, ())]
    yield ["file", *map(dotted, columns), *(dotted((*items, *path)) for path in inner)]
    for record in records:
        data = record.get("data")
        cells = [record["file"], *(_plain(_at(data, path)) for path in columns)]
        for entry in (_at(data, items) if items else None) or [None]:
            yield [*cells, *(_plain(_at(entry, path)) for path in inner)]


def field_cells(fields: Iterable[FieldPath], record: Mapping[str, Any]) -> list[list[Any]]:
    """Return for each field of a record its value and what is beside it; see `EVIDENCE`."""
    return [_cells(_at(record.get("data"), path), _at(record.get("evidence"), path)) for path in fields]


def _cells(value: Any, evidence: Any) -> list[Any]:
    records = [record for _, _, record in leaves(value, evidence)]
    doubts = {record["status"] for record in records if not record["verified"]}
    status = next((doubt for doubt in ("conflict", "ungrounded") if doubt in doubts), "verified" if records else "")
    if records and all(record["status"] == "absent" for record in records):
        status = "absent"
    only = records[0] if len(records) == 1 else dict[str, Any]()
    return [_plain(value), status, *map(only.get, EVIDENCE[1:])]


def _plain(value: Any) -> Any:
    """Return a value as one cell has it."""
    if isinstance(value, list) and not any(isinstance(item, Mapping) for item in cast("list[Any]", value)):
        return "; ".join(map(str, cast("list[Any]", value)))
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | Mapping) else value


def _at(tree: Any, path: FieldPath) -> Any:
    for step in path:
        tree = cast("Mapping[Any, Any]", tree).get(step) if isinstance(tree, Mapping) else None
    return tree


def written(rows: Iterable[Iterable[Any]], ending: str) -> bytes:
    """Return rows as a file of that ending: CSV whose texts no spreadsheet runs as formulas, or a workbook."""
    if ending == CSV:
        text = StringIO(newline="")
        csv.writer(text).writerows([inert(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
        return text.getvalue().encode("utf-8-sig", "replace")
    lines = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{space}"><sheetData>{lines}</sheetData></worksheet>'
    book = BytesIO()
    with ZipFile(book, "w", ZIP_DEFLATED) as parts:
        for name, part in {**_PARTS, "xl/worksheets/sheet1.xml": sheet}.items():
            parts.writestr(name, part)
    return book.getvalue()


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"<c><v>{value}</v></c>"
    text = escaped(str(value), REPLACEMENT)
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
