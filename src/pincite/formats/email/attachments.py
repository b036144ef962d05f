"""Attachments of a message: each is read as a file of its format is, and becomes a section."""

import hashlib
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

from pincite.errors import Cancelled, PinciteError, TimeoutExceeded
from pincite.formats.base import MAX_CRASHED_PARTS, Blob, ReadOptions
from pincite.formats.detect.decode import decode
from pincite.formats.detect.picture import open_picture
from pincite.formats.detect.sniff import sniff
from pincite.formats.email.message import Attachment
from pincite.formats.worker.read import pages
from pincite.formats.writing.inner_pictures import InnerPictures, write_recognised
from pincite.formats.writing.page_writer import PageWriter, one_line
from pincite.model.call import Call
from pincite.model.document import ATTACHMENTS, READER_PROCESS, BlockKind, Head, Page
from pincite.model.sizes import MEGABYTE
from pincite.registry import Format

_EMAIL, _PICTURE, _TEXT = "email", "image", "text"
_NO_TEXT = ("image/", "audio/", "video/", "font/")
_KILOBYTE = 1000
_ALONE = "Save it as a file of its own and read that"


@dataclass(slots=True)
class Reading:
    """What is known while one file is read.

    Attributes:
        options: The limits of reading.
        pictures: The pictures in it.
        count: Number of attachments of the message so far.
        is_mailbox: True if the file has several messages.
        parts: Number of messages and attachments in the file so far that may end the process.
    """

    options: ReadOptions
    pictures: InnerPictures
    count: int = 0
    is_mailbox: bool = False
    parts: int = 0

    def next_part(self) -> tuple[Page, str]:
        """Return a page that announces a message or an attachment, and why that is not read, if it is not."""
        self.parts += 1
        unread = self.options.unread_parts
        reason = next((part.reason for part in unread if part.number == self.parts), "")
        limits_hit = (READER_PROCESS,) if reason else ()
        return Page(None, "", (), limits_hit=limits_hit, next_part=0 if reason else self.parts), reason

    def has_too_many_crashes(self) -> bool:
        """Return True if no other attachments are tried, after those that ended the process."""
        unread = self.options.unread_parts
        return len(unread) >= MAX_CRASHED_PARTS and self.parts > unread[-1].number


def described(attachment: Attachment) -> str:
    """Return the name of an attachment, its type and its size."""
    if attachment.message is not None:
        return attachment.name or attachment.message.subject or "a message"
    size = len(attachment.data)
    unit = f"{size / MEGABYTE:.1f} MB" if size >= MEGABYTE else f"{max(1, round(size / _KILOBYTE))} kB"
    kind = ", ".join(filter(None, (attachment.media_type, unit)))
    return f"{attachment.name or 'without a name'} ({kind})"


def picture_name(data: bytes) -> str:
    """Return the name of a picture for the rasteriser: the same for the same bytes."""
    return hashlib.sha256(data).hexdigest()[:32]


def format_of(attachment: Attachment) -> tuple[Format | None, str]:
    """Return the format that reads an attachment, else the reason why none does."""
    sniffed = sniff(attachment.name, attachment.data, attachment.media_type)
    if sniffed.format is not None and _is_taken_for_text(attachment, sniffed.format):
        return None, "its content is binary, of no known format"
    return sniffed.format, sniffed.problem


def _is_taken_for_text(attachment: Attachment, row: Format) -> bool:
    """Return True for a short or damaged file of another kind whose bytes happen to look like text."""
    has_its_name = attachment.name.lower().endswith(row.extensions)
    if row.name != _TEXT or has_its_name or attachment.media_type.startswith(("text/", "message/")):
        return False
    return attachment.media_type.startswith(_NO_TEXT) or bool(decode(attachment.data).lost)


def attachment_pages(attachment: Attachment, level: int, reading: Reading, call: Call) -> Iterator[Page]:
    """Yield the pages of an attachment that is no message.

    Args:
        attachment: The attachment.
        level: The level of its heading.
        reading: The state of reading.
        call: Checked for cancellation.
    """
    reading.count += 1
    limits = reading.options.attachments
    row, problem = format_of(attachment)
    if row is not None and row.name == _PICTURE:
        yield _picture_page(attachment, reading)
    elif row is None:
        yield _unread(attachment, problem, reading)
    elif reading.count > limits.count:
        yield _unread(attachment, f"only {limits.count} are (PINCITE_ATTACHMENTS)", reading, ATTACHMENTS)
    elif len(attachment.data) > limits.bytes:
        size = f"{limits.bytes / MEGABYTE:,.0f} MB"
        yield _unread(attachment, f"it has more than {size} (PINCITE_ATTACHMENT)", reading, ATTACHMENTS)
    else:
        yield from _isolated_pages(row, attachment, level, reading, call)


