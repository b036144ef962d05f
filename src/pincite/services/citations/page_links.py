"""Links to spans of a document on the web page."""

from urllib.parse import quote


def page_link(page: str, ref: str) -> str | None:
    """Return the address at which the web page shows what a reference names; None where no page is served.

    Args:
        page: The address of the web page; empty without one.
        ref: The reference.
    """
    return f"{page}#ref={quote(ref, safe='/@')}" if page else None
