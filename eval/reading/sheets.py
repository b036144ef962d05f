"""Sheets and delimited text: what comes out of probes, how many guesses are right, and how long it takes.

    python eval/reading/sheets.py [--rows 100000] [--peers VENV]

Prints three tables: XLSX probes beside openpyxl (and kreuzberg), encodings and delimiters of 168 generated files and
five hard ones beside `csv.Sniffer` (and clevercsv), seconds and memory for one large workbook. `--peers` names a
virtual environment that holds kreuzberg and clevercsv; each runs in a process of its own.
"""

import argparse
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import openpyxl
import xlsxwriter

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from pincite.formats.base import Blob, ReadOptions  # noqa: E402
from pincite.formats.csv.dialect import find_delimiter  # noqa: E402
from pincite.formats.detect.decode import decode  # noqa: E402
from pincite.formats.xlsx.reader import read  # noqa: E402
from pincite.model.call import Call  # noqa: E402
from pincite.model.document import Page  # noqa: E402
from support.delimited_samples import hard, samples  # noqa: E402 - the tests' own files
from support.workbooks import by_hand, grid, workbook  # noqa: E402

STYLES = (
    '<numFmts count="2"><numFmt numFmtId="164" formatCode="0.0%"/>'
    '<numFmt numFmtId="165" formatCode="yyyy-mm-dd hh:mm"/></numFmts><fonts count="1"><font/></fonts>'
    '<fills count="1"><fill><patternFill/></fill></fills><borders count="1"><border/></borders>'
    '<cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="44"/></cellXfs>'
)

PEAK = """
import re
def peak():  # not getrusage: that counts the parent's memory too
    return int(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1]) / 1024
"""
KREUZBERG = """
import sys, time, json
from kreuzberg import extract_bytes_sync
data = open(sys.argv[1], "rb").read()
started = time.perf_counter()
mime = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
text = extract_bytes_sync(data, mime).content
print(json.dumps([text if len(text) < 100000 else "", time.perf_counter() - started, peak()]))
"""
CLEVERCSV = """
import sys, json, clevercsv
def delimiter(text):
    try:
        return clevercsv.Sniffer().sniff(text).delimiter
    except Exception:
        return None
print(json.dumps([delimiter(text) for text in json.load(sys.stdin)]))
"""
OURS = """
import sys, time
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.xlsx.reader import read
from pincite.model.call import Call
data = open(sys.argv[1], "rb").read()
before = peak()
started = time.perf_counter()
pages = list(read(Blob("book.xlsx", data), ReadOptions(), Call()))
print(time.perf_counter() - started, peak() - before)
"""
OPENPYXL = """
import sys, time, openpyxl
before = peak()
started = time.perf_counter()
for row in openpyxl.load_workbook(sys.argv[1], read_only=True, data_only=True).active.iter_rows(values_only=True):
    pass
print(time.perf_counter() - started, peak() - before)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--peers", type=Path, help="a virtual environment with kreuzberg and clevercsv")
    options = parser.parse_args()
    peer = options.peers / "bin" / "python" if options.peers else None
    with tempfile.TemporaryDirectory() as folder:
        probe_table(Path(folder), peer)
        delimited_table(peer)
        speed_table(Path(folder), options.rows, peer)


def number(address: str, value: object, style: int = 0) -> str:
    return f'<c r="{address}" s="{style}"><v>{value}</v></c>'


def hidden_and_merged() -> bytes:
    def fill(book: xlsxwriter.Workbook) -> None:
        sheet = book.add_worksheet("Data")
        for row, values in enumerate([["a", "b"], [1, 2], [31337, 4], [5, 6]]):
            sheet.write_row(row, 0, values)
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.merge_range("D1:E1", "wide")
        sheet.write_row("F1", ["narrow"])
        sheet.write_row("D2", [7, 8, 9])
        sheet.write_comment("A1", "a comment", {"author": "Ann"})
        sheet.write_url("B6", "https://example.org/x", string="here")
        book.add_worksheet("Secret").write("A1", "hidden words")
        book.worksheets()[1].hide()

    return workbook(fill)


def ours(data: bytes) -> str:
    """Text, places, spans, asides and warnings, as one string to search in."""
    pages = [page for page in read(Blob("book.xlsx", data), ReadOptions(), Call()) if isinstance(page, Page)]
    tables = [block.table for page in pages for block in page.blocks if block.table]
    spans = [str(cell.column_span) for table in tables for cell in table.cells if cell.text == "wide"]
    asides = [f"{aside.kind}: {aside.text}" for page in pages for aside in page.asides]
    said = [warning for page in pages for warning in page.warnings]
    text = "".join(page.text for page in pages)
    places = [table.place for table in tables]
    return "\n".join([text, "#places", *places, "#spans", *spans, "#asides", *asides, "#said", *said])


def through_openpyxl(data: bytes) -> str:
    """What its streaming reader gives."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    rows = (row for sheet in book for row in sheet.iter_rows(values_only=True))
    return "\n".join(" | ".join("" if value is None else str(value) for value in row) for row in rows)


