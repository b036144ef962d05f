"""What is printed: Markdown of PINCITE_DATA and generated tables, as plain blocks that are also the truth."""

import hashlib
import os
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
FOLDERS = {"asvs-4.0.3/md": 4, "docs-prometheus/docs": 7, "nist-800-63-3": 3, "standards/spdx-2.3": 3}
"""Folders with Markdown, and how many files of each are printed."""
GENERATED = 6
MIN_BYTES, MAX_BYTES = 4_000, 40_000
"""Sizes of the files: some pages each, printed in seconds."""
_LEXICON = """
account address agreement amount application assessment authentication available balance between board business
capital certificate committee communication company complete comprehensive condition configuration consideration
contract control customer date defined delivery department describe development difference document effective
employee environment equipment established evaluation evidence exchange expected experience financial following
framework function general government identifier implementation important information infrastructure instrument
insurance interest investment law-abiding liability long-term maintenance management market measurement method
minimum non-current objective obligation operation organisation outstanding participant particular payment
performance period policy presentation principle procedure process production programme property provision public
quality quarter re-entry reasonable recognition reference regulation relationship representation requirement
research responsibility review schedule security self-service service share standard statement structure subsequent
system technology third-party transaction transfer treatment understanding value verification well-known withdrawal
"""
WORDS = _LEXICON.split()


@dataclass(frozen=True)
class Cell:
    """A cell of a table's row and the columns that it spans."""

    text: str
    span: int = 1


@dataclass(frozen=True)
class Block:
    """What a source has in one place.

    Attributes:
        kind: `heading`, `paragraph`, `item`, `code` or `table`.
        runs: Text, in parts with True for those in a monospaced font.
        level: Of a heading, from 1.
        label: Number of a list item; empty for a bullet.
        rows: Of a table.
        header_rows: Number of its first rows that are its header.
    """

    kind: str
    runs: tuple[tuple[str, bool], ...] = ()
    level: int = 0
    label: str = ""
    rows: tuple[tuple[Cell, ...], ...] = ()
    header_rows: int = 1

    @property
    def text(self) -> str:
        """All runs, joined."""
        return "".join(text for text, _ in self.runs)


@dataclass(frozen=True)
class Source:
    """A document to be printed, and the language by which its words are broken."""

    name: str
    blocks: tuple[Block, ...]
    language: str = "en"


def frozen(names: Iterable[str]) -> frozenset[str]:
    """Return the third of names that is never looked at while rules are made: by hash, of each group a third.

    A group is what names have in common before the first `-` or `/`: a printer, a folder.
    """
    groups: dict[str, list[str]] = {}
    for name in hashed(names):
        groups.setdefault(re.split("[-/]", name)[0], []).append(name)
    return frozenset(name for group in groups.values() for name in group[: round(len(group) / 3)])


def hashed(names: Iterable[str]) -> list[str]:
    """Return names in the order of their hashes."""
    return sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())


def sources() -> list[Source]:
    """Return all sources; those of a folder are chosen by the hash of their path."""
    found: list[Source] = []
    for folder, count in FOLDERS.items():
        files = [file for file in (DATA / folder).rglob("*.md") if MIN_BYTES <= file.stat().st_size <= MAX_BYTES]
        names = {file.relative_to(DATA).as_posix(): file for file in files}
        chosen = hashed(names)[:count]
        found += [Source(name, with_dense_levels(markdown_blocks(names[name].read_text("utf-8")))) for name in chosen]
    return [*found, *(Source(f"generated-{seed}", tuple(generated(seed))) for seed in range(1, GENERATED + 1))]


