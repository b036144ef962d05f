"""`pincite ingest` and the vector store: copying the library to it, and making the library again from it."""

from contextlib import suppress

from pincite.app import App
from pincite.app.plugins import required
from pincite.errors import Cancelled, ConfigError, PinciteError
from pincite.index.collection import Collection
from pincite.index.mirrors.mirrored import MirroredLibrary
from pincite.index.mirrors.rebuilding import RebuildReport, rebuild
from pincite.model.call import Call, Progress
from pincite.store.mirrors.base import EngineBusy, EngineTaken
from pincite.text.counts import counted
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.problems import NOTHING, PARTIAL, SUCCESS


def mirrored_of(library: Collection) -> MirroredLibrary:
    """Return the library with its vector store.

    Raises:
        ConfigError: The settings name none but the library itself.
    """
    if library.mirrored is None:
        raise ConfigError("VECTOR_STORE is sqlite: the library is its own. Set VECTOR_STORE to qdrant or chromadb.")
    return library.mirrored


def adopt(library: Collection) -> None:
    """Let this library go on from what the vector store holds, if that is what it holds itself.

    Raises:
        ConfigError: The vector store cannot be reached or used; one that another process has open, or that is busy,
            costs nothing.
        AuthError: It refuses the key.
    """
    if library.mirrored is not None:
        in_use = suppress(EngineBusy, EngineTaken)  # `copy` says so
        with required(f"VECTOR_STORE is {library.mirrored.name}."), in_use:
            library.mirrored.check()
            library.mirrored.adopt()


def copy(library: Collection, progress: Progress, *, takes_over: bool) -> str:
    """Bring the vector store up to date, if there is one; return why that failed, empty if it did not.

    What was ingested stays in the library, whatever becomes of the copy.
    """
    if library.mirrored is None:
        return ""
    try:
        library.mirrored.synchronise(Call(progress=progress), takes_over=takes_over)
    except Cancelled:
        raise
    except PinciteError as error:
        return (
            f"The {library.mirrored.name} store does not have these changes: {error.message} They are in the library; "
            "the next server or ingestion copies them."
        )
    return ""


def send(app: App, output: Output) -> int:
    """Make the vector store a copy of the library, whatever it holds; print what was done.

    Raises:
        ConfigError: There is no vector store, or it cannot be written.
        PinciteError: See `Mirror`.
    """
    library = app.library_collection()
    mirrored = mirrored_of(library)
    with output.progress() as progress:
        written, deleted = mirrored.synchronise(Call(progress=progress), takes_over=True)
    output.data({"store": mirrored.name, "written": written, "deleted": deleted})
    output.line(f"{mirrored.name}: {counted(written, 'document')} written, {deleted} deleted")
    return SUCCESS


def restore(app: App, output: Output, *, prune: bool) -> int:
    """Make the library again from the vector store; print what was done.

    Args:
        app: Has the library.
        output: The command's output.
        prune: Whether documents that the vector store does not have are removed.

    Returns:
        0 if all went well, 1 if some documents could not be restored, 2 if none could.

    Raises:
        ConfigError: There is no vector store, or nothing in it.
        PinciteError: See `Mirror`.
    """
    library = app.library_collection()
    mirrored = mirrored_of(library)
    with output.progress() as progress:
        report = rebuild(library.store, mirrored.mirror(), Call(progress=progress))
    if prune and report.surplus:
        library.ingestion.remove(report.surplus.values())
    _show(output, mirrored.name, report, removed=prune)
    if not report.restored and not report.unchanged:
        return NOTHING
    return PARTIAL if report.failed else SUCCESS


def _show(output: Output, name: str, report: RebuildReport, *, removed: bool) -> None:
    output.data(
        {
            "store": name,
            "restored": report.restored,
            "unchanged": report.unchanged,
            "failed": [{"document": document, "reason": reason} for document, reason in report.failed.items()],
            "surplus": list(report.surplus),
            "removed": removed,
            "chunks": report.chunks,
        }
    )
    output.line(
        f"{name}: {counted(len(report.restored), 'document')} restored, {len(report.unchanged)} unchanged, "
        f"{counted(report.chunks, 'chunk')}"
    )
    for document, reason in report.failed.items():
        output.line(safe(f"failed: {document}: {reason}"))
    if report.surplus:
        what = "removed" if removed else "kept; --prune removes them"
        output.note(f"{len(report.surplus)} that {name} does not have ({what}): {', '.join(report.surplus)}")