def probes() -> list[tuple[str, bytes, Callable[[str], bool]]]:
    error = '<row r="1"><c r="A1" t="e"><v>#N/A</v></c><c r="B1" t="e"><v>#DIV/0!</v></c></row>'
    numbers = f'<row r="1">{number("A1", "1.0")}{number("B1", "12345678901234567890")}</row>'
    shown = f'<row r="1">{number("A1", "0.125", 1)}{number("B1", 45292, 2)}{number("C1", "1234.5", 3)}</row>'
    formula = '<row r="1"><c r="A1"><f>1+1</f></c><c r="B1"><v>7</v></c></row>'
    sparse = f'<row r="1">{number("A1", 1)}</row><row r="1048576">{number("XFD1048576", 77)}</row>'
    mixed = hidden_and_merged()
    return [
        ("errors stay", by_hand(error), lambda text: "#N/A" in text and "#DIV/0!" in text),
        ("integers without .0", by_hand(numbers), lambda text: "1.0" not in text),
        ("20 digits", by_hand(numbers), lambda text: "12345678901234567890" in text),
        ("percent as shown", by_hand(shown, styles=STYLES), lambda text: "12.5%" in text),
        ("midnight keeps its time", by_hand(shown, styles=STYLES), lambda text: "2024-01-01 00:00" in text),
        ("currency as shown", by_hand(shown, styles=STYLES), lambda text: "$1,234.50" in text),
        ("not calculated is said", by_hand(formula), lambda text: "Not calculated: Sheet1!A1" in text),
        ("address", grid([["a", "b"], [1, 2]], top=3, left=1), lambda text: "Sheet1!B4:C5" in text),
        ("hidden row apart", mixed, lambda text: "31337" not in text.partition("#asides")[0]),
        ("hidden sheet apart", mixed, lambda text: "hidden words" not in text.partition("#asides")[0]),
        ("merge span", mixed, lambda text: "#spans\n2\n" in text),
        ("comment apart", mixed, lambda text: "comment: Data!A1: Ann: a comment" in text),
        ("link", mixed, lambda text: "https://example.org/x" in text),
        ("two cells far apart", by_hand(sparse), lambda text: "77" in text),
    ]


def probe_table(folder: Path, peer: Path | None) -> None:
    print(f"| XLSX probe | pincite | openpyxl |{' kreuzberg |' if peer else ''}\n|---|---|---|{'---|' if peer else ''}")
    for name, data, right in probes():
        texts = [ours(data), through_openpyxl(data)]
        if peer:
            path = folder / "probe.xlsx"
            path.write_bytes(data)
            answer = run(peer, KREUZBERG, path)
            texts.append(json.loads(answer)[0] if answer else "")
        print(f"| {name} | {' | '.join('ok' if right(text) else 'X' for text in texts)} |", flush=True)


def delimited_table(peer: Path | None) -> None:
    files, hard_files = list(samples()), list(hard())
    texts = [sample.text for sample in [*files, *hard_files]]
    rows: list[tuple[str, list[str | None]]] = []
    started = time.perf_counter()
    rows.append(("pincite", [find_delimiter(text) for text in texts]))
    milliseconds = (time.perf_counter() - started) / len(texts) * 1000
    rows.append(("csv.Sniffer", [sniffed(text) for text in texts]))
    if peer and (answer := run(peer, CLEVERCSV, stdin=json.dumps(texts))):
        rows.append(("clevercsv", json.loads(answer)))
    encodings = sum(decode(sample.data).text == sample.text for sample in files)
    print(f"\nEncoding: {encodings} of {len(files)}; delimiter: {milliseconds:.2f} ms a file")
    print(f"| delimiter | of {len(files)} | of {len(hard_files)} hard |\n|---|--:|--:|")
    for name, found in rows:
        right = [guess == sample.delimiter for guess, sample in zip(found, [*files, *hard_files], strict=True)]
        print(f"| {name} | {sum(right[: len(files)])} | {sum(right[len(files) :])} |")


def sniffed(text: str) -> str | None:
    with suppress(csv.Error):
        return csv.Sniffer().sniff(text, delimiters=",;\t|").delimiter
    return None


def speed_table(folder: Path, rows: int, peer: Path | None) -> None:
    path = folder / "large.xlsx"
    write_large(path, rows)
    print(f"\n| {rows:,} × 12, {path.stat().st_size / 1e6:.1f} MB | s | MiB over start |\n|---|--:|--:|")
    for name, code in (("pincite", OURS), ("openpyxl read_only", OPENPYXL)):
        seconds, memory = re.findall(r"[\d.]+", run(Path(sys.executable), code, path))
        print(f"| {name} | {float(seconds):.2f} | {float(memory):.0f} |", flush=True)
    if peer and (answer := run(peer, KREUZBERG, path)):
        _, seconds, memory = json.loads(answer)
        print(f"| kreuzberg text (whole process) | {seconds:.2f} | {memory:.0f} |")


def write_large(path: Path, rows: int) -> None:
    book = xlsxwriter.Workbook(path, {"constant_memory": True})
    sheet = book.add_worksheet("Data")
    day, percent = book.add_format({"num_format": "yyyy-mm-dd"}), book.add_format({"num_format": "0.0%"})
    sheet.write_row(0, 0, [f"Column {column}" for column in range(12)])
    first = datetime(2020, 1, 1, tzinfo=UTC).replace(tzinfo=None)
    for row in range(1, rows + 1):
        sheet.write_number(row, 0, row)
        sheet.write_string(row, 1, f"name {row % 977}")
        sheet.write_datetime(row, 2, first + timedelta(days=row % 1000), day)
        sheet.write_number(row, 3, row * 7919 % 10007 / 10007, percent)
        for column in range(4, 12, 2):
            sheet.write_string(row, column, f"text {row * column % 5003}")
            sheet.write_number(row, column + 1, row * 104729 % 100003 / 100)
    book.close()


def run(python: Path, code: str, *arguments: object, stdin: str | None = None) -> str:
    """What a program prints; empty where it failed."""
    command: Sequence[str] = [str(python), "-c", PEAK + code, *map(str, arguments)]
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)  # noqa: S603 - our own code
    return done.stdout if done.returncode == 0 else ""


if __name__ == "__main__":
    main()
