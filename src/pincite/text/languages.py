"""The languages of the passages of an index, recognised by function words that no other of these languages has."""

from collections.abc import Callable, Mapping, Sequence

ENGLISH = ("the", "is", "to")

FUNCTION_WORDS = {
    "German": ("und", "der", "das"),
    "French": ("une", "dans", "pour"),
    "Spanish": ("los", "una", "el"),
    "Italian": ("che", "della", "nel"),
    "Portuguese": ("uma", "não", "em"),
    "Dutch": ("het", "een", "van"),
    "Swedish": ("och", "att"),
    "Polish": ("jest", "się"),
    "Turkish": ("bir", "için"),
    "Russian": ("не", "для", "и"),
    "Arabic": ("في", "من", "على"),
    "Hindi": ("है", "के", "में"),
    "Chinese": ("的",),
    "Japanese": ("の", "を"),
    "Korean": ("를", "을", "는"),
    "Thai": ("า",),
}
"""Words of a language, or letters of one that is divided into pairs (`text.words`), as an index has them."""

_SHOWN_SHARE = 0.25
"""Share of the passages from which another language is worth a sentence."""

_MIN_PERCENT = 3
"""Of the passages with a recognised language: below it are names and quotes in a text of another language."""


def language_shares(document_frequencies: Callable[[Sequence[str]], Sequence[int]]) -> Mapping[str, int]:
    """Return the per cent of passages in each language, among passages of a recognised language; most first.

    Args:
        document_frequencies: Returns the number of passages that contain each word.
    """
    words = {"English": ENGLISH[:1], **FUNCTION_WORDS}
    counts = {name: max(document_frequencies(typical)) for name, typical in words.items()}
    total = max(sum(counts.values()), 1)
    percents = {name: round(100 * count / total) for name, count in counts.items()}
    kept = {name: percent for name, percent in percents.items() if percent >= _MIN_PERCENT}
    return dict(sorted(kept.items(), key=lambda share: -share[1]))


def main_other_language(
    document_frequencies: Callable[[Sequence[str]], Sequence[int]], total: int
) -> tuple[str, float] | None:
    """Return the language, other than English, of most passages and the least share that is of it; None below 25 %.

    Args:
        document_frequencies: Returns the number of passages that contain each word.
        total: The number of passages.
    """
    counts = {name: max(document_frequencies(words)) for name, words in FUNCTION_WORDS.items()}
    name = max(counts, key=counts.__getitem__)
    share = counts[name] / max(total, 1)
    return (name, min(share, 1.0)) if share >= _SHOWN_SHARE else None
