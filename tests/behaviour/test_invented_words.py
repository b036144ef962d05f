"""An invented word that stands in one chunk alone finds that chunk first: two hundred of them, planted in the guide."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.app import App
from pincite.settings import load
from support.serving import ask

pytestmark = pytest.mark.slow

GUIDE = Path(__file__).with_name("guide")
PROSE = re.compile(r"^[A-Za-z][^\n|]{40,}", re.MULTILINE)
PLANTED = 200
FORMS = ("{}", "what is {}?", "{} {}")


def invented(chance: random.Random) -> str:
    """Consonants and vowels in turn: no language has the word, and no word of the guide is near it."""
    syllables = (chance.choice("bdfgjkmnpvwz") + chance.choice("aeiou") for _ in range(5))
    return "".join(syllables) + "x"


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The guide with a word in the middle of some line of prose, two hundred times."""
    chance = random.Random(20261121)  # noqa: S311 - a repeatable choice, not a secret
    words = list({invented(chance): None for _ in range(PLANTED)})
    folder = tmp_path_factory.mktemp("guide")
    texts = {page.name: page.read_text("utf-8") for page in GUIDE.glob("*.md")}
    for word in words:
        name = chance.choice(sorted(texts))
        line = chance.choice(list(PROSE.finditer(texts[name])))
        place = texts[name].index(" ", line.start() + 20)
        texts[name] = f"{texts[name][:place]} {word}{texts[name][place:]}"
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return folder, words


@pytest.fixture(params=["meaning and words", "words alone"])
def app(request: pytest.FixtureRequest, planted: tuple[Path, list[str]], tmp_path: Path) -> Iterator[App]:
    if request.param == "words alone":
        models = tmp_path / "empty"
        models.mkdir()
    else:
        models = request.getfixturevalue("model_cache")
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "models").symlink_to(models)
    settings = {"PINCITE_CACHE": tmp_path / "cache", "PINCITE_FETCH_MODEL": False, "PINCITE_FRESH_BUDGET": "inf"}
    app = App(load({**settings, "PINCITE_MODEL_GRACE": "inf"}), planted[0])
    yield app
    app.close()


def test_each_finds_its_chunk_first(app: App, planted: tuple[Path, list[str]]) -> None:
    assert len(planted[1]) == PLANTED
    missed = [
        query
        for word in planted[1]
        for query in (form.format(word, word) for form in FORMS)
        if word not in ask(app, query, top_k=1).results[0].content
    ]
    assert missed == []
