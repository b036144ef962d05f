"""How well standards are cut and tagged, beside a plain keyword rule: one command, one table a corpus.

    python eval/knowledge/knowledge.py [--held-out] [--show N]

Standards (`standards/` of PINCITE_DATA, scored by the `score.py` there): requirement sentences, their clauses,
informative sections, definitions. ASVS in its three formats: each requirement by its number, with its text and (PDF)
its page, and the terms of the glossary. NIST SP 800-63-3: whether 200 sentences with a keyword are normative
(`nist-800-63-3.tsv`, labelled by reading). Speed: the policy `clauses` beside `sections`, per page of PDF.

A third of the standards is set aside by `held_out` and scored only with `--held-out`: once, at the end.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from pincite.chunking.base import Policy
from pincite.chunking.clauses import ClausePolicy
from pincite.chunking.sections import SectionPolicy
from pincite.embedding.wordpiece import WordPiece
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import detect
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.model.chunk import Chunk
from pincite.model.document import Document

HERE = Path(__file__).resolve().parent
DATA = Path(os.environ.get("PINCITE_DATA", HERE.parents[2] / "shared" / "data"))
STANDARDS, ASVS, NIST = DATA / "standards", DATA / "asvs-4.0.3", DATA / "nist-800-63-3"
LABELS = HERE / "nist-800-63-3.tsv"
HELD_OUT_SHARE = 3 / 7
POLICY = ClausePolicy(minimum=200, maximum=800, overlap=100)
RUNS = 5
PAGE_PREFIX = 45
"""Letters of a requirement that tell its page: it may go on on the next."""

Tagged = dict[str, Any]
"""A chunk as `score.py` takes it: content, chunk_type, normative, clause_number, section_title, page_numbers."""
Cutter = Callable[[Document], list[Tagged]]


def held_out() -> frozenset[str]:
    """Return the documents that no rule was written for: the first by the hash of their names."""
    names = sorted(path.parent.name for path in STANDARDS.glob("*/meta.json"))
    by_hash = sorted(names, key=lambda name: hashlib.sha256(name.encode()).hexdigest())
    return frozenset(by_hash[: round(len(names) * HELD_OUT_SHARE)])


@cache
def read(path: Path) -> Document:
    row = detect(path.name, data := path.read_bytes())
    if row is None:
        raise SystemExit(f"{path} has no format that can be read.")
    return read_document(row, Blob(path.name, data), ReadOptions(), Call())


def tagged(chunk: Chunk) -> Tagged:
    return {
        "content": chunk.text,
        "chunk_type": chunk.tags.chunk_type,
        "normative": chunk.tags.normative,
        "clause_number": chunk.tags.clause,
        "clauses": chunk.tags.clauses,
        "section_title": chunk.heading,
        "page_numbers": chunk.pages,
    }


def ours(document: Document) -> list[Tagged]:
    return [tagged(chunk) for chunk in POLICY.cut(document, WordPiece(), Call())]


KEYWORD = re.compile(r"\b(?:shall|must|required to)\b", re.IGNORECASE)
SHOULD = re.compile(r"\b(?:should|recommended)\b", re.IGNORECASE)
DEFINES = re.compile(r"\bmeans\b|\bis defined as\b|\brefers to\b|^[\W\d]*[\w ()-]{2,60} [–—:-] ", re.MULTILINE)
NUMBER = re.compile(r"[\W]*((?:[A-Z]|\d+)(?:\.\d+)*)\b")
SENTENCE_END = re.compile(r"(?<=[.:?!])\s+(?=[A-Z\"(*_\[«])|\n\s*\n|\n(?=\s*[*|-] )|\n(?=\|)")


def keyword_rule(document: Document) -> list[Tagged]:
    """Tag each sentence by its keywords alone, its clause by its heading."""
    chunks: list[Tagged] = []
    for section in document.sections:
        title = section.path[-1] if section.path else ""
        number = NUMBER.match(title)
        for block in section.blocks:
            for sentence in SENTENCE_END.split(document.text[block.start : block.end]):
                kind = (
                    "requirement" if KEYWORD.search(sentence) else "recommendation" if SHOULD.search(sentence) else ""
                )
                chunks.append(
                    {
                        "content": sentence,
                        "chunk_type": kind or ("definition" if DEFINES.search(sentence) else "guidance"),
                        "normative": kind == "requirement",
                        "clause_number": number[1] if number else "",
                        "section_title": title,
                        "page_numbers": (block.page,) if block.page else (),
                    }
                )
    return chunks


CUTTERS: Mapping[str, Cutter] = {"ours": ours, "keywords": keyword_rule}


@cache
def scorer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("score", STANDARDS / "score.py")
    if spec is None or spec.loader is None:
        raise SystemExit(f"{STANDARDS} has no score.py.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def standards(*, aside: bool, show: int) -> None:
    print(
        "\n| standard | by | requirement P / R | recommendation P / R | clause | informative clean | definitions P / R "
        "| notes binding |"
    )
    print("|---|---|---|---|---|---|---|---|")
    names = sorted(path.parent.name for path in STANDARDS.glob("*/meta.json"))
    totals: dict[str, Counter[str]] = {name: Counter() for name in CUTTERS}
    for name in names:
        if (name in held_out()) != aside:
            continue
        for file in json.loads((STANDARDS / name / "meta.json").read_text())["files"]:
            for by, cut in CUTTERS.items():
                result, counts = scorer().score(str(STANDARDS / name), cut(read(STANDARDS / name / file)), show)
                definitions = result["definitions"]
                counts["def_right"] = round((definitions["P"] or 0) * definitions["predicted"])
                counts["def_predicted"] = definitions["predicted"] if definitions["n"] else 0
                totals[by].update(counts)
                print(f"| {file} | {by} | {row(counts)} |")
    for by, counts in totals.items():
        print(f"| **all** | {by} | {row(counts)} |")


def row(c: Counter[str]) -> str:
    informative = c["inf_clean"] + c["inf_bad"]
    return " | ".join(
        (
            f"{share(c['req_tp'], c['req_tp'] + c['req_fp'])} / {share(c['req_tp'], c['req_tp'] + c['req_fn'])}",
            f"{share(c['rec_tp'], c['rec_tp'] + c['rec_fp'])} / {share(c['rec_tp'], c['rec_tp'] + c['rec_fn'])}",
            share(c["cl_exact"], c["cl"]),
            f"{share(c['inf_clean'], informative)} of {informative}",
            f"{share(c['def_right'], c['def_predicted'])} / {share(c['def_hit'], c['def_n'])}",
            share(c["notes_norm"], c["notes"]),
        )
    )


def share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"


def asvs() -> None:
    requirements = json.loads((ASVS / "asvs-4.0.3-en.flat.json").read_text())["requirements"]
    formats = {
        "PDF": [ASVS / "asvs-4.0.3-en.pdf"],
        "DOCX": [ASVS / "asvs-4.0.3-en.docx"],
        "Markdown": sorted((ASVS / "md").glob("*.md")),
    }
    glossary = re.findall(
        r"^- \*\*(.+?)\*\*.*?\s[–-]\s(.+)$", (ASVS / "md" / "0x90-Appendix-A_Glossary.md").read_text(), re.MULTILINE
    )
    print("\n| ASVS 4.0.3 | by | requirements with number and text | on their page | terms of the glossary |")
    print("|---|---|---|---|---|")
    for name, files in formats.items():
        for by, cut in CUTTERS.items():
            chunks = [chunk for file in files for chunk in cut(read(file))]
            found = [chunk for one in requirements if (chunk := by_number(chunks, one))]
            pages = f"{on_page(files[0], requirements, chunks)} of {len(requirements)}" if name == "PDF" else "–"
            terms = sum(defined(chunks, *entry) for entry in glossary)
            print(f"| {name} | {by} | {len(found)} of {len(requirements)} | {pages} | {terms} of {len(glossary)} |")


def by_number(chunks: Sequence[Tagged], one: Mapping[str, str]) -> Tagged | None:
    """Return the chunk that has the number and the text of a requirement, and its type unless it was deleted."""
    squash, unmark = scorer().squash, scorer().unmark
    numbers, text = {one["req_id"], one["req_id"].removeprefix("V")}, squash(unmark(one["req_description"]))
    kind = "table" if one["req_description"].startswith("[DELETED") else "requirement"
    for chunk in chunks:
        if (
            chunk["chunk_type"] == kind
            and chunk["clause_number"] in numbers
            and text in squash(unmark(chunk["content"]))
        ):
            return chunk
    return None


def on_page(file: Path, requirements: Sequence[Mapping[str, str]], chunks: Sequence[Tagged]) -> int:
    """Return the number of requirements whose chunk names the page that they begin on."""
    import pypdfium2  # noqa: PLC0415

    squash, unmark = scorer().squash, scorer().unmark
    pages = [squash(page.get_textpage().get_text_range()) for page in pypdfium2.PdfDocument(file)]
    right = 0
    for one in requirements:
        chunk = by_number(chunks, one)
        start = squash(one["req_id"].removeprefix("V") + unmark(one["req_description"]))[:PAGE_PREFIX]
        right += bool(chunk) and any(start in pages[number - 1] for number in chunk["page_numbers"])
    return right


def defined(chunks: Sequence[Tagged], term: str, text: str) -> bool:
    squash, unmark = scorer().squash, scorer().unmark
    first = squash(unmark(text.split(". ", maxsplit=1)[0]))
    return any(
        chunk["chunk_type"] == "definition"
        and squash(term) in (content := squash(unmark(chunk["content"])))
        and first in content
        for chunk in chunks
    )


@dataclass(frozen=True)
class Label:
    """A sentence of a document, and whether it binds."""

    file: Path
    sentence: str
    normative: bool


def labels() -> Iterator[Label]:
    """Yield the labelled sentences, found by their hashes."""
    rows = [line.split("\t") for line in LABELS.read_text().splitlines()]
    for name in sorted({file for file, _, _ in rows}):
        known = {digest: label == "normative" for file, digest, label in rows if file == name}
        for sentence in dict.fromkeys(sentences((NIST / name).read_text())):
            digest = hashlib.sha256(sentence.encode()).hexdigest()[:16]
            if digest in known:
                yield Label(NIST / name, sentence, known[digest])


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a Markdown text, by a rule that shares nothing with ours."""
    for paragraph in re.split(r"\n\s*\n|\n(?=[*#|-] |\s+[-*] )", text):
        yield from re.split(r"(?<=[.:?!])\s+(?=[A-Z\"(*_\[])", " ".join(paragraph.split()))


