"""What changes without an event of the folder, and what must not come in, over a real server."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from behaviour import faces
from support.waiting import pause
from support.wire import Serve, Wire, as_nobody, pincite

PAGES = {"a.md": "# Alpha\n\nA zebra crossing.\n", "sub/b.md": "# Beta\n\nA quokka smiles.\n"}
REST_SECONDS = 0.1
"""After that no state of a file is doubted for its age alone."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts and change events are Linux's")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return faces.write(tmp_path / "docs", PAGES)


def told(server: Wire, tool: str, **arguments: Any) -> dict[str, Any]:
    result = server.call(tool, arguments)
    assert not result["isError"], result
    return result["structuredContent"]


def found(server: Wire, word: str) -> list[str]:
    """The files that hold a word; nothing is missing."""
    answer = told(server, "search_docs", query=word, top_k=20)
    assert not answer["index"]["stale"], answer["index"]
    return sorted({hit["metadata"]["file_path"] for hit in answer["results"] if word in hit["content"]})


def at_rest(server: Wire) -> None:
    """Let the server forget its doubts about young files."""
    for _ in range(2):
        told(server, "list_pages")
        pause(REST_SECONDS, "files grow old")
    assert told(server, "get_status")["index"]["freshness"]["method"] == "inotify"


class TestHardLinks:
    def test_of_any_place_are_fresh_in_the_very_next_answer(self, folder: Path, tmp_path: Path, serve: Serve) -> None:
        outside = tmp_path / "store.md"
        outside.hardlink_to(folder / "a.md")
        (folder / "sub/c.md").hardlink_to(folder / "a.md")
        server = serve()
        assert found(server, "zebra") == ["a.md", "sub/c.md"]
        at_rest(server)
        for n, path in enumerate([outside, folder / "a.md", folder / "sub/c.md", outside]):
            path.write_text(f"# Alpha\n\nA walrus{n}x dives.\n")
            assert found(server, f"walrus{n}x") == ["a.md", "sub/c.md"]
            at_rest(server)

    def test_that_come_while_it_is_served_are_too(self, folder: Path, serve: Serve) -> None:
        server = serve()
        assert found(server, "zebra") == ["a.md"]
        at_rest(server)
        (folder / "new").mkdir()
        (folder / "new/d.md").hardlink_to(folder / "a.md")
        assert found(server, "zebra") == ["a.md", "new/d.md"]
        at_rest(server)
        (folder / "new/d.md").write_text("# Delta\n\nAn okapi.\n")
        assert found(server, "okapi") == ["a.md", "new/d.md"]


