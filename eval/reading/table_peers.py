"""Other tools' tables, one page a line; runs in an interpreter that has them.

Without an argument: the names of the tools that can be imported. With one: reads `[path, page]` lines, writes grids.
"""

import argparse
import importlib.util
import json
import sys
import warnings
from collections.abc import Callable

warnings.simplefilter("ignore")
Rows = list[list[str]]


def _clean(rows):  # noqa: ANN001, ANN202
    return [["" if cell is None else str(cell) for cell in row] for row in rows]


def pdfplumber_text() -> Callable[[str, int], list[Rows]]:
    import pdfplumber  # noqa: PLC0415

    settings = {"vertical_strategy": "text", "horizontal_strategy": "text"}

    def find(path: str, page: int) -> list[Rows]:
        with pdfplumber.open(path, pages=[page]) as document:
            return [_clean(table) for table in document.pages[0].extract_tables(settings)]

    return find


def camelot_stream() -> Callable[[str, int], list[Rows]]:
    import camelot  # noqa: PLC0415

    def find(path: str, page: int) -> list[Rows]:
        tables = camelot.read_pdf(path, pages=str(page), flavor="stream")
        return [_clean(table.df.to_numpy().tolist()) for table in tables]

    return find


def img2table_borderless() -> Callable[[str, int], list[Rows]]:
    from img2table.document import PDF  # noqa: PLC0415

    def find(path: str, page: int) -> list[Rows]:
        tables = PDF(path, pages=[page - 1], pdf_text_extraction=True).extract_tables(borderless_tables=True)
        return [_clean(table.df.to_numpy().tolist()) for found in tables.values() for table in found]

    return find


TOOLS = {
    "pdfplumber text": ("pdfplumber", pdfplumber_text),
    "camelot stream": ("camelot", camelot_stream),
    "img2table": ("img2table", img2table_borderless),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", choices=tuple(TOOLS), nargs="?")
    tool: str | None = parser.parse_args().tool
    if tool is None:
        print("\n".join(name for name, (module, _) in TOOLS.items() if importlib.util.find_spec(module)))
        return
    find = TOOLS[tool][1]()
    answers, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        path, page = json.loads(line)
        try:
            found = find(path, page)
        except Exception as error:  # noqa: BLE001 - a tool that fails on a page has found nothing there
            print(f"{path} {page}: {error}", file=sys.stderr)
            found = []
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
