import pytest

from pincite.chunking.profiles import PROFILES, Profile, Separator, document_type
from pincite.errors import ConfigError
from pincite.registry import FORMATS

PROSE = ["paragraph", "line", "sentence", "word"]


@pytest.mark.parametrize(
    ("name", "size", "overlap", "separators"),
    [
        ("pdf", 1500, 300, PROSE),
        ("docx", 1500, 300, PROSE),
        ("html", 1500, 300, PROSE),
        ("pptx", 800, 150, ["slide", *PROSE]),
        ("xlsx", 1200, 200, ["sheet", "block", "paragraph", "line", "word"]),
        ("csv", 1200, 200, ["sheet", "block", "paragraph", "line", "word"]),
        ("unknown", 1200, 250, PROSE),
    ],
)
def test_sizes_and_separators_are_those_of_the_contract(
    name: str, size: int, overlap: int, separators: list[str]
) -> None:
    assert PROFILES[name] == Profile(size, overlap, tuple(map(Separator, separators)))


@pytest.mark.parametrize(
    ("length", "size", "overlap"),
    [(4_999, 750, 150), (5_000, 1500, 300), (100_000, 1500, 300), (100_001, 2250, 390)],
)
def test_long_texts_have_larger_passages_and_short_ones_smaller(length: int, size: int, overlap: int) -> None:
    sized = PROFILES["pdf"].sized(length)
    assert (sized.size, sized.overlap) == (size, overlap)


@pytest.mark.parametrize(("size", "overlap", "halved"), [(800, 150, (400, 75)), (700, 90, (400, 50)), (90, 9, (90, 9))])
def test_halving_stops_at_the_least_values(size: int, overlap: int, halved: tuple[int, int]) -> None:
    sized = Profile(size, overlap).sized(10)
    assert (sized.size, sized.overlap) == halved


@pytest.mark.parametrize("overlap", [-1, 10, 11])
def test_an_overlap_that_leaves_no_room_is_refused(overlap: int) -> None:
    with pytest.raises(ConfigError, match=f"overlap of passages \\({overlap} characters\\)"):
        Profile(10, overlap)


def test_every_format_has_a_type_of_the_contract() -> None:
    types = {row.name: document_type(row.media_types[0]) for row in FORMATS}
    assert set(types.values()) == {"pdf", "docx", "pptx", "xlsx", "csv", "html", "txt", "md", "image", "unknown"}
    assert (types["doc"], types["ppt"], types["sheets"]) == ("docx", "pptx", "xlsx")
    assert document_type("application/x-nothing") == "unknown"
