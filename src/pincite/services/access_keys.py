"""Named keys of a server over HTTP: a file of hashes, each with its rate limit and the collections that it may see.

A key has 256 random bits, so that its SHA-256 tells nothing of it, and no slow hash is needed.
"""

import hashlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import ConfigError
from pincite.text.excerpt import excerpt

PREFIX = "pincite-key-"
KEY_BYTES = 32
ALL = "*"
"""Instead of names of collections: all that are served."""

NAME = re.compile(r"[\w.@-]{1,64}")
MAX_CALLS_PER_MINUTE = 1_000_000
_LINE = re.compile(rf"({NAME.pattern})\s+sha256:([0-9a-f]{{64}})\s+(\d{{1,7}})\s+(\S.*)")


@dataclass(frozen=True, slots=True)
class AccessKey:
    """What a key opens.

    Attributes:
        name: Its name in the log and for the rate limit.
        digest: Its SHA-256, in hexadecimal digits.
        rate_limit: Calls a minute; 0 for no limit.
        collections: The names of the collections that it may see; None for all.
    """

    name: str
    digest: str
    rate_limit: int
    collections: frozenset[str] | None = None

    def line(self) -> str:
        """Return its line in the file of keys."""
        seen = ALL if self.collections is None else ",".join(sorted(self.collections))
        return f"{self.name} sha256:{self.digest} {self.rate_limit} {seen}"


def new_key() -> str:
    """Return a key that nobody has."""
    return PREFIX + secrets.token_urlsafe(KEY_BYTES)


def digest(key: str) -> str:
    """Return the hash by which a key is known."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


def collections_of(names: str) -> frozenset[str] | None:
    """Return the names of collections with commas between; None for all."""
    return None if names.strip() == ALL else frozenset(filter(None, map(str.strip, names.split(","))))


def read_keys(path: Path) -> Sequence[AccessKey]:
    """Return the keys of a file, whose empty lines and those with `#` at the beginning are comments.

    Raises:
        ConfigError: It cannot be read, a line is none of a key, or two have one name or one hash.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"The file of PINCITE_KEYS, {path.name}, cannot be read. Correct its name or rights."
        ) from error
    keys: list[AccessKey] = []
    for number, line in enumerate(map(str.strip, lines), 1):
        if not line or line.startswith("#"):
            continue
        read = _LINE.fullmatch(line)
        if read is None or int(read[3]) > MAX_CALLS_PER_MINUTE:
            raise ConfigError(f"Line {number} of PINCITE_KEYS is no key. Replace it by one that `pincite key` prints.")
        key = AccessKey(read[1], read[2], int(read[3]), collections_of(read[4]))
        if any(key.name == known.name or key.digest == known.digest for known in keys):
            raise ConfigError(f"Line {number} of PINCITE_KEYS repeats the key {excerpt(key.name)}. Remove one of them.")
        keys.append(key)
    return keys
