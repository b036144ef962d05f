"""A passage as `pincite search` shows it, and what is missing from an answer."""

from pincite.ranking.highlight import matches
from pincite.services.citations.page_links import page_link
from pincite.toolkit import Answer
from pincite.tools.answers.docs import SearchResult
from pincite.tools.answers.knowledge import Passage
from pincite.transports.cli.printing.output import Output, lines, safe
from pincite.transports.problems import PARTIAL, SUCCESS


def print_passage(output: Output, result: SearchResult | Passage, query: str, page: str) -> None:
    """Print the reference and the text of a result, below its title.

    Args:
        output: Where to print.
        result: The passage.
        query: The query, whose words are highlighted.
        page: Address of the web page that shows passages; empty for none.
    """
    output.line(f"   ref {safe(result.ref)}")
    if link := page_link(page, result.ref):
        output.line(f"   see {safe(link)}")
    if result.incomplete:
        output.line(output.style(f"   {safe(result.incomplete)}", "dim"))
    if result.metadata.table_header:
        output.line(output.style(f"   table {safe(result.metadata.table_header)}", "dim"))
    output.line()
    passage = lines(result.content).strip("\n")
    output.passage(passage, matches(passage, query), "   | ")
    output.line()


FOLDER, LIBRARY = "This answer may miss a change: {}", "{} Bring in what changed: pincite ingest"
"""What is said of an answer that may miss a change."""


def note_stale(output: Output, answer: Answer, note: str = FOLDER) -> int:
    """Note that an answer may miss a change, if it may; return the exit code: 1 then, else 0."""
    if answer.index is None or not answer.index.stale:
        return SUCCESS
    output.note(note.format(answer.index.reason))
    return PARTIAL
