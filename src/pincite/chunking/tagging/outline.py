"""The clauses of a document: where each begins, its number, what it is about, whether it binds."""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.chunking.tagging.definitions import begins_definition
from pincite.chunking.tagging.numbers import Numbering, follows, under
from pincite.chunking.tagging.topics import (
    NEVER_BINDING,
    Topic,
    binding_by_statement,
    binding_by_title,
    bindings_by_list,
    topic,
)
from pincite.model.call import Call
from pincite.model.document import Block, BlockKind, Document, Section

MAX_TITLE_CHARS = 120
MAX_TITLE_WORDS = 14
"""Length of the longest paragraph that may be a title without the markup of one."""

STATEMENT_BLOCKS = 3
"""Paragraphs after a title in which a section may say that it is informative."""

MIN_NUMBERED = 3
"""Numbered titles from which a document counts as numbered: what comes before the first is front matter."""

FIRST_WORDS = 7
"""Words of a definition among which its term is, where it is a sentence."""

MIN_STEM_CHARS = 4
"""Characters of the shortest stem by which words of a title are compared: two endings at most are ignored."""

_TITLE_END = (".", ":", ";", ",", "?", "!")
_BARE_TOPICS = frozenset({Topic.FRONT, Topic.BACK, Topic.CONTENTS, Topic.REFERENCES, Topic.CHANGES})
_OUTER = frozenset({Topic.FRONT, Topic.BACK, Topic.CHANGES, Topic.CONTENTS})
"""What no clause within another is about: "4.10 Acknowledgements" specifies a field of that name; "A.4 Changes since
2020" in an annex lists changes."""
_PAGE_AT_END = re.compile(r"\s(?:\d{1,4}|[ivxlc]{1,7})\s*$")
_CHAPTER_NUMBER = re.compile(r"[\s#*]*(?:Chapter|Appendix|Annex|Article|Section)\s+(?:\d{1,3}|[A-Z])[\s*]*")
_GENERIC_TITLE = re.compile(
    r"(?:general|conventions?|notation|key\s?words?|requirements?|conformance|document\s+conventions|overview|introduction"
    r"|definitions?|explanations?|examples?|description|discussion|background|rationale|remarks?|notes?|purpose|details"
    r"|normative\b.*|informative\b.*|.*\b(?:notation|conventions?|keywords|requirements))$",
    re.IGNORECASE,
)
"""Titles within a glossary that are no terms, unless a definition is below them."""
_PARENTHESES = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """A clause: a heading, or a paragraph with a clause number, up to the next one.

    Attributes:
        start: Its first character in the document's text.
        level: The heading's level, or the enclosing one's plus the depth of the number.
        clause: Its number, else that of the enclosing clause; empty without one.
        numbered: Whether the number is its own.
        title: Without the number; empty for a numbered paragraph.
        topic: What it is about.
        binding: Whether "shall" obliges anybody in it.
        annex: True if it is in an annex.
        part_of: Where the outermost clause about the same topic begins.
        is_entry: Whether it is a titled sub-section of a glossary whose sub-sections are its entries.
    """

    start: int
    level: int = 0
    clause: str = ""
    numbered: bool = False
    title: str = ""
    topic: Topic = Topic.BODY
    binding: bool = True
    annex: bool = False
    part_of: int = 0
    is_entry: bool = False


@dataclass(frozen=True, slots=True)
class Outline:
    """All clauses of a document, in order.

    Attributes:
        scopes: One for the text before the first title, and one a title or numbered paragraph.
        clauses: The numbers that are a clause's own.
    """

    scopes: Sequence[Scope]
    starts: Sequence[int]
    clauses: frozenset[str]

    def at(self, position: int) -> Scope:
        """Return the clause of a position in the text."""
        return self.scopes[max(0, bisect_right(self.starts, position) - 1)]


