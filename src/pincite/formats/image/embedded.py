"""The recognised text of a picture inside a page, laid out as in a picture file."""

from dataclasses import replace

from pincite.formats.base import ReadOptions
from pincite.formats.pdf.layout.pages import picture_pages
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Page
from pincite.model.recognition import RecognisedPage


def lay_out(recognised: RecognisedPage, options: ReadOptions, call: Call) -> Page:
    """Return the text of a picture as paragraphs, lists and tables.

    Args:
        recognised: Its text, as page 1.
        options: The limits of reading.
        call: Checked for cancellation.
    """
    writer = PageWriter(options.max_blocks, recognised.number)
    with picture_pages([recognised]) as pages:
        pages.write(writer, recognised.number, call)
        page = pages.recognition.displayed(writer.page())
    plain = PageWriter(options.max_blocks)
    for block in page.blocks:
        text = page.text[block.start : block.end]
        if block.kind is BlockKind.HEADING:
            # A large line in a picture opens no section of the document.
            plain.add(_paragraph(block, text), block.title)
        else:
            plain.add(block, text)
    return plain.page()


def _paragraph(block: Block, text: str) -> Block:
    marks = len(text) - len(block.title)
    starts = tuple(max(0, start - marks) for start in block.box_starts)
    return replace(block, kind=BlockKind.PARAGRAPH, level=0, title="", box_starts=starts)
