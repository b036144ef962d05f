"""Quotations of a Markdown text, found with the references beside them."""

import pytest

from pincite.services.citations.quotations import Quotation, quotations, with_refs

REF = "policy/passwords.md@e516ad74#h2-c1~a8qg60ssv0y"
OTHER = "keys.md@0a1b2c3d#h4"
UMLAUT = "prüfung.md@e516ad74#h2:0-9"
WORDS = "A password MUST have 12 characters."


@pytest.mark.parametrize(
    "text",
    [
        f'It says "{WORDS}" (`{REF}`).',
        f"It says “{WORDS}” [policy]({REF}).",
        f"Sie sagt „{WORDS}“ ([Regel]({REF})).",
        f"Elle dit « {WORDS} » `{REF}`",
        f'["{WORDS}"]({REF})',
        f'"{WORDS}", as the policy says, section 3: `{REF}`',
        f"- “{WORDS}” `{REF}`",
        f'| quote | source |\n|---|---|\n| "{WORDS}" | `{REF}` |',
        f"> {WORDS}\n>\n> — [policy]({REF})",
        f"> {WORDS}\n> — Example Ltd., [policy]({REF})",
        f"> {WORDS} (`{REF}`)",
        f"> {WORDS}\n\n`{REF}`",
        f"> {WORDS}\n\nSource: [policy]({REF})",
        f'A 5" disk. "{WORDS}" `{REF}`',
        f"“{WORDS}” [see](http://127.0.0.1:8000/ui/#ref={REF.replace('#', '%23')})",
        f"“{WORDS}”\n[policy][p]\n\n[p]: {REF}",
    ],
)
def test_a_quotation_is_read_with_the_reference_beside_it(text: str) -> None:
    assert [(found.words, found.ref) for found in quotations(text)] == [(WORDS, REF)]


@pytest.mark.parametrize(
    "text",
    [
        f"It says {WORDS} (`{REF}`).",
        f'It says "{WORDS}" and `no reference` at all, nor [here](http://example.com).',
        f'He called it "foo". In quite another sentence one may read in `{REF}`',
        f'A "word"\n\n# Title\n\n`{REF}`',
        f'```\n"{WORDS}" `{REF}`\n```',
        f'"…" `{REF}`',
        f"It's the owner's `{REF}`",
    ],
)
def test_what_is_no_quotation_beside_a_reference_is_left_alone(text: str) -> None:
    assert list(quotations(text)) == []


def test_a_quotation_may_have_several_references_and_a_text_several_quotations() -> None:
    text = f'# T\n\n"One two" (`{REF}`, `{OTHER}`).\n\nAnd\n“three\nfour” `{UMLAUT}`\n\n> Five\n> six\n>\n> `{REF}`\n'
    assert list(quotations(text)) == [
        Quotation("One two", REF, 3),
        Quotation("One two", OTHER, 3),
        Quotation("three\nfour", UMLAUT, 7),
        Quotation("Five\nsix", REF, 12),
    ]


def test_code_and_emphasis_of_a_quotation_are_read_as_they_are_seen() -> None:
    text = f'"Set **`--all`** in *every* [case](x.md)" `{REF}`'
    assert [found.words for found in quotations(text)] == ["Set `--all` in every case"]


def test_a_long_text_is_read_in_linear_time() -> None:
    """In quadratic time it takes longer than any test may."""
    assert list(quotations('a "' + "word " * 200_000 + f"`{REF}`")) == []


def test_references_are_replaced_whole_and_alone() -> None:
    newer = {OTHER: "keys.md@11111111#h5", UMLAUT: "prüfung.md@22222222#h2:3-4"}
    kept = f"`{OTHER}-c1` `a/{OTHER}` `{OTHER}:3-4` `{OTHER}~zz`"
    text = f"`{OTHER}` {kept} [a](http://h/ui/#ref=keys.md@0a1b2c3d%23h4) [b]({UMLAUT})\r\n"
    assert with_refs(text, newer) == (
        f"`keys.md@11111111#h5` {kept} [a](http://h/ui/#ref=keys.md@11111111%23h5) [b](prüfung.md@22222222#h2:3-4)\r\n"
    )
    assert with_refs(text, {}) == text
