"""Links to places on the web page."""

from urllib.parse import parse_qs, urlsplit

import pytest

from pincite.services.citations.page_links import page_link


@pytest.mark.parametrize("ref", ["a/b.md@00000000#h1-c1:3-9", "a+b%20c&d=é.pdf@00000000#h0"])
def test_a_link_is_read_back_as_its_reference(ref: str) -> None:
    link = page_link("http://127.0.0.1:8000/ui/", ref)
    assert link is not None and link.startswith("http://127.0.0.1:8000/ui/#ref=")
    assert parse_qs(urlsplit(link).fragment) == {"ref": [ref]}


def test_without_a_page_there_is_no_link() -> None:
    assert page_link("", "a.md@00000000#h1") is None
