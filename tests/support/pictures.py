"""Pictures for the tests."""

import io
from collections.abc import Mapping
from typing import Any

from PIL import Image, PngImagePlugin

PNG_HEAD = b"\x89PNG\r\n\x1a\n" + bytes(20)
"""The mark of a PNG file, and no picture."""


def picture(
    text: Mapping[str, str] | None = None, kind: str = "PNG", size: tuple[int, int] = (60, 40), **save: Any
) -> bytes:
    """A picture with text of PNG, or what else its format can keep."""
    info = PngImagePlugin.PngInfo()
    for key, value in (text or {}).items():
        info.add_itxt(key, value)
    buffer = io.BytesIO()
    extra = {"pnginfo": info, **save} if kind == "PNG" else save
    Image.effect_noise(size, 50).save(buffer, kind, **extra)
    return buffer.getvalue()
