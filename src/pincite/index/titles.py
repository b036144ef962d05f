"""Titles that tell the documents of a library apart."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pincite.model.store import StoredDocument
from pincite.text.periods import years_in

PERIOD, TITLES = "period", "possible_titles"
"""Properties of a library's document: the period that it reports on, and its possible titles, a line each, the best
first, if it names none itself."""


_FORM = re.compile(r"form\s+\S{1,8}", re.IGNORECASE)
"""What names a form alone, as "FORM 8-K"."""
_WORD = re.compile(r"[^\W\d_]{2,}")


def with_period(title: str, period: str) -> str:
    """Return a title with the period that its document reports on, unless it names the year."""
    return title if not period or years_in(period) <= years_in(title) else f"{title}, {period}"


def distinct_titles(documents: Iterable[StoredDocument]) -> Mapping[str, str]:
    """Return the title of each document by its name: no two documents have the same.

    A heading that several documents begin with is skipped for the next one, unless the file is named after it and no
    other tells more: "ACME PLC, year ended May 1, 2023". Titles that are still equal get the period, the file name or
    the id.
    """
    known = {document.name: document for document in documents}
    titles_by_name = {name: document.properties.get(TITLES, "").splitlines() for name, document in known.items()}
    counts = Counter(title.casefold() for titles in titles_by_name.values() for title in dict.fromkeys(titles))
    same: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name, document in known.items():
        title = _title(document, titles_by_name[name], counts)
        same[title.casefold()][name] = title
    return {
        name: f"{title} ({mark})" if mark else title
        for titles in same.values()
        for (name, title), mark in zip(titles.items(), _marks([known[name] for name in titles]), strict=True)
    }


def _title(document: StoredDocument, titles: Sequence[str], counts: Mapping[str, int]) -> str:
    """Return the title that tells most of a document; `counts` has in how many documents each is."""
    period, file = document.properties.get(PERIOD, ""), _file(document)
    unique = [title for title in titles if counts[title.casefold()] == 1]
    telling = [title for title in unique if title != file and not _FORM.fullmatch(title)]
    words = {*_WORD.findall(document.name.casefold())}
    shared = [
        title for title in titles if title not in unique and not words.isdisjoint(_WORD.findall(title.casefold()))
    ]
    if not telling and shared:
        return with_period(shared[0], period) if period else f"{shared[0]} ({file})"
    own = next(iter([*telling, *unique]), "")
    return with_period(own, period) if own else document.label


def _file(document: StoredDocument) -> str:
    return document.source_key.rpartition("/")[2]


def _marks(documents: Sequence[StoredDocument]) -> Sequence[str]:
    """Return what tells documents of one title apart; nothing for a single one."""
    if len(documents) == 1:
        return [""]
    periods = [document.properties.get(PERIOD, "") for document in documents]
    files = [_file(document) for document in documents]
    ids = [document.name for document in documents]
    return next(
        marks for marks in (periods, files, ids) if (all(marks) and len({*marks}) == len(marks)) or marks is ids
    )
