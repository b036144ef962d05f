"""Reader for workbooks: a section for each sheet, a table with its address for each region.

Values come from calamine. What it does not return (errors, number formats, comments, links, hidden rows and columns)
comes from a second pass over the XML of XLSX and, but for comments and links, the records of XLS.
"""

import io
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from python_calamine import CalamineWorkbook, PasswordError, SheetMetadata, SheetTypeEnum, SheetVisibleEnum

from pincite.errors import InvalidInput, PinciteError, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.decode import COMPOUND
from pincite.formats.writing.addresses import cell, in_sheet
from pincite.formats.writing.page_writer import PageWriter
from pincite.formats.xlsx.biff import Workbook
from pincite.formats.xlsx.compound import chains_end, is_encrypted, workbook_records
from pincite.formats.xlsx.content import Content
from pincite.formats.xlsx.extent import count_open_document_positions, measure
from pincite.formats.xlsx.grid import spans_of
from pincite.formats.xlsx.package import DAMAGED, Package, open_package, without_macro_sheets
from pincite.formats.xlsx.regions import write_regions
from pincite.formats.xlsx.second_pass import MAX_CELLS, Extras, read_extras
from pincite.model.call import Call
from pincite.model.document import AsideKind, Head, Page

SHEET_LEVEL = 2
"""Level of a sheet's heading; below the title of the document."""
SECOND_PASS_BYTES = 20_000_000
"""Maximum size of a sheet's XML for a second pass: numbers of larger sheets are shown without their formats."""
MAX_GRID_POSITIONS = 50_000_000
"""Maximum positions in the compacted grid of a sparse sheet; a larger one is written as a list of cells."""
MAX_ODS_POSITIONS = 20_000_000
"""Maximum positions in the grid of an ODS sheet: calamine takes some 30 bytes for each."""
ODS_CONTENT = "content.xml"
MAX_LISTED_CELLS = 5
"""Cells listed in a warning."""

_ENCRYPTED = "The workbook is encrypted. Save it without a password."
_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06", COMPOUND, b"\x09\x08", b"\x09\x04", b"\x09\x02")


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    if not blob.data.startswith(_SIGNATURES):
        raise Unsupported("The file is no workbook. Give it the extension of its format, or save it as XLSX.")
    call.check()
    package = open_package(io.BytesIO(blob.data)) if blob.data.startswith(b"PK") else None
    # Before calamine opens the file: it allocates the grids at once.
    if package is not None and package.size(ODS_CONTENT):
        _check_open_document(package, call)
    if blob.data.startswith(COMPOUND) and not chains_end(blob.data):
        raise InvalidInput("The workbook is damaged: a part of it has no end. Save it again as XLSX.")
    records = workbook_records(blob.data) if blob.data.startswith(COMPOUND) else b""
    if is_encrypted(records):
        raise InvalidInput(_ENCRYPTED)
    with translated_errors():
        data = without_macro_sheets(blob.data, package) if package else blob.data
        workbook = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = workbook.sheets_metadata
    properties = dict(package.properties) if package else {}
    yield Head(properties.pop("title", None), properties, properties.pop("language", None))
    small = records if len(records) <= SECOND_PASS_BYTES else b""
    book = _Book(workbook, package, Workbook(small, call), options.max_blocks, call)
    read_any = False
    for index, sheet in enumerate(sheets):
        call.check()
        page = book.page(index, sheet)
        read_any = read_any or not page.failures or len(page.blocks) > 1
        yield page
    if not read_any:
        raise InvalidInput("The workbook is damaged: none of its sheets could be read. Save it again as XLSX.")


def _check_open_document(package: Package, call: Call) -> None:
    """Refuse a table for whose grid calamine would allocate gigabytes."""
    try:
        positions = count_open_document_positions(package.chunks(ODS_CONTENT), call)
    except DAMAGED as error:
        raise InvalidInput(f"The workbook is damaged ({type(error).__name__}). Save it again as XLSX.") from error
    if positions > MAX_ODS_POSITIONS:
        raise InvalidInput(f"A sheet spans {positions:,} cells, more than {MAX_ODS_POSITIONS:,}. Save it as XLSX.")


@contextmanager
def translated_errors() -> Generator[None]:
    """Translate every exception of calamine.

    Raises:
        InvalidInput: The workbook is damaged or encrypted.
    """
    try:
        yield
    except PinciteError:
        raise
    except PasswordError as error:
        raise InvalidInput(_ENCRYPTED) from error
    except Exception as error:  # calamine's, of any class
        raise InvalidInput(f"The workbook is damaged: {_one_line(error)}. Save it again as XLSX.") from error
    except BaseException as error:  # a panic of its Rust code derives from `BaseException`, and its class is not public
        if type(error).__name__ != "PanicException":
            raise
        raise InvalidInput("The workbook is damaged: its reader failed. Save it again as XLSX.") from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__


