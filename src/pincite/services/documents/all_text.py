"""All text of a web page, for one of which its reader shows nothing."""

from html.parser import HTMLParser

from pincite.model.call import Call

PIECE_CHARS = 100_000
"""Characters parsed between two checks of the call: some 10 ms."""

_WITHOUT_TEXT = frozenset({"script", "style", "template", "svg"})


class _Collector(HTMLParser):
    """Collects the text outside of elements that have none."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count the elements without text that are open."""
        del attrs
        self._depth += tag in _WITHOUT_TEXT

    def handle_endtag(self, tag: str) -> None:
        """See `handle_starttag`."""
        self._depth = max(0, self._depth - (tag in _WITHOUT_TEXT))

    def handle_data(self, data: str) -> None:
        """Keep a text, with white space as a browser shows it."""
        if not self._depth and (line := " ".join(data.split())):
            self.lines.append(line)


def all_text(html: str, call: Call) -> str:
    """Return all text of a page, a line for each run of it; also what a browser does not show.

    Raises:
        Cancelled, TimeoutExceeded: See `Call.check`.
    """
    collector = _Collector()
    for start in range(0, len(html), PIECE_CHARS):
        call.check()
        collector.feed(html[start : start + PIECE_CHARS])
    collector.close()
    return "\n".join(collector.lines)
