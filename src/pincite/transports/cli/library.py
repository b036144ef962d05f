"""`--library` of `pincite search`, `read` and `status`: the library in DATA_DIR instead of a folder."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from pincite.app import App
from pincite.app.collections import has_library, library_spec
from pincite.errors import NotFound
from pincite.model.call import Call
from pincite.model.units import MEGABYTE
from pincite.toolkit import Answer
from pincite.tools.answers.knowledge import Passage, PassagesAnswer, StatsAnswer
from pincite.transports import logging
from pincite.transports.cli import configuration
from pincite.transports.cli.exit_codes import PARTIAL, SUCCESS
from pincite.transports.cli.output import Output, safe
from pincite.transports.cli.passages import print_passage
from pincite.transports.cli.running import page_of


@contextmanager
def opened_library(env_file: Path | None, log_level: str | None) -> Generator[App]:
    """Open the library; close it at the end.

    Raises:
        ConfigError: A setting is invalid, or the library cannot be opened.
        NotFound: There is no library; a question makes none.
    """
    settings = configuration.for_shell(env_file, log_level)
    if not has_library(settings):
        place = library_spec(settings).location
        raise NotFound(f"There is no library at {place}. Add documents: pincite ingest FOLDER. Or set DATA_DIR.")
    level = settings.logging.level if "level" in settings.logging.model_fields_set else "CRITICAL"
    logging.configure(level, settings.logging.format or "text")
    app = App(settings, None, toolsets=["knowledge", "citations"])
    try:
        yield app
    finally:
        app.close()


def search(*, query: str, top_k: int, env_file: Path | None, log_level: str | None, as_json: bool) -> int:
    """Search the library and print the passages.

    Returns:
        1 if a file changed or is gone since it was ingested, else 0.

    Raises:
        PinciteError: See `Toolbox.call`.
    """
    output = Output(as_json=as_json)
    with opened_library(env_file, log_level) as app, output.progress() as progress:
        app.model_progress = progress
        arguments = {"query": query, "n_results": top_k}
        answer = cast("PassagesAnswer", app.toolbox.call("knowledge_search", arguments, Call(progress=progress)))
    output.data(answer.model_dump(mode="json"))
    for number, result in enumerate(answer.results, 1):
        _show(output, number, result, answer.did_you_mean or query, page_of(app))
    if answer.message:
        output.line(f"{answer.message}.")
    for note in (*(answer.suggestions or ()), *(answer.warnings or ())):
        output.note(note)
    return _code(output, answer)


def status(*, env_file: Path | None, log_level: str | None, as_json: bool) -> int:
    """Print what the library holds.

    Returns:
        1 if a file changed or is gone since it was ingested, else 0.

    Raises:
        PinciteError: See `Toolbox.call`.
    """
    output = Output(as_json=as_json)
    with opened_library(env_file, log_level) as app:
        answer = cast("StatsAnswer", app.toolbox.call("knowledge_stats", {}, Call()))
        library = app.library_collection()
        place, tokenizer = library.store.place(), library.embedder.embedder.tokenizer.identity
    output.data(answer.model_dump(mode="json"))
    base = answer.knowledge_base
    rows = [
        ("library", f"{place} ({base.storage_bytes / MEGABYTE:.1f} MB)"),
        ("documents", f"{base.total_documents} in {base.total_chunks} chunks, {base.total_tokens} tokens"),
        ("model", f"{answer.embedding.model}, {answer.embedding.dimensions} dimensions"),
        ("tokens", f"counted by {tokenizer}"),
    ]
    rows += [
        ("", f"{each.document_id}: {each.document_title} ({each.document_type}, {each.chunk_count} chunks)")
        for each in answer.documents
    ]
    for label, value in rows:
        output.line(f"{output.style(f'{label:<12}', 'dim')}{safe(value)}")
    for each in answer.documents:
        if each.incomplete:
            output.note(f"{each.document_id}: {each.incomplete}")
    return _code(output, answer)


def _show(output: Output, number: int, result: Passage, query: str, page: str) -> None:
    output.line(f"{number}. {output.style(safe(result.source.citation), 'bold')}")
    kind = f"{result.metadata.chunk_type}{', normative' if result.metadata.normative else ''}"
    output.line(output.style(f"   {safe(result.source.document_id)}  {kind}  score {result.score:.2f}", "dim"))
    print_passage(output, result, query, page)


def _code(output: Output, answer: Answer) -> int:
    if answer.index is None or not answer.index.stale:
        return SUCCESS
    output.note(f"{answer.index.reason} Bring in what changed: pincite ingest")
    return PARTIAL
