"""Join short neighbours: sections of prose under one parent, and headings without text to what is under them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from pincite.chunking.cutting import Piece, Placed
from pincite.model.chunk import Tags
from pincite.model.document import Section


def joined(placed: Iterable[Placed], minimum: int) -> Iterator[Placed]:
    """Yield the pieces of a document, the short ones joined.

    A heading without text is carried by the first piece under it, which does not embed it: its context has it. Pieces
    of one group are joined until none is below the minimum, as far as they fit. A heading that still has no text is
    carried by the piece after it.

    Args:
        placed: The pieces in order.
        minimum: Tokens below which a piece is joined to a neighbour of its group.
    """
    with_parents = _carried(placed, _is_under)
    groups = groupby(with_parents, key=lambda each: (each[1].group, None if each[1].group else each[1].unit.start))
    packed = (each for _, run in groups for each in _packed(run, minimum))
    yield from _carried(packed, lambda _, __: True)


def _is_under(section: Section, heading: Section) -> bool:
    depth = len(heading.path)
    return section is heading or (len(section.path) > depth and section.path[:depth] == heading.path)


def _carried(placed: Iterable[Placed], carries: Callable[[Section, Section], bool]) -> Iterator[Placed]:
    """Yield the pieces; a heading without text begins the next piece, if that carries it."""
    held: Placed | None = None
    for body, piece in placed:
        if held and carries(body.section, held[0].section):
            tags = with_clauses(piece.tags, held[1].tags, piece.tags)
            piece = replace(piece, start=_start(held[1]), tags=tags)  # noqa: PLW2901
        elif held:
            yield held
        held = (body, piece) if piece.is_heading else None
        if not held:
            yield body, piece
    if held:
        yield held


def _packed(run: Iterable[Placed], minimum: int) -> Sequence[Placed]:
    """Return the pieces of a group, joined as long as one is below the minimum."""
    packed: list[Placed] = []
    for each in run:
        short = packed and packed[-1][1].unit.tokens < minimum
        whole = _join(packed[-1], each) if short else None
        packed[-1:] = [whole] if whole else [*packed[-1:], each]
    if len(packed) > 1 and packed[-1][1].unit.tokens < minimum and (whole := _join(packed[-2], packed[-1])):
        packed[-2:] = [whole]
    return packed


def _join(one: Placed, other: Placed) -> Placed | None:
    """Return two neighbours as one piece of the first one's section; None if they do not fit."""
    (body, first), (_, second) = one, other
    unit = body.splitter.unit(first.unit.start, second.unit.end)
    if not body.splitter.fits(unit, body.room):
        return None
    headings = () if other[0].section is body.section else other[0].section.path[-1:]
    tags = with_clauses(first.tags, first.tags, second.tags)
    own = {*tags.numbers}
    tags = replace(
        tags,
        headings=(*first.tags.headings, *headings, *second.tags.headings),
        references=tuple(
            name for name in dict.fromkeys((*first.tags.references, *second.tags.references)) if name not in own
        ),
    )
    return body, replace(first, unit=unit, tags=tags, is_heading=first.is_heading and second.is_heading)


def with_clauses(tags: Tags, *parts: Tags) -> Tags:
    """Return tags with the clauses of all parts."""
    numbers = tuple(dict.fromkeys(number for part in parts for number in part.numbers))
    return replace(tags, clauses=() if numbers == replace(tags, clauses=()).numbers else numbers)


def _start(piece: Piece) -> int:
    return piece.unit.start if piece.start is None else piece.start
