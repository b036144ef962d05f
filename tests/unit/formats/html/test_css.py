from support.html_pages import read


def test_a_page_that_fades_in_is_read() -> None:
    assert "All of it" in read("<style>.app{opacity:0}</style><div class=app><p>All of it.</p></div>").text
