"""Only http and https URLs of document servers are fetched; what is secret in one stays out of logs."""

import pytest

from pincite.errors import DownloadFailed, InvalidInput
from pincite.sources.url.locations import default_port, host_of, loggable, parse, redirected, without_credentials


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("", "is empty"),
        ("http://a/" + "x" * 2048, r"2,057 characters; the maximum is 2,048"),
        ("http://a/b c", "space or a control character"),
        (" http://a/", "space or a control character"),
        ("http://a/\n", "space or a control character"),
        ("http://a/\x00", "space or a control character"),
        ("http://a/\u00a0", "space or a control character"),
        ("http://a/\ud800", "space or a control character"),
        ("ftp://a/b", "must be an http or https URL"),
        ("file:///etc/passwd", "must be an http or https URL"),
        ("data:text/plain,hello", "must be an http or https URL"),
        ("gopher://a:70/", "must be an http or https URL"),
        ("/etc/passwd", "must be an http or https URL"),
        ("http:///path", "must be an http or https URL"),
        ("http://", "must be an http or https URL"),
        ("http://[::1/", "not a valid URL"),
        ("http://a:port/", "not a valid URL"),
        ("http://a:0/", "ports are 1 to 65535"),
        ("http://a:99999/", "ports are 1 to 65535"),
    ],
)
def test_what_is_no_url_to_fetch_is_refused(written: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        parse(written)


@pytest.mark.parametrize("port", [22, 25, 81, 110, 445, 3306, 5432, 6000, 6379, 6667, 9200, 11211, 27017])
def test_ports_of_other_services_are_refused(port: int) -> None:
    with pytest.raises(DownloadFailed, match=f"Port {port} "):
        parse(f"http://example.com:{port}/")


@pytest.mark.parametrize("port", [80, 443, 1024, 3000, 8000, 8080, 8443, 49152, 65535])
def test_ports_of_web_servers_are_called(port: int) -> None:
    assert default_port(parse(f"http://example.com:{port}/")) == port


def test_a_url_is_requested_without_its_fragment_in_ascii() -> None:
    url = parse("https://Bücher.example/ä?q=1#part")
    assert str(url) == "https://xn--bcher-kva.example/%C3%A4?q=1"
    assert (host_of(url), default_port(url)) == ("xn--bcher-kva.example", 443)


def test_a_redirect_is_resolved_and_checked_again() -> None:
    url = parse("https://user:secret@a.example/x/y?q=1")
    assert str(redirected(url, "../z")) == "https://user:secret@a.example/z"
    assert str(redirected(url, "//b.example/")) == "https://b.example/"
    assert str(redirected(url, "http://b.example/a b")) == "http://b.example/a%20b"
    for location in ["file:///etc/passwd", "data:,x", "javascript:1", "http:///x", "http://a:port/", "x\n"]:
        with pytest.raises(DownloadFailed, match=r"a\.example redirects to something"):
            redirected(url, location)
    with pytest.raises(DownloadFailed, match="Port 25"):
        redirected(url, "http://b.example:25/")


def test_credentials_are_not_shown_and_queries_are_not_logged() -> None:
    url = parse("https://user:secret@a.example/report.pdf?token=abc")
    assert without_credentials(url) == "https://a.example/report.pdf?token=abc"
    assert loggable(url) == "https://a.example/report.pdf?…"
    assert loggable(parse("https://a.example/report.pdf")) == "https://a.example/report.pdf"
    assert len(loggable(parse("https://a.example/" + "x" * 1000))) == 200
