"""A found passage as `pincite search` prints it: its reference, what it lacks, its text."""

from pincite.ranking.highlight import matches
from pincite.services.citations.page_links import page_link
from pincite.tools.answers.docs import SearchResult
from pincite.tools.answers.knowledge import Passage
from pincite.transports.cli.output import Output, lines, safe


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
    output.line()
    passage = lines(result.content).strip("\n")
    output.passage(passage, matches(passage, query), "   | ")
    output.line()
