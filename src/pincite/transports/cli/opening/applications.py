"""Open what a command works on: a folder, the library, or a file."""

import math
import sys
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar, cast

from pincite.app import App
from pincite.app.collections import has_library, library_spec
from pincite.errors import InvalidInput, NotFound, PinciteError
from pincite.formats.base import Blob
from pincite.index.collection import Collection
from pincite.model.call import Call
from pincite.model.sizes import MEGABYTE
from pincite.settings import Settings
from pincite.store.base import Snapshot
from pincite.text.counts import counted
from pincite.text.names.glob import Predicate
from pincite.tools.answers.docs import StatusAnswer
from pincite.tools.citations import VerifiedQuote, find_quote
from pincite.transports.cli.clients.files import is_url
from pincite.transports.cli.opening import configuration
from pincite.transports.cli.opening.consent import check_consent
from pincite.transports.cli.opening.places import existing, folder_of
from pincite.transports.cli.parameters import HERE
from pincite.transports.cli.printing import streams
from pincite.transports.cli.printing.output import Output
from pincite.transports.cli.printing.stages import Stages

T = TypeVar("T")

STDIN = "-"
"""The argument that stands for standard input."""

POLL_SECONDS = 0.1
"""Interval at which the progress of embedding is polled."""

GO_ON = "Run the same command again to go on."
LIST_IDS = "The library's documents and their ids: pincite status --library"


@contextmanager
def opened(
    docs: Path | None,
    db: Path | None,
    env_file: Path | None,
    log_level: str | None,
    *,
    warn: bool = True,
    yes: bool = True,
) -> Generator[App]:
    """Open a folder, or the library for None; close it at the end. If it is interrupted, say what is indexed.

    Args:
        docs: The folder, or a file in it.
        db: Its index file; None for the one in the cache.
        env_file: See `configuration.for_shell`, as for the others.
        log_level: As above.
        warn: As above.
        yes: Index the folder without asking; see `check_consent`.

    Raises:
        ConfigError: A setting is invalid, or the library cannot be opened.
        InvalidInput: The folder does not exist, or may not be indexed.
        NotFound: There is no library; a question makes none.
    """
    docs = docs and existing(folder_of(docs))
    settings = configuration.for_shell(env_file, log_level, docs, warn=warn)
    if docs is None and not has_library(settings):
        location = library_spec(settings).location
        raise NotFound(f"There is no library at {location}. Add documents: pincite ingest FOLDER. Or set DATA_DIR.")
    configuration.check_database(db)
    with closing(App(settings, docs, db, toolsets=["knowledge", "citations"] if docs is None else ())) as app:
        if docs is None:
            app.opened_library()
        elif not yes:
            check_consent(app, docs)
        try:
            yield app
        except NotFound as error:
            if docs is None:
                error.suggestion = error.suggestion or LIST_IDS
            raise
        except KeyboardInterrupt:
            _say_indexed(app)
            raise


def _say_indexed(app: App) -> None:
    if statistics := of_indexed(app, lambda snapshot: snapshot.statistics()):
        waiting = statistics.waiting_chunks
        missing = f", {counted(waiting, 'passage')} of them by keyword alone" if waiting else ""
        streams.say(f"Interrupted: {counted(statistics.documents, 'document')} indexed{missing}. {GO_ON}\n")


def of_indexed(app: App, answer: Callable[[Snapshot], T]) -> T | None:
    """Return an answer from the index of a folder as it is; None if there is none, or it cannot be read."""
    if app.folder is not None and app.folder.location.exists():
        with suppress(PinciteError), app.collection().store.snapshot() as snapshot:
            return answer(snapshot)
    return None


def answer_of(
    answer: Callable[[App], T],
    docs: Path | None,
    db: Path | None,
    env_file: Path | None,
    log_level: str | None,
    *,
    library: bool,
    yes: bool,
) -> T:
    """Return an answer about a reference: of the folder or library that is named, else of the first that has it, the
    library in DATA_DIR or the working directory.

    Raises:
        PinciteError: See `opened`, and what `answer` raises.
    """
    tries_library = not library and docs is None and _has_library_file(env_file, log_level)
    if tries_library:
        with suppress(NotFound), opened(None, db, env_file, log_level) as app:
            return answer(app)
    with opened(None if library else docs or HERE, db, env_file, log_level, warn=not tries_library, yes=yes) as app:
        return answer(app)


