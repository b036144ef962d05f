"""The results of many documents in one file: JSON Lines, or a table with the evidence beside each value."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pincite.errors import InvalidInput
from pincite.model.schema import Schema
from pincite.services.extraction.spreadsheets import CSV, XLSX, document_rows, leaves, written
from pincite.text.excerpt import excerpt
from pincite.transports.cli.printing import streams

TABLES = (CSV, XLSX)
FORMS = (".jsonl", *TABLES)
"""The endings of what results are written as."""


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
            table = written(document_rows(schema, self.records.values()), self.out.suffix)
            with streams.writing(self.out):
                self.out.write_bytes(table)
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


def is_complete(data: Any, evidence: Any) -> bool:
    """Return True if every leaf that the schema asks for has a verified value."""
    return all(record["verified"] for _, _, record in leaves(data, evidence))