class TestMounts:
    @pytest.fixture
    def server(self, folder: Path, serve: Serve) -> Wire:
        """A server in a name space of its own, where disks can be mounted while it runs."""
        own = ["unshare", "--user", "--map-root-user", "--mount"]
        probe = [*own, "sh", "-c", "mount -t tmpfs tmpfs /mnt"]
        if shutil.which("unshare") is None or shutil.which("nsenter") is None:
            pytest.skip("no unshare and nsenter here to mount a disk with")
        if subprocess.run(probe, check=False, capture_output=True).returncode:
            pytest.skip("nothing may be mounted here")
        return serve([*own, *pincite("serve", str(folder))])

    def mount(self, server: Wire, command: str) -> None:
        inside = ["nsenter", "-t", str(server.process.pid), "-U", "-m", "--preserve-credentials", "sh", "-c", command]
        subprocess.run(inside, check=True, capture_output=True)

    def test_over_a_folder_below_are_in_the_very_next_answer(self, folder: Path, tmp_path: Path, server: Wire) -> None:
        other = faces.write(tmp_path / "other", {"b.md": "# Other\n\nAn okapi.\n", "x.md": "# X\n\nA heron.\n"})
        sub, source = shlex.quote(str(folder / "sub")), shlex.quote(str(other))
        assert found(server, "quokka") == ["sub/b.md"]
        at_rest(server)
        self.mount(server, f"mount --bind {source} {sub}")
        assert found(server, "okapi") == ["sub/b.md"] and found(server, "heron") == ["sub/x.md"]
        assert found(server, "quokka") == []
        at_rest(server)
        (other / "x.md").write_text("# X\n\nA lynx.\n")
        assert found(server, "lynx") == ["sub/x.md"]
        at_rest(server)
        self.mount(server, f"umount {sub}")
        assert found(server, "quokka") == ["sub/b.md"] and found(server, "lynx") == []
        at_rest(server)
        (folder / "sub/b.md").write_text("# Beta\n\nA gnu.\n")
        assert found(server, "gnu") == ["sub/b.md"]

    def test_over_a_file_are_compared_at_each_call(self, folder: Path, tmp_path: Path, server: Wire) -> None:
        other = tmp_path / "other.md"
        other.write_text("# Other\n\nAn okapi.\n")
        assert found(server, "zebra") == ["a.md"]
        at_rest(server)
        self.mount(server, f"mount --bind {shlex.quote(str(other))} {shlex.quote(str(folder / 'a.md'))}")
        assert found(server, "okapi") == ["a.md"]
        at_rest(server)
        other.write_text("# Other\n\nA heron.\n")
        assert found(server, "heron") == ["a.md"] and found(server, "okapi") == []

    def test_over_the_folder_itself_are_in_the_very_next_answer(
        self, folder: Path, tmp_path: Path, server: Wire
    ) -> None:
        other = faces.write(tmp_path / "other", {"b.md": "# Other\n\nAn okapi.\n"})
        assert found(server, "zebra") == ["a.md"]
        self.mount(server, f"mount --bind {shlex.quote(str(other))} {shlex.quote(str(folder))}")
        assert found(server, "okapi") == ["b.md"] and found(server, "zebra") == []

    def test_of_an_overlay_below_are_compared(self, folder: Path, tmp_path: Path, server: Wire) -> None:
        for name in ("lower", "upper", "work"):
            (tmp_path / name).mkdir()
        (tmp_path / "lower/b.md").write_text("# Lower\n\nAn okapi.\n")
        assert found(server, "quokka") == ["sub/b.md"]
        layers = ",".join(f"{name}dir={tmp_path / name}" for name in ("lower", "upper", "work"))
        try:
            self.mount(server, f"mount -t overlay overlay -o {shlex.quote(layers)} {shlex.quote(str(folder / 'sub'))}")
        except subprocess.CalledProcessError:
            pytest.skip("no overlay may be mounted here")
        assert found(server, "okapi") == ["sub/b.md"]
        freshness = told(server, "get_status")["index"]["freshness"]
        assert freshness["method"] == "scan" and "overlay" in freshness["reason"]
        (tmp_path / "lower/b.md").write_text("# Lower\n\nA heron there.\n")
        assert found(server, "heron") == ["sub/b.md"]


