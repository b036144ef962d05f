from pathlib import Path

from support.serving import MakeApp, ask, files
from support.workbooks import grid


def test_a_cell_of_a_workbook_is_found_and_cited(folder: Path, make_app: MakeApp) -> None:
    rows = [["part", "supplier"], *([f"bolt {number}", "Smith"] for number in range(60)), ["flange", "Xanthippe"]]
    (folder / "parts.xlsx").write_bytes(grid(rows, "Stock list"))
    (folder / "towns.csv").write_bytes("Stadt;Fluss\nKöln;Rhein\nPassau;Donau\n".encode("cp1252"))
    app = make_app()
    answer = ask(app, "xanthippe")
    assert files(answer)[0] == "parts.xlsx" and "| flange | Xanthippe |" in answer.results[0].content
    assert files(ask(app, "köln rhein"))[0] == "towns.csv"
