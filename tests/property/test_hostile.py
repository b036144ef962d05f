"""Whatever a file holds: a document or a clear error, in time, and the next file is read."""

import re
import time
from collections.abc import Iterator

import pytest

from pincite.errors import InvalidInput, PinciteError, Unsupported
from pincite.formats.base import Blob, ReadOptions, ZipLimits
from pincite.formats.detect.sniff import Sniffed, sniff
from pincite.formats.worker.pool import ReaderPool
from pincite.formats.worker.processes import ReaderLimits
from pincite.formats.worker.read import SILENT_BYTES
from pincite.model.call import Call
from pincite.model.document import Document
from support.hostile import CRAFTED, HONEST, SHEETS, WORD, ZIPPED, mutated
from support.readers_that_fail import ROWS

pytestmark = pytest.mark.timeout(600)

SMALL = ZipLimits(entries=1000, part_bytes=20_000_000, total_bytes=30_000_000)
LIMITS = ReaderLimits(processes=1, seconds=10.0, memory_bytes=1_500_000_000)
GRACE = 300.0
"""Seconds for the start of a reader's process on a machine that is busy with other work."""

FEW, MANY, VERY_MANY = 12, 200, 2000
_TELLS_TOO_MUCH = re.compile(r"Traceback|(?:^|[\s\"'(])/\w")
"""A stack trace, or a place on this machine."""


@pytest.fixture(scope="module")
def pool() -> Iterator[ReaderPool]:
    pool = ReaderPool(ReadOptions(zip=SMALL), LIMITS)
    yield pool
    pool.close()


def outcome(pool: ReaderPool, name: str, data: bytes) -> Document | PinciteError:
    """What reading a file comes to. The call's own time is longer than the reader may take: it never runs out."""
    call = Call(deadline=time.monotonic() + LIMITS.seconds + len(data) / 1e6 + GRACE)
    try:
        return pool.read(sniff(name, data), Blob(name, data), call)
    except (InvalidInput, Unsupported) as refused:
        return refused


def check(pool: ReaderPool, name: str, data: bytes) -> None:
    found = outcome(pool, name, data)
    if isinstance(found, Document):
        assert found.text or len(data) <= SILENT_BYTES
        assert "".join(found.text[section.start : section.end] for section in found.sections) == found.text
        found.text.encode()
    else:
        assert found.message.strip() and not _TELLS_TOO_MUCH.search(found.message)
    assert pool.read(Sniffed(ROWS["well"]), Blob("a.well", b"x"), Call()).title == "Well"


def test_there_are_enough_of_them() -> None:
    assert len(CRAFTED) >= 40


SLOW = {
    *("endless rows.html", "endless columns.docx", "many paragraphs.docx"),
}
"""Ended by the time limit or by the memory limit, after ten seconds; or read for more than five."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in CRAFTED]
)
def test_a_crafted_file_is_read_or_refused(pool: ReaderPool, name: str) -> None:
    check(pool, name, CRAFTED[name]())


@pytest.mark.parametrize("name", HONEST)
def test_a_changed_file_is_read_or_refused(pool: ReaderPool, name: str) -> None:
    data = HONEST[name]()
    for number in range(FEW):
        check(pool, name, mutated(data, f"{name} {number}"))


@pytest.mark.slow
@pytest.mark.parametrize("name", HONEST)
def test_many_changed_files_are_read_or_refused(pool: ReaderPool, name: str) -> None:
    data = HONEST[name]()
    for number in range(FEW, FEW + MANY):
        check(pool, name, mutated(data, f"{name} {number}"))


@pytest.mark.long
@pytest.mark.parametrize("name", HONEST)
def test_very_many_changed_files_are_read_or_refused(pool: ReaderPool, name: str) -> None:
    data = HONEST[name]()
    for number in range(FEW + MANY, FEW + MANY + VERY_MANY):
        check(pool, name, mutated(data, f"{name} {number}"))


@pytest.mark.parametrize("name", [name for name in ZIPPED if "bomb" in name or "entity" in name or "many" in name])
def test_a_bomb_is_never_unpacked_by_its_reader(pool: ReaderPool, name: str) -> None:
    assert isinstance(outcome(pool, name, ZIPPED[name]()), PinciteError)


def test_the_crafted_files_of_a_kind_are_of_that_kind() -> None:
    for name, make in {**WORD, **SHEETS}.items():
        found = sniff(name, make())
        assert found.format is None or name.endswith(found.format.extensions)