@dataclass(frozen=True, slots=True)
class _Book:
    """An open workbook."""

    workbook: CalamineWorkbook
    package: Package | None
    records: Workbook
    max_blocks: int
    call: Call

    def page(self, index: int, sheet: SheetMetadata) -> Page:
        """Return the page of a sheet; a hidden sheet becomes an aside."""
        writer = PageWriter(self.max_blocks)
        hidden = sheet.visible != SheetVisibleEnum.Visible
        if not hidden:
            writer.heading(SHEET_LEVEL, sheet.name)
        if sheet.typ != SheetTypeEnum.WorkSheet:
            writer.warn(f"{sheet.name!r} is no worksheet (a chart, a dialog, a macro) and was not read.")
            return writer.page()
        try:
            content = self._load(index, sheet.name)
        except InvalidInput as problem:
            writer.fail(f"sheet {sheet.name!r}: {problem.message}")
            return writer.page()
        self._write(writer, sheet.name, content, hidden=hidden)
        return writer.page()

    def _load(self, index: int, name: str) -> Content:
        content = self._second_pass(index, name)
        if not content.sparse:
            with translated_errors():
                sheet = self.workbook.get_sheet_by_index(index)
                content.extras.merges = [(*start, *end) for start, end in sheet.merged_cell_ranges or []]
                content.add_rows(sheet, self.call)
        return content

    def _second_pass(self, index: int, name: str) -> Content:
        """Read a sheet's XML: all cells of a sparse sheet, extras of a small one, errors alone of a large one."""
        package = self.package
        part = package.sheets.get(name, "") if package else ""
        if package is None or not package.size(part):
            return Content(self.records.extras(index))
        try:
            extent = measure(partial(package.chunks, part), self.call)
        except DAMAGED as error:
            raise InvalidInput(f"its part of the file is damaged ({type(error).__name__})") from error
        # calamine allocates the whole grid; the cells are read from the XML instead.
        if extent.sparse:
            content = Content(read_extras(package, part, self.call, every_cell=True), sparse=True)
            content.add_cells()
            return content
        if package.size(part) <= SECOND_PASS_BYTES:
            return Content(read_extras(package, part, self.call))
        return Content(Extras(texts=extent.errors), too_large=True)

    def _write(self, writer: PageWriter, name: str, content: Content, *, hidden: bool) -> None:
        grid, extras = content.grid, content.extras
        if hidden:
            writer.aside(AsideKind.HIDDEN, f"{name}: {content.whole_text()}", place=name, reason="hidden sheet")
        elif len(grid.columns) * len(grid.rows) > MAX_GRID_POSITIONS:
            writer.paragraph(content.listing())
        else:
            spans = spans_of(grid, extras.merges)
            write_regions(writer, name, grid, spans, self.call)
        for text in () if hidden else extras.shapes:
            writer.paragraph(text)
        for position, text, reason in content.hidden_texts():
            where = in_sheet(name, position)
            writer.aside(AsideKind.HIDDEN, f"{where}: {text}", place=where, reason=reason)
        for (row, column), (author, text) in sorted(extras.comments.items()):
            comment = f"{author}: {text}" if author and not text.startswith(author) else text
            writer.aside(AsideKind.COMMENT, f"{in_sheet(name, cell(row, column))}: {comment}")
        _warn(writer, name, content)


def _warn(writer: PageWriter, name: str, content: Content) -> None:
    """Warn of content that is not in the text."""
    extras = content.extras
    if extras.uncalculated:
        addresses = ", ".join(in_sheet(name, cell(*position)) for position in extras.uncalculated[:MAX_LISTED_CELLS])
        more = (
            f" and {len(extras.uncalculated) - MAX_LISTED_CELLS:,} more"
            if len(extras.uncalculated) > MAX_LISTED_CELLS
            else ""
        )
        writer.warn(
            f"Not calculated: {addresses}{more} have a formula without a value. Open and save the workbook in a "
            "spreadsheet program to have it calculated."
        )
    if content.too_large:
        writer.warn(
            f"Sheet {name!r} is large: its numbers are shown without their formats, and hidden rows, comments and "
            "links were not looked for."
        )
    if extras.damaged:
        writer.fail(f"sheet {name!r}: number formats, comments and links could not all be read ({extras.damaged})")
    if extras.beyond:
        writer.fail(f"sheet {name!r}: {extras.beyond:,} of its cells are outside the largest possible sheet")
    if extras.cut:
        writer.limit("max_cells")
        writer.warn(f"Sheet {name!r} spreads few cells over a huge area: the first {MAX_CELLS:,} were read.")