def nist(show: int) -> None:
    found = [*labels()]
    print(f"\n| NIST SP 800-63-3, {len(found)} sentences | P | R | not found |\n|---|---|---|---|")
    for by, cut in CUTTERS.items():
        indexes = {
            file: (chunks, scorer().Index(chunks))
            for file in {one.file for one in found}
            for chunks in [cut(read(file))]
        }
        counts: Counter[str] = Counter()
        wrong: list[str] = []
        for one in found:
            chunks, index = indexes[one.file]
            decided: int | None = index.decide(one.sentence)
            if decided is None:
                decided = index.decide(scorer().unmark(one.sentence))
            binds = decided is not None and bool(chunks[decided]["normative"])
            counts["lost"] += decided is None
            counts[f"{binds} {one.normative}"] += 1
            if binds != one.normative:
                wrong.append(f"{one.file.name} {'false' if binds else 'missed'}: {one.sentence[:150]}")
        right = counts["True True"]
        scores = share(right, right + counts["True False"]), share(right, right + counts["False True"])
        print(f"| {by} | {' | '.join(scores)} | {counts['lost']} |")
        if by == "ours":
            print(*(f"    {line}\n" for line in wrong[:show]), sep="", end="")


def speed() -> None:
    policies: Mapping[str, Policy] = {"sections": SectionPolicy(800), "clauses": POLICY}
    print("\n| PDF | pages | read | sections | clauses | ratio | with reading |\n|---|---|---|---|---|---|---|")
    for path in (ASVS / "asvs-4.0.3-en.pdf", STANDARDS / "csaf-cvrf-1.2" / "csaf-cvrf-v1.2.pdf"):
        read.cache_clear()
        start = time.perf_counter()
        document = read(path)
        reading = time.perf_counter() - start
        best = {name: min(seconds(policy, document) for _ in range(RUNS)) for name, policy in policies.items()}
        pages = document.coverage.pages or 1
        cells = [f"{1000 * value / pages:.2f} ms" for value in (reading, *best.values())]
        ratio, total = best["clauses"] / best["sections"], (reading + best["clauses"]) / (reading + best["sections"])
        print(f"| {path.name} | {pages} | {' | '.join(cells)} | {ratio:.2f} × | {total:.2f} × |")


def seconds(policy: Policy, document: Document) -> float:
    start = time.perf_counter()
    for _ in policy.cut(document, WordPiece(), Call()):
        pass
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--held-out", action="store_true", help="score the standards that were set aside, and nothing else"
    )
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print up to N mistakes of each kind")
    given = parser.parse_args()
    standards(aside=given.held_out, show=given.show)
    if not given.held_out:
        asvs()
        nist(given.show)
        speed()


if __name__ == "__main__":
    main()
