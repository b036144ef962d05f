"""`pincite search`: print cited passages."""

from collections.abc import Sequence
from typing import Annotated, cast

import typer

from pincite.model.call import Call
from pincite.model.chunk import BREADCRUMB_SEPARATOR
from pincite.text.counts import counted
from pincite.tools.answers.docs import SearchAnswer, SearchResult
from pincite.tools.answers.knowledge import Passage, PassagesAnswer
from pincite.transports.cli.opening.applications import index_all, opened, text_argument
from pincite.transports.cli.opening.places import filter_of, missing_place, split_place
from pincite.transports.cli.opening.running import page_of
from pincite.transports.cli.parameters import HERE, Database, Docs, EnvFile, Json, Library, LogLevel, Out, Yes
from pincite.transports.cli.printing.output import Output, safe
from pincite.transports.cli.printing.passages import LIBRARY, note_stale, print_passage
from pincite.transports.cli.program import new_program

program = new_program()


@program.command(
    epilog="Example: pincite search how do I rotate the keys ./docs; quotation marks find a phrase word for word: "
    "pincite search '\"signing key\"' ./docs/keys.md"
)
def search(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="QUERY",
            help="A question, keywords or an identifier; - reads it from standard input. A last word that is the path "
            "of a folder or a file, as ./docs, is searched: the same as --docs.",
            show_default=False,
        ),
    ],
    docs: Docs = None,
    library: Library = False,
    top_k: Annotated[int, typer.Option("--top-k", "-k", min=1, max=20, help="Maximum number of passages.")] = 5,
    file_filter: Annotated[
        str | None,
        typer.Option(
            "--filter",
            metavar="GLOB",
            help="Search only files whose path matches, e.g. 'guides/**/*.md', or whose name does, e.g. glossary.md.",
        ),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show how each score is made up.")] = False,
    yes: Yes = False,
    db: Database = None,
    env_file: EnvFile = None,
    log_level: LogLevel = None,
    out: Out = None,
    as_json: Json = False,
) -> int:
    """Search a folder, or the library, by keyword and by meaning.

    The first search of a folder indexes it; later ones index only what has changed.
    """
    output = Output(as_json=as_json, file=out)
    terms, place = split_place(words, docs)
    query, docs = text_argument(" ".join(terms)), place or HERE
    if missing := missing_place(terms):
        output.note(f"There is no {safe(missing)} here: it was searched as a word.")
    with opened(None if library else docs, db, env_file, log_level, yes=yes) as app:
        page = page_of(app)
        if library:
            with output.progress() as progress:
                app.model_progress = progress
                arguments = {"query": query, "n_results": top_k}
                answer = app.toolbox.call("knowledge_search", arguments, Call(progress=progress))
            return _print_library(output, cast("PassagesAnswer", answer), query, page)
        index_all(app, output)
        arguments = {"query": query, "top_k": top_k, "file_filter": filter_of(docs, file_filter), "explain": explain}
        return _print(output, cast("SearchAnswer", app.toolbox.call("search_docs", arguments, Call())), query, page)


def _print(output: Output, answer: SearchAnswer, query: str, page: str) -> int:
    output.data(answer.model_dump(mode="json"))
    for number, result in enumerate(answer.results, 1):
        _show(output, number, result, answer.did_you_mean or query, page)
    if not answer.results:
        output.line(f"No passage found in {counted(answer.total_chunks, 'chunk')}.")
    if answer.did_you_mean:
        output.note(f"Searched for: {safe(answer.did_you_mean)}")
    if answer.note:
        output.note(answer.note)
    return note_stale(output, answer)


def _print_library(output: Output, answer: PassagesAnswer, query: str, page: str) -> int:
    output.data(answer.model_dump(mode="json"))
    for number, result in enumerate(answer.results, 1):
        _show_of_library(output, number, result, answer.did_you_mean or query, page)
    if answer.message:
        output.line(f"{answer.message}.")
    for note in (*(answer.suggestions or ()), *(answer.warnings or ())):
        output.note(note)
    return note_stale(output, answer, LIBRARY)


def _show(output: Output, number: int, result: SearchResult, query: str, page: str) -> None:
    breadcrumb, title = result.metadata.heading_path, result.metadata.title
    if breadcrumb.split(BREADCRUMB_SEPARATOR)[0] != title:
        breadcrumb = BREADCRUMB_SEPARATOR.join(part for part in (title, breadcrumb) if part)
    output.line(f"{number}. {output.style(safe(breadcrumb), 'bold')}")
    source = ", ".join(filter(None, (safe(result.metadata.file_path), _pages(result.metadata.page_numbers or []))))
    output.line(output.style(f"   {source}  score {result.score:.2f}", "dim"))
    if result.explanation:
        parts = result.explanation
        phrase = f" + phrase {parts.phrase:.3f}" if parts.phrase else ""
        output.line(output.style(f"   meaning {parts.meaning:.3f} + words {parts.words:.3f}{phrase}", "dim"))
    print_passage(output, result, query, page)


def _show_of_library(output: Output, number: int, result: Passage, query: str, page: str) -> None:
    output.line(f"{number}. {output.style(safe(result.source.citation), 'bold')}")
    kind = f"{result.metadata.chunk_type}{', normative' if result.metadata.normative else ''}"
    output.line(output.style(f"   {safe(result.source.document_id)}  {kind}  score {result.score:.2f}", "dim"))
    print_passage(output, result, query, page)


def _pages(numbers: Sequence[int]) -> str:
    if not numbers:
        return ""
    return f"page {numbers[0]}" if len(numbers) == 1 else f"pages {numbers[0]} to {numbers[-1]}"
