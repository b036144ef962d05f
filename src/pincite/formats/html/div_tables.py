"""Recognise tables that are written without table elements: by their roles (WAI-ARIA), and javadoc's summaries."""

from pincite.formats.html.events import Attributes
from pincite.formats.html.visibility import classes

_TAGS_OF_ROLES = {
    "table": "table", "grid": "table", "treegrid": "table", "row": "tr", "columnheader": "th", "rowheader": "th",
    "cell": "td", "gridcell": "td",
}  # fmt: skip
_TAGS = frozenset(("div", "span", "section", "ul", "li", "dl", "dt", "dd", "p"))
_SUMMARY = "summary-table"
"""Class of javadoc's tables since version 16, whose cells follow each other without rows."""

_FIRST_CELLS = frozenset(("col-first", "col-constructor-name", "col-summary-item-name"))


_MARKS = ('role="row', "role=row", _SUMMARY)
"""What the markup of a page with such a table has; a pattern for all takes as long as a third of the reading."""


def occur(markup: str) -> bool:
    """Return False for a page that has no such table, by its markup: each of its elements would be tested."""
    return any(mark in markup for mark in _MARKS)


def tag_of(tag: str, attributes: Attributes, around: Attributes, *, is_in_table: bool) -> str:
    """Return the tag of a table's part that an element is; its own tag for any other.

    Args:
        tag: The tag of the element.
        attributes: Its attributes.
        around: The attributes of the element around it.
        is_in_table: True within a table: rows and cells of none are none.
    """
    if tag not in _TAGS:
        return tag
    part = _TAGS_OF_ROLES.get(attributes.get("role") or "")
    if part is not None:
        return part if is_in_table or part == "table" else tag
    if tag != "div":
        return tag
    names = classes(attributes)
    if _SUMMARY in names:
        return "table"
    if is_in_table and _SUMMARY in classes(around):
        return "th" if "table-header" in names else "td"
    return tag


def begins_row(tag: str, attributes: Attributes) -> bool:
    """Return True for the first cell of a row of javadoc's summaries, which have no rows."""
    return tag == "div" and not _FIRST_CELLS.isdisjoint(classes(attributes))
