"""Whatever happens to a folder, every answer is that of an index built from nothing, or declares itself stale."""

import errno
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

from pincite.app import App
from pincite.model.call import Call
from pincite.settings import load
from pincite.tools.answers.docs import PagesAnswer, SearchAnswer

NAMES = st.sampled_from(["a.md", "B.md", "b.md", "guide/a.md", "guide/deep/c.md", "notes.txt", "z é.md"])
WORDS = st.sampled_from(["zebra", "walrus", "quagga", "okapi", "heron", "lynx"])
TEXTS = st.lists(WORDS, max_size=6).map(lambda words: "".join(f"# {word}\n\nThe {word} text.\n\n" for word in words))
RULES = st.sampled_from(["", "b.md\n", "guide/\n", "*.txt\n", "*\n!a.md\n", "guide/**\n!guide/a.md\n"])
QUERIES = st.lists(WORDS, min_size=1, max_size=3, unique=True).map(" ".join)

Answers = tuple[object, ...]


class Folder(RuleBasedStateMachine):
    """A folder that changes between calls, and one or two applications that serve it."""

    kept = Bundle("kept")

    def __init__(self) -> None:
        super().__init__()
        self.place = Path(tempfile.mkdtemp())
        self.root = self.place / "docs"
        self.root.mkdir()
        self.shared = self.place / "shared.md"
        self.apps: list[App] = []
        self.clock = 1_700_000_000_000_000_000
        self.oracle: dict[tuple[object, ...], Answers] = {}

    @initialize()
    def start(self) -> None:
        """Serve the empty folder."""
        self.apps = [self.app("index.db")]

    @rule(target=kept, name=NAMES, text=TEXTS)
    def write(self, name: str, text: str) -> object:
        """A new file, or an edit."""
        path = self.put(name, text.encode())
        return name, path.read_bytes(), path.stat().st_mtime_ns

    @rule(name=NAMES)
    def delete(self, name: str) -> None:
        """A file goes."""
        (self.root / name).unlink(missing_ok=True)

    @rule(name=NAMES, to=NAMES)
    def rename(self, name: str, to: str) -> None:
        """A file gets another name, of other letter case perhaps, over another file perhaps."""
        if (self.root / name).exists():
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).rename(self.root / to)

    @rule(name=NAMES, seconds=st.integers(-100_000, 100_000))
    def touch(self, name: str, seconds: int) -> None:
        """A file gets another time, older perhaps."""
        path = self.root / name
        if path.exists():
            time = path.stat().st_mtime_ns + seconds * 1_000_000_000
            os.utime(path, ns=(time, time))

    @rule(version=consumes(kept))
    def restore(self, version: tuple[str, bytes, int]) -> None:
        """An earlier version comes back, with its time."""
        name, data, time = version
        os.utime(self.put(name, data), ns=(time, time))

    @rule(name=NAMES, text=TEXTS)
    def edit_in_secret(self, name: str, text: str) -> None:
        """An edit that keeps the size and the time, as some tools do."""
        path = self.root / name
        if path.exists():
            before = path.stat()
            path.write_bytes(text.encode()[: before.st_size].ljust(before.st_size, b"."))
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    @rule(name=NAMES, to=NAMES)
    def give_a_second_name(self, name: str, to: str) -> None:
        """A file gets a hard link in the folder."""
        if (self.root / name).exists() and not os.path.lexists(self.root / to):  # a dangling link has the name, too
            (self.root / to).parent.mkdir(parents=True, exist_ok=True)
            (self.root / to).hardlink_to(self.root / name)

    @rule(to=NAMES)
    def share(self, to: str) -> None:
        """A file comes that has another name outside."""
        self.shared.touch()
        (self.root / to).parent.mkdir(parents=True, exist_ok=True)
        (self.root / to).unlink(missing_ok=True)
        (self.root / to).hardlink_to(self.shared)

    @rule(text=TEXTS)
    def edit_by_its_name_outside(self, text: str) -> None:
        """An edit that is no event of the folder."""
        if self.shared.exists():
            self.shared.write_text(text)

    @rule(name=NAMES.filter(lambda name: name != "b.md"), to=st.sampled_from(["TEXT", ".hidden.md", "b.md"]))
    def link(self, name: str, to: str) -> None:
        """A symbolic link, to what is served by no other name, to a secret, or to what is served."""
        if not (self.root / name).exists() and not (self.root / name).is_symlink():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).symlink_to(self.root / to)

    @rule(name=st.sampled_from(["TEXT", ".hidden.md"]), text=TEXTS)
    def write_what_is_served_by_links_alone(self, name: str, text: str) -> None:
        """A file that only a link may bring in, or nothing."""
        (self.root / name).write_text(text)

    @rule(files=st.dictionaries(NAMES, TEXTS, max_size=7))
    def switch_branch(self, files: dict[str, str]) -> None:
        """All files at once are others."""
        for path in [path for path in self.root.rglob("*") if path.is_file()]:
            path.unlink()
        for name, text in files.items():
            self.put(name, text.encode())

    @rule(rules=RULES, where=st.sampled_from([".pinciteignore", ".gitignore", "guide/.gitignore"]))
    def ignore(self, rules: str, where: str) -> None:
        """An ignore file says something else."""
        path = self.root / where
        if path.parent.is_dir():
            path.write_text(rules)

    @rule()
    def vanish_and_come_back(self) -> None:
        """The folder is moved away; whoever asks meanwhile is told; it comes back."""
        self.root.rename(self.place / "away")
        answer = self.apps[0].toolbox.call("search_docs", {"query": "zebra"}, Call())
        assert answer.index is not None and answer.index.stale
        (self.place / "away").rename(self.root)

    @rule()
    def crash(self) -> None:
        """The application is left as it is, and another one takes over."""
        self.apps[0].close()
        self.apps[0] = self.app("index.db")

    @rule()
    def serve_twice(self) -> None:
        """A second application serves the same folder from the same index."""
        if len(self.apps) == 1:
            self.apps.append(self.app("index.db"))

    @rule(query=QUERIES, name=NAMES, last=st.booleans())
    def ask(self, query: str, name: str, last: bool) -> None:
        """Search, list and read."""
        answers = self.answers(self.apps[-1 if last else 0], query, name)
        if answers is not None:
            assert answers == self.from_nothing(query, name)

    @invariant()
    def the_list_is_that_of_the_folder(self) -> None:
        """After every single step, by the cheapest call."""
        for app in self.apps:
            answer = app.toolbox.call("list_pages", {}, Call())
            assert isinstance(answer, PagesAnswer) and answer.index is not None
            if not answer.index.stale:
                for page in answer.pages:
                    assert page.total_chars == len((self.root / page.file_path).read_text())

    def put(self, name: str, data: bytes) -> Path:
        """Write a file, through a link if there is one; a link that was renamed to its own target gives way."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.write_bytes(data)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            path.unlink()
            path.write_bytes(data)
        return path

    def teardown(self) -> None:
        """Put everything away."""
        for app in self.apps:
            app.close()
        shutil.rmtree(self.place)

    def app(self, database: str, **variables: object) -> App:
        """An application over the folder, with an embedder that needs no model."""
        values = {"PINCITE_CACHE": self.place / "cache", "EMBEDDING_PROVIDER": "hash", "PINCITE_MODEL_GRACE": "inf"}
        return App(load({**values, **variables}), self.root, self.place / database)

    def answers(self, app: App, query: str, name: str) -> Answers | None:
        """What an application says, without times; None if it declares itself stale."""
        search = app.toolbox.call("search_docs", {"query": query, "top_k": 20}, Call())
        pages = app.toolbox.call("list_pages", {}, Call())
        assert isinstance(search, SearchAnswer) and isinstance(pages, PagesAnswer)
        assert search.index is not None and pages.index is not None
        if search.index.stale or pages.index.stale:
            return None
        text = None
        if any(page.file_path == name for page in pages.pages):
            page = app.toolbox.call("get_page", {"file_path": name}, Call()).model_dump()
            text = [(chunk["content"], chunk["heading_path"], chunk["ref"]) for chunk in page["chunks"]]
        hits = [(hit.ref, hit.content, hit.score, hit.similarity) for hit in search.results]
        listed = [(page.file_path, page.title, page.headings, page.chunk_count) for page in pages.pages]
        return hits, search.total_chunks, search.search_type, search.relevance, listed, text

    def from_nothing(self, query: str, name: str) -> Answers:
        """What an index says that was built just now; the same folder is not indexed twice."""
        files = ((path.relative_to(self.root), path.read_bytes()) for path in self.root.rglob("*") if path.is_file())
        key = (query, name, tuple(sorted(files)))
        if key not in self.oracle:
            fresh = self.app("fresh.db", PINCITE_FRESH_BUDGET="inf")
            answers = self.answers(fresh, query, name)
            fresh.close()
            (self.place / "fresh.db").unlink()
            assert answers is not None
            self.oracle[key] = answers
        return self.oracle[key]


def steps(examples: int, each: int) -> settings:
    checks = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
    return settings(max_examples=examples, stateful_step_count=each, suppress_health_check=checks)


class TestNeverStale(Folder.TestCase):
    """Some 300 steps."""

    settings = steps(12, 25)


@pytest.mark.long
@pytest.mark.timeout(7200)
class TestNeverStaleInTenThousandSteps(Folder.TestCase):
    """Some 10,000 steps."""

    settings = steps(125, 80)
