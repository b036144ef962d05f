"""Real PDFs, tagged and not: the figures that the reader is held to."""

from pathlib import Path

import pytest

from support import tagged_standard
from support.scorers import scorer

pytestmark = pytest.mark.slow

TIMEOUT = 600


@pytest.mark.data
@pytest.mark.timeout(TIMEOUT)
def test_a_tagged_standard_is_read_as_its_sources_say(data: Path) -> None:
    found = tagged_standard.score(data / "asvs-4.0.3")
    assert (found.headings, found.headings_all, found.headings_wanted) == (164, 164, 164)
    assert (found.rows, found.exact, found.pages, found.requirements) == (286, 286, 286, 286)
    assert (found.tables, found.items) == (75, 214)
    assert found.order >= 0.998


@pytest.mark.data
@pytest.mark.timeout(TIMEOUT)
@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("asvs-4.0.3/asvs-4.0.3-en.pdf", 1.0),
        # Six and four processor seconds, of reports that are read by the same rules as the next one.
        ("financebench/pdfs/AMCOR_2023_10K.pdf", 0.998),
        ("financebench/pdfs/NETFLIX_2017_10K.pdf", 0.998),
        # Some of its pages print a text twice, the first one under a filled area.
        pytest.param("financebench/pdfs/3M_2018_10K.pdf", 0.99, marks=pytest.mark.long),
        ("financebench/pdfs/VERIZON_2022_10K.pdf", 0.995),
    ],
)
def test_what_stands_in_a_block_s_boxes_is_its_text(data: Path, name: str, share: float) -> None:
    found = scorer("reading/boxes").score(data / name)
    assert found.boxed == found.blocks
    assert len(found.misses) <= (1 - share) * found.blocks
