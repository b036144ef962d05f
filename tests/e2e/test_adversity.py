"""What happens to a folder, to an index and to a disk while a real server works with them."""

import contextlib
import os
import random
import shlex
import shutil
import sqlite3
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from pincite.store.sqlite.schema import SAME_TEXTS_SINCE, SCHEMA
from support import fork_server
from support.mounts import mounted
from support.wire import Serve, Wire, as_nobody, pincite

PAGES = {"a.md": "# Alpha\n\nA zebra crossing.\n", "b.md": "# Beta\n\nA quokka smiles.\n"}
MANY = 10_000
FULL = """
import sys
sys.path[:] = {path!r}
from pathlib import Path
from pincite.store.sqlite import connections
connect = connections.connect
def limited(path, busy_timeout, **more):
    connection = connect(path, busy_timeout, **more)
    if Path({limit!r}).exists():
        connection.execute("PRAGMA max_page_count = " + Path({limit!r}).read_text())
    return connection
connections.connect = limited
from pincite.transports.cli import main
main()
"""
"""pincite on a disk that is full while a file says so; `max_page_count` holds for one connection alone."""

LONG = {
    f"{n}.md": f"# Page {n}\n\n" + "".join(f"## Part {i}\n\nunique{n}x{i} {'some words ' * 60}\n\n" for i in range(4))
    for n in range(40)
}
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    *(("search_docs", {"query": f"unique{n}x{n % 4}", "top_k": 1}) for n in range(0, 40, 5)),
    *(("get_page", {"file_path": f"{n}.md"}) for n in range(0, 40, 3)),
    ("get_section", {"file_path": "7.md", "heading_path": "Page 7 > Part 2"}),
    ("list_pages", {}),
]


def overwritten(index: Path, first: float, last: float) -> None:
    """Write noise over a stretch of a file that stays the same file."""
    size = index.stat().st_size
    start, end = int(size * first), int(size * last)
    with index.open("r+b") as file:
        file.seek(start)
        file.write(random.Random(0).randbytes(end - start))  # noqa: S311 - it is to repeat


def cut(index: Path, share: float) -> None:
    os.truncate(index, int(index.stat().st_size * share))