class TestLinks:
    @pytest.mark.parametrize("above", [False, True], ids=["itself", "above"])
    def test_to_the_folder_are_followed_where_they_lead_now(self, tmp_path: Path, serve: Serve, above: bool) -> None:
        faces.write(tmp_path / "v1/docs", {"a.md": "# One\n\nAn okapi.\n"})
        faces.write(tmp_path / "v2/docs", {"a.md": "# Two\n\nA heron.\n"})
        link, served = tmp_path / "current", tmp_path / ("current/docs" if above else "current")
        link.symlink_to("v1" if above else "v1/docs")
        server = serve(pincite("serve", str(served)))
        assert found(server, "okapi") == ["a.md"]
        (tmp_path / "new").symlink_to("v2" if above else "v2/docs")
        (tmp_path / "new").replace(link)
        assert found(server, "heron") == ["a.md"] and found(server, "okapi") == []
        assert told(server, "get_status")["server"]["docs_root"] == str(tmp_path / "v2/docs")
        assert told(server, "get_page", file_path=str(served / "a.md"))["title"] == "Two"
        assert told(server, "get_page", file_path=str(tmp_path / "v2/docs/a.md"))["title"] == "Two"
        (tmp_path / "v2/docs/a.md").write_text("# Two\n\nA lynx.\n")
        assert found(server, "lynx") == ["a.md"]

    def test_bring_nothing_in_that_is_hidden_or_ignored(self, folder: Path, serve: Serve) -> None:
        (folder / ".env").write_text("TOKEN=okapi\n")
        (folder / ".gitignore").write_text("ignored.md\nsecrets/\n")
        (folder / "ignored.md").write_text("# Ignored\n\nAn okapi.\n")
        faces.write(folder, {"secrets/s.md": "# Secret\n\nAn okapi.\n", ".h/deep/h.md": "An okapi.\n"})
        (folder / "LICENSE").write_text("Free as a heron.\n")
        server = serve()
        links = {
            "x.md": ".env",
            "y.md": "ignored.md",
            "s": "secrets",
            "z.md": "y.md",
            "h": ".h/deep",
            "l.md": "LICENSE",
        }
        for name, target in links.items():
            (folder / name).symlink_to(target)
        assert found(server, "okapi") == [] and found(server, "heron") == ["l.md"]
        skipped = told(server, "get_status")["index"]["skipped"]
        # .env, .gitignore, .h and the links to two of them; ignored.md, secrets and three links.
        assert (skipped["hidden"], skipped["ignored"]) == (5, 5)
        (folder / "new").symlink_to(".env")
        (folder / "new").replace(folder / "l.md")
        assert found(server, "okapi") == [] and found(server, "heron") == []
        (folder / ".gitignore").write_text("")
        assert found(server, "okapi") == ["ignored.md", "secrets/s.md"]


class TestIgnoreFiles:
    def test_that_cannot_be_read_leave_their_folder_out_and_that_is_said(
        self, folder: Path, serve: Serve, tmp_path: Path
    ) -> None:
        (folder / "sub/.gitignore").write_text("b.md\n")
        own = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
        target = shlex.quote(str(folder / "sub/.gitignore"))
        # A regular file whose first byte cannot be read: no memory lies at address 0.
        broken = f"mount --bind /proc/$$/mem {target}"
        if subprocess.run([*own, broken], check=False, capture_output=True).returncode:
            pytest.skip("nothing may be mounted here")
        server = serve([*own, f"{broken} && exec {shlex.join(pincite('serve', str(folder)))}"])
        assert found(server, "quokka") == [] and found(server, "zebra") == ["a.md"]
        (warning,) = told(server, "get_status")["index"]["warnings"]
        assert warning.startswith("sub/.gitignore cannot be read (Input/output error)") and str(tmp_path) not in warning
        assert any("sub/.gitignore" in line for line in server.log)

    @pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
    def test_that_its_user_may_not_read_are_the_same(self, folder: Path, serve: Serve, tmp_path: Path) -> None:
        nobody = as_nobody()
        for above in (folder, *tmp_path.parents, tmp_path):
            if above not in {Path("/"), Path("/tmp")}:  # noqa: S108  # not ours
                above.chmod(0o755)
        (tmp_path / "cache").mkdir()
        (tmp_path / "cache").chmod(0o777)
        (folder / "sub/.gitignore").write_text("b.md\n")
        (folder / "sub/.gitignore").chmod(0)
        server = serve([*nobody, *pincite("serve", str(folder))])
        assert found(server, "quokka") == [] and found(server, "zebra") == ["a.md"]
        assert "Permission denied" in told(server, "get_status")["index"]["warnings"][0]
        (folder / "sub/.gitignore").write_text("other.md\n")
        (folder / "sub/.gitignore").chmod(0o644)
        assert found(server, "quokka") == ["sub/b.md"]
