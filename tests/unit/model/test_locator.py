import hashlib

import pytest

from pincite.errors import InvalidInput
from pincite.model.locator import Ref, escape, parse, revision


def test_a_reference_reads_as_in_the_contract() -> None:
    assert parse("asvs.pdf@9f31c2aa#h41-c2:120-188") == Ref("asvs.pdf", "9f31c2aa", "h41-c2", (120, 188))


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("guide/setup.md", "guide/setup.md"),
        ("a b@c#d:e%f", "a%20b%40c%23d%3Ae%25f"),
        ("tab\tnl\n", "tab%09nl%0A"),
        ("no\u00a0break", "no%C2%A0break"),
        ("zürich/東京.md", "zürich/東京.md"),
    ],
)
def test_only_what_the_grammar_needs_is_escaped(name: str, escaped: str) -> None:
    assert escape(name) == escaped


@pytest.mark.parametrize(
    "text",
    [
        "",
        "guide.md",
        "guide.md@9f31c2aa",
        "guide.md@9f31c2a#h1",
        "guide.md@9F31C2AA#h1",
        "guide.md@9f31c2aa#1",
        "guide.md@9f31c2aa#h1-x1",
        "guide.md@9f31c2aa#h1-c0",
        "guide.md@9f31c2aa#h1:5",
        "guide.md@9f31c2aa#h1:05-6",
        "guide.md@9f31c2aa#h1:7-6",
        "guide.md@9f31c2aa#h1 ",
        "gu ide.md@9f31c2aa#h1",
        "gu%41ide.md@9f31c2aa#h1",
        "gu%ide.md@9f31c2aa#h1",
        "gu%ffide.md@9f31c2aa#h1",
        "gu%FFide.md@9f31c2aa#h1",
    ],
)
def test_anything_else_is_refused_and_told_the_form(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"looks like guide/setup\.md@"):
        parse(text)


def test_a_revision_is_eight_hex_digits_over_fingerprint_and_stamp() -> None:
    digest = hashlib.sha256(b"ff\0markdown/1 docs/1/256/wordpiece").hexdigest()
    assert revision("ff", "markdown/1 docs/1/256/wordpiece") == digest[:8]
