import ast
import re
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

import pincite

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    "src",
    "tests",
    "docs",
    "scripts",
    "bench",
    "eval",
    "examples",
    "integrations",
    "requirements",
    "deploy",
    ".ci",
)
FILES = ("README.md", "CHANGELOG.md", "Makefile", "pyproject.toml", "NOTICE", ".env.example", ".gitignore")
LOCKS = ("runtime", "dev")


def _texts() -> dict[str, str]:
    found = [ROOT / name for name in FILES]
    found += [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    kept = [path for path in found if "__pycache__" not in path.parts and path.stat().st_size < 1_000_000]
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8", errors="replace") for path in kept}


def test_no_place_of_one_machine_and_no_registry_is_named() -> None:
    hosts = ["pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "debian" + ".org", "huggingface" + ".co"]
    places = ["/opt/" + "pypi", "/opt/" + "wheels", "/work/" + "main", "/work/" + "shared", ".libr" + "ary/"]
    pattern = re.compile("|".join(map(re.escape, [*hosts, *places])))
    assert {name: match[0] for name, text in _texts().items() if (match := pattern.search(text))} == {}


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_every_package_by_hash_and_names_no_address(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    entries = [entry for entry in re.split(r"\n(?=[a-z])", text.strip()) if not entry.startswith("#")]
    assert len(entries) > 20
    assert [entry for entry in entries if not re.match(r"[\w.-]+==[\w.!+]+.* \\\n    --hash=sha256:", entry)] == []
    assert "://" not in text


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_every_declared_dependency(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.lock").read_text(encoding="utf-8")
    locked = {match.lower().replace("_", "-") for match in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    declared = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    declared += project["dependency-groups"]["dev"] if name == "dev" else []
    names = {re.split(r"[^\w.-]", requirement)[0].lower().replace("_", "-") for requirement in declared}
    assert names - locked == set(), "run `make lock`"


def test_both_locks_agree() -> None:
    runtime, dev = (
        set(re.findall(r"^([\w.-]+==\S+)", (ROOT / "requirements" / f"{name}.lock").read_text(), re.MULTILINE))
        for name in LOCKS
    )
    assert runtime <= dev


def test_the_changelog_has_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert headings[0] == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", heading) for heading in headings[1:])
    kinds = set(re.findall(r"^### (.+)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_version_stands_in_two_places_and_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == pincite.__version__


def test_no_test_waits_on_its_own() -> None:
    """Tests wait for a condition until a deadline, or let time pass on which no outcome rests: `support.waiting`."""
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path.relative_to(ROOT).parts[1] != "support"]
    found = [f"{path.relative_to(ROOT)}:{line}" for path in tests for line in _sleeps(path)]
    assert len(tests) > 100 and not found


def _sleeps(path: Path) -> list[int]:
    """The lines on which a test sleeps; `asyncio.sleep(0)` only lets others run."""
    calls = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Call))
    sleeping = (call for call in calls if ast.unparse(call.func) in ("time.sleep", "asyncio.sleep", "sleep"))
    return [call.lineno for call in sleeping if ast.unparse(call.args[0]) != "0"]


def test_no_module_is_imported_by_what_it_imports() -> None:
    """Imports inside functions and for type checkers alone count, too."""
    graph = grimp.build_graph("pincite", cache_dir=None)
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()
