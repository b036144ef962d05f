"""`pincite search`: print cited passages."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from pincite.model.call import Call
from pincite.model.chunk import BREADCRUMB_SEPARATOR
from pincite.tools.answers.docs import SearchAnswer, SearchResult
from pincite.transports.cli.exit_codes import PARTIAL, SUCCESS
from pincite.transports.cli.indexing import index_all, opened
from pincite.transports.cli.output import Output, safe
from pincite.transports.cli.passages import print_passage
from pincite.transports.cli.running import page_of


def run(
    *,
    query: str,
    docs: Path,
    top_k: int,
    file_filter: str | None,
    explain: bool,
    db: Path | None,
    env_file: Path | None,
    log_level: str | None,
    as_json: bool,
) -> int:
    """Search and print the passages.

    Returns:
        1 if the answer may miss a change, else 0.

    Raises:
        PinciteError: See `Toolbox.call`.
    """
    output = Output(as_json=as_json)
    with opened(docs, db, env_file, log_level) as app:
        index_all(app, output)
        arguments = {"query": query, "top_k": top_k, "file_filter": file_filter, "explain": explain}
        answer = cast("SearchAnswer", app.toolbox.call("search_docs", arguments, Call()))
        output.data(answer.model_dump(mode="json"))
        for number, result in enumerate(answer.results, 1):
            _show(output, number, result, answer.did_you_mean or query, page_of(app))
    if not answer.results:
        output.line(f"No passage found in {answer.total_chunks} chunks.")
    if answer.did_you_mean:
        output.note(f"Searched for: {safe(answer.did_you_mean)}")
    if answer.note:
        output.note(answer.note)
    stale = answer.index is not None and answer.index.stale
    if stale and answer.index is not None:
        output.note(f"This answer may miss a change: {answer.index.reason}")
    return PARTIAL if stale else SUCCESS


def _show(output: Output, number: int, result: SearchResult, query: str, page: str) -> None:
    breadcrumb, title = result.metadata.heading_path, result.metadata.title
    if breadcrumb.split(BREADCRUMB_SEPARATOR)[0] != title:
        breadcrumb = BREADCRUMB_SEPARATOR.join(part for part in (title, breadcrumb) if part)
    output.line(f"{number}. {output.style(safe(breadcrumb), 'bold')}")
    place = ", ".join(filter(None, (safe(result.metadata.file_path), _pages(result.metadata.page_numbers or []))))
    output.line(output.style(f"   {place}  score {result.score:.2f}", "dim"))
    if result.explanation:
        parts = result.explanation
        phrase = f" + phrase {parts.phrase:.3f}" if parts.phrase else ""
        output.line(output.style(f"   meaning {parts.meaning:.3f} + words {parts.words:.3f}{phrase}", "dim"))
    print_passage(output, result, query, page)


def _pages(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    return f"page {numbers[0]}" if len(numbers) == 1 else f"pages {numbers[0]} to {numbers[-1]}"
