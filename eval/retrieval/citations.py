"""Whether citations open where the index that made them is not: one command, one table.

    python eval/retrieval/citations.py [--references N] [--seed N] [--misses]

The documents of PINCITE_DATA, as Markdown, are indexed and cited: every chunk and section, quotations and values. Then
copies with sections added, removed, moved and reworded are indexed anew, in an empty cache, and every reference is
opened there; so with the same chunk size, with another one, and in the same documents with another one. A place stands
if no edit touched it: it must open, and there. Words are compared as `verify_quote` reads them.
"""

import argparse
import os
import random
import re
import tarfile
import tempfile
import time
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from pincite.app import App
from pincite.errors import PinciteError
from pincite.evidence import marks
from pincite.evidence.boundaries import is_boundary
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.index import citations as index_citations
from pincite.index.citations import Cited
from pincite.index.view import View
from pincite.model.call import Call
from pincite.model.locator import parse
from pincite.model.store import StoredDocument
from pincite.registry import FORMATS
from pincite.settings import load

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
MARKDOWN = ("docs-prometheus", "nist-800-63-3", "asvs-4.0.3/md", "standards")
READ = ("html/pg-select.html", "html/py-csv.html",
        "html/sqlite-select.html")  # fmt: skip
TLDR_PAGES = 150
CHUNK_TOKENS = (None, 90)
VALUE_WORDS, QUOTE_WORDS = (1, 7), (8, 60)
NEAR_CHARS = 40
"""On each side of a value: the neighbouring words, which are hashed with it."""

EDITED_SHARE = 0.06
"""Of the sections, each for adding, removing, moving and rewording."""

ADDED_CHARS = 4000
"""Maximum length of an added section."""

_WORD = re.compile(r"\w[\w.,%-]*\w|\w")


@dataclass(frozen=True)
class Citation:
    """A reference and what it cites: a span of a document's text."""

    ref: str
    kind: str
    name: str
    span: tuple[int, int]


class Original(NamedTuple):
    """A document's text, and where its sections begin."""

    text: str
    starts: list[int]


@dataclass
class Copy:
    """An edited text: spans of the original that it has, each with its position."""

    text: str
    kept: list[tuple[int, int, int]]

    def place(self, span: tuple[int, int]) -> tuple[int, int] | None:
        """Return where a span of the original is now; None if an edit touched it."""
        row = bisect_right(self.starts, span[0]) - 1
        start, end, position = self.in_order[row] if row >= 0 else (0, 0, 0)
        place = position + span[0] - start
        while end < span[1] and row + 1 < len(self.in_order):
            row, before = row + 1, position + end - start
            start, further, position = self.in_order[row]
            if start != end or position != before:
                return None
            end = further
        return (place, place + span[1] - span[0]) if span[1] <= end else None

    @cached_property
    def in_order(self) -> list[tuple[int, int, int]]:
        """The spans by their start in the original."""
        return sorted(self.kept)

    @cached_property
    def starts(self) -> list[int]:
        """Their starts."""
        return [start for start, _, _ in self.in_order]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--references", type=int, default=34_000, help="references opened in each of three copies")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true", help="print each reference that did not open as it should")
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)  # noqa: S311 - nothing is secret
    # Each document is prepared once for all its references: the time of one is measured apart.
    prepared = lru_cache(maxsize=1)(marks.Words)
    index_citations._words = lambda snapshot, document: prepared(snapshot.text(document.id))  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    with tempfile.TemporaryDirectory() as temporary:
        originals = documents(Path(temporary), draw)
        folder = Path(temporary) / "original"
        write(folder, originals)
        with indexed(folder, CHUNK_TOKENS[0]) as view:
            # Texts as the index has them: a reader may change line ends.
            originals = {each.name: Original(view.text(each), section_starts(view, each)) for each in view.documents()}
            cited = citations(view, arguments.references, draw)
        longest = max(len(each.ref) - each.ref.index("~") for each in cited)
        print(f"{len(originals):,} documents, {len(cited):,} references; a mark adds {longest} characters")
        others = {name: [each for other, each in originals.items() if kind(other) != kind(name)] for name in originals}
        edited = {name: edit(original, draw, others[name]) for name, original in originals.items()}
        same = {name: Copy(text, [(0, len(text), 0)]) for name, (text, _) in originals.items()}
        for label, copies, tokens in (
            ("edited", edited, CHUNK_TOKENS[0]),
            ("edited, other chunks", edited, CHUNK_TOKENS[1]),
            ("other chunks", same, CHUNK_TOKENS[1]),
        ):
            folder = Path(temporary) / label.replace(", ", "-").replace(" ", "-")
            write(folder, {name: copy.text for name, copy in copies.items()})
            with indexed(folder, tokens) as view:
                score(label, view, cited, originals, copies, show=arguments.misses)


