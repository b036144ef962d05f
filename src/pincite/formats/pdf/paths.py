"""What is drawn on a page: straight rules, as boxes of lines and of thin fills."""

import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page import Handle, PdfPage

MAX_OBJECTS = 20_000
"""Page objects that are looked at; what comes behind them draws no rule."""
MAX_POINTS = 20_000
"""Points of paths that are looked at, on a page."""
MAX_DEPTH = 8
"""Forms in forms."""
THINNEST = 2.5
"""A fill thinner than this (points) is a rule (`measured`)."""
FARTHEST = 20_000.0
"""No page reaches further (points, PDF 32000-1 annex C.2 has 14,400): what does is cut or not drawn."""
NEAR_WHITE = 245
"""A fill with all parts of its colour at least this is not seen on paper."""
STRAIGHT = 0.7
"""A line that leaves its axis by no more (points) is straight."""

FEW_POINTS = 6
"""A fill with no more points is a box."""

# pdfium's functions once more, with plain addresses for pointers: these are called for every object of a page.
_pointer = ctypes.c_void_p


def _plain(function: Handle, *kinds: Handle, result: Handle = ctypes.c_int) -> Callable[..., int]:
    return ctypes.CFUNCTYPE(result, *kinds)(ctypes.cast(function, _pointer).value or 0)


_count_objects = _plain(pdfium.FPDFPage_CountObjects, _pointer)
_object = _plain(pdfium.FPDFPage_GetObject, _pointer, ctypes.c_int, result=_pointer)
_type = _plain(pdfium.FPDFPageObj_GetType, _pointer)
_draw_mode = _plain(pdfium.FPDFPath_GetDrawMode, _pointer, _pointer, _pointer)
_segments = _plain(pdfium.FPDFPath_CountSegments, _pointer)
_bounds = _plain(pdfium.FPDFPageObj_GetBounds, *[_pointer] * 5)

Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line along an axis of the page as displayed: `at` on the other axis, from `start` to `end`."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class Rules:
    """The rules of a page, in points from the top left.

    Attributes:
        across: Horizontal ones; `at` is y.
        down: Vertical ones; `at` is x.
    """

    across: list[Rule] = field(default_factory=list[Rule])
    down: list[Rule] = field(default_factory=list[Rule])


@dataclass(slots=True)
class _Left:
    """How much more may be looked at."""

    objects: int = MAX_OBJECTS
    points: int = MAX_POINTS


def page_rules(page: PdfPage) -> Rules:
    """The rules drawn on a page, also in its forms, up to the limits of this module."""
    rules = Rules()
    left = _Left()
    handle = ctypes.cast(page.raw, _pointer).value
    for index in range(min(_count_objects(handle), MAX_OBJECTS)):
        _look(_object(handle, index), _IDENTITY, page, rules, left, 0)
        if left.objects <= 0 or left.points <= 0:
            break
    return rules


def _look(item: int, matrix: Matrix, page: PdfPage, rules: Rules, left: _Left, depth: int) -> None:
    left.objects -= 1
    kind = _type(item)
    if kind == pdfium.FPDF_PAGEOBJ_PATH:
        _path(item, matrix, page, rules, left)
    elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < MAX_DEPTH:
        form = ctypes.cast(item, pdfium.FPDF_PAGEOBJECT)
        inner = _times(_matrix(form), matrix)
        for index in range(max(0, pdfium.FPDFFormObj_CountObjects(form))):
            if left.objects <= 0 or left.points <= 0:
                return
            inside = ctypes.cast(pdfium.FPDFFormObj_GetObject(form, index), _pointer).value
            if inside:
                _look(inside, inner, page, rules, left, depth + 1)


