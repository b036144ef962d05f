"""What a search says where there was nothing to search."""

from pathlib import Path

import pytest

from support.serving import MakeApp, ask


@pytest.mark.usefixtures("no_background")
def test_an_empty_folder_is_told_from_one_that_is_being_read(folder: Path, make_app: MakeApp) -> None:
    app = make_app(PINCITE_FRESH_BUDGET="0")
    assert ask(app, "zebra").note == "The folder holds no page; get_status says what was left out."
    for n in range(40):
        (folder / f"{n:02}.md").write_text(f"# Page {n}\n\nA zebra.\n")
    note = ask(app, "zebra").note
    assert note is not None and note.startswith("The documents are being read, 0 of 40 so far: ask again in a moment")
    note = ask(app, "zebra", file_filter="0*.md").note
    assert note is not None and "0 of 10 so far" in note
    assert ask(app, "zebra", file_filter="none.md").note == "No page matches file_filter."


@pytest.mark.parametrize("file_filter", [None, "a.md"])
def test_a_folder_without_text_is_told_from_an_empty_one(
    folder: Path, make_app: MakeApp, file_filter: str | None
) -> None:
    (folder / "a.md").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(1000))
    note = ask(make_app(PINCITE_FRESH_BUDGET="inf"), "zebra", file_filter=file_filter).note
    assert note == "None of 1 pages holds text that could be read; get_status says why."
