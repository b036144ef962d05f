"""Every vector store that is busy or away: statistics and health agree, and HTTP 503 is retried."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from pincite import settings
from pincite.app import App
from pincite.model.call import Call
from pincite.services.library.ingestion import plan, single_file
from support.altering_proxy import AlteringProxy, altering_proxy
from support.mirror_servers import ENGINES, mirror_server, url_setting
from support.waiting import wait_for


@pytest.fixture(params=ENGINES)
def library(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[App, AlteringProxy]]:
    """A library of one document, and what stands before its vector store."""
    engine: str = request.param
    with ExitStack() as stack:
        proxy = stack.enter_context(altering_proxy(mirror_server(engine, stack, tmp_path)))
        variables = {
            "DATA_DIR": tmp_path / "data",
            "EMBEDDING_PROVIDER": "hash",
            "PINCITE_MODEL_GRACE": "inf",
            "PINCITE_FRESH_BUDGET": "inf",
            "VECTOR_STORE": engine,
            url_setting(engine): proxy.url,
        }
        app = stack.enter_context(closing(App(settings.load(variables), None, toolsets=["knowledge"])))
        add(app, tmp_path / "keys.md", "# Keys\n\nKeys shall be rotated every 90 days.\n")
        synchronise(app)
        yield app, proxy


def add(app: App, page: Path, text: str) -> None:
    page.write_text(text)
    collection = app.library_collection()
    collection.ingestion.add(plan([single_file(page, 10**6)], ()).additions, Call())
    collection.start()
    assert wait_for(lambda: not collection.store.waiting_documents())


def synchronise(app: App) -> tuple[int, int]:
    mirrored = app.library_collection().mirrored
    assert mirrored is not None
    return mirrored.synchronise(Call())


def ask(app: App, tool: str, **arguments: object) -> dict[str, Any]:
    return app.toolbox.call(tool, arguments, Call()).model_dump(mode="json")


def test_statistics_say_of_the_store_what_health_says(library: tuple[App, AlteringProxy]) -> None:
    app, proxy = library

    def stated() -> tuple[str, str]:
        health = ask(app, "knowledge_health")["checks"]["vector_store"]["status"]
        return health, ask(app, "knowledge_stats")["vector_store"]["status"]

    assert stated() == ("up", "healthy")
    proxy.refuse = lambda _method, _path: 503
    assert ask(app, "knowledge_stats")["vector_store"]["status"] == "unavailable"
    assert stated() == ("down", "unavailable")
    proxy.refuse = None
    assert stated() == ("up", "healthy")


def test_an_engine_that_is_busy_is_asked_again(
    library: tuple[App, AlteringProxy], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pincite.index.mirrors.mirrored.BUSY_SECONDS", (0.0, 0.0, 0.0))
    monkeypatch.setattr("pincite.index.mirrors.mirrored.QUIET_SECONDS", 60.0)  # the background leaves it to us
    app, proxy = library
    answers = iter([503, 503])
    proxy.refuse = lambda method, path: (
        next(answers, None) if method == "PUT" or path.endswith(("/upsert", "/delete")) else None
    )
    add(app, tmp_path / "more.md", "# More\n\nThe vault shall be locked.\n")
    assert synchronise(app)[1] == 0 and next(answers, None) is None
    found = ask(app, "knowledge_search", query="vault locked")
    assert "locked" in found["results"][0]["content"] and not found.get("warnings")