def outline(document: Document, call: Call) -> Outline:
    """Return the clauses of a document."""
    marks = [*_Marks(document, call).marks()]
    stated = _stated(document)
    scopes = _entries_of_glossaries(document.text, marks, [*_inherit(document.text, marks, stated)])
    return Outline(
        scopes, [scope.start for scope in scopes], frozenset(scope.clause for scope in scopes if scope.numbered)
    )


@dataclass(frozen=True, slots=True)
class _Mark:
    """The beginning of a clause, and the paragraphs right after it."""

    start: int
    level: int
    number: str
    title: str
    annex: bool
    whole: str
    following: tuple[Block, ...]


class _Marks:
    """Finds the beginnings of a document's clauses."""

    def __init__(self, document: Document, call: Call) -> None:
        self._document, self._call = document, call
        self._entries = _entries_of_contents(document.sections)
        sections = [section for section in document.sections if section.start not in self._entries]
        titles = [section.path[-1] if section.path else "" for section in sections]
        self._has_headings = any(titles)
        self._numbering = Numbering([*titles, *self._possible_titles()])
        self._numbers = {number for title in titles if (number := self._numbering.split(title)[0])}

    def marks(self) -> Iterator[_Mark]:
        last = ""
        for section in self._document.sections:
            self._call.check()
            title = section.path[-1] if section.path else ""
            if section.start in self._entries:
                yield _Mark(section.start, section.level, "", title, annex=False, whole=title, following=())
                continue
            number, rest = self._numbering.split(title)
            above = self._line_above(section) if title and not number else ""
            if above_number := self._numbering.split(above)[0]:
                number, rest = above_number, title
            else:
                above = ""
            last = number or last
            annex = self._numbering.is_annex(above or title)
            blocks = [block for block in section.blocks if block.kind is not BlockKind.HEADING]
            yield _Mark(section.start, section.level, number, rest, annex, title, tuple(blocks[:STATEMENT_BLOCKS]))
            for mark in self._in_section(section, blocks, last):
                last = mark.number or last
                yield mark

    def _line_above(self, section: Section) -> str:
        """Return the line above a heading if it is the number of its chapter: "Chapter 7", as LaTeX prints it."""
        above = (
            self._document.text[max(0, section.start - MAX_TITLE_CHARS) : section.start].rstrip().rpartition("\n")[2]
        )
        return above if _CHAPTER_NUMBER.fullmatch(above) else ""

    def _in_section(self, section: Section, blocks: Sequence[Block], last: str) -> Iterator[_Mark]:
        """Yield the paragraphs that are titles without the markup of one, and the numbered paragraphs."""
        own = self._numbering.split(section.path[-1])[0] if section.path else ""
        for position, block in enumerate(blocks):
            text = self._candidate(block)
            if not text:
                continue
            following = tuple(blocks[position + 1 : position + 1 + STATEMENT_BLOCKS])
            number, rest = self._numbering.split(text)
            is_title = _is_title(text, rest)
            if number and self._may_be(number, last, own, is_title=is_title):
                annex = self._numbering.is_annex(text)
                level = section.level + number.count(".") + 1
                title = rest.strip("* _") if is_title else ""
                yield _Mark(block.start, level, number, title, annex, text if is_title else "", following)
                last = number
            elif not number and is_title and self._is_bare(topic(text)):
                level = section.level + 1 if self._has_headings else 1
                yield _Mark(block.start, level, "", text, annex=False, whole=text, following=following)

    def _is_bare(self, about: Topic) -> bool:
        """Return True for the topic of a paragraph that is a title whose section needs no number."""
        return about is Topic.TERMS or (about in _BARE_TOPICS and not self._has_headings)

    def _candidate(self, block: Block) -> str:
        """Return a paragraph's first line, if it begins as a title or a numbered paragraph may; else nothing."""
        if block.kind is not BlockKind.PARAGRAPH:
            return ""
        head = self._document.text[block.start : min(block.end, block.start + MAX_TITLE_CHARS + 1)]
        first = head.lstrip("*_")[:1]
        if not (first.isdigit() or first.isupper() or first == "\u00a7"):
            return ""
        return "" if not self._is_numbered(head) and len(head.strip()) > MAX_TITLE_CHARS else head.strip()

    def _is_numbered(self, head: str) -> bool:
        return head.lstrip("*_")[:1].isdigit()

    def _may_be(self, number: str, last: str, section: str, *, is_title: bool) -> bool:
        if number in self._numbers:
            return False
        if not is_title and "." not in number:
            return False
        if "." not in number and number.isdigit() and self._numbers:
            return False
        return follows(number, last) or ("." in number and under(number, section, last))

    def _possible_titles(self) -> Iterator[str]:
        for section in self._document.sections:
            for block in section.blocks:
                if block.end - block.start <= MAX_TITLE_CHARS and (text := self._candidate(block)):
                    yield text


