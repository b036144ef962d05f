"""Messages as Outlook keeps them: by MAPI properties ([MS-OXPROPS]), in MSG files and in winmail.dat."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

from pincite.formats.email import charsets, headers, lzfu, rtf_html
from pincite.formats.email.bodies import best
from pincite.formats.email.message import Attachment, Body, Message
from pincite.formats.html import encoding
from pincite.formats.writing.page_writer import one_line

SUBJECT, BODY, HTML, RTF = 0x0037, 0x1000, 0x1013, 0x1009
SUBMITTED, DELIVERED = 0x0039, 0x0E06
SENDER_NAME, SENDER_ADDRESS, SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
DISPLAY_TO, DISPLAY_CC, HEADERS = 0x0E04, 0x0E03, 0x007D
RECIPIENT_KIND, NAME, ADDRESS, SMTP_ADDRESS = 0x0C15, 0x3001, 0x3003, 0x39FE
INTERNET_CODE_PAGE, MESSAGE_CODE_PAGE = 0x3FDE, 0x3FFD
ATTACHED, ATTACHED_NAME, ATTACHED_LONG_NAME, ATTACHED_TYPE = 0x3701, 0x3704, 0x3707, 0x370E
WANTED = frozenset((
    SUBJECT, BODY, HTML, RTF, SUBMITTED, DELIVERED, SENDER_NAME, SENDER_ADDRESS, SENDER_SMTP,
    DISPLAY_TO, DISPLAY_CC, HEADERS, RECIPIENT_KIND, NAME, ADDRESS, SMTP_ADDRESS, INTERNET_CODE_PAGE, MESSAGE_CODE_PAGE,
    ATTACHED, ATTACHED_NAME, ATTACHED_LONG_NAME, ATTACHED_TYPE,
))  # fmt: skip
"""The properties that are read, by the number of their tag ([MS-OXPROPS] 2)."""
NARROW, WIDE, BINARY, NUMBER, TIME = 0x1E, 0x1F, 0x102, 0x03, 0x40
"""Types of values ([MS-OXCDATA] 2.11.1)."""

_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_TO, _CC = 1, 2
_MAX_ADDRESSES = 1000
_MAX_HEAD_LINES = 1000
_UTF_8, _ASCII = 65001, 20127
_CODECS = {_UTF_8: "utf-8", _ASCII: "ascii", 932: "cp932", 20866: "koi8-r", 21866: "koi8-u", 28591: "cp1252",
           28592: "iso8859-2", 28595: "iso8859-5", 50220: "iso2022_jp", 51932: "euc_jp", 54936: "gb18030"}  # fmt: skip


@dataclass(slots=True)
class Properties:
    """The properties of a message, a recipient or an attachment.

    Attributes:
        values: The bytes of each value by its tag.
        kinds: Their types.
        code_page: That of its narrow strings; 0 if unknown.
    """

    values: dict[int, bytes] = field(default_factory=dict[int, bytes])
    kinds: dict[int, int] = field(default_factory=dict[int, int])
    code_page: int = 0

    def add(self, tag: int, kind: int, value: bytes) -> None:
        """Add a value; the first one of a tag counts, and wide strings before narrow ones."""
        if tag in WANTED and (tag not in self.values or (kind == WIDE and self.kinds[tag] == NARROW)):
            self.values[tag], self.kinds[tag] = value, kind

    def text(self, tag: int) -> str:
        """Return a string, without the NUL at its end; empty for none."""
        data = self.values.get(tag, b"")
        if self.kinds.get(tag) == WIDE:
            return data.decode("utf-16-le", "replace").partition("\0")[0]
        return charsets.decode(data.partition(b"\0")[0], self.charset)[0]

    @property
    def charset(self) -> str:
        """The name of the character set of narrow strings; empty if unknown."""
        page = self.number(MESSAGE_CODE_PAGE) or self.number(INTERNET_CODE_PAGE) or self.code_page
        return _CODECS.get(page, f"cp{page}" if page else "")

    def number(self, tag: int) -> int:
        """Return a number; 0 for none."""
        return int.from_bytes(self.values.get(tag, b"")[:4], "little")

    def time(self, tag: int) -> datetime | None:
        """Return a time, if there is one."""
        ticks = int.from_bytes(self.values.get(tag, b"")[:8], "little")
        try:
            return _EPOCH + timedelta(microseconds=ticks // 10) if ticks else None
        except OverflowError:
            return None


def message_of(
    properties: Properties, recipients: Sequence[Properties], attachments: Sequence[Attachment], problems: Sequence[str]
) -> Message:
    """Return the message that has these properties."""
    sent = properties.time(SUBMITTED) or properties.time(DELIVERED)
    address = properties.text(SENDER_SMTP) or properties.text(SENDER_ADDRESS)
    fields = {
        "From": _mailbox(properties.text(SENDER_NAME), address),
        "To": _mailboxes(recipients, _TO) or one_line(properties.text(DISPLAY_TO)),
        "Cc": _mailboxes(recipients, _CC) or one_line(properties.text(DISPLAY_CC)),
        "Date": format_datetime(sent.replace(microsecond=0)) if sent else "",
    }
    # Addresses within a company are paths of its directory (`/O=EXAMPLE/OU=…`); a message from outside has its head.
    head = headers.parse(properties.text(HEADERS).encode("utf-8", "replace").splitlines()[:_MAX_HEAD_LINES])
    for name, text in fields.items():
        if "@" not in text and "@" in (written := headers.field(head, name)):
            fields[name] = written
    return Message(
        subject=one_line(properties.text(SUBJECT)),
        fields={name: value for name, value in fields.items() if value},
        date=sent.replace(microsecond=0).isoformat() if sent else "",
        bodies=tuple(best([[body] for body in _bodies(properties)])),
        attachments=tuple(attachments),
        problems=tuple(problems),
    )


def attachment_of(properties: Properties, data: bytes, message: Message | None = None) -> Attachment:
    """Return the attachment that has these properties."""
    name = properties.text(ATTACHED_LONG_NAME) or properties.text(ATTACHED_NAME) or properties.text(NAME)
    return Attachment(one_line(name)[:200], properties.text(ATTACHED_TYPE).lower(), data, message)


def _bodies(properties: Properties) -> list[Body]:
    """Return the versions of the text."""
    bodies: list[Body] = []
    if text := properties.text(BODY):
        bodies.append(Body("plain", text))
    rtf = lzfu.unpacked(properties.values.get(RTF, b""))
    if rtf.startswith(b"{\\rtf"):
        html = rtf_html.html(rtf)
        bodies.append(Body("html", html) if html else Body("rtf", data=rtf))
    if data := properties.values.get(HTML, b""):
        if properties.kinds[HTML] == BINARY:
            # HTML has a code page of its own: `INTERNET_CODE_PAGE`, not the message's.
            page = properties.number(INTERNET_CODE_PAGE)
            charset = _CODECS.get(page, f"cp{page}" if page else "")
            text, lost = charsets.decode(data, charset) if charsets.codec(charset) else encoding.decode(data)
            bodies.append(Body("html", text, lost=lost))
        else:
            bodies.append(Body("html", properties.text(HTML)))
    return bodies


def _mailboxes(recipients: Sequence[Properties], kind: int) -> str:
    listed = (entry for entry in recipients[:_MAX_ADDRESSES] if (entry.number(RECIPIENT_KIND) & 0xF) == kind)
    texts = (_mailbox(entry.text(NAME), entry.text(SMTP_ADDRESS) or entry.text(ADDRESS)) for entry in listed)
    return ", ".join(filter(None, texts))


def _mailbox(name: str, address: str) -> str:
    name, address = one_line(name).strip("'"), one_line(address)
    if "@" not in address or address.strip("'").lower() == name.lower():
        return name or address
    return f"{name} <{address}>" if name else address
