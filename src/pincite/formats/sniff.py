"""Which format a file has, by its first bytes and its name."""

from pathlib import PurePosixPath

from pincite.formats.decode import is_binary
from pincite.registry import FORMATS, Format


def detect(name: str, head: bytes) -> Format | None:
    """The format that reads a file; None where there is none.

    What the bytes say for certain (a binary signature, NUL bytes) outranks the extension; among
    text formats the extension decides.

    Args:
        name: File name or relative path; letter case of the extension does not count.
        head: The first bytes of the file, a few kB.
    """
    extension = PurePosixPath(name).suffix.lower()
    found = next((row for row in FORMATS if extension in row.extensions), None)
    if found is not None and found.text and is_binary(head):
        return None
    return found
