from support.html_pages import read


def test_the_head_gives_title_language_and_properties() -> None:
    document = read(
        '<html lang="en_GB"><head><title> A\n page </title><meta name="Description" content="About  it">'
        '<meta name="author" content="Ann"><meta property="article:published_time" content="2026-01-02">'
        '<meta name="x" content="y"><meta name="author" content="Bob"><link rel="canonical" href="https://x.org/a">'
        "</head><body><h1>Other</h1>"
    )
    assert (document.title, document.language) == ("A page", "en-GB")
    assert document.properties == {
        "description": "About it", "author": "Ann", "created": "2026-01-02", "url": "https://x.org/a",
    }  # fmt: skip


def test_a_fragment_is_read_and_has_no_head() -> None:
    document = read("a <b>fragment</b>")
    assert (document.text, document.title, document.language) == ("a fragment\n", None, None)
    assert read("<html lang='!'><h1>x").language is None


def test_the_source_of_a_specification_has_the_title_that_it_states_for_bikeshed() -> None:
    metadata = "<pre class='metadata'>\nTitle: Door keys\nShortname: keys\n</pre>"
    assert read(f"{metadata}<h2>Introduction</h2><p>Text.").title == "Door keys"
    assert read(f"<title>Other</title>{metadata}<p>Text.").title == "Other"
