"""Titles that tell the documents of a library apart."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pincite.model.store import StoredDocument
from pincite.text.periods import years_in

PERIOD, TITLES = "period", "possible_titles"
"""Properties of a library's document: the period that it reports on, and its possible titles, a line each, the best
first, if it names none itself."""


def with_period(title: str, period: str) -> str:
    """Return a title with the period that its document reports on, unless it names the year."""
    return title if not period or years_in(period) <= years_in(title) else f"{title}, {period}"


def distinct_titles(documents: Iterable[StoredDocument]) -> Mapping[str, str]:
    """Return the title of each document by its name: no two documents have the same.

    A heading that several documents begin with is skipped for the next one. Titles that are still equal get the period,
    the file name or the id.
    """
    known = {document.name: document for document in documents}
    titles_by_name = {name: document.properties.get(TITLES, "").splitlines() for name, document in known.items()}
    counts = Counter(title.casefold() for titles in titles_by_name.values() for title in dict.fromkeys(titles))
    same: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name, document in known.items():
        own = next((title for title in titles_by_name[name] if counts[title.casefold()] == 1), "")
        title = with_period(own, document.properties.get(PERIOD, "")) if own else document.label
        same[title.casefold()][name] = title
    return {
        name: f"{title} ({mark})" if mark else title
        for titles in same.values()
        for (name, title), mark in zip(titles.items(), _marks([known[name] for name in titles]), strict=True)
    }


def _marks(documents: Sequence[StoredDocument]) -> Sequence[str]:
    """Return what tells documents of one title apart; nothing for a single one."""
    if len(documents) == 1:
        return [""]
    periods = [document.properties.get(PERIOD, "") for document in documents]
    files = [document.source_key.rpartition("/")[2] for document in documents]
    ids = [document.name for document in documents]
    return next(
        marks for marks in (periods, files, ids) if (all(marks) and len({*marks}) == len(marks)) or marks is ids
    )
