"""Counting and cutting in the model's tokens."""

import hashlib
import subprocess
import sys
import threading
import unicodedata
from importlib.resources import files
from pathlib import Path

import pytest
import tokenizers
from hypothesis import example, given
from hypothesis import strategies as st

from pincite.embedding import wordpiece
from pincite.embedding.base import Tokenizer
from pincite.embedding.wordpiece import CLS, SEP, WordPiece

TOKENIZER: Tokenizer = WordPiece()
WORDS = WordPiece()

text = st.text(st.characters(codec=None), max_size=60) | st.text("ab ,é中[CLS]\x00\ud800\n", max_size=60)


def test_the_vocabulary_is_the_published_one() -> None:
    blob = files("pincite.embedding").joinpath("tokenizer.json").read_bytes()
    assert hashlib.sha256(blob).hexdigest() == wordpiece.VOCABULARY_SHA256
    assert WORDS.identity == "wordpiece-be50c362"


@pytest.mark.parametrize(
    ("sample", "tokens"),
    [
        ("", 0),
        (" \n\t", 0),
        ("Hello, world!", 4),
        ("embeddings", 4),
        ("naïve CAFÉ", 2),
        ("中文", 2),
        ("a\0b", 1),
        ("\ud800", 0),
        ("x" * 101, 1),
    ],
)
def test_tokens_are_counted_without_marks(sample: str, tokens: int) -> None:
    assert TOKENIZER.count(sample) == tokens


words = st.sampled_from(
    [
        "a",
        "Zebra",
        "##ing",
        "[CLS]",
        "[cls]",
        "naïve",
        "e\u0301",
        "_",
        "-",
        "\x00",
        "\x85",
        "\u2028",
        "中",
        "İ",
        "x" * 101,
        " ",
    ]
)


@given(text | st.lists(words, max_size=12).map("".join))
@example("##- —")
def test_the_words_of_a_text_count_as_the_whole_does(sample: str) -> None:
    assert TOKENIZER.count(sample) == len(WORDS.encode(sample, 10_000)[0]) - 2


def test_words_are_forgotten_when_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wordpiece, "_MAX_CACHED_WORDS", 3)
    tokenizer = WordPiece()
    assert [tokenizer.count(word) for word in ("one", "two", "three", "four", "embeddings", "one")] == [
        1,
        1,
        1,
        1,
        4,
        1,
    ]


def test_what_rarely_recurs_takes_no_room_among_the_words() -> None:
    tokenizer = WordPiece()
    assert tokenizer.count("in 2026 from 12345 to 133643 ~yukvt57b10h") == 19
    assert sorted(tokenizer._ids) == ["2026", "from", "in", "to", "~"]  # pyright: ignore[reportPrivateUsage] - what is kept


def test_nothing_is_truncated_or_padded() -> None:
    assert WORDS.count("word " * 1000) == 1000
    assert WORDS.encode("word", 256) == [[CLS, 2773, SEP]]


@given(text, st.integers(0, 30))
@example("\u0130" * 3, 1)
@example("[CLS]" * 3, 1)
def test_a_cut_holds_at_most_the_limit(sample: str, limit: int) -> None:
    end = WORDS.cut(sample, limit)
    assert min(len(sample), 1) <= end <= len(sample)
    assert end <= 1 or WORDS.count(sample[:end]) <= limit


@given(st.lists(st.sampled_from(["embedding", "a", "unbelievable", "3.14", "中文", "SHALL"]), max_size=12))
def test_a_cut_is_the_longest_that_holds(words: list[str]) -> None:
    sample = " ".join(words)
    for limit in range(1, WORDS.count(sample)):
        end = WORDS.cut(sample, limit)
        assert WORDS.count(sample[: end + 1]) > limit
    assert WORDS.cut(sample, WORDS.count(sample)) == len(sample)


@pytest.mark.parametrize("limit", [1, 7, 19_999, 20_000, 25_000])
def test_pieces_of_a_long_text_are_cut_as_if_whole(limit: int) -> None:
    assert WORDS.cut("word " * 20_000, limit) == min(limit * 5, 100_000)


