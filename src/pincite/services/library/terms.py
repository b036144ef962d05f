"""The glossary of a library: which terms its definitions define, and which of them a term may have meant."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pincite.chunking.tagging.definitions import DEFINING_VERBS, MAX_TERM_WORDS, defined, is_abbreviation, plain_term
from pincite.chunking.tagging.marked_terms import MARKED
from pincite.chunking.tagging.topics import Topic, topic
from pincite.model.chunk import Chunk, ChunkKind
from pincite.ranking.stopwords import STOPWORDS
from pincite.runtime.imports import import_once

T = TypeVar("T")

SIMILAR_TERMS = 3
"""Similar terms that an answer lists (contract 2)."""

MIN_SIMILARITY = 0.5
"""Cosine above which a term is similar in meaning (contract 2)."""

MAX_EDITS = 2
"""Levenshtein distance up to which a term is similar in spelling (contract 2)."""

_LEAD = re.compile(r"(?:[\s>+\u2022\u00b7-]|\*(?=\s))*(?:\(?[\da-z]{1,3}[.)]\s+)?")
_EMPHASISED = re.compile(r"(?:\*\*|__)(?P<strong>[^*_\n]{1,100})(?:\*\*|__)|[*_](?P<weak>[^*_\n]{1,100})[*_]")
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<title>[^\n]+?)[ \t]*#*[ \t]*(?:\n|\Z)")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^()\s]*\)|</?(?:a|span)\b[^<>\n]*>|[ \t]*\{[#.:][^{}\n]*\}")
"""A link in a heading, which its text stands for, or the name by which links find the heading."""
_NUMBER = re.compile(r"(?:(?:[A-Z]\.)?\d+(?:\.\d+)*\.?|[A-Z]\.\d+(?:\.\d+)*|§\s*\d[\d.]*)[ \t\n]+(?=\S)")
_SYNONYM = re.compile(r"\s*\n\s*(?:\*\*|__)(?P<term>[^*_\n]{1,100})(?:\*\*|__)[ \t]*(?=\n)")
_ABBREVIATION_LINE = re.compile(r"\s*(?P<term>[A-Z][A-Za-z0-9/&.-]{0,15})(?:\t+|[ ]{2,})\S")
_LINE = re.compile(r"(?P<term>[^\n]{1,100}?)[ \t]*\n+[ \t]*:?[ \t]*\S")
_ABBREVIATION = re.compile(r"\s*\((?P<short>[^()\n]{1,30})\)")
_VERB = re.compile(rf"[ \n]*(?:{DEFINING_VERBS}|is|are)\b")
_SUBJECT = re.compile(r"\A\W{0,3}(?:An?|The)\s+(?P<term>[^.,;:\n]{2,60}?)\s+(?:is|are|means)\s+(?:an?|the|any|one)\b")
"""What a sentence is about that defines the title of its section: "A block is a sequence of …" under "Blocks"."""
_ARTICLE = re.compile(r"(?:an?|the|each)\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"))
_INFLECTED = re.compile(r"(?<=\w{4})(?:ings?|ed|es|e|ers?|ors?|ion|ions)\Z")


@dataclass(frozen=True, slots=True)
class Entry:
    """A term and the chunk that defines it.

    Attributes:
        term: As it is written.
        chunk_id: Its chunk.
        is_entry: Whether it is an entry of a glossary; else a sentence of running text defines it.
    """

    term: str
    chunk_id: int
    is_entry: bool = True


def definition_text(chunk: Chunk) -> str:
    """Return the Markdown of a definition with the heading that it may be under, without the header of its table."""
    heading, text = chunk.text[: chunk.embed_start], chunk.text[chunk.embed_start :]
    if chunk.kind is ChunkKind.TABLE or not heading.strip():
        return text
    # Plain text writes its headings without marks.
    own = with_own_heading(chunk)
    return own if own.lstrip().startswith("#") else f"# {chunk.heading}\n\n{text}"


def with_own_heading(chunk: Chunk) -> str:
    """Return the text of a chunk from the heading of its section on, without headings above that it begins with."""
    at = chunk.text.rfind(chunk.heading, 0, chunk.embed_start) if chunk.heading else -1
    return chunk.text[chunk.text.rfind("\n", 0, max(at, 0)) + 1 :] if at > 0 else chunk.text


def headwords(text: str) -> tuple[Sequence[str], bool]:
    """Return the terms that a definition defines with abbreviations and their expansions, and whether it is an entry.

    Args:
        text: A glossary's row, list item or paragraph, a clause whose heading is the term, or a defining sentence.
    """
    body = text.strip()
    if body.startswith("|"):
        terms = [term for row in _rows(body) for term in _with_short(row)]
        return _unique([*terms, *_expansions(terms, body)]), True
    heading = _HEADING.match(body)
    sentences = body[heading.end() :] if heading else body
    name = _NUMBER.sub("", _LINK.sub(r"\1", heading["title"])) if heading else ""
    if name[:1].isupper() and topic(name) is Topic.TERMS and sentences.strip():
        body, heading = sentences.strip(), None  # "Definitions" is no term
    if terms := _entry(sentences):
        return _unique([*terms, *_expansions(terms, sentences)]), True
    matches = () if name[:1].islower() else defined(sentences)
    if terms := _unique(term for match in matches for term in _of(match)):
        return terms, False
    marked = marked_terms(sentences)
    if heading:
        return _unique([*marked, *_with_short(name)]), True
    if not marked and (subject := _SUBJECT.match(sentences)):
        marked = _of(subject)
    if marked:
        return _unique(marked), False
    lead = _LEAD.match(body)
    line = _LINE.match(_NUMBER.sub("", body[lead.end() if lead else 0 :], count=1))
    return (_unique(_with_short(line["term"])) if line and _is_term(line["term"]) else ()), True


def marked_terms(text: str) -> list[str]:
    """Return the terms that a web page marks (`<dfn>`), with their abbreviations."""
    return [term for match in MARKED.finditer(text) for term in _with_short(match["term"])]


def _entry(text: str) -> Sequence[str]:
    """Return the term at the head of a list item or paragraph, as `**Term** (T): text` or `Term — text`."""
    lead = _LEAD.match(text)
    body = text[lead.end() if lead else 0 :]
    number = _NUMBER.match(body)
    body = body[number.end() if number else 0 :]
    if emphasised := _EMPHASISED.match(body):
        rest = body[emphasised.end() :]
        short = _ABBREVIATION.match(rest)
        if _VERB.match(rest[short.end() if short else 0 :]):
            return ()
        names = [emphasised["strong"] or emphasised["weak"]]
        while synonym := _SYNONYM.match(rest):
            names.append(synonym["term"])
            rest = rest[synonym.end() :]
        terms = [_NUMBER.sub("", term.rstrip(" :."), count=1) for term in names]
        return _unique([name for term in terms for name in _with_short(term)] + ([short["short"]] if short else []))
    if lines := _abbreviations(body):
        return lines
    if _is_term(term := plain_term(body)):
        return _unique(_with_short(term))
    return (body.split(maxsplit=1)[0],) if is_abbreviation(body) else ()


def _abbreviations(text: str) -> Sequence[str]:
    """Return the abbreviations of lines that each have one and, apart from it, its expansion."""
    lines = [line for line in text.splitlines() if line.strip()]
    matched = [match for line in lines if (match := _ABBREVIATION_LINE.match(line))]
    return _unique(match["term"] for match in matched) if len(matched) == len(lines) > 1 else ()


def _rows(table: str) -> list[str]:
    """Return the first cells of a table's body; of every row if nothing is below its head."""
    rows = [line.strip().strip("|").split("|") for line in table.splitlines() if line.strip().startswith("|")]
    rules = [n for n, cells in enumerate(rows) if all(set(cell.strip()) <= set(":-") for cell in cells)]
    body = (rows[rules[0] + 1 :] or rows[: rules[0]]) if rules else rows
    cells = (next((cell.strip(" *_`") for cell in row if cell.strip()), "") for row in body)
    return [cell for cell in cells if _is_term(cell)]


