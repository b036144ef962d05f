"""Two editions of a standard, as the tool and the command line answer with their differences."""

from collections import Counter

from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.search import Hit, Parts
from pincite.model.store import StoredChunk
from pincite.services.library.editions import compare
from pincite.tools.answers.cited import requirement_of
from pincite.tools.answers.knowledge import ComparisonAnswer, EditionChange, Requirement


def comparison(view: View, call: Call, old: str, new: str) -> ComparisonAnswer:
    """Return what differs between two documents of a library.

    Raises:
        NotFound: There is no document of one of these ids.
    """
    before, after = view.document(old), view.document(new)
    changes, unchanged = compare(view.chunks(before), view.chunks(after), call)
    return ComparisonAnswer(
        old=before.label,
        new=after.label,
        changes=[
            EditionChange(change=edit.change.value, old=_shown(view, edit.old), new=_shown(view, edit.new))
            for edit in changes
        ],
        counts={**Counter(edit.change.value for edit in changes), "unchanged": unchanged},
    )


def _shown(view: View, stored: StoredChunk | None) -> Requirement | None:
    return None if stored is None else requirement_of(view, Hit(stored, 0.0, None, Parts(0.0, 0.0)))