@given(st.integers(0, 600), st.integers(3, 256))
def test_windows_are_even_and_hold_every_token_in_order(count: int, limit: int) -> None:
    windows = WORDS.encode("word " * count, limit)
    sizes = [len(window) - 2 for window in windows]
    assert sum(sizes) == count and max(sizes) <= limit - 2 and max(sizes) - min(sizes) <= 1
    assert all(window[0] == CLS and window[-1] == SEP for window in windows)
    assert len(windows) == max(-(-count // (limit - 2)), 1)


@pytest.mark.parametrize("sample", ["x" * 1_000_000, "\u0301" * 1_000_000, "\ud800" * 1_000_000, "a\0" * 500_000])
def test_a_huge_run_without_white_space_is_taken(sample: str) -> None:
    assert WORDS.count(sample) < 100
    assert WORDS.cut(sample, 1) >= 1


@pytest.fixture(scope="module")
def published() -> "tokenizers.Tokenizer":
    """The tokenizer of the model's authors, of the same file."""
    made = tokenizers.Tokenizer.from_buffer(files("pincite.embedding").joinpath("tokenizer.json").read_bytes())
    made.no_truncation()
    made.no_padding()
    return made


def check(sample: str, published: tokenizers.Tokenizer) -> None:
    """The tokens, and where each begins, are those of the published tokenizer."""
    encoding = published.encode(sample, add_special_tokens=False)
    assert WORDS.encode(sample, 1_000_000)[0][1:-1] == encoding.ids
    for limit in {0, 1, len(encoding) // 2, len(encoding) - 1} & set(range(len(encoding))):
        assert WORDS.cut(sample, limit) == max(encoding.offsets[limit][0], 1)


UNICODE_8 = [
    *(name for name in ("LATIN SMALL LETTER E WITH ACUTE", "GREEK SMALL LETTER FINAL SIGMA", "KANNADA VOWEL SIGN O")),
    *("NO-BREAK SPACE", "ZERO WIDTH SPACE", "IDEOGRAPHIC SPACE", "REPLACEMENT CHARACTER", "LATIN SMALL LIGATURE FI"),
    *("HANGUL SYLLABLE HAN", "CJK COMPATIBILITY IDEOGRAPH-F900", "EURO SIGN", "LATIN CAPITAL LETTER I WITH DOT ABOVE"),
    *("LATIN SMALL LETTER SHARP S", "LEFT DOUBLE QUOTATION MARK", "HIRAGANA LETTER GA", "PILE OF POO"),
]
mixed = st.lists(words | st.sampled_from(UNICODE_8).map(unicodedata.lookup), max_size=16).map("".join)


@given(mixed)
@example("Straße, ΟΔΟΣ [CLS]é中文 3.14\u00a0x\u200by " + "x" * 101)
def test_a_text_has_the_tokens_of_the_published_tokenizer(published: tokenizers.Tokenizer, sample: str) -> None:
    check(sample, published)


def test_a_document_has_the_tokens_of_the_published_tokenizer(data: Path, published: tokenizers.Tokenizer) -> None:
    check((data / "asvs-4.0.3/md/0x11-V2-Authentication.md").read_text("utf-8"), published)
    for file in sorted((data / "found" / "cjk").glob("*.md"))[::10]:
        check(file.read_text("utf-8"), published)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_every_character_but_some_that_are_newer_has_the_tokens_of_the_published_tokenizer(
    published: tokenizers.Tokenizer,
) -> None:
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    others = [
        character
        for character in characters
        if WORDS.encode(f"a{character}b", 100)[0][1:-1]
        != published.encode(f"a{character}b", add_special_tokens=False).ids
    ]
    assert len(others) < 700
    # Marks, punctuation and formats that Unicode took in after the tables of that package.
    assert not any(0x0 <= ord(character) < 0x600 for character in others)


def test_threads_share_one_vocabulary() -> None:
    fresh, start = WordPiece(), threading.Barrier(8)
    counts: list[int] = []

    def count() -> None:
        start.wait()
        counts.append(fresh.count("two words"))

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [2] * 8


def test_importing_reads_no_vocabulary() -> None:
    modules = ", ".join(f"pincite.embedding.{name}" for name in ("local", "hashing", "lazy", "inventory"))
    heavy = "[m for m in ('tokenizers', 'numpy', 'onnxruntime') if m in sys.modules]"
    code = f"import sys, {modules}; print({heavy})"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize("word", ["slow", "readable", "overwrite", "unnecessarily", "configuration"])
def test_a_frequent_english_word_is_known_also_with_a_beginning_or_an_ending(word: str) -> None:
    assert WordPiece().knows(word)


@pytest.mark.parametrize("word", ["reciever", "histogrm", "servicee", "alertmanager", "reing", "unxyz"])
def test_another_word_is_not(word: str) -> None:
    assert not WordPiece().knows(word)


def test_rarity_goes_by_the_rank_of_a_word_in_the_vocabulary() -> None:
    rarity = WordPiece().rarity
    assert rarity("the") == 0
    assert 0 < rarity("memory") < rarity("laptop") < 1
    assert rarity("kubernetes") == rarity("err_42") == 1
    assert rarity("memories") <= 1
    assert rarity("servers") <= rarity("server") < 0.6
