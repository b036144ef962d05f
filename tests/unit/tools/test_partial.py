"""Out of time, a tool gives what it has, says that it is partial, and goes on where it stopped."""

import time
from pathlib import Path

from pincite.app import App
from pincite.model.call import Call
from pincite.tools.answers.docs import PageAnswer, PagesAnswer
from support.serving import MakeApp

SECTIONS = "".join(f"## Part {n}\n\ntext {n}\n\n" for n in range(5))


def filled(folder: Path, make_app: MakeApp) -> App:
    for n in range(4):
        (folder / f"{n}.md").write_text(SECTIONS)
    app = make_app()
    app.toolbox.call("list_pages", {}, Call())
    return app


def test_a_page_comes_in_parts(folder: Path, make_app: MakeApp) -> None:
    app = filled(folder, make_app)
    content, cursor, parts = "", None, 0
    while parts == 0 or cursor:
        arguments = {"file_path": "0.md", "cursor": cursor}
        answer = app.toolbox.call("get_page", arguments, Call(deadline=time.monotonic()))
        assert isinstance(answer, PageAnswer)
        assert answer.partial is (True if answer.next_cursor else None)
        content += "".join(chunk.content for chunk in answer.chunks)
        cursor, parts = answer.next_cursor, parts + 1
    assert content == SECTIONS and parts > 1


def test_a_list_of_pages_comes_in_parts(folder: Path, make_app: MakeApp) -> None:
    app = filled(folder, make_app)
    first = app.toolbox.call("list_pages", {}, Call(deadline=time.monotonic()))
    assert isinstance(first, PagesAnswer)
    assert ([page.file_path for page in first.pages], first.total_pages, first.partial) == (["0.md"], 4, True)
    rest = app.toolbox.call("list_pages", {"cursor": first.next_cursor}, Call())
    assert isinstance(rest, PagesAnswer)
    assert ([page.file_path for page in rest.pages], rest.partial) == (["1.md", "2.md", "3.md"], None)
