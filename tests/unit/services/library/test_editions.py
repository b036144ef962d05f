"""Two editions compared."""

import pytest

from pincite.chunking.clauses import ClausePolicy
from pincite.model.call import Call
from pincite.model.store import StoredChunk
from pincite.services.library.editions import Change, compare
from support.cut_documents import Words, document

OLD = """# 1 Doors

Every door shall have a lock.

The lock shall resist ten minutes of attack by one person.

# 2 Keys

Keys shall be counted every year.

Keys should be green.

# 3 Windows

Windows shall close.
"""


def chunks(text: str) -> list[StoredChunk]:
    cut = ClausePolicy(50, 200, 10).cut(document(text), Words(), Call())
    return [StoredChunk(n, 1, "a", "r", 0, each.breadcrumb, each) for n, each in enumerate(cut)]


def compared(new: str, old: str = OLD) -> tuple[list[tuple[str, str, str]], int]:
    changes, unchanged = compare(chunks(old), chunks(new), Call())
    return [(each.change.value, clause(each.old), clause(each.new)) for each in changes], unchanged


def clause(stored: StoredChunk | None) -> str:
    return stored.chunk.tags.clause if stored else ""


def test_an_edition_does_not_differ_from_itself() -> None:
    assert compared(OLD) == ([], 5)


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("Keys should be green.\n", "", [("removed", "2", "")]),
        ("Windows shall close.\n", "Windows shall close.\n\nBlinds shall open.\n", [("added", "", "3")]),
        ("ten minutes", "twenty minutes", [("changed", "1", "1")]),
        ("# 3 Windows", "# 4 Windows", [("renumbered", "3", "4")]),
        ("# 2 Keys\n\nKeys shall be counted", "# 2 Keys\n\n## 2.1 All\n\nKeys shall be counted each and",
         [("changed", "2", "2.1"), ("renumbered", "2", "2.1")]),
        ("every year.", "every  YEAR", []),
    ],
    ids=["removed", "added", "changed", "renumbered", "changed and renumbered", "spaces and case"],
)  # fmt: skip
def test_a_requirement_is_found_by_its_words_then_by_its_number(
    old: str, new: str, changes: list[tuple[str, str, str]]
) -> None:
    assert compared(OLD.replace(old, new))[0] == changes


def test_the_number_beside_a_row_is_no_part_of_its_words() -> None:
    rows = "# 2 Checks\n\n| Nr | Text |\n|---|---|\n| {} | Verify that keys turn. |\n| {} | Verify that locks hold. |\n"
    changes, unchanged = compared(rows.format("2.1", "2.3"), rows.format("2.1", "2.2"))
    assert (changes, unchanged) == ([("renumbered", "2.2", "2.3")], 1)


def test_of_one_text_in_two_clauses_each_is_found_in_its_own() -> None:
    text = "# 1 A\n\nIt shall close.\n\n# 2 B\n\nIt shall close.\n"
    assert compared(text, text) == ([], 2)
    assert compared("# 2 B\n\nIt shall close.\n", text) == ([(Change.REMOVED.value, "1", "")], 1)
