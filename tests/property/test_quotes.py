import re
import unicodedata
from bisect import bisect_left
from itertools import pairwise
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from pincite.evidence.boundaries import is_boundary
from pincite.evidence.quotes import Verdict, verify
from pincite.evidence.search import prepare, readings
from pincite.text.characters import fold
from pincite.text.markup import in_document, in_quote

PIECES = [
    "# ", "- ", "> ", "```\n", "~~~\n", "`", "``", "*", "**", "_", "[", "](", "](u)", "][a]", "\n[a]: b\n", ")", "\\",
    "|", "\n|-|-|\n", "<b>", "</p>", "<sup>2</sup>", "<sub>", "<!--", "-->", "&amp;", "&shy;", "\n", "\n\n", "\r\n",
    " ", "\u00a0", "\u200b", "\u00ad", "word", "Word", "12", "3.5", "-", "–", "—", "-\n", "…", "“", "'", "ﬁ", "é",
    "e\u0301", "\u0323", "İ", "ß", "Σ", "ς", "½", "²", "日本", "한국", "😀", "\x1d", "\x1e", "\x1f",
]  # fmt: skip
Form = Literal["NFC", "NFD", "NFKC"]
FORMS: list[Form] = ["NFC", "NFD", "NFKC"]
texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=3)), max_size=40).map("".join)
plain = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "delta", "12", "47", "mm", "it's", "“so”", "end."]),
    min_size=3,
    max_size=30,
)


@given(texts)
def test_the_way_back_is_in_order_and_covers_the_text(text: str) -> None:
    prepared = prepare(text)
    for found, original in ((fold(text), text), (prepared.folded, text), (prepared.squeezed, prepared.folded.text)):
        spans = [found.span(index, index + 1) for index in range(len(found.text))]
        assert all(0 <= start < end <= len(original) for start, end in spans)
        assert spans == sorted(spans)
        firsts = [found.first_at(place) for place in range(len(original))]
        assert firsts == sorted(firsts)
        assert all(found.start(first) >= place for place, first in enumerate(firsts) if first < len(found.text))


@given(texts)
def test_no_white_space_but_spaces_is_left_and_every_visible_character_is_kept(text: str) -> None:
    found = fold(text)
    covered = [found.span(index, index + 1) for index in range(len(found.text))]
    starts = [start for start, _ in covered]
    for place, character in enumerate(text):
        if character.isalnum():
            index = max(0, bisect_left(starts, place + 1) - 1)
            assert covered[index][0] <= place < covered[index][1]
    assert not re.search(r"[^\S ]", re.sub("[\x1d\x1e]", "", found.text))


@given(texts)
def test_edits_are_in_order_and_do_not_overlap(text: str) -> None:
    for edits in (in_document(text), in_quote(text, frozenset())):
        assert all(start < end for start, end, _ in edits)
        assert all(left[1] <= right[0] for left, right in pairwise(edits))


@given(texts, st.data())
def test_what_is_cut_at_word_boundaries_is_exact(text: str, data: st.DataObject) -> None:
    cuts = [place for place in range(len(text) + 1) if is_boundary(text, place)]
    start, end = sorted((data.draw(st.sampled_from(cuts)), data.draw(st.sampled_from(cuts))))
    quote = text[start:end]
    if not any(map(str.isalnum, quote)) or quote != quote.strip():
        return
    found = verify(quote, prepare(text), (start, end))
    assert found.verdict is Verdict.EXACT
    assert text[slice(*found.spans[0])] == quote


@given(texts, texts)
def test_what_is_cut_from_the_document_reads_as_the_quote_does(text: str, quote: str) -> None:
    if not any(map(str.isalnum, quote)):
        return
    prepared = prepare(f"{text} {quote} {text}")
    found = verify(quote, prepared, (0, len(prepared.text)))
    if found.verdict in (Verdict.EXACT, Verdict.NORMALISED):
        cut = prepared.text[slice(*found.spans[0])]
        assert any(map(str.isalnum, cut))
        assert verify(cut, prepared, found.spans[0]).verdict in (Verdict.EXACT, Verdict.NORMALISED)


@given(plain, st.sampled_from(FORMS), st.sampled_from([" ", "\n", "\u00a0", "\u200b ", " \u00ad"]))
def test_another_typography_is_the_same_quote(words: list[str], form: Form, space: str) -> None:
    text = "Before it: " + " ".join(words) + " - after it"
    quote = unicodedata.normalize(form, space.join(words).replace("'", "’").replace("“", '"').replace("”", '"'))
    assert verify(quote, prepare(text), (0, len(text))).verdict in (Verdict.EXACT, Verdict.NORMALISED)


@given(plain, st.data())
def test_another_word_or_digit_is_no_quote(words: list[str], data: st.DataObject) -> None:
    text = "Before it: " + " ".join(words) + " - after it"
    place = data.draw(st.integers(0, len(words) - 1))
    other = {"12": "13", "47": "74"}.get(words[place], "omega")
    changed = [*words[:place], other, *words[place + 1 :]]
    assert verify(" ".join(changed), prepare(text), (0, len(text))).verdict is Verdict.ABSENT


@given(plain, st.data())
def test_another_letter_case_is_no_quote_but_of_its_first_letter(words: list[str], data: st.DataObject) -> None:
    text = "Before it: " + " ".join(["Begin", *words]) + " - after it"
    place = data.draw(st.integers(0, len(words) - 1))
    changed = [*words[:place], data.draw(st.sampled_from([str.upper, str.title]))(words[place]), *words[place + 1 :]]
    verdict = verify(" ".join(["begin", *changed]), prepare(text), (0, len(text))).verdict
    assert (verdict is Verdict.NORMALISED) == (changed == words)


@given(texts, texts)
def test_any_quote_of_any_text_gets_a_verdict(text: str, quote: str) -> None:
    prepared = prepare(text)
    assert all(words.squeezed for words in readings(quote, prepared))
    if any(map(str.isalnum, quote)):
        found = verify(quote, prepared, (0, len(text)))
        assert (found.verdict is Verdict.ABSENT) == (found.spans == ())
        assert all(0 <= start < end <= len(text) for start, end in found.spans)
