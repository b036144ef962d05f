"""What is drawn on a page: straight rules, as boxes of lines and of thin fills."""

import ctypes
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, repeat

import pypdfium2.raw as pdfium

from pincite.formats.pdf.page.page import Handle, PdfPage
from pincite.formats.pdf.page.pdfium import ADDRESS, POINTER, address, fast_binding

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

_count_objects = fast_binding(pdfium.FPDFPage_CountObjects, POINTER)
_object = fast_binding(pdfium.FPDFPage_GetObject, POINTER, ctypes.c_int, result=ADDRESS)
_count_inner = fast_binding(pdfium.FPDFFormObj_CountObjects, POINTER)
_inner = fast_binding(pdfium.FPDFFormObj_GetObject, POINTER, ctypes.c_ulong, result=ADDRESS)
_type = fast_binding(pdfium.FPDFPageObj_GetType, POINTER)
_draw_mode = fast_binding(pdfium.FPDFPath_GetDrawMode, POINTER, POINTER, POINTER)
_segments = fast_binding(pdfium.FPDFPath_CountSegments, POINTER)
_bounds = fast_binding(pdfium.FPDFPageObj_GetBounds, *[POINTER] * 5)
_fill_colour = fast_binding(pdfium.FPDFPageObj_GetFillColor, *[POINTER] * 5)
_stroke_colour = fast_binding(pdfium.FPDFPageObj_GetStrokeColor, *[POINTER] * 5)

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
    handle = address(page.raw)
    items = map(_object, repeat(handle), range(min(_count_objects(handle), MAX_OBJECTS)))
    _look(list(items), _IDENTITY, page, rules, _Left(), 0)
    return rules


def _look(items: Sequence[int], matrix: Matrix, page: PdfPage, rules: Rules, left: _Left, depth: int) -> None:
    for item, kind in zip(items, map(_type, items), strict=True):
        left.objects -= 1
        if kind == pdfium.FPDF_PAGEOBJ_TEXT:
            continue
        if left.objects < 0 or left.points <= 0:
            return
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            _path(item, matrix, page, rules, left)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < MAX_DEPTH:
            count = max(0, min(_count_inner(item), left.objects))
            inside = [inner for inner in map(_inner, repeat(item), range(count)) if inner]
            _look(inside, _times(_matrix(item), matrix), page, rules, left, depth + 1)


def _matrix(item: int) -> Matrix:
    found = pdfium.FS_MATRIX()
    if not pdfium.FPDFPageObj_GetMatrix(ctypes.cast(item, pdfium.FPDF_PAGEOBJECT), ctypes.byref(found)):
        return _IDENTITY
    return found.a, found.b, found.c, found.d, found.e, found.f


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _path(item: int, matrix: Matrix, page: PdfPage, rules: Rules, left: _Left) -> None:
    modes = (ctypes.c_int * 2)()
    at = ctypes.addressof(modes)
    if not _draw_mode(item, at, at + ctypes.sizeof(ctypes.c_int)):
        return
    fill, stroke = modes
    if fill and not stroke and _segments(item) <= FEW_POINTS:
        # Most of what is drawn on a page are the backgrounds of cells: told by their bounds, they take no time.
        points = _corners(item, matrix, page)
        if points and _is_thin(points) and _seen(item, _fill_colour):
            _thin(points, rules)
        return
    stroked = bool(stroke) and _seen(item, _stroke_colour)
    filled = bool(fill) and _seen(item, _fill_colour)
    if not (stroked or filled):
        return
    own = _times(_matrix(item), matrix)
    for points in _outlines(ctypes.cast(item, pdfium.FPDF_PAGEOBJECT), own, page, left):
        if stroked:
            for (ax, ay), (bx, by) in pairwise(points):
                _line(ax, ay, bx, by, rules)
        elif len(points) > 2:  # noqa: PLR2004 - two points have no inside
            _thin(points, rules)


def _corners(item: int, matrix: Matrix, page: PdfPage) -> list[tuple[float, float]]:
    """Two corners of the bounds of what is drawn; none where that is no rule, or where they are no numbers."""
    bounds = (ctypes.c_float * 4)()
    at = ctypes.addressof(bounds)
    if not _bounds(item, at, at + 4, at + 8, at + 12):
        return []
    left, bottom, right, top = bounds
    if matrix is _IDENTITY and right - left >= THINNEST <= top - bottom:
        return []
    found = (displayed(left, bottom, matrix, page), displayed(right, top, matrix, page))
    return [point for point in found if point] if all(found) else []


def _seen(item: int, getter: Callable[..., int]) -> bool:
    parts = (ctypes.c_uint * 4)()
    at = ctypes.addressof(parts)
    if not getter(item, at, at + 4, at + 8, at + 12):
        return True
    red, green, blue, alpha = parts
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
    px, py = page.space.point(a * x + c * y + e, b * x + d * y + f)
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
