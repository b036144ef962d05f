"""Whether a folder is indexed that a person may not have meant: a large one, or wherever the command was started."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pincite.app import App
from pincite.errors import InvalidInput
from pincite.text.counts import counted
from pincite.text.excerpt import excerpt
from pincite.transports.cli.opening.configuration import is_in_repository
from pincite.transports.cli.parameters import HERE
from pincite.transports.cli.printing import streams

if TYPE_CHECKING:
    from pincite.sources.folder import FolderSource


def check_consent(app: App, docs: Path) -> None:
    """Ask before a large folder, or a working directory outside of a repository, is indexed for the first time.

    Raises:
        InvalidInput: The answer is no, or there is no terminal to ask at.
    """
    if app.folder is None or app.folder.location.exists() or app.settings.storage.store_url is not None:
        return
    reason = _reason(app, docs)
    if not reason:
        return
    message = f"{excerpt(str(docs.resolve()))} {reason} and is not indexed yet."
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InvalidInput(f"{message} Add --yes to index it, or name a folder: --docs ./docs")
    streams.say(f"{message} Index it? [y/N] ")
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise InvalidInput("Nothing was indexed. Name a folder: --docs ./docs")


def _reason(app: App, docs: Path) -> str:
    most = app.settings.limits.unasked_files
    with closing(cast("FolderSource", app.folder_source(docs))) as source:
        if source.has_more_than(most):
            return f"has more than {counted(most, 'file')}"
    # By identity: a person who names `.` has said which folder is meant.
    return "is in no repository" if docs is HERE and not is_in_repository(Path.cwd()) else ""
