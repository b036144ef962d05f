"""Pages written into a folder, to be searched."""

from pathlib import Path

from pincite.app import App
from pincite.tools.answers.docs import SearchResult
from support.serving import MakeApp

WAYS = ("meaning and words", "words alone")


def write(folder: Path, pages: dict[str, str]) -> None:
    for name, text in pages.items():
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text)


def app_that_ranks(way: str, make_app: MakeApp, tmp_path: Path) -> App:
    """An app that ranks by meaning and words, or by words alone as it has no model: one of `WAYS`."""
    if way == "words alone":
        return make_app(EMBEDDING_PROVIDER="local", PINCITE_FETCH_MODEL=False, PINCITE_CACHE=tmp_path / "empty")
    return make_app()


def explained(hit: SearchResult) -> float:
    """What the parts of a score add up to."""
    assert hit.explanation is not None
    return hit.explanation.meaning + hit.explanation.words + (hit.explanation.phrase or 0)
