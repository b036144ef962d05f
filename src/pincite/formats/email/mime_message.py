"""The message that the parts of a MIME message make up: which of them are shown as its text, which are files."""

import re
from dataclasses import dataclass, field

from pincite.formats.email import charsets, headers, tnef
from pincite.formats.email.bodies import best
from pincite.formats.email.message import Attachment, Body, Message
from pincite.formats.email.mime import SECURED, Part
from pincite.formats.email.plain_text import unflowed
from pincite.formats.html import encoding

_TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
_SIGNATURES = (
    "application/pgp-signature",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
    "application/pgp-keys",
)
"""Parts for programs: no mail program shows them."""
_RESOURCES = ("text/css", "text/javascript", "application/javascript", "application/x-javascript", "font/")
"""Parts that style HTML."""
_SAVED_BY = "saved by "
"""How `From` begins in a web page that a browser saved as one file (MHTML)."""
_TEXT_REPORTS = (
    "message/delivery-status",
    "message/disposition-notification",
    "message/feedback-report",
    "message/global-delivery-status",
    "text/rfc822-headers",
)
_ENCRYPTED = "the message is encrypted, and its text was not read"
_ENRICHED = re.compile(r"<param>[^<]{0,1000}</param>|<(?!<)/?[A-Za-z-]{1,60}>", re.IGNORECASE)


def message_of(part: Part) -> Message:
    """Return what a person sees of a message."""
    fields = part.fields
    shown = {name: value for name in headers.SHOWN if (value := headers.field(fields, name))}
    content = _Content()
    _add(part, content)
    return Message(
        subject=headers.field(fields, "Subject"),
        fields=shown,
        date=headers.iso_date(shown["Date"]) if "Date" in shown else "",
        bodies=tuple(content.bodies),
        attachments=tuple(content.attachments),
        problems=tuple(dict.fromkeys(content.problems)),
    )


def saved_page(part: Part) -> bytes | None:
    """Return the web page, in UTF-8, that a browser saved with its pictures as one file; None for a message."""
    sender = headers.field(part.fields, "From").lower().lstrip('"<')
    if "snapshot-content-location" not in part.fields and not sender.startswith(_SAVED_BY):
        return None
    leaves = part.parts or (part,)
    body = next((_body(leaf) for leaf in leaves if leaf.media_type == "text/html"), None)
    return None if body is None else b"\xef\xbb\xbf" + body.text.encode("utf-8", "replace")


@dataclass(slots=True)
class _Content:
    bodies: list[Body] = field(default_factory=list[Body])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    problems: list[str] = field(default_factory=list[str])


def _add(part: Part, content: _Content) -> None:
    """Add a part and what is in it."""
    media_type = part.media_type
    if part.is_cut:
        content.problems.append("its parts are nested too deep or are too many, and some were not read")
    if media_type == "multipart/alternative":
        _add_alternative(part, content)
    elif media_type == "multipart/encrypted":
        content.problems.append(_ENCRYPTED)
    elif media_type.startswith("multipart/") or (media_type in SECURED and part.parts):
        for inner in part.parts:
            if media_type != "multipart/related" or inner.is_attachment or not inner.media_type.startswith(_RESOURCES):
                _add(inner, content)
    elif media_type in ("message/rfc822", "message/global", "message/news"):
        _add_message(part, content)
    elif media_type in _TNEF:
        _add_tnef(part, content)
    elif media_type not in _SIGNATURES:
        _add_leaf(part, content)


def _add_message(part: Part, content: _Content) -> None:
    if not part.parts:
        return
    inner = message_of(part.parts[0])
    content.attachments.append(Attachment(headers.file_name(part.fields), part.media_type, message=inner))


def _add_leaf(part: Part, content: _Content) -> None:
    name = headers.file_name(part.fields)
    body = None if part.is_attachment else _body(part)
    # A text with a file name is a file, unless the whole message is one text.
    is_named = part.fields.get_param("filename", None, "content-disposition") is not None
    if body is not None and not is_named:
        if body.text.strip() or body.data:
            content.bodies.append(body)
    elif part.media_type in SECURED:
        content.problems.append(_ENCRYPTED)
    elif part.data.strip():
        data = part.data
        if part.media_type.startswith("text/") and (charset := headers.charset(part.fields)):
            # The readers of text take UTF-8.
            text, lost = charsets.decode(data, charset)
            data = data if lost else b"\xef\xbb\xbf" + text.encode("utf-8", "replace")
        content.attachments.append(Attachment(name, part.media_type, data))


def _body(part: Part) -> Body | None:
    """Return a part as a text of the message; None for what is not shown as one."""
    media_type, charset = part.media_type, headers.charset(part.fields)
    if media_type == "text/html":
        # A page may name its own set; the sender's name of it comes first.
        if charsets.codec(charset) or b"\0" in part.data[:1000]:
            text, lost = charsets.decode(part.data, charset)
        else:
            text, lost = encoding.decode(part.data)
        return Body("html", text, lost=lost)
    if media_type in ("text/rtf", "application/rtf") and part.data.startswith(b"{\\rtf"):
        return Body("rtf", data=part.data)
    if media_type not in ("text/plain", "text/enriched", "text/richtext", *_TEXT_REPORTS):
        return None
    text, lost = charsets.decode(part.data, charset)
    if media_type in ("text/enriched", "text/richtext"):
        text = _ENRICHED.sub("", text).replace("<<", "<")
    elif str(part.fields.get_param("format") or "").lower() == "flowed":
        text = unflowed(text, deletes_space=str(part.fields.get_param("delsp") or "").lower() == "yes")
    return Body("plain", text, lost=lost)


def _add_alternative(part: Part, content: _Content) -> None:
    """Add the best of several versions of one text, and the files of all of them."""
    versions: list[_Content] = []
    for inner in part.parts:
        version = _Content()
        _add(inner, version)
        versions.append(version)
        content.attachments += version.attachments
        content.problems += version.problems
    content.bodies += best([version.bodies for version in versions if version.bodies])


def _add_tnef(part: Part, content: _Content) -> None:
    inner = tnef.read_tnef(part.data)
    if inner is None:
        content.problems.append("the part winmail.dat is damaged and was not read")
        return
    content.attachments += inner.attachments
    content.problems += inner.problems
    # Outlook writes its text as plain text beside it; the formatted one is read where that is missing.
    if not content.bodies:
        content.bodies += inner.bodies
