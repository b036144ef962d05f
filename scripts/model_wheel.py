"""Packs the embedding model's weights into a wheel of data, for machines that reach no package index.

Usage: python scripts/model_wheel.py [FOLDER]. The weights come from where pincite finds them (`pincite models fetch`
puts them there) and are verified by their pinned hash. The wheel holds no code and needs nothing; it is stored, not
compressed (8 % would be saved), so that the same weights give the same bytes on every machine.
"""

import argparse
import base64
import hashlib
import sys
import tempfile
import zipfile
from pathlib import Path

from pincite.embedding import weights
from pincite.embedding.weights import Pin
from pincite.errors import PinciteError
from pincite.model.call import Call
from pincite.settings import load

VERSION = "1.0.0"
"""Of the packaging; the weights themselves are pinned by hash and never change."""
LICENCE = Path(__file__).with_name("LICENSE-Apache-2.0.txt")
MOMENT = (1980, 1, 1, 0, 0, 0)
"""The earliest time that an archive can name."""
NOTICE = """\
model.safetensors: the weights of all-MiniLM-L6-v2, unchanged,
by the sentence-transformers authors (UKPLab, Technical University of Darmstadt),
after nreimers/MiniLM-L6-H384-uncased, after microsoft/MiniLM (Microsoft Corporation).
Licensed under the Apache License, Version 2.0; see LICENSE.
SHA-256: {sha256}
"""
METADATA = """\
Metadata-Version: 2.1
Name: {name}
Version: {version}
Summary: The weights of all-MiniLM-L6-v2 for pincite, as a package of data
License: Apache-2.0
Requires-Python: >=3.11
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: pincite model_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build(pin: Pin, blob: bytes, folder: Path) -> Path:
    """Write the wheel; it appears whole or not at all.

    Args:
        pin: What the weights are, and the distribution's name.
        blob: The verified weights.
        folder: Where the wheel is put.

    Returns:
        The wheel.
    """
    module = pin.package.replace("-", "_")
    info = f"{module}-{VERSION}.dist-info"
    members: dict[str, bytes] = {
        f"{module}/{pin.name}": blob,
        f"{info}/licenses/LICENSE": LICENCE.read_bytes(),
        f"{info}/licenses/NOTICE": NOTICE.format(sha256=pin.sha256).encode(),
        f"{info}/METADATA": METADATA.format(name=pin.package, version=VERSION).encode(),
        f"{info}/WHEEL": WHEEL.encode(),
    }
    rows = [f"{name},sha256={_digest(body)},{len(body)}" for name, body in members.items()]
    members[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{module}-{VERSION}-py3-none-any.whl"
    with tempfile.TemporaryDirectory(prefix=".wheel-", dir=folder) as scratch:
        made = Path(scratch) / wheel.name
        with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
            for name, body in members.items():
                archive.writestr(_entry(name), body)
        made.replace(wheel)
    return wheel


def main(arguments: list[str]) -> int:
    """Build the wheel into the folder that was named, else into `dist`.

    Returns:
        0 well, 2 where the weights are not on this machine.
    """
    parser = argparse.ArgumentParser(description="Pack the embedding model's weights into a wheel of data.")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("dist"), help="where to write it (default: dist)")
    folder = parser.parse_args(arguments).folder
    settings = load()
    try:
        found = weights.obtain(
            weights.MINILM, settings.embedding.model_dir, settings.storage.cache / "models", None, Call()
        )
    except PinciteError as error:
        print(f"error: {error.message}", file=sys.stderr)
        return 2
    wheel = build(weights.MINILM, found.blob, folder)
    with wheel.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    print(f"{wheel} ({wheel.stat().st_size / 1e6:.1f} MB)\nsha256 {digest}")
    return 0


def _entry(name: str) -> zipfile.ZipInfo:
    """A member with nothing in it that depends on the machine."""
    entry = zipfile.ZipInfo(name, MOMENT)
    entry.create_system = 3
    entry.external_attr = 0o100644 << 16
    return entry


def _digest(body: bytes) -> str:
    """As a wheel's record writes it."""
    return base64.urlsafe_b64encode(hashlib.sha256(body).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
