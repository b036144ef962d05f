"""One progress over reading and embedding."""

import pytest

from pincite.model.call import Progress
from pincite.model.sizes import MEGABYTE
from pincite.transports.cli.printing import stages as module
from pincite.transports.cli.printing.stages import Stages

Shown = tuple[float, float | None, str]


def into(shown: list[Shown]) -> Progress:
    def show(done: float, total: float | None, message: str) -> None:
        shown.append((done, total, message))

    return show


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Shown]:
    monkeypatch.setattr(module, "COUNT_SECONDS", 0)
    return []


def test_a_document_is_complete_once_its_passages_are_embedded(shown: list[Shown]) -> None:
    counts = 0, 0
    stages = Stages(into(shown), lambda: counts)
    stages.documents(0.5, 4, "a.pdf: 5 of 10 pages read")
    counts = 100, 100
    stages.documents(2, 4, "b.md")
    counts = 200, 50
    stages.documents(4, 4, "")
    counts = 200, 0
    stages.show()
    assert shown == [
        (0, 4, "0 read, a.pdf: 5 of 10 pages read"),
        (0, 4, "2 read, 0/100 passages embedded, b.md"),
        (3, 4, "150/200 passages embedded"),
        (4, 4, "200/200 passages embedded"),
    ]


def test_what_is_complete_stays_so_when_more_is_read(shown: list[Shown]) -> None:
    counts = 10, 0
    stages = Stages(into(shown), lambda: counts)
    stages.documents(2, 4, "")
    counts = 1000, 990
    stages.documents(3, 4, "")
    assert [done for done, _, _ in shown] == [2, 2]


def test_the_model_is_shown_while_it_is_fetched(shown: list[Shown]) -> None:
    stages = Stages(into(shown), lambda: (10, 10))
    stages.documents(1, 1, "a.md")
    stages.fetched(45 * MEGABYTE, 91 * MEGABYTE, "Fetching the embedding model")
    stages.fetched(91 * MEGABYTE, 91 * MEGABYTE, "Fetching the embedding model")
    assert [message.rpartition(", ")[2] for _, _, message in shown] == [
        "a.md",
        "Fetching the embedding model: 45 of 91 MB",
        "a.md",
    ]
