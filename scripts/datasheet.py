"""Write the reference datasheet: a three-phase hybrid inverter that does not exist, as DOCX and as PDF.

    python -m venv PRINTERS && PRINTERS/bin/pip install typst
    python scripts/datasheet.py --printers PRINTERS

`fixtures/datasheet_schema.json` and `fixtures/datasheet_expected.json` are written by hand, from this page. The PDF is
set by Typst (Apache-2.0), which only prints here; the DOCX is written by python-docx. Both are kept in `fixtures`, so
that tests need neither.
"""

import argparse
import json
import subprocess
from pathlib import Path

from docx import Document
from docx.table import Table

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "fixtures"

TITLE = "SolarBridge HX Series"
SUBTITLE = "Three-phase hybrid solar inverter"
MODELS = ("HX-8K-T3", "HX-10K-T3", "HX-12K-T3")
FEATURES = (
    "Switches to backup within 10 ms",
    "Two battery inputs for high-voltage lithium packs",
    "150 % DC oversizing on every tracker",
    "Fanless and silent",
)
APPLICATION = (
    "For detached houses and small businesses that store their own solar power and want supply when the grid is down.",
    "Main application: residential and small commercial storage",
)
SECTIONS: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...] = (
    (
        "PV DC input",
        (
            ("Max. recommended PV power¹", "12 kW", "15 kW", "18 kW"),
            ("Max. DC voltage", "1000 V"),
            ("Start-up voltage", "160 V"),
            ("MPPT voltage range", "180 ~ 850 V"),
            ("Number of MPPTs", "2"),
            ("Max. input current per MPPT", "16 A / 16 A", "20 A / 20 A", "20 A / 20 A"),
            ("Max. short-circuit current per MPPT", "24 A", "30 A", "30 A"),
        ),
    ),
    (
        "AC grid output",
        (
            ("Nominal AC power", "8 kW", "10 kW", "12 kW"),
            ("Max. apparent AC power", "8.8 kVA", "11 kVA", "13.2 kVA"),
            ("Grid type", "3L/N/PE, 230/400 V"),
            ("Nominal frequency", "50 / 60 Hz"),
            ("Max. AC current", "13.5 A", "16.9 A", "20.3 A"),
            ("THD", "< 2 %"),
        ),
    ),
    (
        "Battery interface",
        (
            ("Battery type", "Lithium-ion, LFP"),
            ("Battery voltage range", "150 ~ 600 V"),
            ("Max. charge current", "30 A"),
            ("Max. discharge current", "40 A"),
            ("Max. charge power", "8 kW", "10 kW", "12 kW"),
        ),
    ),
    (
        "Efficiency",
        (("Max. efficiency", "98.1 %", "98.2 %", "98.4 %"), ("European efficiency", "97.3 %", "97.5 %", "97.6 %")),
    ),
    (
        "Protection and safety",
        (
            ("DC switch", "Integrated"),
            ("Overvoltage category", "AC III / DC II"),
            ("Surge protection", "Type II on both sides"),
        ),
    ),
    (
        "Monitoring and communication",
        (("Interfaces", "RS485, CAN, WLAN, Ethernet"), ("Display", "LED and app"), ("Monitoring", "SolarBridge Cloud")),
    ),
    (
        "Environment and installation",
        (
            ("Protection class", "IP66"),
            ("Ambient temperature²", "-25 ~ 60 °C"),
            ("Max. altitude", "3000 m"),
            ("Cooling", "Natural convection"),
            ("Weight", "27 kg", "27 kg", "29 kg"),
            ("Dimensions (W × H × D)", "530 × 560 × 220 mm"),
        ),
    ),
    (
        "Compliance and certifications",
        (("Safety standards", "IEC 62109-1, IEC 62109-2"), ("Grid codes", "EN 50549-1, VDE-AR-N 4105")),
    ),
)
NOTES = (
    "¹ At 150 % DC oversizing; the inverter limits its own power.",
    "² Above 45 °C the output power is reduced.",
)


def write_docx(target: Path) -> None:
    """Write the datasheet as DOCX: per-model values in cells of their own, others merged over all models."""
    document = Document()
    document.add_heading(TITLE, 0)
    document.add_paragraph(SUBTITLE)
    document.add_heading("Key features", 1)
    for feature in FEATURES:
        document.add_paragraph(feature, style="List Bullet")
    document.add_heading("Main application", 1)
    for paragraph in APPLICATION:
        document.add_paragraph(paragraph)
    document.add_heading("Technical data", 1)
    for heading, rows in SECTIONS:
        document.add_heading(heading, 2)
        table = document.add_table(rows=1 + len(rows), cols=1 + len(MODELS), style="Table Grid")
        _fill(table, 0, ("Model", *MODELS))
        for number, row in enumerate(rows, 1):
            _fill(table, number, row)
    for note in NOTES:
        document.add_paragraph(note)
    document.save(str(target))


def _fill(table: Table, number: int, row: tuple[str, ...]) -> None:
    cells = table.rows[number].cells
    if len(row) == 2 < len(cells):  # noqa: PLR2004 - a label and one value for all models
        cells[1].merge(cells[-1])
    for cell, text in zip(cells, row, strict=False):
        cell.text = text


def typst_source() -> str:
    """Return the datasheet as Typst: features and application in two columns, the data below them."""
    features = "\n".join(f"- {text}" for text in FEATURES)
    application = "\n\n".join(APPLICATION)
    parts = [
        '#set page(paper: "a4", margin: 1.6cm)\n#set text(size: 8.5pt)',
        "#show heading.where(level: 1): set text(size: 18pt)",
        f"= {TITLE}\n#text(size: 12pt)[{SUBTITLE}]\n",
        f"#columns(2)[\n== Key features\n{features}\n#colbreak()\n== Main application\n{application}\n]\n",
        "== Technical data",
    ]
    for heading, rows in SECTIONS:
        cells = ", ".join(f"[*{text}*]" for text in ("Model", *MODELS))
        lines = [f"  table.header({cells}),"]
        for label, *values in rows:
            whole = len(values) == 1
            shown = f"table.cell(colspan: {len(MODELS)})[{_escaped(values[0])}]" if whole else ""
            lines.append(f"  [{label}], {shown or ', '.join(f'[{_escaped(value)}]' for value in values)},")
        body = "\n".join(lines)
        parts.append(f"=== {heading}\n#table(columns: (2.4fr, 1fr, 1fr, 1fr), align: left,\n{body}\n)")
    parts.append("\n\n".join(NOTES))
    return "\n".join(parts)


def _escaped(text: str) -> str:
    return text.replace("<", "\\<").replace("~", "\\~").replace("//", "\\/\\/")


def write_pdf(target: Path, printers: Path) -> None:
    """Set the datasheet as PDF."""
    code = (
        "import json, sys, typst; source, target = json.load(sys.stdin); typst.compile(source.encode(), output=target)"
    )
    subprocess.run(
        [printers / "bin" / "python", "-c", code],
        input=json.dumps([typst_source(), str(target)]),
        text=True,
        check=True,
    )


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--printers", type=Path, required=True, help="environment with typst")
    options = parser.parse_args()
    FIXTURES.mkdir(exist_ok=True)
    write_docx(FIXTURES / "datasheet.docx")
    write_pdf(FIXTURES / "datasheet.pdf", options.printers)


if __name__ == "__main__":
    main()