def _expansions(terms: Iterable[str], text: str) -> Iterator[str]:
    """Yield the expansion of each abbreviation, as the text has it: "MFA: multi-factor authentication, …"."""
    for term in terms:
        if term.isupper() and term.isalpha() and len(term) > 1 and (match := re.search(rf"\b{term}\b", text)):
            letters, start = term.casefold(), 0
            for word in _WORD.finditer(text, match.end()):
                if word[0][0].casefold() == letters[0]:
                    start, letters = start or word.start(), letters[1:]
                elif not start or word[0] not in STOPWORDS:
                    break
                if not letters:
                    yield text[start : word.end()]
                    break


def _of(match: re.Match[str]) -> list[str]:
    term = _ARTICLE.sub("", match["term"].strip(), count=1)
    short = _ABBREVIATION.match(match.string[match.end("term") :].lstrip("\"\u201d'*_"))
    return [*_with_short(term), *([short["short"]] if short else [])] if _is_term(term) else []


def _with_short(term: str) -> list[str]:
    """Return a term without the abbreviation in brackets after it, and the abbreviation."""
    plain = term.strip(" *_`\"\u201c\u201d'")
    short = _ABBREVIATION.search(plain)
    if short is None or not short.start():
        return [plain] if plain else []
    return [(plain[: short.start()] + plain[short.end() :]).strip(), short["short"]]


