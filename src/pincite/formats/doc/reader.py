"""Reader for documents of Word 97, 95 and 6, with all tracked changes accepted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pincite.errors import Unsupported
from pincite.formats.base import Blob, Raster, ReadOptions, Target
from pincite.formats.detect.decode import COMPOUND
from pincite.formats.doc.fib import read_fib
from pincite.formats.doc.package import translate
from pincite.formats.docx import reader as docx
from pincite.formats.ole.compound import CompoundFile
from pincite.formats.ole.summary import properties
from pincite.formats.ooxml import pictures
from pincite.model.call import Call
from pincite.model.document import Head, Page, PageFailure


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`: one page without a number, as for newer Word documents."""
    call.check()
    if not blob.data.startswith(COMPOUND):
        raise Unsupported(
            "The file is not a Word 97 document, whatever its name says. Give it the extension of its format."
        )
    file = CompoundFile(blob.data)
    translated = translate(file, read_fib(file), call)
    lost = (PageFailure(None, f"{translated.lost:,} characters at its end could not be read"),) * bool(translated.lost)
    metadata = properties(file)
    for item in docx.read(Blob(blob.name, translated.package), options, call):
        if isinstance(item, Head):
            yield replace(item, title=metadata.get("title"), properties=metadata)
        else:
            yield replace(item, failures=(*item.failures, *lost))


def rasterise(blob: Blob, targets: Sequence[Target], options: ReadOptions, call: Call) -> Iterator[Raster]:
    """Implements `Rasteriser`: pictures by the names that `package` gives them."""
    file = CompoundFile(blob.data)
    package = translate(file, read_fib(file), call).package
    return pictures.rasterise(Blob(blob.name, package), targets, options, call)
