"""The programs that print: Typst and WeasyPrint of an environment of their own, Chromium, LibreOffice and pdfLaTeX."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from printed_docx import docx
from printed_latex import latex
from printed_sources import Source
from printed_styles import Style, markup

SUFFIXES = {"typst": ".typ", "weasyprint": ".html", "chromium": ".html", "libreoffice": ".docx", "latex": ".tex"}
"""Of what each printer reads."""
PRINT = """
import json, sys
for name, target, tagged in json.load(sys.stdin):
    if name.endswith(".typ"):
        import typst
        typst.compile(name, output=target, pdf_tags=tagged)
    else:
        import weasyprint
        weasyprint.HTML(name).write_pdf(target, pdf_tags=tagged)
"""
"""What the printers' interpreter runs."""
CHROMIUM = ("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer")
TIMEOUT_S = 120


def written(source: Source, style: Style) -> bytes:
    """Return a source as what the style's printer reads."""
    if style.printer == "libreoffice":
        return docx(source, style)
    return (latex if style.printer == "latex" else markup)(source, style).encode()


def print_files(files: Sequence[tuple[Path, Path]], style: Style, printers: Path) -> None:
    """Print files, each to its target, in a style of one printer."""
    if style.printer in ("typst", "weasyprint"):
        names = [(str(file), str(target), style.tagged) for file, target in files]
        command = [str(printers / "bin" / "python"), "-c", PRINT]
        subprocess.run(command, input=json.dumps(names), text=True, check=True)  # noqa: S603 - our own code
        return
    for file, target in files:
        with TemporaryDirectory() as folder:
            _run(_command(file, target, style, folder))
            made = Path(folder) / f"{file.stem}.pdf"
            if made.exists():
                target.write_bytes(made.read_bytes())


def _command(file: Path, target: Path, style: Style, folder: str) -> list[str]:
    if style.printer == "chromium":
        return [*CHROMIUM, f"--print-to-pdf={target}", file.resolve().as_uri()]
    if style.printer == "latex":
        return ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}", str(file)]
    tags = json.dumps({"UseTaggedPDF": {"type": "boolean", "value": str(style.tagged).lower()}})
    profile = f"-env:UserInstallation=file://{folder}/profile"
    return [
        "soffice",
        profile,
        "--headless",
        "--convert-to",
        f"pdf:writer_pdf_Export:{tags}",
        "--outdir",
        folder,
        str(file),
    ]


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=TIMEOUT_S)  # noqa: S603 - printers by name
