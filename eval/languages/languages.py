"""Search in twelve languages: verbatim words, and questions in other words.

    python eval/languages/languages.py PAGES [LANGUAGE ...] [--held-out]

PAGES is a checkout of tldr-pages (https://github.com/tldr-pages/tldr). The model is that of the settings: set
EMBEDDING_MODEL to measure another one. With PINCITE_DATA, the Chinese and Japanese pages of `found/cjk` come first.
"""

import argparse
import hashlib
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pincite.app import App
from pincite.index.retriever import Method
from pincite.index.view import View
from pincite.model.call import Call
from pincite.services.evaluation.rankers import complete_view
from pincite.settings import load

LANGUAGES = ("de", "fr", "es", "it", "pt_BR", "nl", "ru", "zh", "ja", "ko", "ar", "th")
PAGES = 240
"""Pages of each language: as many as the smallest of them has."""
QUESTIONS = 160
"""Questions of each kind at most, of which every other one is held out."""
MIN_CHARS = 8
MODEL_SETTINGS = ("EMBEDDING_PROVIDER", "EMBEDDING_MODEL", "PINCITE_MODEL_DIR", "PINCITE_EMBED_THREADS")
METHODS = {"BM25": Method.KEYWORD, "meaning": Method.SEMANTIC, "both": Method.FUSED}

_SUMMARY = re.compile(r"^> (?![^\n]*(?:https?:|`))(.+?)[.。．]?$", re.MULTILINE)  # noqa: RUF001 - also full width
_EXAMPLE = re.compile(r"^- ([^`\n\[{]+?)[::：]?$", re.MULTILINE)  # noqa: RUF001 - as above
_QUOTED = re.compile(r"^> .*\n", re.MULTILINE)

Questions = list[tuple[str, str]]
"""(question, name of the page that answers it)."""


def pages_of(folder: Path, language: str) -> dict[str, str]:
    """Pages with a summary and examples of their own, by name; a choice that depends on the names alone."""
    texts = {path.stem: path.read_text("utf-8") for path in (folder / f"pages.{language}").rglob("*.md")}
    full = (name for name, text in texts.items() if _SUMMARY.search(text) and len(_EXAMPLE.findall(text)) > 1)
    return {name: texts[name] for name in sorted(full, key=_shuffled)[:PAGES]}


def verbatim_questions(pages: dict[str, str]) -> Questions:
    """The first line about an example of each page that stands in no other page."""
    counts = Counter(line for text in pages.values() for line in set(_EXAMPLE.findall(text)))
    lines = {
        name: next((line for line in _EXAMPLE.findall(text) if counts[line] == 1 and len(line) >= MIN_CHARS), "")
        for name, text in pages.items()
    }
    others = "\n".join(pages.values())
    return [(line, name) for name, line in lines.items() if line and others.count(line) == 1]


def natural_questions(pages: dict[str, str]) -> Questions:
    """The summary of each page, which says what the examples are for in other words, unless it has the page's name."""
    summaries = {name: _SUMMARY.findall(text)[0] for name, text in pages.items()}
    counts = Counter(summaries.values())
    return [
        (text, name)
        for name, text in summaries.items()
        if counts[text] == 1 and len(text) >= MIN_CHARS and name.lower() not in text.lower()
    ]


def half(questions: Questions, *, held_out: bool) -> Questions:
    """Every other question."""
    return questions[:QUESTIONS][held_out::2]


@contextmanager
def searched(pages: dict[str, str]) -> Generator[View]:
    """A view of an index of pages, with all words and vectors."""
    variables = {"PINCITE_FRESH_BUDGET": "inf", "PINCITE_MODEL_GRACE": "inf", "PINCITE_WATCH": "false"}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "pages"
        folder.mkdir()
        for name, text in pages.items():
            (folder / f"{name}.md").write_text(text, "utf-8")
        model = {name: value for name, value in os.environ.items() if name in MODEL_SETTINGS}
        app = App(load({**model, **variables}), folder, Path(temporary) / "index.db")
        try:
            with complete_view(app.collection(), Call()) as view:
                yield view
        finally:
            app.close()


def ranked(view: View, question: str, method: Method) -> list[str]:
    """The names of the pages that are found, best first."""
    hits = view.search(Call(), question, 20, method=method).hits
    return list(dict.fromkeys(Path(hit.chunk.document).stem for hit in hits))


def share(questions: Questions, find: Callable[[str], Sequence[str]], depth: int) -> float:
    """The share of questions whose page is among the first `depth`."""
    return sum(name in find(question)[:depth] for question, name in questions) / max(len(questions), 1)


def corrected(view: View, questions: Questions) -> int:
    """The number of questions that were changed before they were searched: none of them is misspelt."""
    return sum(view.search(Call(), question, 1).did_you_mean is not None for question, _ in questions)


def rows(folder: Path, languages: Sequence[str], *, held_out: bool) -> Iterator[str]:
    """The lines of the table."""
    for language in languages:
        pages = pages_of(folder, language)
        verbatim = half(verbatim_questions(pages), held_out=held_out)
        natural = half(natural_questions(pages), held_out=held_out)
        with searched(pages) as view:
            first = share(verbatim, lambda text, view=view: ranked(view, text, Method.FUSED), 1)
            changed = corrected(view, [*verbatim, *natural])
        with searched({name: _QUOTED.sub("", text) for name, text in pages.items()}) as view:
            within = [
                share(natural, lambda text, view=view, method=method: ranked(view, text, method), 5)
                for method in METHODS.values()
            ]
        cells = "".join(f"{figure:9.3f}" for figure in (first, *within))
        yield f"{language[:2]:4}{len(verbatim):9}{len(natural):9}{cells}{changed:9}"


def cjk(data: Path) -> str:
    """How many words of `found/cjk` find their page first, and how many answers say that none has them."""
    lists = re.findall(r"`(\w\w)00`.`\w\w\d\d`: (.*)\.", (data / "found" / "README.md").read_text("utf-8"))
    words = {f"{code}{n:02}": word for code, line in lists for n, word in enumerate(line.split())}
    pages = {path.stem: path.read_text("utf-8") for path in (data / "found" / "cjk").glob("*.md")}
    with searched(pages) as view:
        first = sum(ranked(view, word, Method.KEYWORD)[:1] == [name] for name, word in words.items())
        both = sum(ranked(view, word, Method.FUSED)[:1] == [name] for name, word in words.items())
        none = sum(not ranked(view, f'"{word}"', Method.BM25) for word in words.values())
    return f"found/cjk: {first} by words, {both} by both of {len(words)} first; {none} quoted ones not found"


def _shuffled(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path)
    parser.add_argument("languages", nargs="*", default=LANGUAGES)
    parser.add_argument("--held-out", action="store_true")
    arguments = parser.parse_args()
    data = Path(os.environ.get("PINCITE_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
    if (data / "found" / "cjk").is_dir():
        print(cjk(data), flush=True)
    print(f"{'':4}{'verbatim':>9}{'natural':>9}{'first':>9}{''.join(f'{name:>9}' for name in METHODS)}{'changed':>9}")
    for line in rows(arguments.pages, arguments.languages, held_out=arguments.held_out):
        print(line, flush=True)


if __name__ == "__main__":
    main()
