"""A folder, opened for one command at a shell, and brought wholly in before it is asked."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from pincite.app import App
from pincite.model.call import Call
from pincite.tools.answers.docs import StatusAnswer
from pincite.transports import logging
from pincite.transports.cli import configuration
from pincite.transports.cli.output import Output

LOOK_SECONDS = 0.1
"""How often the progress of embedding is looked at."""


@contextmanager
def opened(docs: Path, db: Path | None, env_file: Path | None, log_level: str | None) -> Generator[App]:
    """The folder, to be asked; closed at the end.

    Raises:
        ConfigError: The folder is not there, or a setting is wrong.
    """
    settings = configuration.for_shell(env_file, log_level, docs)
    # At a shell the result is what counts: what went wrong is said in it, and the log is there for who asks.
    level = settings.logging.level if "level" in settings.logging.model_fields_set else "CRITICAL"
    logging.configure(level, settings.logging.format or "text")
    configuration.check_database(db)
    app = App(settings, docs, db)
    try:
        yield app
    finally:
        app.close()


def status_of(app: App, call: Call) -> StatusAnswer:
    """The status of a folder, with every change in it that the budget allows."""
    return cast("StatusAnswer", app.toolbox.call("get_status", {}, call))


def bring_in(app: App, output: Output) -> None:
    """Index what is not indexed yet: words, then vectors; for as long as `PINCITE_FRESH_BUDGET` says.

    Return early where the rest cannot be indexed now, as on a full disk: the answer says what is missing and why.
    """
    deadline = time.monotonic() + app.settings.freshness.budget
    with output.progress() as progress:
        call = Call(progress=progress)
        app.model_progress = progress
        while time.monotonic() < deadline:
            index = status_of(app, call).index
            if index is None or index.indexing is None:
                return
            # The status took all the time that there is for the words; the vectors come in the background.
            if index.pending or app.index().background_error:
                return
            # While the model is fetched, that is what is waited for.
            if not app.index().embedder.loading:
                progress(index.indexing.done, index.indexing.total, "documents indexed")
            time.sleep(LOOK_SECONDS)
