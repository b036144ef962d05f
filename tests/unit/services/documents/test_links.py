import pytest

from pincite.chunking.separators import lay_out
from pincite.formats.writing.builder import build
from pincite.formats.writing.page_writer import PageWriter
from pincite.model.document import Head
from pincite.registry import FORMATS
from pincite.services.documents.links import CONTEXT_CHARS, Link, links, url_type
from support.cut_documents import document

MEDIA_TYPES = {row.name: row.media_types[0] for row in FORMATS}


def found(text: str) -> list[str]:
    return [link.url for link in links(document(text))]


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("See https://example.com/a.", ["https://example.com/a"]),
        ("(http://example.com/a_(b)), then", ["http://example.com/a_(b)"]),
        ("[text](https://example.com/a?b=c#d)", ["https://example.com/a?b=c#d"]),
        ("[https://example.com/a](https://example.com/b)", ["https://example.com/a", "https://example.com/b"]),
        ('<https://example.com/a>; "https://example.com/b"', ["https://example.com/a", "https://example.com/b"]),
        ("www.example.com/a and WWW.example.org", ["www.example.com/a", "WWW.example.org"]),
        ("me@www.example.com, awww.example.com, ftp://example.com", []),
        ("https://example.com/a, https://example.com/a", ["https://example.com/a"]),
        ("https://日本.example/道。", ["https://日本.example/道"]),
        ("https:// http://[ https://[::1 https://...", []),
        ("https://example.com/" + "x" * 3000, []),
        ("no links", []),
        ("", []),
    ],
)
def test_every_address_is_found_once_without_what_is_around_it(text: str, urls: list[str]) -> None:
    assert found(text) == urls


def test_a_link_has_its_context_and_place() -> None:
    text = "a" * 150 + " https://example.com/x " + "b" * 150 + "\n\n# Here\n\n[t](https://example.com/y)\n"
    one, other = links(document(text))
    context = "a" * 99 + " https://example.com/x " + "b" * 99
    assert one == Link("https://example.com/x", context, "line 1", 0.95, "general")
    assert len(one.context) == len(one.url) + 2 * CONTEXT_CHARS
    assert (other.source_location, other.confidence) == ("Here", 1.0)


def test_what_is_less_like_a_link_has_less_confidence() -> None:
    text = "[t](https://a.example/x) https://a.example/y www.a.example http://localhost/z http://[::1]/w"
    assert [link.confidence for link in links(document(text))] == [1.0, 0.95, 0.8, 0.5, 0.95]


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://api.example.com/items", "api_endpoint"),
        ("https://example.com/api/items", "api_endpoint"),
        ("https://example.com/v2/items", "api_endpoint"),
        ("https://example.com/graphql", "api_endpoint"),
        ("https://example.com/logo.PNG?x=1", "image"),
        ("https://example.com/api/chart.svg", "image"),
        ("https://example.com", "navigation"),
        ("www.example.com/", "navigation"),
        ("https://example.com/about.html", "navigation"),
        ("https://example.com/en/login", "navigation"),
        ("https://example.com/?id=4", "general"),
        ("https://example.com/apiary", "general"),
        ("https://example.com/2024/report.pdf", "general"),
        ("http://[", "general"),
    ],
)
def test_the_type_says_what_a_link_leads_to(url: str, kind: str) -> None:
    assert url_type(url) == kind


@pytest.mark.parametrize(("name", "place"), [("pdf", "page 2"), ("pptx", "slide 2")])
def test_a_page_is_the_place_where_there_are_pages(name: str, place: str) -> None:
    pages = [PageWriter(10, number) for number in (1, 2)]
    pages[0].paragraph("first")
    pages[1].paragraph("www.example.com")
    laid = lay_out(build("a", "ff", MEDIA_TYPES[name], [Head(pages=2), *(page.page() for page in pages)]))
    assert [link.source_location for link in links(laid)] == [place]


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        (
            "[a](b/c.html) ![d](/e.png) [f](?g=1)",
            ["https://x.example/p/b/c.html", "https://x.example/e.png", "https://x.example/p/page?g=1"],
        ),
        ("[a](../b.md#c) [a](../b.md#c) [d](//e.example/f)", ["https://x.example/b.md#c", "https://e.example/f"]),
        ("[a](#b) [c](mailto:d@e.example) [f](g)", []),
        ("`call[0](x.y)` and\n\n```\nrun[1](a/b)\n```\n", []),
    ],
)
def test_relative_links_count_from_the_address_of_their_page_and_code_has_none(text: str, urls: list[str]) -> None:
    page = lay_out(document(text))
    assert [link.url for link in links(page, "https://x.example/p/page")] == urls
    assert list(links(page)) == []
