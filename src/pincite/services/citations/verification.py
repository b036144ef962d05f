"""Verify quotes against documents, for tools and extraction alike."""

from collections.abc import Callable, Sequence

from pincite.evidence.file_order import FileOrder, Source, in_file_order
from pincite.evidence.quotes import Finding, verify
from pincite.evidence.search import Prepared, Span, prepare
from pincite.model.call import Call


class Verification:
    """Verifies quotes, and keeps the last document prepared: callers check several quotes of one document.

    Thread-safe: threads that verify against different documents prepare each for themselves.
    """

    def __init__(self) -> None:
        # Each is replaced as a whole, so a thread sees one document's or another's, never a mixture.
        self._prepared: Prepared | None = None
        self._ordered: tuple[str, Sequence[Source], FileOrder] | None = None

    def verify(
        self, quote: str, text: str, sources: Callable[[], Sequence[Source]], cited_span: Span, call: Call
    ) -> Finding:
        """Return how a quote matches a document.

        Args:
            quote: The quote.
            text: The document's text.
            sources: Returns its tables in the order of the text, each with its text in the file's order; called at most
                once, if the quote is not in the cited span of the text.
            cited_span: The span of the text that the quote is attributed to.
            call: Checked for cancellation.

        Raises:
            InvalidInput: The quote has no letter and no digit.
            Cancelled: The call is cancelled.
            TimeoutExceeded: The deadline has passed.
        """

        # A callable: matching in the order of the file is costly, and needed only if the quote is not found otherwise.
        def file_order() -> FileOrder | None:
            tables = sources()
            return self._in_file_order(text, tables, call) if tables else None

        return verify(quote, self._prepare(text, call), cited_span, call, file_order)

    def _prepare(self, text: str, call: Call) -> Prepared:
        prepared = self._prepared
        if prepared is None or prepared.text != text:
            prepared = self._prepared = prepare(text, call)
        return prepared

    def _in_file_order(self, text: str, sources: Sequence[Source], call: Call) -> FileOrder:
        ordered = self._ordered
        if ordered is None or ordered[:2] != (text, sources):
            ordered = self._ordered = (text, sources, in_file_order(text, sources, call))
        return ordered[2]
