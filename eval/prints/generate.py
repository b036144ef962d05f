r"""Typeset documents with tables whose truth is known: every cell has a text colour of its own.

    python eval/prints/generate.py OUT [--sets fit witness] [--engines NAME ...] [--documents 24] [--seed 1]
        [--kind documents --markdown FOLDER] [--typesetters VENV]

LaTeX (`pdflatex`), typst and WeasyPrint; `--typesetters` names the environment with the latter two. OUT gets
`NAME.pdf` and `NAME.json` (`{"engine", "style", "tables": [{"header_rows", "cells": [{"text", "row", "column", "rows",
"columns", "colour"}]}]}`) for each. `fit` varies all of a style at random; `witness` is ten LaTeX documents in the ten
fixed styles of `WITNESSES`. Words are taken from the user guide.
"""

import argparse
import json
import random
import sys
from dataclasses import asdict, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from contents import WITNESSES, Table, blocks_of, random_style
from engines import ENGINES, typeset
from markdown_tables import tables_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--sets", nargs="*", default=["fit", "witness"])
    parser.add_argument("--engines", nargs="*", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--documents", type=int, default=24)
    parser.add_argument("--kind", choices=("values", "records", "items", "documents", "mixed"), default="mixed")
    parser.add_argument("--markdown", type=Path, help="a folder whose Markdown files have the tables of `documents`")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--typesetters", type=Path, default=Path())
    given = parser.parse_args()
    kind = "" if given.kind == "mixed" else f"{given.kind}-"
    plans = [
        (f"{kind}{engine}-{number:03}", engine, None)
        for engine in given.engines
        for number in range(given.documents if "fit" in given.sets else 0)
    ]
    plans += [(f"witness-{name}", "latex", style) for name, style in WITNESSES.items() if "witness" in given.sets]
    known = tables_of(given.markdown) if given.markdown else []
    if given.kind == "documents" and not known:
        parser.error("tables of documents need --markdown FOLDER, with some")
    given.out.mkdir(parents=True, exist_ok=True)
    for name, engine, fixed in plans:
        source = random.Random(f"{given.seed} {name}")  # noqa: S311 - styles, no secrets
        style = replace(fixed) if fixed else replace(random_style(source), kind=given.kind)
        blocks = list(blocks_of(style, source, 14 if fixed else 5, (10, 16) if fixed else (2, 18), known))
        if not typeset(engine, blocks, style, given.out / f"{name}.pdf", given.typesetters):
            print(f"{name}: not typeset")
            continue
        tables = [block for block in blocks if isinstance(block, Table)]
        truth = {"engine": engine, "style": asdict(style), "tables": [asdict(table) for table in tables]}
        (given.out / f"{name}.json").write_text(json.dumps(truth, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
