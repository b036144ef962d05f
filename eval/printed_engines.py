"""The programs that print: Typst and WeasyPrint of an environment of their own, Chromium, LibreOffice and pdfLaTeX."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import printed_fourth_docx
import printed_fourth_html
import printed_fourth_latex
import printed_fourth_typst
from printed_docx import docx
from printed_fourth import Design
from printed_latex import latex
from printed_sources import Source
from printed_styles import Style, markup

SUFFIXES = {
    "typst": ".typ",
    "weasyprint": ".html",
    "chromium": ".html",
    "libreoffice": ".docx",
    "latex": ".tex",
    "pandoc": ".md",
}
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


def written(source: Source, style: Style | Design) -> bytes:
    """Return a source as what the style's printer reads."""
    if isinstance(style, Design):
        return _designed(source, style)
    if style.printer == "libreoffice":
        return docx(source, style)
    return (latex if style.printer == "latex" else markup)(source, style).encode()


def _designed(source: Source, design: Design) -> bytes:
    if design.printer == "libreoffice":
        return printed_fourth_docx.docx(source, design)
    if design.printer == "pandoc":
        return printed_fourth_latex.markdown(source).encode()
    write = {"typst": printed_fourth_typst.markup, "latex": printed_fourth_latex.latex}
    return write.get(design.printer, printed_fourth_html.page)(source, design).encode()


def print_files(files: Sequence[tuple[Path, Path]], style: Style | Design, printers: Path) -> None:
    """Print files, each to its target, in a style of one printer."""
    if style.printer in ("typst", "weasyprint"):
        names = [(str(file), str(target), style.tagged) for file, target in files]
        command = [str(printers / "bin" / "python"), "-c", PRINT]
        subprocess.run(command, input=json.dumps(names), text=True, check=True)  # noqa: S603 - our own code
        return
    for file, target in files:
        with TemporaryDirectory() as folder:
            if isinstance(style, Design) and style.printer == "pandoc":
                _print_by_pandoc(file, target, style, folder, printers)
                continue
            _run(_command(file, target, style.printer, folder, tagged=style.tagged))
            made = Path(folder) / f"{file.stem}.pdf"
            if made.exists():
                target.write_bytes(made.read_bytes())


def _print_by_pandoc(file: Path, target: Path, design: Design, folder: str, printers: Path) -> None:
    options = design.preamble.replace("=weasyprint", f"={printers}/bin/weasyprint").split()
    if "--to=docx" not in options:
        _run(["pandoc", "--standalone", f"--metadata=pagetitle:{file.stem}", str(file), *options, "-o", str(target)])
        return
    made = Path(folder) / f"{file.stem}.docx"
    _run(["pandoc", str(file), *options, "-o", str(made)])
    _run(_command(made, target, "libreoffice", folder, tagged=design.tagged))
    target.write_bytes(made.with_suffix(".pdf").read_bytes())


def _command(file: Path, target: Path, printer: str, folder: str, *, tagged: bool) -> list[str]:
    if printer == "chromium":
        return [*CHROMIUM, f"--print-to-pdf={target}", file.resolve().as_uri()]
    if printer == "latex":
        return ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}", str(file)]
    tags = json.dumps({"UseTaggedPDF": {"type": "boolean", "value": str(tagged).lower()}})
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