def _entries_of_contents(sections: Sequence[Section]) -> frozenset[int]:
    """Return where the headings begin that are entries of the contents right above them: "1 About this manual 3".

    A head of the page among them ("2 CONTENTS") is one, too.
    """
    starts: set[int] = set()
    contents: int | None = None
    for section in sections:
        title = section.path[-1] if section.path else ""
        is_contents = topic(title.lstrip("0123456789. ")) is Topic.CONTENTS
        if contents is not None and section.level > contents and (is_contents or _PAGE_AT_END.search(title)):
            starts.add(section.start)
        else:
            contents = section.level if is_contents else None
    return frozenset(starts)


def _is_title(text: str, rest: str) -> bool:
    plain = rest.strip("* _")
    return (
        bool(plain)
        and "\n" not in text
        and len(text) <= MAX_TITLE_CHARS
        and not plain.endswith(_TITLE_END)
        and not plain[0].islower()
        and len(plain.split()) <= MAX_TITLE_WORDS
    )


def _stated(document: Document) -> dict[str, bool]:
    """Return the clauses that sentences of the document call normative or informative."""
    stated: dict[str, bool] = {}
    for section in document.sections:
        for block in section.blocks:
            if block.kind not in {BlockKind.PARAGRAPH, BlockKind.LIST}:
                continue
            text = document.text[block.start : block.end]
            if "ormative" not in text:
                continue
            stated.update(bindings_by_list(text))
    return stated


def _inherit(text: str, marks: Sequence[_Mark], stated: dict[str, bool]) -> Iterator[Scope]:
    """Yield the scope of each mark: what it does not say itself is that of the clause which encloses it."""
    by_number: dict[str, Scope] = {}
    stack: list[Scope] = []
    last: Scope | None = None
    front = _front(marks)
    for position, mark in enumerate(marks):
        while stack and stack[-1].level >= mark.level:
            stack.pop()
        parent = _enclosing(mark.number, by_number)
        if parent is None and stack and (not mark.number or "." in mark.number.removesuffix(".0")):
            # "14.1" may be below "Chapter 14", which keeps its word beside articles and sections.
            parent = stack[-1]
        if last and not mark.number and last.annex and last.numbered and not _PARENTHESES.sub("", last.title).strip():
            # "Annex A" and its title are headings of their own.
            parent = last
        scope = _scope(text, mark, parent, stated.get(mark.number))
        if not mark.number and not scope.clause and position < front and _is_front(marks, position, front):
            name = Topic.FRONT if scope.topic is Topic.BODY else scope.topic
            scope = replace(scope, topic=name, binding=False)
        stack.append(scope)
        last = scope
        if mark.number:
            by_number.setdefault(mark.number.removesuffix(".0"), scope)
        yield scope


