"""Reader for e-mails: the text of each message, and its attachments as sections; web pages saved as one file."""

import re
from collections.abc import Iterator
from dataclasses import replace

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.decode import COMPOUND, HEAD_BYTES
from pincite.formats.detect.signature import MSG, signature
from pincite.formats.email import attachments, mailbox, mime, mime_message, outlook, plain_text
from pincite.formats.email.attachments import Reading
from pincite.formats.email.message import Attachment, Body, Message
from pincite.formats.html import reader as html
from pincite.formats.rtf import reader as rtf
from pincite.formats.text import failures
from pincite.formats.writing.inner_pictures import InnerPictures
from pincite.formats.writing.page_writer import PageWriter, one_line
from pincite.model.call import Call
from pincite.model.document import ATTACHMENTS, Head, Page

_UTF8_MARK = b"\xef\xbb\xbf"
_SAVED_PAGE = re.compile(rb"^(?:Snapshot-Content-Location:|From: ?\"?<?Saved by )", re.IGNORECASE | re.MULTILINE)
_PROPERTY_NAMES = {"From": "from", "To": "to", "Cc": "cc"}
_MAX_LISTED = 100
"""Attachments that are named above a message."""


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`: a page without a number for each message, and for each page of its attachments."""
    call.check()
    if (page := _saved_page(blob.data, call)) is not None:
        yield from html.read(Blob(blob.name, page), options, call)
        return
    parsed = messages(blob.data, call)
    first = next(parsed)
    second = next(parsed, None)
    if second is None:
        yield Head(first.subject or None, _properties(first))
    else:
        # A mailbox is about nothing in particular: it is known by its name.
        yield Head(blob.name.rpartition("/")[2] or None)
    reading = Reading(options, InnerPictures(options), is_mailbox=second is not None)
    yield from _pages(first, 1, 0, reading, call)
    count = 1
    while second is not None:
        if count >= options.max_pages:
            writer = PageWriter(options.max_blocks)
            writer.limit("max_pages")
            yield writer.page()
            return
        reading.count = 0
        yield from _pages(second, 1, 0, reading, call)
        second = next(parsed, None)
        count += 1


def _saved_page(data: bytes, call: Call) -> bytes | None:
    """Return the web page in a file of a browser; None for messages."""
    data = mailbox.unwrapped(data)
    is_saved = _SAVED_PAGE.search(data[:HEAD_BYTES]) is not None and mailbox.is_message(data)
    return mime_message.saved_page(mime.parse(data, call)) if is_saved else None


def messages(data: bytes, call: Call) -> Iterator[Message]:
    """Yield the messages of a file.

    Raises:
        Unsupported: It is no message.
        InvalidInput: It is a damaged one.
    """
    if data.startswith(COMPOUND) and signature(data) is MSG:
        yield outlook.read_msg(data, call)
        return
    data = mailbox.unwrapped(data)
    if not mailbox.is_message(data) or b"\0" in data[:HEAD_BYTES]:
        raise Unsupported("The file is not an e-mail, whatever its name says. Give it the extension of its format.")
    for source in mailbox.messages(data):
        yield mime_message.message_of(mime.parse(source, call))


def _properties(message: Message) -> dict[str, str]:
    properties = {"subject": message.subject}
    properties |= {name: message.fields.get(field, "") for field, name in _PROPERTY_NAMES.items()}
    properties["created"] = message.date
    properties["attachments"] = ", ".join(_names(message))
    return {name: text for name, text in properties.items() if text}


def _names(message: Message) -> list[str]:
    return [attachments.described(attachment) for attachment in message.attachments[:_MAX_LISTED]]


def _pages(message: Message, level: int, depth: int, reading: Reading, call: Call) -> Iterator[Page]:
    """Yield a message and its attachments.

    Args:
        message: The message.
        level: The level of its heading.
        depth: The number of messages around it.
        reading: The state of reading.
        call: Checked for cancellation.
    """
    call.check()
    # Without the text of its only message a file is not read at all.
    if depth or reading.is_mailbox:
        announced, problem = reading.next_part()
        yield announced
        if problem:
            problem = attachments.unread(f"the text of {message.subject or 'a message'}", problem)
            message = replace(message, bodies=(), problems=(problem, *message.problems))
    yield _message_page(message, level, depth, reading.options, call)
    for attachment in message.attachments:
        inner = inner_messages(attachment, call)
        if not inner:
            yield from attachments.attachment_pages(attachment, level + 1, reading, call)
        elif depth < reading.options.attachments.depth:
            for inner_message in inner:
                yield from _pages(inner_message, level + 1, depth + 1, reading, call)
        else:
            writer = PageWriter(reading.options.max_blocks)
            name, limit = attachments.described(attachment), reading.options.attachments.depth
            writer.fail(
                f"{name} was not read: messages within messages are to {limit} levels (PINCITE_ATTACHMENT_DEPTH)"
            )
            writer.limit(ATTACHMENTS)
            yield writer.page()


def inner_messages(attachment: Attachment, call: Call) -> list[Message]:
    """Return the message that an attachment is, or the messages of a mailbox; none for any other file."""
    if attachment.message is not None:
        return [attachment.message]
    if not attachments.is_message(attachment):
        return []
    try:
        return list(messages(attachment.data, call))
    except (Unsupported, InvalidInput):
        return []


def _message_page(message: Message, level: int, depth: int, options: ReadOptions, call: Call) -> Page:
    writer = PageWriter(options.max_blocks)
    if message.subject or depth:
        writer.heading(level, message.subject or "A message without a subject")
    names = _names(message)
    listed = {"Attachments": "; ".join(names)} if names else {}
    writer.paragraph("\n".join(f"{name}: {one_line(text)}" for name, text in {**message.fields, **listed}.items()))
    for body in message.bodies:
        _write_body(body, writer, level, options, call)
    for problem in message.problems:
        writer.fail(problem)
    if not (message.subject or message.bodies or message.attachments or message.problems):
        writer.fail("nothing readable was found in it")
    return writer.page()


def _write_body(body: Body, writer: PageWriter, level: int, options: ReadOptions, call: Call) -> None:
    for failure in failures(body.lost):
        writer.fail(failure.reason)
    if body.kind == "plain":
        plain_text.write(body.text, writer, call)
        return
    inner = PageWriter(options.max_blocks)
    try:
        if body.kind == "html":
            html.write_whole(_UTF8_MARK + body.text.encode("utf-8", "replace"), inner, call)
            attachments.embed(inner.page(), writer, level)
        else:
            for item in rtf.read(Blob("body.rtf", body.data), options, call):
                if isinstance(item, Page):
                    attachments.embed(item, writer, level)
    except (Unsupported, InvalidInput) as error:
        writer.fail(f"its text was not read: {error.message}")
