"""Print the sources of `forms` and `hard_forms` as the PDF and DOCX files that are measured.

    python eval/extraction/print_forms.py [--browser chromium]

The documents were written for this, and what they name does not exist. `NAME.pdf.html` is printed by a browser,
`NAME.docx.html` is written by python-docx; the files are kept in the folder, so that measuring needs neither.
"""

import argparse
import subprocess
from pathlib import Path

from docx import Document
from lxml import html

FOLDERS = tuple(Path(__file__).resolve().parent / name for name in ("forms", "hard_forms"))
HEADINGS = {"h1": 1, "h2": 2}


def write_docx(source: Path, target: Path) -> None:
    document = Document()
    for element in html.fromstring(source.read_bytes()).find("body"):
        if element.tag == "table":
            rows = [[cell.text_content() for cell in row.iter("td", "th")] for row in element.iter("tr")]
            table = document.add_table(len(rows), max(map(len, rows)), style="Table Grid")
            for row, texts in zip(table.rows, rows, strict=True):
                for cell, text in zip(row.cells, texts, strict=True):
                    cell.text = text
        elif element.tag in HEADINGS:
            document.add_heading(element.text_content(), HEADINGS[element.tag])
        else:
            document.add_paragraph(element.text_content())
    document.save(str(target))


def write_pdf(source: Path, target: Path, browser: str) -> None:
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", f"--print-to-pdf={target}"]
    subprocess.run([browser, *options, source.resolve().as_uri()], check=True, capture_output=True)  # noqa: S603 - ours


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--browser", default="chromium", help="a Chromium that prints")
    parser.add_argument("--only", metavar="TEXT", default="", help="print those with this in their path")
    options = parser.parse_args()
    for source in sorted(source for folder in FOLDERS for source in folder.glob("sources/*.html")):
        if options.only not in source.as_posix():
            continue
        target = source.parents[1] / source.stem
        if target.suffix == ".pdf":
            write_pdf(source, target, options.browser)
        else:
            write_docx(source, target)


if __name__ == "__main__":
    main()
