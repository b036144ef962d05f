"""Whether the pages and headings that a dataset names are there, before anything is measured by them."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from pincite.errors import InvalidInput
from pincite.services.evaluation.datasets import Question, within
from pincite.services.evaluation.rankers import Target

FAULTS = 5
"""Most faults that are told at once."""

LIKE = 0.3
"""How much a name must be like another to be offered, 0..1 (`difflib`)."""


def require_known(questions: Sequence[Question], targets: Iterable[Target]) -> None:
    """Make sure that every page is there, and every heading on one of the pages of its question.

    Args:
        questions: What will be asked.
        targets: Every section of every document, or every document.

    Raises:
        InvalidInput: With the first faults, each with the nearest name.
    """
    sections: dict[str, list[tuple[str, ...]]] = {}
    for target in targets:
        sections.setdefault(target.document, []).append(target.headings)
    faults = [fault for question in questions for fault in _faults(question, sections)]
    if faults:
        more = f"\n… and {len(faults) - FAULTS} more" if len(faults) > FAULTS else ""
        lines = "\n".join(f"- {fault}" for fault in faults[:FAULTS])
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
    found = get_close_matches(name, list(known), n=1, cutoff=LIKE)
    return f"; the nearest is {found[0]!r}" if found else ""
