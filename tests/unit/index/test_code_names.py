from pathlib import Path

import pytest

from pincite.app import App
from support.searched import WAYS, app_that_ranks, explained, write
from support.serving import MakeApp, ask, files

PAGES = {
    "reference.html": "<h1>Client</h1><p>A connection.</p><h2>Methods</h2><dl><dt>drain_all(timeout)</dt>"
    "<dd>Waits until the queues are empty.</dd></dl>",
    "settings.md": "# Settings\n\n## Queues\n\n| name | default |\n| --- | --- |\n| `max_queue_size` | 50 |\n",
    "guide.md": "# Use drain_all\n\nCall Client.drain_all, then Client.drain_all again: drain_all and max_queue_size, "
    "drain_all and max_queue_size. More of Client.drain_all in the reference, and of max_queue_size in the settings.\n",
    "news.md": "# News\n\nmax_queue_size is new. max_queue_size replaces queue_size; max_queue_size counts.\n",
}


@pytest.fixture(params=WAYS)
def app(request: pytest.FixtureRequest, folder: Path, make_app: MakeApp, tmp_path: Path) -> App:
    write(folder, PAGES)
    return app_that_ranks(request.param, make_app, tmp_path)


@pytest.mark.parametrize(
    ("query", "file"),
    [
        ("max_queue_size", "settings.md"),
        ("what is the default of max_queue_size", "settings.md"),
        ("drain_all() timeout", "reference.html"),
    ],
)
def test_what_defines_a_name_comes_before_what_mentions_it(app: App, query: str, file: str) -> None:
    answer = ask(app, query, explain=True)
    assert files(answer)[0] == file
    assert [explained(hit) for hit in answer.results] == pytest.approx([hit.score for hit in answer.results], abs=3e-6)


def test_a_phrase_in_quotation_marks_comes_before_a_definition(app: App) -> None:
    assert files(ask(app, 'max_queue_size "replaces queue_size"'))[0] == "news.md"


def test_a_definition_below_its_class_is_found_among_many_mentions(app: App, folder: Path) -> None:
    mention = "# Page {0}\n\nmail.Box.empty_all and mail.Box.empty_all: mail.Box.empty_all on page {0}.\n"
    filler = "Letters of all kinds, from near and far, are kept for as long as their owner wishes. " * 60
    defining = f"# mail\n\n## Box objects\n\n{filler}\n\n- **empty_all(n)**\n  Empties it.\n"
    write(folder, {"mail.md": defining} | {f"{number}.md": mention.format(number) for number in range(60)})
    assert files(ask(app, "mail.Box.empty_all"))[0] == "mail.md"
