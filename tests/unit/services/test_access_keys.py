from pathlib import Path

import pytest

from pincite.errors import ConfigError
from pincite.services.access_keys import AccessKey, collections_of, digest, new_key, read_keys

ALICE = AccessKey("alice", digest("a"), 60, frozenset({"api", "hand book"}))
ROOT = AccessKey("root@host-1", digest("b"), 0)


def test_a_key_is_read_from_its_line(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"# people\n\n  {ALICE.line()}  \n{ROOT.line()}\r\n", "utf-8")
    assert read_keys(file) == [ALICE, ROOT]


def test_a_new_key_is_one_that_nobody_has_and_its_hash_does_not_show_it() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100 and all(len(key) > 40 and digest(key) not in key for key in keys)


@pytest.mark.parametrize(("names", "seen"), [("*", None), (" a, b ,", {"a", "b"}), ("", set[str]())])
def test_collections_are_named_with_commas_between(names: str, seen: set[str] | None) -> None:
    assert collections_of(names) == seen


ZEROS = "0" * 64


@pytest.mark.parametrize(
    "line",
    [
        "alice",
        f"alice sha256:{ZEROS[1:]} 60 *",
        f"alice sha256:{ZEROS} many *",
        f"alice sha256:{ZEROS} 60",
        f"a/b sha256:{ZEROS} 60 *",
        f"alice sha256:{ZEROS} 1000001 *",
        f"alice {ZEROS} 60 *",
    ],
)
def test_a_line_that_is_no_key_is_refused_by_its_number(tmp_path: Path, line: str) -> None:
    (tmp_path / "keys").write_text(f"{ROOT.line()}\n{line}\n", "utf-8")
    with pytest.raises(ConfigError, match=r"Line 2 of PINCITE_KEYS is no key\. Replace it"):
        read_keys(tmp_path / "keys")


@pytest.mark.parametrize("other", [AccessKey("alice", digest("c"), 1), AccessKey("carol", digest("a"), 1)])
def test_two_keys_of_one_name_or_one_hash_are_refused(tmp_path: Path, other: AccessKey) -> None:
    (tmp_path / "keys").write_text(f"{ALICE.line()}\n{other.line()}\n", "utf-8")
    with pytest.raises(ConfigError, match=f"Line 2 of PINCITE_KEYS repeats the key {other.name}"):
        read_keys(tmp_path / "keys")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "keys").write_bytes(b"\xff\xfe")
    for name in ("keys", "none"):
        with pytest.raises(ConfigError, match=f"PINCITE_KEYS, {name}, cannot be read"):
            read_keys(tmp_path / name)
