"""A message, whatever file it came in."""

from dataclasses import dataclass, field
from typing import Literal, Union


@dataclass(frozen=True, slots=True)
class Body:
    """A text that a mail program shows as the message.

    Attributes:
        kind: How it is written.
        text: The text, or HTML; empty for RTF.
        data: RTF; empty for the other kinds.
        lost: Number of byte sequences that could not be decoded.
    """

    kind: Literal["plain", "html", "rtf"]
    text: str = ""
    data: bytes = b""
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file in a message, or another message.

    Attributes:
        name: Its file name; empty for none.
        media_type: As the sender declares it; empty for none.
        data: Its bytes; empty for a message that was forwarded with its structure.
        message: That message.
    """

    name: str
    media_type: str = ""
    data: bytes = b""
    message: Union["Message", None] = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message.

    Attributes:
        subject: Its subject.
        fields: What is shown above it (From, To, Cc, Date), by name, in the order in which it is shown.
        date: The date in ISO 8601, or as the message has it if it is none; empty for none.
        bodies: Its texts in order.
        attachments: Its files.
        problems: Parts that cannot be read, and why, as clauses.
    """

    subject: str = ""
    fields: dict[str, str] = field(default_factory=dict[str, str])
    date: str = ""
    bodies: tuple[Body, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    problems: tuple[str, ...] = ()