def replaced(index: Path) -> None:
    other = index.with_name("other")
    other.write_bytes(b"\x00no index" * 5000)
    other.replace(index)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "middle": lambda index: overwritten(index, 0.2, 0.9),
    "header": lambda index: overwritten(index, 0, 0.01),
    "garbage": lambda index: overwritten(index, 0, 1),
    "truncated": lambda index: cut(index, 0.5),
    "emptied": lambda index: cut(index, 0),
    "replaced": replaced,
}
"""What befalls an index file that a server has open."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return faces.write(tmp_path / "docs", PAGES)


@pytest.fixture
def index(folder: Path, tmp_path: Path) -> Path:
    """The finished index of the folder."""
    face = faces.serve("toolbox", folder, tmp_path / "cache")
    path = faces.settled(face)["index"]["db_path"]
    face.close()
    return Path(path)


class TestTheFolder:
    def test_vanishes_and_comes_back(self, folder: Path, serve: Serve) -> None:
        server = serve()
        assert found(server, "zebra") == ["a.md"]
        away = folder.with_name("away")
        folder.rename(away)
        gone = told(server, "search_docs", query="zebra")
        assert gone["index"]["stale"] and "cannot be reached" in gone["index"]["reason"]
        assert gone["results"][0]["metadata"]["file_path"] == "a.md"
        assert told(server, "get_status")["index"]["stale"]
        (away / "a.md").write_text("# Alpha\n\nA walrus dives.\n")
        (away / "b.md").unlink()
        away.rename(folder)
        assert found(server, "walrus") == ["a.md"]
        assert told(server, "get_status")["index"]["total_pages"] == 1

    def test_holds_a_file_that_is_too_large_and_links_that_lead_anywhere(
        self, folder: Path, tmp_path: Path, serve: Serve
    ) -> None:
        with (folder / "huge.md").open("wb") as huge:
            huge.truncate(200_000_000)
        outside = faces.write(tmp_path / "outside", {"secret.md": "# Secret\n\nThe zebra password.\n"})
        for name, target in {
            "out": outside,
            "out.md": outside / "secret.md",
            "loop": folder,
            "self": folder / "self",
            "dead.md": folder / "nowhere.md",
        }.items():
            (folder / name).symlink_to(target)
        server = serve()
        assert found(server, "zebra") == ["a.md"]
        status = told(server, "get_status")["index"]
        assert status["total_pages"] == len(PAGES) == len(listed(server))
        assert status["skipped"]["too_large"] == 1
        for path in ("out/secret.md", "out.md", "loop/a.md", "huge.md"):
            assert "No page found" in refused(server, "get_page", file_path=path)
        assert "leaves the folder" in refused(server, "get_page", file_path="../outside/secret.md")
        (folder / "huge.md").write_text("# Huge\n\nA walrus no more.\n")
        assert found(server, "walrus") == ["huge.md"]

    def test_holds_names_that_few_programs_can_take(self, folder: Path, serve: Serve) -> None:
        cafe = "café"
        names = [
            "new\nline.md", "🦓 emoji.md", f"{unicodedata.normalize('NFC', cafe)}.md",
            f"{unicodedata.normalize('NFD', cafe)}-d.md", "a%20b#c@d:e.md", "-rf.md", "'quoted\".md", " space .md",
            "tab\there.md", "deep/…/ü.md",
        ]  # fmt: skip
        faces.write(folder, {name: f"# Page\n\nword{n}\n" for n, name in enumerate(names)})
        server = serve()
        assert set(listed(server)) == {*names, *PAGES}
        for n, name in enumerate(names):
            hit = told(server, "search_docs", query=f"word{n}", top_k=1)["results"][0]
            assert hit["metadata"]["file_path"] == name
            page = told(server, "get_page", file_path=name)
            assert "".join(chunk["content"] for chunk in page["chunks"]) == f"# Page\n\nword{n}\n"
            cited = told(server, "open_citation", ref=hit["ref"])
            assert (cited["source"]["path"], cited["content"]) == (name, hit["content"])

    def test_configures_nothing(self, folder: Path, tmp_path: Path, serve: Serve) -> None:
        planted = tmp_path / "planted"
        lines = (f"PINCITE_CACHE={planted}", "EMBEDDING_PROVIDER=nonsense", "PINCITE_MAX_FILES=1", "LOG_LEVEL=DEBUG")
        (folder / ".env").write_text("\n".join(lines))
        (folder / ".git").mkdir()
        (folder / ".gitignore").write_text("b.md\n")
        (folder / "pyproject.toml").write_text("[tool.pincite]\nmax_files = 1\n")
        server = serve(pincite("serve", "."), cwd=folder)
        assert found(server, "zebra") == ["a.md"]
        index = told(server, "get_status")["index"]
        assert index["db_path"].startswith(str(tmp_path / "cache"))
        # An ignore file leaves out what it names, no more, and that is counted.
        assert (index["total_pages"], index["skipped"]["ignored"]) == (1, 1)
        shell = pincite("search", "zebra", "--docs", str(folder))
        env = {**os.environ, **faces.EXACT, "PINCITE_CACHE": str(tmp_path / "cache")}
        assert subprocess.run(shell, env=env, cwd=folder, check=True, capture_output=True).stdout
        assert not planted.exists()
        assert not any("DEBUG" in line for line in server.log)

    @pytest.mark.long
    @pytest.mark.timeout(1800)
    def test_changes_ten_thousand_files_by_a_branch_switch(self, folder: Path, serve: Serve) -> None:
        if shutil.which("git") is None:
            pytest.skip("git is not installed")
        git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=one"]
        subprocess.run([*git, "init", "-q"], check=True)
        for branch in ("one", "two"):
            subprocess.run([*git, "checkout", "-q", "-B", branch], check=True)
            pages = {f"{n % 50}/{n}.md": f"# Page {n}\n\nThe {branch} text of page{n}x.\n" for n in range(MANY)}
            faces.write(folder, pages)
            subprocess.run([*git, "add", "-A"], check=True)
            subprocess.run([*git, "commit", "-qm", branch], check=True)
        servers = [serve(PINCITE_FRESH_BUDGET="2") for _ in range(2)]
        for branch in ("one", "two"):
            subprocess.run([*git, "checkout", "-q", branch], check=True)
            for server in servers:
                answer: dict[str, Any] = {"index": {"stale": True}}
                while answer["index"]["stale"]:
                    answer = told(server, "search_docs", query=f"the text of page{MANY - 7}x", top_k=20)
                    assert not any(f"The {_other(branch)} text" in hit["content"] for hit in answer["results"])
                assert answer["results"][0]["metadata"]["file_path"] == f"{(MANY - 7) % 50}/{MANY - 7}.md"
                assert told(server, "get_status")["index"]["total_pages"] == MANY + len(PAGES)


class TestTheIndex:
    @pytest.mark.parametrize("damage", ["garbage", "truncated", "older"])
    def test_that_is_damaged_or_old_is_built_again_and_that_is_said(
        self, index: Path, serve: Serve, damage: str
    ) -> None:
        if damage == "older":
            with closing(sqlite3.connect(index)) as database:
                database.execute(f"PRAGMA user_version = {SAME_TEXTS_SINCE - 1}")
        else:
            whole = index.read_bytes()
            index.write_bytes(b"\x00no index" * 5000 if damage == "garbage" else whole[: len(whole) // 2])
        server = serve(LOG_LEVEL="INFO")
        assert found(server, "zebra") == ["a.md"]
        assert told(server, "get_status")["index"]["total_pages"] == len(PAGES)
        said = "rebuilt from the folder" if damage == "older" else "begun anew"
        assert any(said in line for line in server.log)

    def test_of_a_newer_pincite_is_refused_and_never_touched(self, index: Path, serve: Serve) -> None:
        with closing(sqlite3.connect(index)) as database:
            database.execute(f"PRAGMA user_version = {SCHEMA + 1}")
        before = index.read_bytes()
        server = serve()
        assert "made by a newer pincite" in refused(server, "search_docs", query="zebra")
        assert "Upgrade pincite" in refused(server, "get_status")
        assert index.read_bytes() == before

    def test_that_is_deleted_or_replaced_under_a_server_is_opened_anew(
        self, folder: Path, index: Path, serve: Serve
    ) -> None:
        server = serve()
        assert found(server, "zebra") == ["a.md"]
        for end in ("", "-wal", "-shm"):
            index.with_name(index.name + end).unlink(missing_ok=True)
        assert found(server, "zebra") == ["a.md"]
        assert index.exists()
        (folder / "a.md").write_text("# Alpha\n\nA walrus dives.\n")
        assert found(server, "walrus") == ["a.md"]
        shutil.rmtree(index.parent)
        assert found(server, "quokka") == ["b.md"]
        assert told(server, "get_status")["index"]["total_pages"] == len(PAGES)

    @pytest.mark.parametrize(("damage", "warm"), [*((damage, True) for damage in DAMAGES), ("middle", False)])
    def test_that_is_damaged_under_a_server_is_begun_anew_and_no_answer_is_wrong(
        self, folder: Path, tmp_path: Path, serve: Serve, damage: str, warm: bool
    ) -> None:
        faces.write(folder, LONG)
        face = faces.serve("toolbox", folder, tmp_path / "cache")
        index = Path(faces.settled(face)["index"]["db_path"])
        truth = [face.call(tool, **arguments) for tool, arguments in QUESTIONS]
        face.close()
        server = serve(LOG_LEVEL="INFO")
        for tool, arguments in QUESTIONS if warm else [("get_status", {})]:
            told(server, tool, **arguments)
        DAMAGES[damage](index)
        for _ in range(2):
            for (tool, arguments), true in zip(QUESTIONS, truth, strict=True):
                answer = told(server, tool, **arguments)
                assert _said(answer, stale=answer["index"]["stale"]) == _said(true, stale=answer["index"]["stale"])
        assert told(server, "get_status")["index"]["total_pages"] == len(LONG) + len(PAGES)
        (folder / "a.md").write_text("# Alpha\n\nA walrus dives.\n")
        assert "walrus" in told(server, "get_page", file_path="a.md")["chunks"][0]["content"]

    def test_that_is_damaged_under_two_servers_is_begun_anew_once(
        self, folder: Path, index: Path, serve: Serve
    ) -> None:
        servers = [serve(LOG_LEVEL="INFO") for _ in range(2)]
        for server in servers:
            assert found(server, "zebra") == ["a.md"]
        DAMAGES["garbage"](index)
        faces.write(folder, {"c.md": "# Gamma\n\nA walrus dives.\n"})
        for server in (*servers, *servers):
            assert found(server, "walrus") == ["c.md"]
        said = [line for server in servers for line in server.log if "moved aside" in line]
        assert len(said) == 1, [server.log for server in servers]

    def test_that_cannot_be_made_is_told_with_the_mend(self, folder: Path, serve: Serve) -> None:
        if not Path("/proc/self").exists():
            pytest.skip("no folder here that nobody can write to")
        server = serve(pincite("serve", str(folder), "--db", "/proc/self/index.db"))
        said = refused(server, "search_docs", query="zebra")
        assert "--db" in said and "/proc" not in said

    def test_on_a_read_only_disk_is_read_and_kept_fresh_all_the_same(
        self, folder: Path, index: Path, tmp_path: Path, serve: Serve
    ) -> None:
        cache = shlex.quote(str(tmp_path / "cache"))
        before = index.read_bytes()
        server = serve(
            mounted(f"mount --bind {cache} {cache} && mount -o remount,ro,bind {cache}", pincite("serve", str(folder)))
        )
        assert found(server, "zebra") == ["a.md"]
        assert any("copy of its own" in line for line in server.log)
        faces.write(folder, {"a.md": "# Alpha\n\nA walrus dives.\n"})
        (folder / "b.md").unlink()
        assert found(server, "walrus") == ["a.md"] and listed(server) == ["a.md"]
        assert found(server, "zebra") == found(server, "quokka") == []
        assert index.read_bytes() == before and [path.name for path in index.parent.iterdir()] == [index.name]

    def test_that_is_not_there_on_a_read_only_disk_is_told_with_the_mend(
        self, folder: Path, tmp_path: Path, serve: Serve
    ) -> None:
        cache = shlex.quote(str(tmp_path / "cache"))
        made = f"mkdir -p {cache} && mount --bind {cache} {cache} && mount -o remount,ro,bind {cache}"
        said = refused(serve(mounted(made, pincite("serve", str(folder)))), "search_docs", query="zebra")
        assert "--db" in said and str(tmp_path) not in said

    @pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
    @pytest.mark.parametrize(("file_mode", "folder_mode"), [(0o444, 0o777), (0o666, 0o555), (0o444, 0o555)])
    def test_that_its_user_may_not_write_is_read(
        self, folder: Path, index: Path, tmp_path: Path, serve: Serve, file_mode: int, folder_mode: int
    ) -> None:
        nobody = as_nobody()
        for above in (folder, *index.parents):
            if above != Path("/") and above != Path("/tmp"):  # noqa: S108  # not a file of ours
                above.chmod(0o755)
        index.chmod(file_mode)
        index.parent.chmod(folder_mode)
        command = [*nobody, *pincite("serve", str(folder), "--db", str(index))]
        server = serve(command, TMPDIR="/tmp", PINCITE_CACHE=str(tmp_path / "none"))  # noqa: S108
        assert found(server, "zebra") == ["a.md"]
        (folder / "a.md").write_text("# Alpha\n\nA walrus dives.\n")
        assert found(server, "walrus") == ["a.md"]

    @pytest.mark.parametrize("kind", ["page", "empty", "database", "folder", "link"])
    def test_that_is_another_file_is_refused_and_not_touched(
        self, folder: Path, tmp_path: Path, serve: Serve, kind: str
    ) -> None:
        given = folder / "b.md" if kind == "page" else tmp_path / "given"
        if kind == "empty":
            given.touch()
        elif kind == "database":
            with closing(sqlite3.connect(given)) as database:
                database.execute("CREATE TABLE precious (x)")
        elif kind == "folder":
            given.mkdir()
        elif kind == "link":
            given.symlink_to(folder / "b.md")
        before = given.read_bytes() if given.is_file() else None
        env = {**os.environ, **faces.EXACT, "PINCITE_CACHE": str(tmp_path / "cache")}
        docs = ["--docs", str(folder), "--db", str(given)]
        for command in (["search", "zebra"], ["status"], ["read", "a.md@9f31c2aa#h1"]):
            done = fork_server.run(pincite(*command, *docs), env=env)
            said = done.stderr.splitlines()[-1]
            assert done.returncode == 3 and said.startswith("error: ") and "--db" in said, done
            assert "Traceback" not in done.stderr and str(tmp_path) not in done.stderr
        said = refused(serve(pincite("serve", str(folder), "--db", str(given))), "search_docs", query="zebra")
        assert "--db" in said and str(tmp_path) not in said
        assert given.is_dir() if before is None else given.read_bytes() == before
        assert not list(tmp_path.glob("given*-*")) and not list(tmp_path.rglob("*.damaged*"))

    @pytest.mark.parametrize("how", ["written over", "renamed over"])
    def test_that_a_person_s_page_takes_the_place_of_is_left_to_that_person(
        self, folder: Path, tmp_path: Path, serve: Serve, how: str
    ) -> None:
        index, page = tmp_path / "own/index.db", b"# Notes\n\nA walrus of mine.\n" * 2000
        index.parent.mkdir()
        server = serve(pincite("serve", str(folder), "--db", str(index)))
        assert found(server, "zebra") == ["a.md"]
        (tmp_path / "page").write_bytes(page)
        if how == "written over":
            shutil.copyfile(tmp_path / "page", index)
        else:
            (tmp_path / "page").replace(index)
        (folder / "b.md").write_text("# Beta\n\nA heron.\n")
        said = [server.call("search_docs", {"query": "heron"})["content"][0]["text"] for _ in range(3)]
        assert "--db" in said[-1] and index.read_bytes() == page, said
        # Told what to do, the person does it.
        index.unlink()
        assert found(server, "heron") == ["b.md"] and found(server, "zebra") == ["a.md"]

    def test_of_one_s_own_place_is_made_once_by_many_servers(self, folder: Path, tmp_path: Path, serve: Serve) -> None:
        index = tmp_path / "own/index.db"
        index.parent.mkdir()
        servers = [serve(pincite("serve", str(folder), "--db", str(index))) for _ in range(3)]
        asked = [server.ask("tools/call", {"name": "list_pages", "arguments": {}}) for server in servers]
        for server, number in zip(servers, asked, strict=True):
            assert not server.await_answer(number)["isError"]
            assert found(server, "zebra") == ["a.md"]
        assert {path.name.removeprefix("index.db") for path in index.parent.iterdir()} <= {"", "-wal", "-shm"}


class TestTheDisk:
    @pytest.mark.slow
    def test_that_fills_loses_nothing_and_what_is_missing_is_said(
        self, folder: Path, tmp_path: Path, serve: Serve
    ) -> None:
        limit = tmp_path / "limit"
        program = FULL.format(path=sys.path, limit=str(limit))
        first = serve([sys.executable, "-c", program, "serve", str(folder)])
        assert found(first, "zebra") == ["a.md"]
        assert first.end() == 0
        limit.write_text("10")
        server = serve([sys.executable, "-c", program, "serve", str(folder)])
        many = {f"{n}.md": f"# Page {n}\n\n{'word ' * 500} fresh{n}x\n" for n in range(40)}
        faces.write(folder, {**many, "b.md": "# Beta\n\nA walrus dives.\n"})
        answer = told(server, "search_docs", query="zebra quokka")
        assert answer["index"]["stale"] and "disk" in answer["index"]["reason"] and answer["index"]["pending"] > 0
        # b.md has changed: nothing is quoted from its old text. There may be room for it at the next call.
        assert "quokka" not in str(answer["results"]) and "zebra" in answer["results"][0]["content"]
        page = server.call("get_page", {"file_path": "b.md"})
        assert ("has not been read again yet" if page["isError"] else "walrus") in page["content"][0]["text"]
        assert server.end() == 0
        limit.unlink()
        healed = serve()
        assert found(healed, "fresh7x")[0] == "7.md"
        assert told(healed, "get_status")["index"]["total_pages"] == len(many) + len(PAGES)

    def test_that_really_fills_is_the_same_and_room_mends_it(self, folder: Path, tmp_path: Path, serve: Serve) -> None:
        cache = tmp_path / "cache"
        cache.mkdir()
        server = serve(
            mounted(f"mount -t tmpfs -o size=4m tmpfs {shlex.quote(str(cache))}", pincite("serve", str(folder)))
        )
        assert found(server, "zebra") == ["a.md"]
        filler = Path(f"/proc/{server.process.pid}/root{cache}/filler")
        with contextlib.suppress(OSError), filler.open("wb", buffering=0) as file:
            while file.write(bytes(4096)):
                pass
        faces.write(folder, {f"{n}.md": f"# Page {n}\n\n{'word ' * 500} fresh{n}x\n" for n in range(40)})
        answer = told(server, "search_docs", query="zebra")
        assert answer["index"]["stale"] and "disk" in answer["index"]["reason"]
        assert "zebra" in answer["results"][0]["content"]
        filler.unlink()
        assert found(server, "fresh7x")[0] == "7.md"
        assert told(server, "get_status")["index"]["total_pages"] == 40 + len(PAGES)


def found(server: Wire, query: str) -> list[str]:
    """The files that hold a word of the question, best first; nothing is missing."""
    answer = told(server, "search_docs", query=query)
    assert not answer["index"]["stale"], answer["index"]
    hits = [hit for hit in answer["results"] if any(word in hit["content"] for word in query.split())]
    return [hit["metadata"]["file_path"] for hit in hits]


def listed(server: Wire) -> list[str]:
    return [page["file_path"] for page in told(server, "list_pages")["pages"]]


def told(server: Wire, tool: str, **arguments: Any) -> dict[str, Any]:
    result = server.call(tool, arguments)
    assert not result["isError"], result
    return result["structuredContent"]


def refused(server: Wire, tool: str, **arguments: Any) -> str:
    result = server.call(tool, arguments)
    assert result["isError"], result
    return result["content"][0]["text"]


def _said(answer: dict[str, Any], *, stale: bool) -> Any:
    """What an answer says of the documents; of a search that is said to be stale no more than what it quotes."""
    if stale and "results" in answer:
        return [hit["content"] for hit in answer["results"]]
    return {key: value for key, value in answer.items() if key not in ("index", "query_ms")}


def _other(branch: str) -> str:
    return {"one": "two", "two": "one"}[branch]
