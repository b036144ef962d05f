import pytest

from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.registry import FORMATS
from support.word_probes import PROBES, Probe

DOCX = next(row for row in FORMATS if row.name == "docx")
NOT_HELD = {"page marks"}
"""A file says where pages ended on the writer's machine, and often wrongly: no page number is made of it."""


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.name)
def test_what_readers_lose_comes_out(probe: Probe) -> None:
    document = read_document(DOCX, Blob("a.docx", probe.make().saved()), ReadOptions(), Call())
    assert probe.holds(document) is (probe.name not in NOT_HELD), document
    assert not document.coverage.failed and not document.warnings


def test_there_are_29_probes_and_28_are_held() -> None:
    assert len(PROBES) == 29
    assert {probe.name for probe in PROBES} > NOT_HELD and len(NOT_HELD) == 1
