import sqlite3
from pathlib import Path

from pincite.store.sqlite.summary import summary
from support.serving import MakeApp, ask, index_of


def test_what_an_index_holds_is_read_from_its_file_the_shallowest_first_then_the_longest(
    folder: Path, make_app: MakeApp
) -> None:
    for name, text in {
        "z.md": "# Zebra\n",
        "deep/a.md": "# Deep\n",
        "bad.md": "no title\n",
        "more.md": "# More\n\nText.\n",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    app = make_app(PINCITE_FRESH_BUDGET="60")
    ask(app, "zebra")
    assert app.folder is not None
    count, titles = summary(index_of(app), app.folder.identity) or (0, [])
    assert (count, titles) == (4, [("more.md", "More"), ("bad.md", ""), ("z.md", "Zebra"), ("deep/a.md", "Deep")])
    assert summary(index_of(app), "another folder") is None


def test_of_no_index_and_of_another_file_nothing_is_known_and_nothing_is_created(tmp_path: Path) -> None:
    assert summary(tmp_path / "none.db", "") is None and not (tmp_path / "none.db").exists()
    (tmp_path / "text.db").write_text("no database")
    assert summary(tmp_path / "text.db", "") is None
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE meta (x)")
    assert summary(tmp_path / "other.db", "") is None
