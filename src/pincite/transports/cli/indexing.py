"""Open a folder for one command, and index it completely first."""

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

POLL_SECONDS = 0.1
"""Interval at which the progress of embedding is polled."""


@contextmanager
def opened(docs: Path, db: Path | None, env_file: Path | None, log_level: str | None) -> Generator[App]:
    """Open the folder; close it at the end.

    Raises:
        ConfigError: The folder does not exist, or a setting is invalid.
    """
    settings = configuration.for_shell(env_file, log_level, docs)
    # The result reports problems itself, so at a shell the log is shown only if a level was set.
    level = settings.logging.level if "level" in settings.logging.model_fields_set else "CRITICAL"
    logging.configure(level, settings.logging.format or "text")
    configuration.check_database(db)
    app = App(settings, docs, db)
    try:
        yield app
    finally:
        app.close()


def status_of(app: App, call: Call) -> StatusAnswer:
    """Return the status of a folder, after indexing the changes that fit the budget."""
    return cast("StatusAnswer", app.toolbox.call("get_status", {}, call))


def index_all(app: App, output: Output) -> None:
    """Index the folder, text first and then vectors, for at most `PINCITE_FRESH_BUDGET` seconds.

    Return early if the rest cannot be indexed now, as on a full disk: the answer says what is missing and why.
    """
    deadline = time.monotonic() + app.settings.freshness.budget
    with output.progress() as progress:
        call = Call(progress=progress)
        app.model_progress = progress
        while time.monotonic() < deadline:
            index = status_of(app, call).index
            if index is None or index.indexing is None:
                return
            # The status call already spent the budget on the text; vectors are computed in the background.
            if index.pending or app.collection().background_failure:
                return
            # While the model is downloaded, its own progress is shown.
            if not app.collection().embedder.loading:
                progress(index.indexing.done, index.indexing.total, "documents indexed")
            time.sleep(POLL_SECONDS)
