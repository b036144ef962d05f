"""Small office files that once lost text, or were refused, give the text that their authors see."""

from pathlib import Path

import pytest

from behaviour.faces import EXACT
from behaviour.test_documents import InProcess

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("name", "texts", "warnings"),
    [
        ("caption635.docx", ["Figure 1: Pump test rig with pressure gauge"], []),
        ("guide.epub", ["# Starting the pump", "Open valve V7 before the start", "# Stopping the pump"], []),
        ("macro.odt", ["# Pump manual", "Open valve V7 before start."], []),
        (
            "macrosheet.xlsm",
            ["| Item | Cost |", "| Pump | 1200 |"],
            ["'Macro1' is no worksheet (a chart, a dialog, a macro) and was not read."],
        ),
        (
            "spacer.xlsx",
            ["| Task |  | Owner |  | Due |\n| --- | --- | --- | --- | --- |\n| Design |  | Ana |  | May |"],
            [],
        ),
        (
            "issues.xlsx",
            ["| Task |  | Owner | Status |\n| --- | --- | --- | --- |\n| Design |  | Ana | Done |"],
            ["Left out, as it is hidden: hidden sheet Secret, hidden rows Rows!3:3, hidden column Rows!C1:C2."],
        ),
        ("eq.docx", ["① 第一步打开阀门", "② 第二步关闭阀门", "½ of the dose", "東京(とうきょう)の地図"], []),
        ("nohdr.docx", ["| Product | Spec |\n| --- | --- |\n| Cable | USB-C |"], []),
        (
            "caption.html",
            ["| Plan | Price |\n| --- | --- |\n| Starter | 9 EUR |", "|  |  |\n| --- | --- |\n| hoge | x |"],
            [],
        ),
        ("dl.html", ["- **-v**\n  Prints more.\n  May be given twice.\n- **-q**\n  Prints less."], []),
    ],
)
def test_a_small_office_file_gives_all_of_its_text(
    data: Path, tmp_path: Path, name: str, texts: list[str], warnings: list[str]
) -> None:
    own = {"PINCITE_CACHE": str(tmp_path / "cache"), "DATA_DIR": str(tmp_path / "data")}
    face = InProcess({**EXACT, **own, "ALLOWED_ROOTS": str(data / "found/office")})
    try:
        read = face.call("process_document", {"document_url": name})
    finally:
        face.close()
    assert read["metadata"]["warnings"] == warnings
    for text in texts:
        assert text in read["content"]
