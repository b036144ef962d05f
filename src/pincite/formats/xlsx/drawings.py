"""The text in the shapes of an XLSX sheet: text boxes, callouts, labels."""

from collections.abc import Iterator
from itertools import islice

from pincite.formats.ooxml.text import plain_text
from pincite.formats.xlsx.package import Package, parse
from pincite.formats.xlsx.unseen import ANY

MAX_SHAPES = 1000
"""Shapes of a sheet that are read."""


def shape_texts(package: Package, part: str) -> Iterator[str]:
    """Yield the text of each shape in a drawing, in the file's order, a line for each paragraph.

    Args:
        package: The workbook.
        part: The drawing's part.
    """
    root = parse(package.archive, part)
    if root is None:
        return
    for shape in islice(root.iter(f"{ANY}sp"), MAX_SHAPES):
        properties = shape.find(f"{ANY}nvSpPr/{ANY}cNvPr")
        body = shape.find(f"{ANY}txBody")
        is_hidden = properties is not None and properties.get("hidden") in ("1", "true")
        if body is not None and not is_hidden and (text := plain_text(body)):
            yield text
