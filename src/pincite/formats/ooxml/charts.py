"""The data of a chart (ECMA-376 part 1, 21.2), from the values cached in the file."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from pincite.formats.ooxml.numbers import DAY, GENERAL
from pincite.formats.ooxml.package import (
    Element,
    descendants,
    find,
    find_all,
    flag,
    local_name,
    name,
    whole_number,
)
from pincite.formats.writing.page_writer import one_line
from pincite.model.document import Cell, Table

_PERCENT = re.compile(r"#?[#,]*0(?:\.0+)?%")
_QUOTED = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')
# Day 0 of the 1900 date system for days from 1 March 1900: Excel counts a 29 February 1900 that never was.
_EPOCH = date(1899, 12, 30)
_EPOCH_1904 = date(1904, 1, 1)
_DIMENSIONS = ("cat", "xVal", "val", "yVal", "bubbleSize")


@dataclass(frozen=True, slots=True)
class _Series:
    name: str
    categories: Mapping[int, str]
    values: Mapping[int, str]
    sizes: Mapping[int, str] = field(default_factory=dict[int, str])


def chart_tables(root: Element) -> list[Table]:
    """Return a chart as tables, one for each set of categories: a row for each category, a column for each series.

    Args:
        root: Root of a chart part: `c:chartSpace`, or `cx:chartSpace` for newer kinds (waterfall, treemap, …).
    """
    newer = root.tag == name("cx:chartSpace")
    series = list(_newer_series(root) if newer else _series(root))
    title = find(root, "cx:chart/cx:title" if newer else "c:chart/c:title")
    caption = _title(title, series)
    groups: dict[tuple[tuple[int, str], ...], list[_Series]] = {}
    for data in series:
        # Series of one chart may have categories of their own, as in a scatter plot.
        groups.setdefault(tuple(data.categories.items()), []).append(data)
    return [_table(caption, dict(categories), group) for categories, group in groups.items()]


def chart_words(root: Element) -> str:
    """Return the titles of a chart and its axes, for a chart without cached values."""
    titles = [element for element in descendants(root) if local_name(element) == "title"]
    return one_line(" ".join(_words(title) for title in titles))


def _title(title: Element | None, series: list[_Series]) -> str:
    """The title; one without text shows the name of the only series."""
    if title is None:
        return ""
    return _words(title) or (series[0].name if len(series) == 1 else "")


def _words(title: Element) -> str:
    texts = (element.text or "" for element in descendants(title) if local_name(element) in ("t", "v"))
    return one_line("".join(texts))


def _series(root: Element) -> Iterator[_Series]:
    area = find(root, "c:chart/c:plotArea")
    epoch = _EPOCH_1904 if (start := find(root, "c:date1904")) is not None and flag(start, "val") else _EPOCH
    for number, element in enumerate(area.iter(name("c:ser")) if area is not None else (), 1):
        label = find(element, "c:tx")
        title = _words(label) if label is not None else ""
        data = {kind: _points(find(element, f"c:{kind}"), epoch) for kind in _DIMENSIONS}
        yield _Series(
            title or f"Series {number}", data["cat"] or data["xVal"], data["val"] or data["yVal"], data["bubbleSize"]
        )


def _points(element: Element | None, epoch: date) -> dict[int, str]:
    """The values by index; categories of several levels are joined, the outermost first."""
    if element is None:
        return {}
    levels = list(element.iter(name("c:lvl")))
    if levels:
        return _levels([_cached(level, epoch) for level in reversed(levels)])
    # The chart shows these cached values; the workbook that they come from may not be in the file.
    caches = element.iter(name("c:numCache"), name("c:strCache"), name("c:numLit"), name("c:strLit"))
    return next((values for cache in caches if (values := _cached(cache, epoch))), dict[int, str]())


def _cached(cache: Element, epoch: date) -> dict[int, str]:
    code = find(cache, "c:formatCode")
    shared = (code.text or "") if code is not None else ""
    number = local_name(cache).startswith("num")
    values: dict[int, str] = {}
    for point in find_all(cache, "c:pt"):
        value = find(point, "c:v")
        text = (value.text or "") if value is not None else ""
        shown = shown_number(text, point.get("formatCode") or shared, epoch) if number else one_line(text)
        values[whole_number(point.get("idx"), len(values))] = shown
    return dict(sorted(values.items()))


def _levels(levels: list[dict[int, str]]) -> dict[int, str]:
    """Join levels; an outer category applies until the next one begins."""
    joined: dict[int, str] = {}
    current = [""] * len(levels)
    for index in sorted({index for level in levels for index in level}):
        for depth, level in enumerate(levels):
            current[depth] = level.get(index, current[depth])
        joined[index] = " / ".join(text for text in current if text)
    return joined


def shown_number(text: str, code: str, epoch: date = _EPOCH) -> str:
    """Return a number as it is displayed: with 15 digits, or as a percentage or date if its format is one."""
    try:
        value = float(text)
    except ValueError:
        return one_line(text)
    if _PERCENT.fullmatch(code):
        return f"{format(value * 100, GENERAL)}%"
    if DAY.search(_QUOTED.sub("", code)):
        try:
            return _date(value, epoch)
        except (OverflowError, ValueError):
            return text
    return format(value, GENERAL)


def _date(value: float, epoch: date) -> str:
    moment = datetime.combine(epoch, datetime.min.time()) + timedelta(days=value)
    return moment.date().isoformat() if value == int(value) else moment.isoformat(" ", "minutes")


def _newer_series(root: Element) -> Iterator[_Series]:
    data = {element.get("id"): element for element in root.iter(name("cx:data"))}
    for number, element in enumerate(root.iter(name("cx:series")), 1):
        label = find(element, "cx:tx")
        reference = find(element, "cx:dataId")
        dimensions = data.get(reference.get("val") if reference is not None else None)
        if dimensions is None:
            continue
        texts = [_levels(_newer_levels(dimension)) for dimension in find_all(dimensions, "cx:strDim")]
        values = [_levels(_newer_levels(dimension)) for dimension in find_all(dimensions, "cx:numDim")]
        title = _words(label) if label is not None else ""
        yield _Series(title or f"Series {number}", texts[0] if texts else {}, values[0] if values else {})


def _newer_levels(dimension: Element) -> list[dict[int, str]]:
    return [
        {
            whole_number(point.get("idx"), position): shown_number(point.text or "", level.get("formatCode") or "")
            for position, point in enumerate(find_all(level, "cx:pt"))
        }
        for level in reversed(find_all(dimension, "cx:lvl"))
    ]


def _table(caption: str, categories: Mapping[int, str], series: list[_Series]) -> Table:
    columns: list[tuple[str, Mapping[int, str]]] = [("", categories)] if categories else []
    for data in series:
        columns.append((data.name, data.values))
        if data.sizes:
            columns.append((f"{data.name} (size)", data.sizes))
    indices = sorted({index for _, values in columns for index in values})
    cells = [Cell(0, column, title, header=True) for column, (title, _) in enumerate(columns) if title]
    for row, index in enumerate(indices, 1):
        cells += [Cell(row, column, values[index]) for column, (_, values) in enumerate(columns) if values.get(index)]
    return Table(len(indices) + 1, len(columns), tuple(cells), 1, caption)
