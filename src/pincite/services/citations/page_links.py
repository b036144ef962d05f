"""Links to spans of a document on the web page."""

from urllib.parse import quote, unquote


def page_link(page: str, ref: str) -> str | None:
    """Return the address at which the web page shows what a reference names; None where no page is served.

    Args:
        page: The address of the web page; empty without one.
        ref: The reference.
    """
    return f"{page}#ref={escaped_ref(ref)}" if page else None


def escaped_ref(ref: str) -> str:
    """Return a reference as it is written in a link."""
    return quote(ref, safe="/@")


def linked_ref(target: str) -> str:
    """Return the reference that a link to the web page leads to; any other target as it is."""
    _, shown, ref = target.partition("#ref=")
    return unquote(ref) if shown else target
