"""The languages of the passages of an index, recognised by function words that no other of these languages has."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from operator import itemgetter

ENGLISH = ("the", "is", "to")

FUNCTION_WORDS = {
    "German": ("und", "der", "das"),
    "French": ("une", "dans", "pour"),
    "Spanish": ("los", "una", "el"),
    "Italian": ("che", "della", "nel"),
    "Portuguese": ("uma", "não", "em"),
    "Dutch": ("het", "een", "van"),
    "Swedish": ("och", "att"),
    "Danish or Norwegian": ("og", "ikke"),
    "Polish": ("jest", "się"),
    "Czech": ("nebo", "který", "jsou"),
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
    counts = _passages(document_frequencies)
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
    _, *others = _passages(document_frequencies).items()
    name, count = max(others, key=itemgetter(1))
    share = count / max(total, 1)
    return (name, min(share, 1.0)) if share >= _SHOWN_SHARE else None


def _passages(document_frequencies: Callable[[Sequence[str]], Sequence[int]]) -> Mapping[str, int]:
    """Return the number of passages in each language, English first."""
    words = {"English": ENGLISH[:1], **FUNCTION_WORDS}
    frequencies = iter(document_frequencies([word for typical in words.values() for word in typical]))
    return {name: max(islice(frequencies, len(typical))) for name, typical in words.items()}
