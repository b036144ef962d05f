"""Jupyter notebooks (nbformat 3 to 5) as Markdown: their texts, and code and what it printed as code blocks."""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from pincite.errors import InvalidInput, Unsupported
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.markdown.reader import read as read_markdown
from pincite.formats.writing.page_writer import BLANK_LINE, MAX_HEADING_LEVEL, fenced
from pincite.model.call import Call
from pincite.model.document import Head, Page

MAX_OUTPUT_CHARACTERS = 20_000
"""Maximum characters kept of one output."""

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


def read(blob: Blob, options: ReadOptions, call: Call) -> Iterator[Head | Page]:
    """Implements `Reader`."""
    call.check()
    try:
        notebook = _fields(json.loads(blob.data))
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The notebook is damaged: it is no JSON. Save it again in Jupyter.") from error
    sheets = [_fields(sheet) for sheet in _list(notebook.get("worksheets"))] or [notebook]
    if not any("cells" in sheet for sheet in sheets):
        raise Unsupported("The file is no Jupyter notebook. Give it the extension of its format.")
    metadata = _fields(notebook.get("metadata"))
    language = str(
        _fields(metadata.get("language_info")).get("name") or _fields(metadata.get("kernelspec")).get("language") or ""
    )
    cells = (_fields(cell) for sheet in sheets for cell in _list(sheet.get("cells")))
    text = BLANK_LINE.join(part for cell in cells for part in _parts(cell, language) if part.strip())
    yield from read_markdown(Blob(blob.name, text.encode("utf-8", "replace")), options, call)


def _parts(cell: dict[str, Any], language: str) -> Iterator[str]:
    """Yield the text of a cell, or its code and outputs."""
    source = _text(cell.get("source", cell.get("input")))
    match cell.get("cell_type"):
        case "code":
            yield fenced(source, str(cell.get("language") or language))
            for output in _list(cell.get("outputs")):
                yield fenced(_printed(_fields(output)))
        case "heading":  # nbformat 3
            level = cell.get("level")
            yield f"{'#' * (level if isinstance(level, int) and 0 < level <= MAX_HEADING_LEVEL else 1)} {source}"
        case _:
            yield source.rstrip()


def _printed(output: dict[str, Any]) -> str:
    """Return the text of an output; empty if it is a picture or a widget, whose text only names it."""
    data = {**output, **_fields(output.get("data"))}
    is_drawn = any(kind.startswith(("image/", "application/vnd")) or kind in ("png", "jpeg", "svg") for kind in data)
    if output.get("output_type") in ("error", "pyerr"):
        text = f"{output.get('ename', '')}: {output.get('evalue', '')}"
    else:
        text = "" if is_drawn else _text(data.get("text/markdown") or data.get("text/plain") or data.get("text"))
    text = _COLOURS.sub("", text)
    return text if len(text) <= MAX_OUTPUT_CHARACTERS else f"{text[:MAX_OUTPUT_CHARACTERS]}\n…"


def _text(value: object) -> str:
    """Return a text, which may be a list of its lines."""
    return value if isinstance(value, str) else "".join(line for line in _list(value) if isinstance(line, str))


def _list(value: object) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def _fields(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
