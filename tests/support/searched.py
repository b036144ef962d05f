"""Pages written into a folder, to be searched."""

from pathlib import Path

from pincite.tools.answers.docs import SearchResult


def write(folder: Path, pages: dict[str, str]) -> None:
    for name, text in pages.items():
        page = folder / name
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text)


def explained(hit: SearchResult) -> float:
    """What the parts of a score add up to."""
    assert hit.explanation is not None
    return hit.explanation.meaning + hit.explanation.words + (hit.explanation.phrase or 0)