def documents(folder: Path, draw: random.Random) -> dict[str, str]:
    """The shared data as Markdown: pages of documentation, standards, reports."""
    found = {path.relative_to(DATA).as_posix().replace("/", "-"): path.read_text("utf-8", "replace")
             for part in MARKDOWN for path in sorted((DATA / part).rglob("*.md"))}  # fmt: skip
    with tarfile.open(DATA / "docs-tldr.tar.xz") as archive:
        members = sorted((m for m in archive.getmembers() if m.name.endswith(".md")), key=lambda m: m.name)
        for member in sorted(draw.sample(members, TLDR_PAGES), key=lambda m: m.offset):
            file = archive.extractfile(member)
            if file:
                found[member.name.replace("/", "-")] = file.read().decode()
    for name in READ:
        path = DATA / name
        row = next(row for row in FORMATS if path.suffix[1:] in row.extensions or path.suffix in row.extensions)
        found[f"{path.stem}.md"] = read_document(row, Blob(path.name, path.read_bytes()), ReadOptions(), Call()).text
    del folder
    return found


def kind(name: str) -> str:
    """The set of a document: documents of one set share passages."""
    return name.partition("-")[0]


def write(folder: Path, texts: dict[str, str]) -> None:
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8", newline="")


@contextmanager
def indexed(folder: Path, chunk_tokens: int | None) -> Generator[View]:
    """A folder in an index of its own, with words alone."""
    variables = {"PINCITE_FRESH_BUDGET": "inf", "PINCITE_WATCH": "false", "EMBEDDING_PROVIDER": "hash"}
    if chunk_tokens:
        variables["PINCITE_CHUNK_TOKENS"] = str(chunk_tokens)
    with tempfile.TemporaryDirectory() as cache:
        app = App(load(variables), folder, Path(cache) / "index.db")
        try:
            with app.collection().view(Call(), semantic=False) as view:
                yield view
        finally:
            app.close()


def citations(view: View, n: int, draw: random.Random) -> list[Citation]:
    """References to chunks and sections, and to quotations and values in them, of every document."""
    found: list[Citation] = []
    chunks = [(document, stored) for document in view.documents() for stored in view.chunks(document)]
    for document, stored in chunks:
        found.append(
            Citation(view.reference_to(stored), "chunk", document.name, (stored.chunk.start, stored.chunk.end))
        )
        if stored.chunk.part == 1:
            ref = view.section_reference(stored)
            found.append(Citation(ref, "section", document.name, view.resolve(parse(ref)).span))
    while len(found) < n:
        document, stored = draw.choice(chunks)
        words = [match.span() for match in _WORD.finditer(stored.chunk.text)]
        kind, sizes = draw.choice((("value", VALUE_WORDS), ("quotation", QUOTE_WORDS)))
        size = draw.randint(*sizes)
        if size > len(words):
            continue
        first = draw.randrange(len(words) - size + 1)
        start, end = words[first][0], words[first + size - 1][1]
        if not is_boundary(stored.chunk.text, start) or not is_boundary(stored.chunk.text, end):
            continue
        span = stored.chunk.start + start, stored.chunk.start + end
        found.append(Citation(str(view.reference(document, span)), kind, document.name, span))
    return sorted(found, key=lambda each: each.name)


def section_starts(view: View, document: StoredDocument) -> list[int]:
    """Where the sections of a document begin, as its reader sees them: a comment in a block of code is no heading."""
    return sorted({stored.chunk.start for stored in view.chunks(document) if stored.chunk.part == 1})