def markdown_blocks(markdown: str) -> list[Block]:
    """Return the blocks of Markdown; raw HTML and front matter are left out."""
    body = re.sub(r"\A---\n.*?\n---\n", "", markdown, flags=re.DOTALL)
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    blocks: list[Block] = []
    counters: list[int | None] = []
    label: str | None = None
    for index, token in enumerate(tokens):
        if token.type in ("bullet_list_open", "ordered_list_open"):
            counters.append(int(token.attrs.get("start", 1)) if token.type[0] == "o" else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            counters.pop()
        elif token.type == "list_item_open":
            count = counters[-1]
            label = "" if count is None else f"{count}."
            counters[-1] = None if count is None else count + 1
        elif token.type == "heading_open":
            blocks.append(Block("heading", ((_plain(tokens[index + 1]), False),), level=int(token.tag[1])))
        elif token.type == "paragraph_open":
            runs = tuple(_runs(tokens[index + 1]))
            blocks.append(Block("paragraph" if label is None else "item", runs, label=label or ""))
            label = None
        elif token.type in ("fence", "code_block"):
            blocks.append(Block("code", ((token.content.expandtabs(4).rstrip("\n"), True),)))
        elif token.type == "table_open":
            blocks.append(_table(tokens[index:]))
    return [block for block in blocks if block.text.strip() or block.rows]


def _runs(inline: Token) -> Iterator[tuple[str, bool]]:
    for child in inline.children or ():
        if child.type in ("text", "code_inline"):
            yield child.content, child.type == "code_inline"
        elif child.type in ("softbreak", "hardbreak"):
            yield " ", False


def _plain(inline: Token) -> str:
    return "".join(text for text, _ in _runs(inline)).strip()


def _table(tokens: Sequence[Token]) -> Block:
    rows: list[tuple[Cell, ...]] = []
    cells: list[Cell] = []
    for token, following in pairwise(tokens):
        if token.type == "table_close":
            break
        if token.type in ("th_open", "td_open"):
            cells.append(Cell(_plain(following)))
        elif token.type == "tr_close":
            rows.append(tuple(cells))
            cells = []
    return Block("table", rows=tuple(rows))


def with_dense_levels(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Number the levels in use 1, 2, 3: no print shows that one was left out."""
    used = sorted({block.level for block in blocks if block.level})
    return tuple(
        Block("heading", block.runs, level=used.index(block.level) + 1) if block.level else block for block in blocks
    )


def generated(seed: int) -> Iterator[Block]:
    """Yield sections that have one table each, of every kind."""
    draw = random.Random(seed)  # noqa: S311 - a drawing that can be repeated
    yield Block("heading", ((random_title(draw, 3), False),), level=1)
    kinds = [_statement, _spanning, _catalogue, _requirements, _names, _long]
    draw.shuffle(kinds)
    for make in kinds:
        yield Block("heading", ((random_title(draw, draw.randint(2, 5)), False),), level=2)
        yield Block("paragraph", ((random_prose(draw, draw.randint(30, 90)), False),))
        yield make(draw)
        yield Block("paragraph", ((random_prose(draw, draw.randint(30, 60)), False),))


def random_title(draw: random.Random, words: int) -> str:
    return " ".join(draw.choice(WORDS) for _ in range(words)).capitalize()


def random_prose(draw: random.Random, words: int) -> str:
    sentences: list[str] = []
    while words > 0:
        length = min(max(4, words), draw.randint(7, 18))
        sentences.append(random_title(draw, length) + ".")
        words -= length
    return " ".join(sentences)


def _amount(draw: random.Random) -> str:
    kind = draw.random()
    if kind < 0.1:
        return "—"
    number = f"{draw.randint(1, 99_999):,}"
    return f"({number})" if kind < 0.3 else number


def table_of(rows: Sequence[Sequence[str]], header_rows: int = 1) -> Block:
    return Block("table", rows=tuple(tuple(map(Cell, row)) for row in rows), header_rows=header_rows)


def _statement(draw: random.Random) -> Block:
    years = ["2024", "2023", "2022"]
    rows = [
        [random_title(draw, draw.randint(1, 5)), *(_amount(draw) for _ in years)] for _ in range(draw.randint(5, 14))
    ]
    return table_of([["(In millions)", *years], *rows])


def _spanning(draw: random.Random) -> Block:
    table = _statement(draw)
    above = (Cell(""), Cell("Year ended December 31", 3))
    return Block("table", rows=(above, (Cell(""), *table.rows[0][1:]), *table.rows[1:]), header_rows=2)


def _catalogue(draw: random.Random) -> Block:
    rows = [
        [draw.choice(WORDS), draw.choice(["string", "number", "list"]), draw.choice(["none", "10", "true"]),
         random_prose(draw, draw.randint(4, 24))]
        for _ in range(draw.randint(4, 9))
    ]  # fmt: skip
    return table_of([["Option", "Type", "Default", "Description"], *rows])


def _requirements(draw: random.Random) -> Block:
    section = draw.randint(1, 9)
    rows = [
        [f"{section}.{draw.randint(1, 9)}.{number}", random_prose(draw, draw.randint(8, 40)), str(draw.randint(1, 3))]
        for number in range(1, draw.randint(5, 9))
    ]
    return table_of([["#", "Description", "Level"], *rows])


def _names(draw: random.Random) -> Block:
    rows = [
        [random_title(draw, 2), random_title(draw, draw.randint(1, 3)), random_title(draw, 1)]
        for _ in range(draw.randint(4, 10))
    ]
    return table_of([["Term", "Meaning", "Use"], *rows])


def _long(draw: random.Random) -> Block:
    rows = [[f"{draw.choice(WORDS)} {number}", *(_amount(draw) for _ in range(4))] for number in range(70)]
    return table_of([["Metric", "Q1", "Q2", "Q3", "Q4"], *rows])
