from pathlib import Path

import pytest

from pincite.app import App
from support.searched import WAYS, app_that_ranks, explained, write
from support.serving import MakeApp, ask, files

PHRASE_PAGES = {
    "target.md": "# Notes\n\nKeep the lid on the [kettle](https://kettles.example/lid) until **the water** is hot.\n",
    "lid.md": "# The lid of the kettle\n\nLid, kettle, hot water. The kettle has a lid; keep the lid on. Hot!\n",
    "water.md": "# Hot water\n\nThe water is hot, on and on: kettle, kettle, lid, until it boils, keep, keep.\n",
    "other.md": "# Geese\n\nThe goose said nothing at all and flew away over the hills.\n",
}


@pytest.fixture(params=WAYS)
def phrase_app(request: pytest.FixtureRequest, folder: Path, make_app: MakeApp, tmp_path: Path) -> App:
    write(folder, PHRASE_PAGES)
    return app_that_ranks(request.param, make_app, tmp_path)


@pytest.mark.parametrize(
    "query",
    [
        "the lid on the kettle until the water",
        "KETTLE, until the water; is hot",
        '"until the water"',
        "what happens “until the water”?",
        "«kettle until the» hot lid keep water kettle lid",
        '"keep the lid on the kettle" and "water is hot"',
        '"until the water" "the goose is cooked"',
    ],
)
def test_a_phrase_that_one_chunk_holds_brings_it_first(phrase_app: App, query: str) -> None:
    answer = ask(phrase_app, query, explain=True)
    scores = [hit.score for hit in answer.results]
    assert files(answer)[0] == "target.md"
    assert scores == sorted(scores, reverse=True) and scores[-1] >= 0 and scores[0] <= 1
    assert [explained(hit) for hit in answer.results] == pytest.approx(scores, abs=3e-6)


def test_two_words_side_by_side_in_one_chunk_alone_bring_it_first(folder: Path, make_app: MakeApp) -> None:
    pages = {
        "editor.md": "# Editor\n\nDatei im Editor öffnen, darin suchen.\n\nDatei speichern.\n\nOhne Speichern aus.\n",
        "dump.md": "# Ausgabe\n\nSpeichern der Ausgabe in eine Datei, anzeigen, speichern und Datei.\n",
        "copy.md": "# Kopien\n\nDie Datei, die man speichern muss, und Kopien.\n",
    }
    write(folder, pages)
    assert files(ask(make_app(), "Datei speichern"))[0] == "editor.md"


@pytest.mark.parametrize("query", ['"kettles until water"', '"water the hot"', "“hot is the water”"])
def test_a_phrase_that_occurs_nowhere_is_reported_and_its_words_are_searched(phrase_app: App, query: str) -> None:
    answer = ask(phrase_app, query)
    assert answer.note is not None and answer.note.startswith(f"No passage contains “{query[1:-1]}” word for word")
    assert files(answer)


def test_a_long_phrase_in_a_note_is_cut(phrase_app: App) -> None:
    note = ask(phrase_app, f'"{"kettle " * 1000}"').note
    assert note is not None and note.count("kettle") < 20


def test_a_filter_holds_for_phrases_too(phrase_app: App) -> None:
    answer = ask(phrase_app, '"until the water"', file_filter="lid.md")
    assert files(answer) == ["lid.md"]
    claim = "No passage that matches file_filter contains “until the water”"
    assert answer.note is not None and answer.note.startswith(claim)


def test_a_word_in_quotation_marks_is_not_repaired(folder: Path, make_app: MakeApp) -> None:
    write(folder, {"a.md": "# Histogram\n\nbuckets\n", "b.md": "# Other\n\nwalrus\n"})
    assert ask(make_app(), '"histogrram buckets"').did_you_mean is None


@pytest.mark.parametrize("pattern", ["{}", '"{}"'])
def test_a_phrase_longer_than_a_word_search_looks_up_comes_first(phrase_app: App, folder: Path, pattern: str) -> None:
    words = [f"{first}{second}" for first in "abcdefg" for second in "abcdefghij"]
    write(folder, {f"{n:02}.md": " ".join([*words[:-n], *reversed(words[-n:])]) for n in range(1, 9)})
    answer = ask(phrase_app, pattern.format(" ".join([*words[:-4], *reversed(words[-4:])])))
    assert files(answer)[0] == "04.md"
    assert answer.results[0].score > answer.results[1].score
    assert answer.note is None or "word for word" not in answer.note
