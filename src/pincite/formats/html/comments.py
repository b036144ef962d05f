"""Find the comments below a text by the link targets that blogs number them with: `comment-123`."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from pincite.formats.html.elements import Element, TextSums, discount
from pincite.formats.html.events import Anchor, Event
from pincite.formats.html.spans import Span

MIN_COMMENTED_PROSE = 250
"""Prose before the first comment: two or three sentences. A thread has its first post among the others."""

MAX_PROSE_BEFORE = 60
"""Prose before the first comment in the part that all comments have in common, which is a list of them: a heading."""

_TARGET = re.compile(
    r"(?:(?:div|li|dsq|article)-)?(?:comments?|kommentare?|commentaire|comentario|comentário|commento|reactie|forum|reply"
    r"|respons?e?)[-_]?\d+|c\d{12,}|c_\d{5,}",
    re.IGNORECASE,
)
"""Link targets of single comments, those of Blogger and of forums last; TYPO3 numbers its elements `c123`."""


def without_comments(
    root: Element, scope: Sequence[Element], events: Sequence[Event]
) -> tuple[Sequence[Element], list[Span]]:
    """Take the comments on a text out of the scope and out of the counts; return what is left, and their spans."""
    spans: list[Span] = []
    for comment in _comments(scope, events, root):
        discount(comment)
        spans.append((comment.start, comment.end))
    if spans:
        starts = [start for start, _ in spans]
        scope = [one for one in scope if not (at := bisect_right(starts, one.start)) or one.start >= spans[at - 1][1]]
    return scope, spans


def _comments(scope: Sequence[Element], events: Sequence[Event], root: Element) -> list[Element]:
    """Return the lists of comments on a text, and comments in no list, in order; none within another.

    Args:
        scope: The elements of the page, in document order.
        events: The events of the page.
        root: The container of the content.
    """
    targets = [
        position
        for position in range(root.start, root.end)
        if isinstance(event := events[position], Anchor) and _TARGET.fullmatch(event.name)
    ]
    if not targets:
        return []
    sums = TextSums(events)
    found: list[Element] = []
    for part in _parts(scope, targets, sums):
        if not found and sums.prose(root.start, part.start) < MIN_COMMENTED_PROSE:
            return []
        if not found or part.start >= found[-1].end:
            found.append(part)
    return found


def _parts(scope: Sequence[Element], targets: Sequence[int], sums: TextSums) -> Iterator[Element]:
    """Yield the part around each target that consists of comments, or the comment, if its part has other text."""
    starts = [element.start for element in scope]
    for target in targets:
        comment = _innermost(scope, starts, target)
        if comment is None:
            continue
        part, inner = comment.parent, comment
        while part is not None and not _holds_another(part, inner, targets):
            part, inner = part.parent, part
        if part is not None:
            yield part if sums.prose(part.start, inner.start) <= MAX_PROSE_BEFORE else inner
        elif target <= comment.start + 1:
            # No other comment: only its own element shows where it ends.
            yield comment


def _innermost(scope: Sequence[Element], starts: Sequence[int], target: int) -> Element | None:
    element = scope[index] if (index := bisect_right(starts, target) - 1) >= 0 else None
    while element is not None and element.end <= target:
        element = element.parent
    return element


def _holds_another(part: Element, comment: Element, targets: Sequence[int]) -> bool:
    first = bisect_right(targets, part.start - 1)
    return any(not comment.start <= target < comment.end for target in targets[first:] if target < part.end)
