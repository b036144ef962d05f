"""Verbatim phrases that occur in exactly one chunk: whether that chunk comes first.

    python eval/retrieval/phrases.py [SET ...] [--samples N] [--seed N]

A phrase is copied as a reader sees it (no tags, emphasis or addresses of links) from one line of a chunk. Prints the
share at the first place, by words and meaning and by words alone, without and with quotation marks.
"""

import argparse
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from questions import SETS, corpus, indexed

from pincite.index.retriever import Method
from pincite.index.view import View
from pincite.model.call import Call
from pincite.text.prose import prose

LENGTHS = (4, 8, 15)
"""Words of a phrase."""

LONG = 80
"""Words of a phrase that is longer than what a word search looks up (64 words, 256 characters)."""

LEAST_FIRST = {4: 0.85, 8: 0.97, 15: 0.99}
LEAST_FIRST_QUOTED = 0.99

PATTERNS = {"plain": "{}", "quoted": '"{}"', "in a question": "where does it say “{}” and why?"}

METHODS = {"both": Method.FUSED, "words": Method.KEYWORD}
_WORD = re.compile(r"[^\W_]+")
_IN_A_NUMBER = re.compile(r"\d[.,]\d")


@dataclass(frozen=True)
class Phrase:
    """A phrase and the id of the only chunk that holds it."""

    text: str
    chunk_id: int


def lines(view: View) -> dict[int, list[str]]:
    """The visible lines of every chunk; the lines of a paragraph are one."""
    found: dict[int, list[str]] = {}
    for document in view.snapshot.documents():
        for stored in view.snapshot.document_chunks(document.id):
            paragraphs = re.split(r"\n\s*\n|\n(?=\s*(?:[-*+|>#]|\d+\.\s|```))", prose(stored.chunk.text))
            found[stored.id] = [" ".join(paragraph.split()) for paragraph in paragraphs]
    return found


def sample(texts: Mapping[int, Sequence[str]], length: int, samples: int, seed: int) -> list[Phrase]:
    """Phrases of `length` words that one chunk alone holds, at most one of a line; the same for the same seed."""
    everything = {chunk_id: " " + " ".join(words(" ".join(text))) + " " for chunk_id, text in texts.items()}
    places = [(chunk_id, line) for chunk_id, text in texts.items() for line in text if len(words(line)) >= length]
    chance = random.Random(f"{seed} {length}")  # noqa: S311 - a choice that repeats, not a secret
    chance.shuffle(places)
    return list(_unique(places, everything, length, samples, chance))


def _unique(
    places: Sequence[tuple[int, str]], everything: Mapping[int, str], length: int, samples: int, chance: random.Random
) -> Iterator[Phrase]:
    found = 0
    for chunk_id, line in places:
        standing = list(_WORD.finditer(line))
        first = chance.randrange(len(standing) - length + 1)
        start, end = standing[first].start(), standing[first + length - 1].end()
        text = line[start:end]
        needle = " " + " ".join(words(text)) + " "
        # Nobody copies half of a number: `1) and one` out of `(Section 5.1.1) and one`.
        cut = any(_IN_A_NUMBER.fullmatch(line[max(0, edge - 2) : edge + 1]) for edge in (start, end + 1))
        if not cut and '"' not in text and sum(needle in other for other in everything.values()) == 1:
            yield Phrase(text, chunk_id)
            found += 1
        if found == samples:
            return


def words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text)]


def first_share(view: View, phrases: Sequence[Phrase], method: Method, pattern: str) -> float:
    """The share of phrases whose chunk is the first hit."""
    first = 0
    for phrase in phrases:
        hits = view.search(Call(), pattern.format(phrase.text), 1, method=method).hits
        first += bool(hits) and hits[0].chunk.id == phrase.chunk_id
    return first / max(1, len(phrases))


def main() -> int:
    """Print the table; 1 if a target is missed over all sets together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", metavar="SET", default=list(SETS), help=", ".join(SETS))
    parser.add_argument("--samples", type=int, default=150, help="of each set and length")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    sums: dict[tuple[int, str, str], list[float]] = {}
    for name in arguments.sets:
        with corpus(name, held_out=False) as found, indexed(found.folder) as view:
            for key, (share, count) in measure(view, arguments.samples, arguments.seed).items():
                print(f"{name:10}{key[0]:>3} words, {key[1]:6}{key[2]:14}{share:7.3f} of {count}", flush=True)
                sums.setdefault(key, []).extend([1.0] * round(share * count) + [0.0] * round((1 - share) * count))
    missed = False
    for key, values in sums.items():
        share = sum(values) / max(1, len(values))
        print(f"{'all':10}{key[0]:>3} words, {key[1]:6}{key[2]:14}{share:7.3f} of {len(values)}")
        least = LEAST_FIRST.get(key[0], LEAST_FIRST_QUOTED) if key[2] == "plain" else LEAST_FIRST_QUOTED
        missed |= share < least
    return int(missed)


def measure(view: View, samples: int, seed: int) -> dict[tuple[int, str, str], tuple[float, int]]:
    """The share at the first place and the number of phrases, by length, method and quotation marks."""
    texts = lines(view)
    shares: dict[tuple[int, str, str], tuple[float, int]] = {}
    for length in (*LENGTHS, LONG):
        phrases = sample(texts, length, samples, seed)
        for label, method in METHODS.items():
            for marks, pattern in PATTERNS.items():
                share = first_share(view, phrases, method, pattern)
                shares[length, label, marks] = share, len(phrases)
    return shares


if __name__ == "__main__":
    raise SystemExit(main())