def edit(original: Original, draw: random.Random, others: list[Original]) -> Copy:
    """A copy with sections added, removed, moved and reworded, at least one of each; the first stays the first."""
    text, starts = original
    sections: list[list[tuple[int, int] | str]] = [[span] for span in pairwise(sorted({0, *starts, len(text)}))]
    number = max(1, round(EDITED_SHARE * len(sections)))
    for _ in range(number):
        sections.insert(draw.randrange(1, len(sections) + 1), ["\n" + section(draw, others) + "\n"])
        if len(sections) > 3:  # noqa: PLR2004
            del sections[draw.randrange(1, len(sections))]
            moved = sections.pop(draw.randrange(1, len(sections)))
            sections.insert(draw.randrange(1, len(sections) + 1), moved)
        place = draw.randrange(len(sections))
        sections[place] = [piece for part in sections[place] for piece in reworded(part, text, draw)]
    parts: list[str] = []
    kept: list[tuple[int, int, int]] = []
    length = 0
    for part in (part for pieces in sections for part in pieces):
        if not isinstance(part, str):
            kept.append((*part, length))
        parts.append(part if isinstance(part, str) else text[slice(*part)])
        length += len(parts[-1])
    return Copy("".join(parts), kept)


def section(draw: random.Random, others: list[Original]) -> str:
    """A section of a document of another set, whole."""
    text, starts = draw.choice(others)
    spans = [span for span in pairwise([*starts, len(text)]) if span[1] - span[0] <= ADDED_CHARS]
    return text[slice(*draw.choice(spans))].strip() if spans else "## More\n\nMore words."


def reworded(part: tuple[int, int] | str, text: str, draw: random.Random) -> Iterator[tuple[int, int] | str]:
    """A section with some of its words replaced by others."""
    if isinstance(part, str):
        yield part
        return
    words = [match.span() for match in re.compile(r"\w+").finditer(text, *part)]
    position = part[0]
    for start, end in sorted(draw.sample(words, min(len(words), 1 + len(words) // 12))):
        other = text[slice(*draw.choice(words))]
        if other == text[start:end]:
            other += "s"
        yield position, start
        yield other
        position = end
    yield position, part[1]


def score(
    label: str,
    view: View,
    cited: list[Citation],
    originals: dict[str, Original],
    copies: dict[str, Copy],
    *,
    show: bool,
) -> None:
    """Open every reference, and print how many opened, and on what."""
    counts: Counter[tuple[str, str]] = Counter()
    began = time.process_time()
    for each in cited:
        place = copies[each.name].place(each.span)
        words = originals[each.name].text[slice(*each.span)]
        try:
            opened = view.resolve(parse(each.ref))
        except PinciteError:
            opened = None
        outcome = verdict(view, opened, words, place)
        around = max(0, each.span[0] - NEAR_CHARS), min(len(originals[each.name].text), each.span[1] + NEAR_CHARS)
        is_near = each.kind == "value" and place is not None and copies[each.name].place(around) is None
        counts["value near an edit" if is_near else each.kind, outcome] += 1
        if show and outcome in {"missed", "other words", "elsewhere"}:
            at = opened and view.text(opened.document, *opened.span)
            print(f"  {outcome}: {each.ref}\n    cited  {words[:200]!r}\n    opened {(at or '')[:200]!r}")
    print(f"\n{label} ({1000 * (time.process_time() - began) / len(cited):.1f} ms of processor time a reference)")
    print(
        f"{'':18}"
        + "".join(f"{name:>13}" for name in ("stand", "open", "share", "other words", "elsewhere", "gone", "copy"))
    )
    for kind in ("chunk", "section", "quotation", "value", "value near an edit"):
        right, missed, elsewhere, other, gone, copy = (
            counts[kind, outcome] for outcome in ("right", "missed", "elsewhere", "other words", "gone", "copy")
        )
        stand = right + missed + elsewhere
        row = (f"{stand:,}", f"{right:,}", f"{right / max(1, stand):.4f}", f"{other}", f"{elsewhere}")
        print(f"{kind:18}" + "".join(f"{cell:>13}" for cell in (*row, f"{gone + copy:,}", f"{copy:,}")), flush=True)


def verdict(view: View, opened: Cited | None, words: str, place: tuple[int, int] | None) -> str:
    """Return `right`, `missed`, `elsewhere` or `other words`; of words that an edit touched `gone` or `copy`."""
    if opened is None:
        return "missed" if place else "gone"
    if plain(view.text(opened.document, *opened.span)) != plain(words):
        return "other words"
    if place is None:
        return "copy"
    return "right" if opened.span[0] < place[1] and place[0] < opened.span[1] else "elsewhere"


@lru_cache(maxsize=1000)
def plain(text: str) -> str:
    """Return the words of a text, with what belongs to its numbers."""
    return " ".join(re.findall(r"(?:[-+](?=\d))?[^\W_]+", unicodedata.normalize("NFKC", text)))


if __name__ == "__main__":
    main()