def _front(marks: Sequence[_Mark]) -> int:
    """Return the position of the first numbered mark of a document most of whose titles are numbered, else 0."""
    numbered = [position for position, mark in enumerate(marks) if mark.number]
    if len(numbered) < max([MIN_NUMBERED, *numbered[:1]]) or marks[numbered[0]].number.split(".")[0] not in {"0", "1"}:
        return 0
    return numbered[0]


def _is_front(marks: Sequence[_Mark], position: int, front: int) -> bool:
    """Return True unless the mark encloses the first numbered one, as the document's title does."""
    mark = marks[position]
    return not mark.title or any(other.level <= mark.level for other in marks[position + 1 : front + 1])


def _enclosing(number: str, by_number: dict[str, Scope]) -> Scope | None:
    while "." in number:
        number = number.rpartition(".")[0]
        if number in by_number:
            return by_number[number]
    return None


def _is_entry(text: str, mark: _Mark) -> bool:
    """Return True for a section of a glossary whose title is a term: "3.11 general", "3.4 Requirement"."""
    first = text[mark.following[0].start : mark.following[0].end] if mark.following else ""
    return mark.title[:1].islower() or begins_definition(first) or _begins_with(first, mark.title)


def _begins_with(text: str, title: str) -> bool:
    """Return True for a text whose first words are those of a title, in any number: "A pump is" under "Pumps"."""
    first = {_stem(word) for word in _WORD.findall(text[:MAX_TITLE_CHARS])[:FIRST_WORDS]}
    return first.issuperset(map(_stem, _WORD.findall(_PARENTHESES.sub("", title))))


def _stem(word: str) -> str:
    return word.lower()[: max(MIN_STEM_CHARS, len(word) - 2)]


def _entries_of_glossaries(text: str, marks: Sequence[_Mark], scopes: Sequence[Scope]) -> list[Scope]:
    """Return the scopes; sub-sections of a glossary are its entries if about half of those with text look so.

    One alone tells little: "Build model" under "Terminology" may begin as a definition does, and "REST" may not.
    """
    looks: defaultdict[int, list[bool]] = defaultdict(list)
    named: list[Scope] = []
    for mark, scope in zip(marks, scopes, strict=True):
        is_likely = scope.is_entry and _is_entry(text, mark)
        is_named = is_likely or (scope.is_entry and not _GENERIC_TITLE.match(scope.title))
        named.append(replace(scope, is_entry=is_named))
        if is_named and mark.following and mark.following[0].kind is BlockKind.PARAGRAPH:
            looks[scope.part_of].append(is_likely)
    others = {glossary for glossary, likely in looks.items() if 2 * (1 + sum(likely)) < 1 + len(likely)}
    return [replace(scope, is_entry=scope.is_entry and scope.part_of not in others) for scope in named]


def _scope(text: str, mark: _Mark, parent: Scope | None, stated: bool | None) -> Scope:
    inherited = parent or Scope(0)
    own = topic(mark.title) if mark.title else Topic.BODY
    lists_changes = own is Topic.CHANGES and mark.number[:1].isalpha()
    if (own in _OUTER and "." in mark.number and not lists_changes) or (
        inherited.topic is Topic.TERMS and mark.number and _is_entry(text, mark)
    ):
        own = Topic.BODY
    about = own if own is not Topic.BODY else inherited.topic
    binding = stated if stated is not None else binding_by_title(mark.whole)
    for block in mark.following:
        if binding is not None or block.kind is not BlockKind.PARAGRAPH:
            break
        binding = binding_by_statement(text[block.start : block.end])
    if binding is None or (own in NEVER_BINDING and own is not Topic.EXAMPLES):
        binding = inherited.binding and about not in NEVER_BINDING
    return Scope(
        mark.start,
        mark.level,
        mark.number or inherited.clause,
        bool(mark.number),
        mark.title,
        about,
        binding,
        mark.annex or inherited.annex,
        inherited.part_of if about is inherited.topic else mark.start,
        bool(mark.title) and own is Topic.BODY and inherited.topic is Topic.TERMS,
    )