def _has_library_file(env_file: Path | None, log_level: str | None) -> bool:
    """Return True if there is a library here; to look for one in a database would make it."""
    settings = configuration.for_shell(env_file, log_level, warn=False)
    return settings.storage.store_url is None and has_library(settings)


@contextmanager
def opened_for_extraction(settings: Settings, root: Path) -> Generator[App]:
    """Open an application whose tools may read the files of one folder: an agent's, wherever the folder is."""
    roots = {"allowed_roots": (root.resolve(),)}
    own = settings.model_copy(update={"extraction": settings.extraction.model_copy(update=roots)})
    with closing(App(own, None, toolsets=["extraction"])) as app:
        yield app


def status_of(app: App, call: Call) -> StatusAnswer:
    """Return the status of a folder, after indexing the changes that fit the budget."""
    return cast("StatusAnswer", app.toolbox.call("get_status", {}, call))


def quote_in(app: App, quote: str, keep: Predicate | None, call: Call) -> VerifiedQuote:
    """Return where the folder or the library has a quote; see `find_quote`."""
    collection = app.library_collection() if app.folder is None else app.collection()
    with collection.view(call, semantic=False) as view:
        return find_quote(view, quote, call, keep)


def index_all(app: App, output: Output) -> None:
    """Index the folder, text first and then vectors, for at most `PINCITE_FRESH_BUDGET` seconds.

    Return early if the rest cannot be indexed now, as on a full disk: the answer says what is missing and why.
    """
    deadline = time.monotonic() + app.settings.freshness.budget
    with output.progress() as progress:
        stages = Stages(progress, lambda: passages_of(app.collection()))
        app.model_progress = stages.fetched
        while time.monotonic() < deadline:
            index = status_of(app, Call(progress=stages.documents)).index
            if index is None or index.indexing is None:
                return
            # The status call already spent the budget on the text; vectors are computed in the background.
            if index.pending or app.collection().background_failure:
                return
            stages.documents(index.indexing.total, index.indexing.total, "")
            time.sleep(POLL_SECONDS)


def passages_of(collection: Collection) -> tuple[int, int]:
    """Return the number of its passages, and of those without a vector."""
    with collection.store.snapshot() as snapshot:
        statistics = snapshot.statistics()
    return statistics.chunks, statistics.waiting_chunks


def text_argument(argument: str) -> str:
    """Return an argument, or what standard input has for `-`."""
    return sys.stdin.read() if argument == STDIN else argument


@contextmanager
def local_file(source: str, settings: Settings, call: Call) -> Generator[Path]:
    """Return the path of a document: its own, or that of a temporary copy of a URL, or of standard input for `-`.

    Raises:
        InvalidInput: The URL is malformed.
        DownloadFailed: It cannot be downloaded, or may not.
    """
    if source != STDIN and not is_url(source):
        yield Path(source)
        return
    with TemporaryDirectory() as folder:
        blob = Blob("stdin", sys.stdin.buffer.read()) if source == STDIN else _downloaded(source, settings, call)
        copy = Path(folder, blob.name)
        copy.write_bytes(blob.data)
        yield copy


def _downloaded(url: str, settings: Settings, call: Call) -> Blob:
    from pincite.app.documents import download  # noqa: PLC0415 - a slow import, needed only for a URL

    return download(settings, url, call)


def read_blob(file: Path, settings: Settings) -> Blob:
    """Return the content of a document; see `file_bytes`."""
    return Blob(file.name, file_bytes(file, int(max(settings.limits.max_file) * MEGABYTE)))


def file_bytes(file: Path, max_bytes: float = math.inf) -> bytes:
    """Return the content of a file.

    Raises:
        InvalidInput: It does not exist, is a folder, too large, or unreadable.
    """
    try:
        if file.is_dir():
            raise InvalidInput(f"{file.name!r} is a folder. Name a file in it, or serve it: pincite serve FOLDER")
        if file.stat().st_size > max_bytes:
            raise InvalidInput(f"{file.name!r} is larger than {max_bytes / MEGABYTE:g} MB. Raise PINCITE_MAX_FILE.")
        return file.read_bytes()
    except FileNotFoundError:
        raise InvalidInput(f"There is no file {file.name!r} here. Check the path.") from None
    except OSError as error:
        raise InvalidInput(f"{file.name!r} cannot be read: {error.strerror}.") from error
