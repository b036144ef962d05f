"""Which parts of others could speak to a network: each was looked at (docs/decisions/0006)."""

import re
import subprocess
import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[2]
CAN_CONNECT = {"cryptography", "hf-xet", "onnxruntime", "pillow", "uvloop"}
"""Dependencies at run time whose native code looks up host names. A new one belongs into the decision first."""

NATIVE = re.compile(r"\.(so|pyd|dll|dylib)(\.[\d.]+)?$")


def closure(name: str, extras: tuple[str, ...] = ()) -> dict[str, Distribution]:
    """An installed distribution and all that it needs, by normalised name."""
    found: dict[str, Distribution] = {}
    waiting = [(name, extras)]
    while waiting:
        name, extras = waiting.pop()
        normal = re.sub(r"[-_.]+", "-", name).lower()
        if normal in found:
            continue
        try:
            found[normal] = distribution(name)
        except PackageNotFoundError:  # for another platform
            continue
        for line in found[normal].requires or ():
            required = Requirement(line)
            if required.marker is None or any(required.marker.evaluate({"extra": e}) for e in ("", *extras)):
                waiting.append((required.name, tuple(required.extras)))
    return found


def can_connect(part: Distribution) -> bool:
    native = (Path(str(part.locate_file(file))) for file in part.files or () if NATIVE.search(file.name))
    return any(b"getaddrinfo" in file.read_bytes() for file in native if file.is_file())


def test_native_code_that_could_connect_is_known_and_looked_at() -> None:
    found = {name for name, part in closure("pincite", ("fastembed",)).items() if can_connect(part)}
    assert found <= CAN_CONNECT, "look at what it sends, then name it in docs/decisions/0006 and here"
    (file,) = (ROOT / "docs" / "decisions").glob("0006-*.md")
    decision = file.read_text(encoding="utf-8")
    assert [name for name in sorted(CAN_CONNECT) if f"`{name}`" not in decision] == []


def test_the_tokenizer_comes_without_its_hub() -> None:
    code = """
import sys
from pincite.embedding.wordpiece import WordPiece
WordPiece().count("zebra")
assert "tokenizers" in sys.modules
print(*{"huggingface_hub", "hf_xet", "httpx", "httpx2", "requests", "urllib.request"} & set(sys.modules))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""


def test_every_process_of_ours_turns_the_upload_off_before_the_import() -> None:
    code = "import os, pincite; print(os.environ['ORT_DISABLE_TELEMETRY'], 'onnxruntime' in __import__('sys').modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["1", "False"]
