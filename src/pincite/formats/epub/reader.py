"""Reader for EPUB books: their chapters in reading order, each read as a web page that is content throughout."""

import html
import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import unquote

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.signature import EPUB, signature
from pincite.formats.epub.publication import Chapter, publication
from pincite.formats.html.main_content import MIN_PROSE_CHARACTERS
from pincite.formats.html.reader import write_whole
from pincite.formats.ooxml.package import Package
from pincite.formats.ooxml.pictures import PictureParts
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.call import Call
from pincite.model.document import SURROUNDINGS, AsideKind, Block, BlockKind, Head, Page
from pincite.text.lexical import LANGUAGE_TAG

_PICTURE = re.compile(
    rb"""<im(?:g|age)\b[^<>]{0,500}?\s(?:src|(?:xlink:)?href)\s*=\s*["']([^"'<>]{1,500})""", re.IGNORECASE
)
"""The address of a picture, in HTML or in SVG."""
_LINK = re.compile(r"\[[^\[\]]{1,1000}\]\([^()\s]{1,1000}\)")


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`: a page without a number for each chapter, as a book has the pages of its reader's screen."""
    call.check()
    if signature(blob.data) is not EPUB:
        raise Unsupported("The file is not an EPUB book, whatever its name says. Give it the extension of its format.")
    package = Package(blob.data)
    book = publication(package)
    if all(chapter.is_encrypted for chapter in book.chapters if chapter.is_page):
        raise InvalidInput("The book is protected by its shop (DRM). Get a copy without protection.")
    language = (book.properties.get("language") or "").replace("_", "-")
    tag = language if LANGUAGE_TAG.fullmatch(language) else None
    yield Head(title=book.properties.get("title"), properties=book.properties, language=tag)
    pictures = PictureParts(package, options)
    for number, chapter in enumerate(book.chapters):
        call.check()
        page = _page(package, chapter, pictures, options, call)
        # A cover is a picture alone; but a document has one page at least.
        if page.blocks or page.failures or page.asides or page.unread_pictures or not number:
            yield page


def _page(package: Package, chapter: Chapter, pictures: PictureParts, options: ReadOptions, call: Call) -> Page:
    writer = PageWriter(options.max_blocks)
    if chapter.is_encrypted:
        writer.fail(f"the part {chapter.part} is protected by the book's shop (DRM)")
    elif not chapter.is_page:
        writer.fail(f"the part {chapter.part} is no text and was not read")
    else:
        try:
            data = package.read(chapter.part)
            write_whole(data, writer, call, is_contents=chapter.is_contents or chapter.is_navigation)
            for part in _pictures(package, data, chapter.part):
                call.check()
                pictures.write(writer, part)
        except (InvalidInput, Unsupported) as error:
            writer.fail(error.message)
    page = writer.page()
    if not (chapter.is_contents or chapter.is_navigation) or page.failures:
        return page
    # A book's guide may name its first chapter as the contents.
    is_certain = chapter.is_navigation or any(_is_links(page, block) for block in page.blocks)
    prose = sum(len(_text(page, block)) for block in page.blocks if _is_prose(page, block))
    if prose >= MIN_PROSE_CHARACTERS or (prose and not is_certain):
        return replace(page, blocks=tuple(_as_contents(page, block) for block in page.blocks))
    contents = PageWriter(options.max_blocks)
    contents.aside(AsideKind.SURROUNDINGS, page.text, reason=SURROUNDINGS)
    return contents.page()


def _pictures(package: Package, data: bytes, chapter: str) -> Iterator[str]:
    """Yield the parts of the pictures that a chapter shows, each once."""
    folder = posixpath.dirname(chapter)
    addresses = (html.unescape(match[1].decode("utf-8", "replace")) for match in _PICTURE.finditer(data))
    parts = (posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0]))) for address in addresses)
    yield from (part for part in dict.fromkeys(parts) if part in package)


def _is_prose(page: Page, block: Block) -> bool:
    return block.kind is BlockKind.PARAGRAPH and not _is_links(page, block)


def _as_contents(page: Page, block: Block) -> Block:
    """Return a list of links as a table of contents, any other block as it is."""
    is_contents = block.kind is BlockKind.LIST and _is_links(page, block)
    return replace(block, kind=BlockKind.CONTENTS) if is_contents else block


def _is_links(page: Page, block: Block) -> bool:
    """Return True if at least half of a block's characters are in links."""
    text = _text(page, block)
    return 2 * sum(len(link[0]) for link in _LINK.finditer(text)) >= len(text)


def _text(page: Page, block: Block) -> str:
    return page.text[block.start : block.end]
