"""The name of a downloaded document."""

import unicodedata
from email.message import Message
from email.utils import collapse_rfc2231_value
from urllib.parse import unquote

from httpx2 import URL

MAX_NAME_CHARS = 120
"""Names of up to 255 bytes are files on every system; two bytes a character is common."""

_MAX_EXTENSION_CHARS = 10
_UNNAMED = "document"
_UNSAFE = frozenset('<>:"|?*')
"""Characters that no name on Windows may have; `/` and `\\` separate folders."""

_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Categories of control, format (bidirectional overrides) and unassigned characters."""


def segment_name(url: URL) -> str:
    """Return the last segment of a URL's path, decoded; `document` if it has none."""
    return safe_name(unquote(url.raw_path.partition(b"?")[0].decode("ascii", "replace").rpartition("/")[2]))


def declared_name(disposition: str) -> str:
    """Return the file name of a `Content-Disposition` header (RFC 6266); empty if it has none."""
    message = Message()
    message["content-disposition"] = disposition.replace("\r", " ").replace("\n", " ")
    parameters = message.get_params(failobj=[], header="content-disposition")
    names = [value for parameter, value in parameters if parameter == "filename"]
    # Of the two forms the one with an encoding counts: a tuple.
    named = next((value for value in names if isinstance(value, tuple)), next(iter(names), ""))
    name = collapse_rfc2231_value(named)
    return safe_name(name) if name else ""


def safe_name(name: str) -> str:
    """Return a foreign name without folders and without characters that have a meaning to systems or terminals."""
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join("_" if c in _UNSAFE else c for c in last if unicodedata.category(c) not in _UNPRINTABLE)
    # Leading dots hide a file, trailing ones are lost on Windows.
    stripped = " ".join(shown.split()).strip(". ") or _UNNAMED
    if len(stripped) <= MAX_NAME_CHARS:
        return stripped
    _, dot, extension = stripped.rpartition(".")
    suffix = dot + extension if dot and len(extension) <= _MAX_EXTENSION_CHARS else ""
    return stripped[: MAX_NAME_CHARS - len(suffix)] + suffix
