"""Validate that the pages and headings of a dataset exist, before anything is measured with it."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from pincite.errors import InvalidInput
from pincite.services.evaluation.datasets import Question, within
from pincite.services.evaluation.rankers import Target

MAX_FAULTS = 5
"""Maximum number of faults in a message."""

MIN_SIMILARITY = 0.3
"""Minimum similarity of a suggested name, 0..1 (`difflib`)."""


def require_known(questions: Sequence[Question], targets: Iterable[Target]) -> None:
    """Validate that every page exists, and every heading on one of the pages of its question.

    Args:
        questions: The questions with their golds.
        targets: Every section of every document, or every document.

    Raises:
        InvalidInput: A page or heading does not exist; the message lists the first, each with the nearest name.
    """
    sections: dict[str, list[tuple[str, ...]]] = {}
    for target in targets:
        sections.setdefault(target.document, []).append(target.headings)
    faults = [fault for question in questions for fault in _faults(question, sections)]
    if faults:
        more = f"\n… and {len(faults) - MAX_FAULTS} more" if len(faults) > MAX_FAULTS else ""
        lines = "\n".join(f"- {fault}" for fault in faults[:MAX_FAULTS])
        raise InvalidInput(f"The questions name pages or headings that do not exist:\n{lines}{more}")


def _faults(question: Question, sections: Mapping[str, Sequence[tuple[str, ...]]]) -> list[str]:
    pages = list(dict.fromkeys(gold.document for gold in question.golds))
    unknown = [page for page in pages if page not in sections]
    if unknown:
        return [f"{question.text!r}: no page {page!r}{_nearest(page, sections)}" for page in unknown]
    paths = [path for page in pages for path in sections[page]]
    required = dict.fromkeys(gold.heading for gold in question.golds if gold.heading)
    missing = [heading for heading in required if not any(within(path, heading) for path in paths)]
    offered = [path[-1] for path in paths if path]
    return [f"{question.text!r}: no heading {name!r} in {pages[0]}{_nearest(name, offered)}" for name in missing]


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1, cutoff=MIN_SIMILARITY)
    return f"; the nearest is {near[0]!r}" if near else ""
