"""Messages of Outlook: MSG files ([MS-OXMSG]), compound files of MAPI properties."""

from struct import iter_unpack

from pincite.formats.email import mapi
from pincite.formats.email.mapi import Properties
from pincite.formats.email.message import Attachment, Message
from pincite.formats.ole.compound import CompoundFile, Storage
from pincite.model.call import Call

_PROPERTIES = "__properties_version1.0"
_TOP_HEAD, _MESSAGE_HEAD, _HEAD = 32, 24, 8
"""Bytes before the values in that stream, of a file, of a message in a message, of anything else (2.4.1)."""
_ATTACHED_MESSAGE = "__substg1.0_3701000d"
_STRINGS = (mapi.WIDE, mapi.NARROW, mapi.BINARY)
MAX_ATTACHMENTS = 1000
MAX_RECIPIENTS = 1000
MAX_DEPTH = 20
"""Levels of messages within messages."""


def read_msg(data: bytes, call: Call) -> Message:
    """Return the message of a file.

    Raises:
        InvalidInput: The file is damaged.
    """
    return _message(CompoundFile(data).root, _TOP_HEAD, 0, call)


def _message(storage: Storage, head: int, code_page: int, call: Call, depth: int = 0) -> Message:
    call.check()
    properties = _properties(storage, head, code_page)
    page = properties.number(mapi.MESSAGE_CODE_PAGE) or properties.number(mapi.INTERNET_CODE_PAGE) or code_page
    attachments: list[Attachment] = []
    problems: list[str] = []
    for number, inner in enumerate(storage.storages("__attach_version1.0_#")):
        call.check()
        if number >= MAX_ATTACHMENTS or depth >= MAX_DEPTH:
            problems.append("it has too many attachments, and some were not read")
            break
        attachments.append(_attachment(inner, page, call, depth))
    recipients: list[Properties] = []
    for inner in storage.storages("__recip_version1.0_#"):
        if len(recipients) >= MAX_RECIPIENTS:
            break
        recipients.append(_properties(inner, _HEAD, page))
    return mapi.message_of(properties, recipients, attachments, problems)


def _attachment(storage: Storage, code_page: int, call: Call, depth: int) -> Attachment:
    properties = _properties(storage, _HEAD, code_page)
    embedded = next(storage.storages(_ATTACHED_MESSAGE), None)
    if embedded is not None and embedded.stream(_PROPERTIES) is not None:
        message = _message(embedded, _MESSAGE_HEAD, code_page, call, depth + 1)
        return mapi.attachment_of(properties, b"", message)
    return mapi.attachment_of(properties, properties.values.get(mapi.ATTACHED, b""))


def _properties(storage: Storage, head: int, code_page: int) -> Properties:
    properties = Properties(code_page=code_page)
    for tag in mapi.WANTED:
        for kind in _STRINGS:
            value = storage.stream(f"__substg1.0_{tag:04X}{kind:04X}")
            if value is not None:
                properties.add(tag, kind, value)
    fixed = (storage.stream(_PROPERTIES) or b"")[head:]
    for kind, tag, _flags, value in iter_unpack("<HHI8s", fixed[: len(fixed) // 16 * 16]):
        if kind in (mapi.NUMBER, mapi.TIME):
            properties.add(tag, kind, value)
    return properties
