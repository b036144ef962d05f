"""Parts of other packages: the example is installed as pip does it, and broken packages cost only themselves."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.packages import install
from support.wire import Wire

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "pincite-ini"
ROW = "from pincite.registry import ToolsetRow\n"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, installed into a folder of its own without a package index."""
    target = tmp_path_factory.mktemp("installed")
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-index", "--no-deps"]
    subprocess.run([*command, "--no-build-isolation", "--target", target, EXAMPLE], check=True, capture_output=True)
    return target


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "start.md").write_text("# Start\n\nInstall it and run it.\n")
    (folder / "server.ini").write_text("[network]\nport = 8080\n[disk]\nquota = 5\n")
    return folder


def environment(packages: Path, cache: Path) -> Mapping[str, str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    own = {"PYTHONPATH": str(packages), "EMBEDDING_PROVIDER": "hash", "PINCITE_CACHE": str(cache)}
    return {**plain, **own, "PINCITE_FRESH_BUDGET": "inf"}


def pincite(*arguments: object, env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pincite", *map(str, arguments)]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=100)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_parts_of_another_package_pass_the_contract_tests_of_ours(installed: Path, tmp_path: Path) -> None:
    files = [ROOT / "tests" / "contracts" / f"test_{name}.py" for name in ("reader", "policy", "embedder")]
    options = ["-q", "-n", "0", "-p", "no:cacheprovider", "-m", "not data and not slow"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "-k", "ini or blocks or letters", *files],
        cwd=ROOT,
        env=environment(installed, tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert " passed" in ran.stdout


def test_a_toolset_and_a_format_of_another_package_are_served(installed: Path, docs: Path, tmp_path: Path) -> None:
    serve = [sys.executable, "-m", "pincite", "serve", str(docs), "--toolsets", "docs,counting"]
    with Wire(serve, environment(installed, tmp_path / "cache"), cwd=tmp_path).open() as wire:
        names = [tool["name"] for tool in wire.request("tools/list")["tools"]]
        assert {"search_docs", "count_words"} < set(names)
        assert wire.call("count_words", {"file_path": "start.md"})["structuredContent"]["words"] == 7
        section = wire.call("get_section", {"file_path": "server.ini", "heading_path": "network"})
        assert section["structuredContent"]["content"] == "[network]\nport = 8080\n"


def test_an_embedder_of_another_package_is_chosen_by_its_name(installed: Path, docs: Path, tmp_path: Path) -> None:
    env = {**environment(installed, tmp_path / "cache"), "EMBEDDING_PROVIDER": "letters"}
    ran = pincite("search", "installing", "--docs", docs, "--json", env=env)
    assert json.loads(ran.stdout)["results"][0]["metadata"]["file_path"] == "start.md", ran.stderr


def test_the_doctor_names_what_packages_add(installed: Path, docs: Path, tmp_path: Path) -> None:
    ran = pincite("doctor", "--docs", docs, "--json", env=environment(installed, tmp_path / "cache"))
    (check,) = [check for check in json.loads(ran.stdout)["checks"] if check["name"] == "plug-ins"]
    assert check["state"] == "ok"
    for name in ("ini", "letters", "blocks", "counting"):
        assert f"{name} (pincite-ini 0.1.0)" in check["found"]


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Packages that cannot be imported, that take a name of ours, and whose tools have names of ours."""
    folder = install(tmp_path / "broken", "acme-lost", "import nowhere", {"pincite.toolsets": {"lost": "acme_lost:T"}})
    code = f"{ROW}T = ToolsetRow('docs', 'acme_docs:Docs')"
    install(folder, "acme-docs", code, {"pincite.toolsets": {"docs": "acme_docs:T"}})
    code = f"{ROW}T = ToolsetRow('late', 'nowhere:Late')"
    install(folder, "acme-late", code, {"pincite.toolsets": {"late": "acme_late:T"}})
    code = (EXAMPLE / "src" / "pincite_ini" / "toolset.py").read_text().replace("def count_words", "def search_docs")
    code += f"\n\n{ROW}T = ToolsetRow('copied', 'acme_copied:CountingToolset', needs=('folder',))\n"
    return install(folder, "acme-copied", code, {"pincite.toolsets": {"copied": "acme_copied:T"}})


def test_a_server_of_all_toolsets_leaves_out_those_that_are_broken(broken: Path, docs: Path, tmp_path: Path) -> None:
    serve = [sys.executable, "-m", "pincite", "serve", str(docs), "--toolsets", "all"]
    with Wire(serve, environment(broken, tmp_path / "cache"), cwd=tmp_path).open() as wire:
        (found,) = [tool for tool in wire.request("tools/list")["tools"] if tool["name"] == "search_docs"]
        assert "query" in found["inputSchema"]["properties"]
        assert wire.call("search_docs", {"query": "install"})["structuredContent"]["results"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("lost", "The package acme-lost 1.0 offers lost, which cannot be used (ModuleNotFoundError: No module named"),
        ("late", "The package acme-late 1.0 offers late, which cannot be used (ModuleNotFoundError: No module named"),
        ("copied", "The package acme-copied 1.0 offers copied, which cannot be used (ValueError: the tool search_docs"),
    ],
)
def test_a_broken_toolset_that_is_named_stops_the_start_with_one_sentence(
    name: str, sentence: str, broken: Path, docs: Path, tmp_path: Path
) -> None:
    ran = pincite("serve", docs, "--toolsets", f"docs,{name}", env=environment(broken, tmp_path / "cache"))
    assert ran.returncode == 3
    assert sentence in ran.stderr and "uninstall it." in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_name_of_ours_stays_ours(broken: Path, docs: Path, tmp_path: Path) -> None:
    ran = pincite("doctor", "--docs", docs, "--json", env=environment(broken, tmp_path / "cache"))
    (check,) = [check for check in json.loads(ran.stdout)["checks"] if check["name"] == "plug-ins"]
    assert check["state"] == "warning"
    assert "The package acme-docs 1.0 offers docs, which cannot be used (ValueError: docs is taken)." in check["fix"]