def _is_term(text: str) -> bool:
    return 0 < len(text.split()) <= MAX_TERM_WORDS and any(map(str.isalnum, text))


def _unique(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for term in terms if term))


def _first_by(key_of: Callable[[T], Hashable], items: Iterable[T]) -> list[T]:
    """Return the first item of each key, in order."""
    first: dict[Hashable, T] = {}
    for item in items:
        first.setdefault(key_of(item), item)
    return list(first.values())


def key(term: str) -> str:
    """Return a term folded for comparison: letter case, accents, hyphens, spaces, articles and plurals ignored."""
    return "".join(_singular(word) for word in _words(term))


def _words(term: str) -> list[str]:
    folded = unicodedata.normalize("NFKD", term).casefold()
    plain = "".join(character for character in folded if not unicodedata.combining(character))
    return _WORD.findall(_ARTICLE.sub("", plain, count=1) if _ARTICLE.match(plain) else plain)


def _singular(word: str) -> str:
    for ending, singular in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + singular
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word  # noqa: PLR2004 - "gas", "bus"


def _stem(term: str) -> str:
    """Return a term folded further: `authenticating` and `authenticated` are one."""
    return "".join(_INFLECTED.sub("", _singular(word)) for word in _words(term))


def _initials(term: str) -> str:
    return "".join(word[0] for word in _words(term))


def _chunk_id(entry: Entry) -> int:
    return entry.chunk_id


class Glossary:
    """The defined terms of a library.

    Args:
        entries: In the order in which definitions of one term are listed.
    """

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = sorted(entries, key=lambda entry: not entry.is_entry)
        self._by_key: defaultdict[str, list[Entry]] = defaultdict(list)
        self._by_stem: defaultdict[str, list[Entry]] = defaultdict(list)
        self._by_initials: defaultdict[str, list[Entry]] = defaultdict(list)
        for entry in self._entries:
            self._by_key[key(entry.term)].append(entry)
            self._by_stem[_stem(entry.term)].append(entry)
            self._by_initials[_initials(entry.term)].append(entry)
        self.terms = _first_by(key, (entry.term for entry in self._entries))
        """Every term once, as its first entry writes it."""

    def find_term(self, term: str) -> list[Entry]:
        """Return the definitions of a term, entries of a glossary first; each chunk once.

        What differs in letter case, hyphens, articles or number is the same term; if there is none, what differs in
        its inflection is, and then what the letters of an abbreviation stand for.
        """
        for name in _with_short(term):
            for entries in (self._by_key[key(name)], self._by_stem[_stem(name)]):
                if entries:
                    return _first_by(_chunk_id, entries)
        is_abbreviation = term.isupper() and term.isalpha()
        expanded = self._by_initials[term.casefold()] if is_abbreviation and len(term) > 1 else []
        return _first_by(_chunk_id, expanded)

    def similar(self, term: str, nearest: Callable[[], Iterable[tuple[str, float]]]) -> list[str]:
        """Return up to three terms that may have been meant: near in spelling first, then near in meaning.

        Args:
            term: A term that is not defined.
            nearest: Returns terms with their cosine to it, the nearest first.
        """
        spelt = self._spelt_like(term)
        meant = (name for name, similarity in nearest() if similarity > MIN_SIMILARITY)
        # A typing error is the likelier reason: the nearest in spelling replaces the third in meaning.
        chosen = _first_by(key, [*spelt[:1], *list(meant)[:SIMILAR_TERMS], *spelt])[:SIMILAR_TERMS]
        return [*(name for name in spelt if name in chosen), *(name for name in chosen if name not in spelt)]

    def _spelt_like(self, term: str) -> list[str]:
        """Return the terms within `MAX_EDITS` of a term, the nearest first."""
        import_once("rapidfuzz.process")
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 - only a term that is not found pays for it

        folded = term.casefold()
        distances = (
            (Levenshtein.distance(folded, name.casefold(), score_cutoff=MAX_EDITS), index, name)
            for index, name in enumerate(self.terms)
        )
        return [name for distance, _, name in sorted(distances) if distance <= MAX_EDITS]