def _matrix(item: Handle) -> Matrix:
    found = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(found)):
        return _IDENTITY
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _path(address: int, matrix: Matrix, page: PdfPage, rules: Rules, left: _Left) -> None:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if not _draw_mode(address, ctypes.byref(fill), ctypes.byref(stroke)) or not (fill.value or stroke.value):
        return
    item = ctypes.cast(address, pdfium.FPDF_PAGEOBJECT)
    if not stroke.value and _segments(address) <= FEW_POINTS:
        # Most of what is drawn on a page are the backgrounds of cells: told by their bounds, they take no time.
        points = _corners(address, matrix, page)
        if points and _is_thin(points) and _seen(item, pdfium.FPDFPageObj_GetFillColor):
            _thin(points, rules)
        return
    stroked = bool(stroke.value) and _seen(item, pdfium.FPDFPageObj_GetStrokeColor)
    filled = bool(fill.value) and _seen(item, pdfium.FPDFPageObj_GetFillColor)
    if not (stroked or filled):
        return
    own = _times(_matrix(item), matrix)
    for points in _outlines(item, own, page, left):
        if stroked:
            for (ax, ay), (bx, by) in pairwise(points):
                _line(ax, ay, bx, by, rules)
        elif len(points) > 2:  # noqa: PLR2004 - two points have no inside
            _thin(points, rules)


def _corners(address: int, matrix: Matrix, page: PdfPage) -> list[tuple[float, float]]:
    """Two corners of the bounds of what is drawn; none where they are no numbers."""
    bounds = (ctypes.c_float * 4)()
    at = ctypes.addressof(bounds)
    if not _bounds(address, at, at + 4, at + 8, at + 12):
        return []
    left, bottom, right, top = bounds
    found = (displayed(left, bottom, matrix, page), displayed(right, top, matrix, page))
    return [point for point in found if point] if all(found) else []


def _seen(item: Handle, asked: Callable[..., int]) -> bool:
    parts = [ctypes.c_uint() for _ in range(4)]
    if not asked(item, *(ctypes.byref(part) for part in parts)):
        return True
    red, green, blue, alpha = (part.value for part in parts)
    return alpha > 0 and min(red, green, blue) < NEAR_WHITE


def _outlines(item: Handle, matrix: Matrix, page: PdfPage, left: _Left) -> Iterator[list[tuple[float, float]]]:
    """The straight outlines of a path, on the page as displayed; one with a curve ends where it begins."""
    x, y = ctypes.c_float(), ctypes.c_float()
    points: list[tuple[float, float]] = []
    for index in range(max(0, pdfium.FPDFPath_CountSegments(item))):
        left.points -= 1
        if left.points <= 0:
            break
        segment = pdfium.FPDFPath_GetPathSegment(item, index)
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if not pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y)):
            continue
        point = displayed(x.value, y.value, matrix, page)
        if kind in (pdfium.FPDF_SEGMENT_MOVETO, pdfium.FPDF_SEGMENT_BEZIERTO) or point is None:
            if len(points) > 1:
                yield points
            points = [] if point is None or kind == pdfium.FPDF_SEGMENT_BEZIERTO else [point]
            continue
        points.append(point)
        if pdfium.FPDFPathSegment_GetClose(segment):
            points.append(points[0])
    if len(points) > 1:
        yield points


def displayed(x: float, y: float, matrix: Matrix, page: PdfPage) -> tuple[float, float] | None:
    """A point on the page as displayed, no further away than `FARTHEST`; None where it is no number."""
    a, b, c, d, e, f = matrix
    px, py = page.place.point(a * x + c * y + e, b * x + d * y + f)
    if not (math.isfinite(px) and math.isfinite(py)):
        return None
    return max(-FARTHEST, min(px, FARTHEST)), max(-FARTHEST, min(py, FARTHEST))


def _line(ax: float, ay: float, bx: float, by: float, rules: Rules) -> None:
    if abs(ay - by) <= STRAIGHT < abs(ax - bx):
        rules.across.append(Rule((ay + by) / 2, min(ax, bx), max(ax, bx)))
    elif abs(ax - bx) <= STRAIGHT < abs(ay - by):
        rules.down.append(Rule((ax + bx) / 2, min(ay, by), max(ay, by)))


def _is_thin(corners: Sequence[tuple[float, float]]) -> bool:
    (ax, ay), (bx, by) = corners
    return min(abs(ax - bx), abs(ay - by)) < THINNEST


def _thin(points: list[tuple[float, float]], rules: Rules) -> None:
    x0, x1 = min(x for x, _ in points), max(x for x, _ in points)
    y0, y1 = min(y for _, y in points), max(y for _, y in points)
    if y1 - y0 < THINNEST and x1 - x0 > y1 - y0:
        rules.across.append(Rule((y0 + y1) / 2, x0, x1))
    elif x1 - x0 < THINNEST:
        rules.down.append(Rule((x0 + x1) / 2, y0, y1))
