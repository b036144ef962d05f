"""Thousands of quotes whose verdict is known: not one may be wrong."""

import tarfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from pincite.evidence.quotes import verify
from pincite.evidence.search import prepare
from support.quoting import Case, Text, bare, cases

ROOT = Path(__file__).resolve().parents[3]


def pages(folder: Path) -> list[Text]:
    files = sorted(folder.rglob("*.md"))
    return [Text(file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8")) for file in files]


def check(texts: Sequence[Text], quotes: Sequence[Case]) -> None:
    ready = {text.name: prepare(text.text) for text in texts}
    assert len(ready) == len(texts)
    wrong = [(case, verify(case.quote, ready[case.source], case.place)) for case in quotes]
    assert [pair for pair in wrong if pair[1].verdict.value not in pair[0].right] == []
    assert min(Counter(case.kind for case in quotes).values()) > 0
    assert len(Counter(case.kind for case in quotes)) == 10


def test_no_quote_from_our_own_pages_gets_a_wrong_verdict() -> None:
    texts = pages(ROOT / "docs")
    check(texts, cases(texts, 1_000, seed=1))


def test_what_is_cut_says_what_was_quoted() -> None:
    texts = pages(ROOT / "docs")
    ready = {text.name: (text.text, prepare(text.text)) for text in texts}
    for case in cases(texts, 500, seed=2):
        text, prepared = ready[case.source]
        found = verify(case.quote, prepared, case.place)
        cut = " ".join(text[slice(*span)] for span in found.spans)
        if found.spans and not set("[]<&") & set(cut):
            assert bare(cut) == bare(case.quote)


@pytest.mark.data
def test_no_quote_from_real_documents_gets_a_wrong_verdict(data: Path) -> None:
    """2,000 quotes from guidelines, a project's documentation and small pages in six languages."""
    texts = [
        Text(f"{folder}/{page.name}", page.text)
        for folder in ("nist-800-63-3", "docs-prometheus")
        for page in pages(data / folder)
    ]
    texts.append(Text("tldr", tldr(data)))
    check(texts, cases(texts, 2_000, seed=3))


def tldr(data: Path, every: int = 400) -> str:
    with tarfile.open(data / "docs-tldr.tar.xz") as archive:
        files = [member for member in archive if member.name.endswith(".md")][::every]
        streams = [archive.extractfile(member) for member in files]
        return "\n\n".join(stream.read().decode() for stream in streams if stream)
