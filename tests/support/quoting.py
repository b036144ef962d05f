"""Quotes with a known verdict, made of real texts by rules that know nothing of the verifier."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle

from markdown_it import MarkdownIt
from markdown_it.token import Token

Span = tuple[int, int]
_WORD = re.compile(r"\S+")
_PLAIN = re.compile(r"[A-Za-z]{2,}")
_WINDOW = 4


@dataclass(frozen=True)
class Case:
    """A quote, where it is said to stand, and the verdicts that are right."""

    kind: str
    quote: str
    place: Span
    right: frozenset[str]
    source: str


@dataclass(frozen=True)
class Text:
    """A document to cut quotes from."""

    name: str
    text: str

    @cached_property
    def words(self) -> list[Span]:
        return [match.span() for match in _WORD.finditer(self.text)]

    @cached_property
    def bare(self) -> str:
        return bare(self.text)

    @cached_property
    def windows(self) -> frozenset[tuple[str, ...]]:
        return frozenset(windows([bare(self.text[start:end]) for start, end in self.words]))

    @cached_property
    def rendered(self) -> list[str]:
        """What its paragraphs, headings and cells say, as an independent parser reads them."""
        tokens = MarkdownIt("commonmark").enable("table").parse(self.text)
        return [
            rendered(token.children or []) for token in tokens if token.type == "inline" and "<" not in token.content
        ]


def bare(text: str) -> str:
    """Letters and digits only."""
    return "".join(character for character in unicodedata.normalize("NFKC", text).lower() if character.isalnum())


def windows(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    words = [word for word in words if word]
    return (tuple(words[index : index + _WINDOW]) for index in range(len(words) - _WINDOW + 1))


def cases(texts: Sequence[Text], count: int, seed: int) -> list[Case]:
    """As many cases as asked for, of every kind in turn; the same for the same seed."""
    chance = random.Random(seed)  # noqa: S311 - it is to repeat
    found: list[Case] = []
    for make in cycle(_KINDS):
        case = make(chance.choice(texts), texts, chance)
        found.extend([case] if case else [])
        if len(found) == count:
            return found
    raise AssertionError


def rendered(children: Sequence[Token]) -> str:
    shown = {"text", "code_inline", "text_special"}
    return "".join(
        child.content if child.type in shown else " " if child.type in ("softbreak", "hardbreak") else ""
        for child in children
    )


def _cut(text: Text, chance: random.Random, fewest: int = 5, most: int = 25) -> Span | None:
    """A span from one plain word to another, not after a word that ends in a hyphen."""
    words = text.words
    for _ in range(200):
        if len(words) < fewest + 2:
            return None
        first = chance.randrange(len(words) - fewest)
        last = min(first + chance.randint(fewest, most), len(words)) - 1
        start, end = words[first][0], words[last][1]
        plain = all(_PLAIN.fullmatch(text.text[slice(*words[index])]) for index in (first, last))
        if plain and not (first and text.text[words[first - 1][1] - 1] in "-\u2010"):
            return start, end
    return None


def _around(text: Text, span: Span) -> Span:
    return max(0, text.text.rfind("\n\n", 0, span[0])), (text.text + "\n\n").index("\n\n", span[1])


def _case(kind: str, text: Text, quote: str, place: Span, *right: str) -> Case:
    return Case(kind, quote, place, frozenset(right), text.name)


def _true(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    span = _cut(text, chance)
    return _case("true", text, text.text[slice(*span)], _around(text, span), "exact") if span else None


def _spaced(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    span = _cut(text, chance)
    if not span:
        return None
    words = text.text[slice(*span)].split()
    quote = "".join(word + chance.choice([" ", "\n", "\u00a0", "  ", "\u2009", "\r\n"]) for word in words)
    right = "exact" if quote.strip() in text.text else "normalised"
    return _case("spaced", text, quote.strip(), _around(text, span), right)


def _hyphenated(quote: str, chance: random.Random) -> str:
    places = [match.start() for match in re.finditer(r"(?<=[a-z]{3})(?=[a-z]{3})", quote)]
    place = chance.choice(places) if places else len(quote)
    return f"{quote[:place]}-\n{quote[place:]}" if places else quote


def _hidden(quote: str, chance: random.Random) -> str:
    places = [match.start() for match in re.finditer(r"(?<=[a-z])(?=[a-z])", quote)]
    place = chance.choice(places) if places else len(quote)
    return quote[:place] + chance.choice("\u00ad\u200b\u2060\ufeff") + quote[place:]


def _first_letter(quote: str, _: random.Random) -> str:
    return quote[0].swapcase() + quote[1:] if re.match(r"[A-Za-z]?[a-z]{3,}\b", quote) else quote


def _widened(quote: str, _: random.Random) -> str:
    return re.sub(r"[0-9]", lambda match: chr(ord(match[0]) + 0xFEE0), quote)


VARIANTS: list[Callable[[str, random.Random], str]] = [
    lambda quote, _: quote.replace("'", "\u2019"),
    lambda quote, _: re.sub(r'"([^"]*)"', "\u201c\\1\u201d", quote),
    lambda quote, chance: re.sub(r"(?<=[a-z])-(?=[a-z])", chance.choice("\u2010\u2011\u2013"), quote),
    lambda quote, _: quote.replace("fi", "\ufb01").replace("fl", "\ufb02").replace("ff", "\ufb00"),
    lambda quote, _: unicodedata.normalize("NFD", quote),
    lambda quote, _: quote.replace("...", "\u2026"),
    lambda quote, _: re.sub(r"(?<=[a-z]) \u2014 (?=[a-z])", " - ", quote),
    lambda quote, _: f"\u2026 {quote} \u2026",
    lambda quote, _: f"**{quote}**" if not set("*_`[]<|") & set(quote) else quote,
    _hyphenated, _hidden, _first_letter, _widened,
]  # fmt: skip


def _variant(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    span = _cut(text, chance)
    source = text.text[slice(*span)] if span else ""
    if not span or "\n\n" in source or not _whole(source):
        return None
    quote = source
    for change in chance.sample(VARIANTS, 4):
        quote = change(quote, chance)
    return _case("variant", text, quote, _around(text, span), "normalised") if quote != source else None


def _whole(source: str) -> bool:
    """Whether no markup was cut in two: then only the text as written is sure to be found."""
    return not set("*_`[]<>|~\\&#") & set(source) and not re.search(r"^\s*([-+=]|\d+[.)])", source, re.MULTILINE)


def _read(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    """What a reader of the rendered page would copy."""
    quote = chance.choice(text.rendered) if text.rendered else ""
    if len(quote) < 12 or not re.search(r"\w", quote):
        return None
    return _case("rendered", text, quote, (0, len(text.text)), "exact", "normalised")


def _digit(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    span = _cut(text, chance)
    source = text.text[slice(*span)] if span else ""
    digits = [index for index, character in enumerate(source) if character in "0123456789"]
    if not span or not digits:
        return None
    place = chance.choice(digits)
    quote = (
        source[:place]
        + chance.choice([digit for digit in "0123456789" if digit != source[place]])
        + source[place + 1 :]
    )
    return _case("digit", text, quote, _around(text, span), "absent") if _is_absent(quote, source, text) else None


def _number(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    """A number made longer, negative or more exact, in a quote too short for two parts."""
    span = _cut(text, chance, 4, 2 * _WINDOW - 1)
    source = text.text[slice(*span)] if span else ""
    numbers = list(re.finditer(r"(?<![\w.,])\d+(?:\.\d+)?(?![\w.,])", source))
    if not span or not numbers:
        return None
    number = chance.choice(numbers)
    changed = chance.choice(
        [f"{number[0]}0", f"1{number[0]}", f"-{number[0]}", f"{number[0]}.5", f"{number[0]}²", f"{number[0]}%"]
    )
    if source[number.end() :].startswith("%"):
        return None
    quote = source[: number.start()] + changed + source[number.end() :]
    return (
        _case("number", text, quote, _around(text, span), "absent")
        if _is_absent(quote, source, text, signs=True)
        else None
    )


def _word(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    span = _cut(text, chance)
    if not span:
        return None
    source = text.text[slice(*span)]
    words = source.split()
    place = chance.randrange(1, len(words) - 1)
    other = text.text[slice(*chance.choice(text.words))]
    other = chance.choice([other, "entirely", "never"])
    if "<" in other or bare(other) in ("", *map(bare, words[place - 1 : place + 2])):
        return None
    if set("<>[]()&`") & set(words[place - 1] + words[place]):
        return None  # what is changed may be markup only
    change = chance.choice(["replace", "insert", "drop", "swap"])
    if change == "replace":
        words[place] = other
    elif change == "insert":
        words.insert(place, other)
    elif change == "drop":
        del words[place]
    else:
        words[place - 1], words[place] = words[place], words[place - 1]
    quote = " ".join(words)
    right = "stitched" if change == "drop" and all(map(_fits, (words[:place], words[place:]))) else "absent"
    return _case("word", text, quote, _around(text, span), right) if _is_absent(quote, source, text) else None


def _fits(words: Sequence[str]) -> bool:
    """Whether words are enough for a part of a stitched quote."""
    return len([word for word in words if bare(word)]) >= _WINDOW and sum(map(len, words)) >= 12


def _is_absent(quote: str, source: str, text: Text, *, signs: bool = False) -> bool:
    """Whether a changed quote stands nowhere by chance, not in parts either."""
    if signs:  # only a sign changed: its words are the same
        return len(quote.split()) < 2 * _WINDOW and quote not in text.text
    before = [bare(word) for word in source.split()]
    after = [bare(word) for word in quote.split()]
    changed = [window for window in windows(after) if window not in set(windows(before))]
    return bool(changed) and bare(quote) not in text.bare and not any(window in text.windows for window in changed)


def _stitched(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    spans = [_cut(text, chance, 6, 15) for _ in range(chance.choice([2, 2, 3, 4]))]
    parts = [text.text[slice(*span)] for span in spans if span]
    if len(parts) != len(spans) or not all(_long(part) for part in parts):
        return None
    quote = chance.choice([" ", " ", " … ", " [...] "]).join(parts)
    return (
        _case("stitched", text, quote, (0, len(text.text) // 2), "stitched") if bare(quote) not in text.bare else None
    )


def _long(part: str) -> bool:
    return len("".join(part.split())) >= 20 and len([word for word in part.split() if bare(word)]) >= 6 and _whole(part)


def _moved(text: Text, _: Sequence[Text], chance: random.Random) -> Case | None:
    span, elsewhere = _cut(text, chance), _cut(text, chance)
    if not span or not elsewhere:
        return None
    quote, place = text.text[slice(*span)], _around(text, elsewhere)
    if "<" in text.text[slice(*place)]:
        return None  # its words may stand there between tags
    return _case("moved", text, quote, place, "moved") if bare(quote) not in bare(text.text[slice(*place)]) else None


def _foreign(text: Text, texts: Sequence[Text], chance: random.Random) -> Case | None:
    """From another document; the first words of it stand nowhere in this one."""
    other = chance.choice(texts)
    span = _cut(other, chance)
    if not span:
        return None
    quote = other.text[slice(*span)]
    first = next(windows([bare(word) for word in quote.split()]), None)
    if first is None or "".join(first) in text.bare:
        return None
    return _case("foreign", text, quote, (0, len(text.text)), "absent")


_KINDS = (_true, _spaced, _variant, _read, _digit, _number, _word, _stitched, _moved, _foreign)