def is_message(attachment: Attachment) -> bool:
    """Return True for a message as a file."""
    row, _ = format_of(attachment)
    return row is not None and row.name == _EMAIL


def embed(page: Page, writer: PageWriter, shift: int, prefix: str = "") -> None:
    """Write a page into another one.

    Args:
        page: The page.
        writer: Receives its blocks, and what is reported of it.
        shift: Added to the level of its headings.
        prefix: Written before the reasons why parts of it could not be read.
    """
    for block in page.blocks:
        text = page.text[block.start : block.end]
        if block.kind is BlockKind.HEADING:
            writer.heading(block.level + shift, block.title, block.anchors)
        else:
            writer.add(replace(block, page=None, boxes=(), box_starts=()), text)
    for aside in page.asides:
        writer.aside(aside.kind, aside.text, place=aside.place, reason=aside.reason)
    for failure in page.failures:
        where = f"page {failure.page} of " if failure.page is not None and prefix else ""
        writer.fail(f"{where}{prefix}{failure.reason}")
    for warning in page.warnings:
        writer.warn(warning)
    for limit in page.limits_hit:
        writer.limit(limit)
    if page.ocr:
        writer.warn(f"{prefix}its text was recognised in a picture (OCR) and may have errors.")


def _isolated_pages(row: Format, attachment: Attachment, level: int, reading: Reading, call: Call) -> Iterator[Page]:
    """Yield the pages of an attachment, unless reading it ends the process."""
    announced, problem = reading.next_part()
    if problem:
        yield announced
        yield _unread(attachment, f"{problem.rstrip('.')}. {_ALONE}", reading)
    elif reading.has_too_many_crashes():
        yield _unread(attachment, f"{MAX_CRASHED_PARTS} others ended their reader. {_ALONE}", reading)
    else:
        yield announced
        yield from _pages(row, attachment, level, reading, call)


def _pages(row: Format, attachment: Attachment, level: int, reading: Reading, call: Call) -> Iterator[Page]:
    # Recognised text belongs to the message: picture names and page numbers of an attachment are its own.
    options = replace(reading.options, recognised=(), recognised_pictures=(), ocr_pictures=0)
    name = attachment.name or "attachment"
    heading = f"Attachment: {attachment.name or attachment.media_type or 'without a name'}"
    try:
        with closing(pages(row, Blob(name, attachment.data), options, call)) as items:
            yield from _sections(items, heading, f"{name}: ", level, options)
    # Out of memory the process ends, and its next one leaves the attachment out.
    except (Cancelled, TimeoutExceeded, MemoryError):
        raise
    except PinciteError as error:
        yield _unread(attachment, error.message, reading)
    except Exception as error:  # noqa: BLE001 - a defect of its reader must not lose the message
        yield _unread(attachment, f"its reader failed ({type(error).__name__})", reading)


def _sections(
    items: Generator[Head | Page], heading: str, prefix: str, level: int, options: ReadOptions
) -> Iterator[Page]:
    is_first = True
    for item in items:
        if isinstance(item, Page):
            writer = PageWriter(options.max_blocks)
            if is_first and item.blocks:
                writer.heading(level, heading)
                is_first = False
            embed(item, writer, level, prefix)
            yield writer.page()


def _picture_page(attachment: Attachment, reading: Reading) -> Page:
    """Return a page with the text of a picture; what a picture is and where it was taken is no text of a message."""
    writer = PageWriter(reading.options.max_blocks)
    name = picture_name(attachment.data)
    recognised = reading.pictures.text_of(writer, name, lambda: _pixels(attachment.data, reading.options))
    if recognised is not None:
        write_recognised(writer, recognised)
    return writer.page()


def _pixels(data: bytes, options: ReadOptions) -> int:
    try:
        with open_picture(data, options.max_pixels) as image:
            return image.width * image.height
    except PinciteError:
        return 0


def _unread(attachment: Attachment, problem: str, reading: Reading, limit: str = "") -> Page:
    writer = PageWriter(reading.options.max_blocks)
    writer.fail(unread(f"the attachment {described(attachment)}", problem))
    if limit:
        writer.limit(limit)
    return writer.page()


def unread(subject: str, problem: str) -> str:
    """Return the clause that a part of a message was not read."""
    reason = one_line(problem).rstrip(".")
    return f"{subject} was not read: {reason[:1].lower()}{reason[1:]}"
