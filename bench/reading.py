"""Speed of reading, building and chunking Markdown, by stage, on one core.

    python bench/reading.py [--data FOLDER] [--rounds 3] [--megabytes 8]

Rows: small pages (tldr, English), a project's documentation (Prometheus), one large file (the latter, repeated).
The best of the rounds counts. `parse` is markdown-it's own block parser on the same text, the floor of a reader
that is built on it.
"""

import argparse
import os
import tarfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from pincite.chunking.sections import SectionPolicy
from pincite.embedding.wordpiece import WordPiece
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.markdown.reader import read
from pincite.formats.writing.builder import build
from pincite.model.call import Call

ROOT = Path(__file__).resolve().parents[1]
MAX_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Corpus:
    name: str
    blobs: Sequence[Blob]

    @property
    def size(self) -> int:
        return sum(len(blob.data) for blob in self.blobs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=os.environ.get("PINCITE_DATA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--megabytes", type=float, default=8)
    options = parser.parse_args()
    print("| corpus     | pages |    MB | stage   | seconds | pages/s |  MB/s | ms/page |")
    print("|---|--:|--:|---|--:|--:|--:|--:|")
    for corpus in corpora(options.data, options.megabytes):
        for stage, seconds in measure(corpus, options.rounds):
            pages, size = len(corpus.blobs), corpus.size / 1e6
            print(
                f"| {corpus.name:10} | {pages:5} | {size:5.2f} | {stage:7} | {seconds:7.2f} "
                f"| {pages / seconds:7.0f} | {size / seconds:5.1f} | {1000 * seconds / pages:7.3f} |",
                flush=True,
            )


def corpora(data: Path, megabytes: float) -> Iterator[Corpus]:
    with tarfile.open(data / "docs-tldr.tar.xz") as archive:
        members = [(member.name, archive.extractfile(member)) for member in archive if english(member.name)]
        yield Corpus("tldr", [Blob(name, file.read()) for name, file in members if file is not None])
    pages = [Blob(path.name, path.read_bytes()) for path in sorted((data / "docs-prometheus").rglob("*.md"))]
    yield Corpus("prometheus", pages)
    whole = b"\n\n".join(page.data for page in pages)
    wanted = int(megabytes * 1e6)
    yield Corpus("one file", [Blob("large.md", (whole * (1 + wanted // len(whole)))[:wanted])])


def english(name: str) -> bool:
    return name.endswith(".md") and "pages" in Path(name).parts


def measure(corpus: Corpus, rounds: int) -> Iterator[tuple[str, float]]:
    options, call, tokenizer, policy = ReadOptions(), Call(), WordPiece(), SectionPolicy(MAX_TOKENS)
    tokenizer.count("warm")
    plain = MarkdownIt("commonmark").enable("table")
    plain.core.ruler.disable(["inline", "text_join"])
    texts = [blob.data.decode() for blob in corpus.blobs]
    streams = [list(read(blob, options, call)) for blob in corpus.blobs]
    documents = [build(blob.name, "", "", stream) for blob, stream in zip(corpus.blobs, streams, strict=True)]
    yield "parse", best(rounds, lambda: [plain.parse(text) for text in texts])
    yield "read", best(rounds, lambda: [list(read(blob, options, call)) for blob in corpus.blobs])
    yield "build", best(rounds, lambda: [build("", "", "", stream) for stream in streams])
    yield "chunk", best(rounds, lambda: [list(policy.cut(document, tokenizer, call)) for document in documents])
    yield "tokens", best(rounds, lambda: [tokenizer.count(text) for text in texts])


def best(rounds: int, work: Callable[[], object]) -> float:
    def once() -> float:
        started = time.process_time()
        work()
        return time.process_time() - started

    return min(once() for _ in range(rounds))


if __name__ == "__main__":
    main()
