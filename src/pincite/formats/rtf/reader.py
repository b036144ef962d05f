"""Reader for RTF: the file is translated into a Word document, with all tracked changes accepted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.errors import Unsupported
from pincite.formats.base import Blob, Raster, ReadOptions, Target
from pincite.formats.docx import reader as docx
from pincite.formats.ooxml import pictures
from pincite.formats.rtf.parser import Parser
from pincite.formats.writing.page_writer import one_line
from pincite.model.call import Call
from pincite.model.document import Head, Page


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`: one page without a number, as for Word documents."""
    call.check()
    if not blob.data.startswith(b"{\\rtf"):
        raise Unsupported("The file is not RTF, whatever its name says. Give it the extension of its format.")
    parser = Parser(call)
    package = parser.translate(blob.data)
    metadata = {name: line for name, text in parser.header.properties.items() if (line := one_line(text))}
    for item in docx.read(Blob(blob.name, package), options, call):
        yield replace(item, title=metadata.get("title"), properties=metadata) if isinstance(item, Head) else item


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: pictures by the names that `Parser` gives them."""
    return pictures.rasterise(Blob(blob.name, Parser(call).translate(blob.data)), targets, options, call)
