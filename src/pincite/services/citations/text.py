"""The citation of a passage as a person pastes it into a report."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

_NAME = re.compile(r"\A(?:chapter|section|clause|article|annex|appendix)\s+", re.IGNORECASE)
"""What a heading may call its clause: "Chapter 4. Fonts" is clause 4."""


def citation_text(
    title: str, clause: str, section: str, pages: Sequence[int], last_clause: str = "", last_section: str = ""
) -> str:
    """Return `Title, clause 5.3.1, Section title, pp. 12–13`; what is empty is left out.

    Of several sections the first and the last are named: `Title, clause 5.3–5.5, Locks – Keys, p. 12`.

    Args:
        title: The document's title.
        clause: Its clause number.
        section: The nearest heading; without the clause number, if it begins with it.
        pages: Numbers of its pages, in any order.
        last_clause: The clause number of the last of several sections.
        last_section: The heading of the last of several sections.
    """
    headings = (without_number(section, clause), without_number(last_section, last_clause))
    clauses = "\u2013".join(dict.fromkeys(filter(None, (clause, last_clause))))
    parts = (
        title,
        f"clause {clauses}" if clauses else "",
        " \u2013 ".join(dict.fromkeys(heading for heading in headings if heading not in ("", title))),
        _page_ranges(pages),
    )
    return ", ".join(part for part in parts if part)


def without_number(heading: str, clause: str) -> str:
    """Return a heading without the clause number that it may begin with."""
    unnamed = _NAME.sub("", heading)
    rest = unnamed.removeprefix(clause) if clause else heading
    if rest in (heading, unnamed) or rest[:1].isalnum() or (rest[:1] == "." and rest[1:2].isdigit()):
        return heading
    return rest.lstrip(" .:)\t\u2013\u2014-")


def _page_ranges(pages: Iterable[int]) -> str:
    """Return `p. 3`, `pp. 3–5` or `pp. 3, 7–8`."""
    numbers = sorted(set(pages))
    if not numbers:
        return ""
    breaks = [n for n, (page, following) in enumerate(pairwise(numbers), 1) if following != page + 1]
    runs = [numbers[start:end] for start, end in pairwise([0, *breaks, len(numbers)])]
    shown = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
    return f"{'p.' if len(numbers) == 1 else 'pp.'} {shown}"
