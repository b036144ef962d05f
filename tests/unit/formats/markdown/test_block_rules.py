import time

import pytest

from support.markdown_read import document


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "> " * 50_000,
        "- " * 50_000,
        "[a](" * 25_000,
        "# " + "*a **a " * 15_000,
        "# " + "[" * 100_000,
        "# " + "![" * 50_000,
        "<div>" + "<!--" * 25_000,
        "<div>" + '<h1 a="' * 15_000,
        "<a" + " x" * 50_000,
        "[a]: b 'x\n" + "x\n" * 50_000,
        "|a" * 20_000 + "\n" + "|-" * 20_000 + "\n" + "|\n" * 20_000,
        "a\n" * 50_000,
        "- a\n" * 25_000,
        "`" * 100_000,
        "---\n" + "a: b\n" * 20_000,
    ],
    ids=lambda text: text[:12],
)
def test_a_hundred_kilobytes_of_malice_take_seconds_at_most(text: str) -> None:
    started = time.thread_time()
    assert document(text).text == text
    assert time.thread_time() - started < 5
