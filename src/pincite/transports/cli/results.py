"""The results of many documents in one file: JSON Lines, or a table with the evidence beside each value."""

import csv
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

from pincite.errors import InvalidInput
from pincite.model.schema import Path as FieldPath
from pincite.model.schema import Schema, dotted, fields_of
from pincite.text.excerpt import excerpt
from pincite.transports.cli.printing import streams

TABLES = (".csv", ".xlsx")
FORMS = (".jsonl", *TABLES)
"""The endings of what results are written as."""
EVIDENCE = ("status", "confidence", "page", "snippet", "ref")
"""What is in the columns beside a value."""
_FORMULA = re.compile(r"[=+@\t\r]|-(?!\d)")
"""Begins what a spreadsheet would run, not show."""
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
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


class Journal:
    """The results so far, one JSON object a line: what an interrupted run goes on from."""

    def __init__(self, out: Path, job: str) -> None:
        """Read what an earlier run left.

        Args:
            out: The file of results; a table has its journal beside it until it is written.
            job: What all results of it have in common: the schema and the engine.

        Raises:
            InvalidInput: The file's ending is none of `FORMS`, or it has other results.
        """
        if out.suffix not in FORMS:
            raise InvalidInput(f"{excerpt(out.name)} ends in none of {', '.join(FORMS)}.")
        self.out, self.job = out, job
        self.path = out.with_name(f"{out.name}.part") if out.suffix in TABLES else out
        self.records: dict[str, Mapping[str, Any]] = {}
        for record in _lines(self.path):
            if record.get("job") != job:
                raise InvalidInput(f"{excerpt(self.path.name)} has other results. Remove it, or name another file.")
            self.records[record["file"]] = record
        self.records = {file: record for file, record in self.records.items() if "error" not in record}
        self._write("w", self.records.values())

    def has(self, file: str, data: bytes) -> bool:
        """Return True if a file with this content has its result."""
        return file in self.records and self.records[file]["sha256"] == hashlib.sha256(data).hexdigest()

    def add(self, file: str, data: bytes, result: Mapping[str, Any]) -> None:
        """Write the result of a file, or its error."""
        record = {"file": file, "sha256": hashlib.sha256(data).hexdigest(), "job": self.job, **result}
        is_new = file not in self.records
        self.records[file] = record
        self._write("a", [record]) if is_new else self._write("w", self.records.values())

    def finish(self, schema: Schema) -> None:
        """Write the table, if there is to be one."""
        if self.out.suffix in TABLES:
            rows = [*_table(schema, self.records.values())]
            with streams.writing(self.out):
                (_write_csv if self.out.suffix == ".csv" else _write_xlsx)(self.out, rows)
                self.path.unlink()

    def _write(self, mode: str, records: Iterable[Mapping[str, Any]]) -> None:
        with streams.writing(self.path), self.path.open(mode, encoding="utf-8") as lines:
            lines.writelines(json.dumps(record) + "\n" for record in records)


def _lines(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the records of a journal; the last line may be cut where a run was killed."""
    lines = path.read_text("utf-8", errors="replace").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        try:
            yield json.loads(line)
        except ValueError as fault:
            if number < len(lines):
                raise InvalidInput(f"{excerpt(path.name)} has no results. Name another file.") from fault


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


def is_complete(data: Any, evidence: Any) -> bool:
    """Return True if every leaf that the schema asks for has a verified value."""
    return all(record["verified"] for _, _, record in leaves(data, evidence))


def _table(schema: Schema, records: Iterable[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """Yield the header and a row for each document: each field with its evidence, a list of objects as JSON."""
    fields = [path for path, _ in fields_of(schema.root, ())]
    columns = [dotted(path) + suffix for path in fields for suffix in ("", *(f" {part}" for part in EVIDENCE))]
    yield ["file", *columns, "error"]
    for record in records:
        row = [record["file"]]
        for path in fields:
            row += _cells(_at(record.get("data"), path), _at(record.get("evidence"), path))
        yield [*row, record.get("error", {}).get("message")]


def _cells(value: Any, evidence: Any) -> list[Any]:
    found = [record for _, _, record in leaves(value, evidence)]
    status = "" if not found else "verified" if all(one["verified"] for one in found) else found[0]["status"]
    only = found[0] if len(found) == 1 else dict[str, Any]()
    if isinstance(value, list) and not any(isinstance(one, Mapping) for one in cast("list[Any]", value)):
        value = "; ".join(map(str, cast("list[Any]", value)))
    elif isinstance(value, list | Mapping):
        value = json.dumps(value, ensure_ascii=False)
    return [value, status, *map(only.get, EVIDENCE[1:])]


def _at(tree: Any, path: FieldPath) -> Any:
    for step in path:
        tree = cast("Mapping[Any, Any]", tree).get(step) if isinstance(tree, Mapping) else None
    return tree


def _write_csv(out: Path, rows: Sequence[Sequence[Any]]) -> None:
    with out.open("w", encoding="utf-8-sig", newline="") as stream:
        csv.writer(stream).writerows([_shown(cell) for cell in row] for row in rows)


def _shown(cell: Any) -> Any:
    """Return a cell whose text no spreadsheet runs as a formula."""
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def _write_xlsx(out: Path, rows: Sequence[Sequence[Any]]) -> None:
    lines = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    with ZipFile(out, "w", ZIP_DEFLATED) as book:
        for name, part in _PARTS.items():
            book.writestr(name, part)
        book.writestr(
            "xl/worksheets/sheet1.xml", f'<worksheet xmlns="{space}"><sheetData>{lines}</sheetData></worksheet>'
        )


def _cell(value: Any) -> str:
    if value is None or value == "":
        return "<c/>"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"<c><v>{value}</v></c>"
    text = escape(_UNPRINTABLE.sub("\ufffd", str(value)))
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
