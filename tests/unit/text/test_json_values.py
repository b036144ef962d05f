import pytest

from pincite.errors import InvalidInput
from pincite.text.json_values import check_json, from_utf8, read_json

DEEP = "[" * 200_000


@pytest.mark.parametrize("text", ["{", "NaN", "[1e999]", r'"\ud800"', r'{"\udc00": 1}', "1" * 5_000, DEEP])
def test_what_not_every_program_reads_is_no_json(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        read_json(text)


def test_a_byte_order_mark_is_no_part_of_a_text() -> None:
    assert read_json('\ufeff{"a": "\\ud83d\\ude00"}') == {"a": "\N{GRINNING FACE}"}
    assert from_utf8(b"\xef\xbb\xbf{}", "schema") == "{}"


def test_a_text_of_another_encoding_is_refused_by_its_name() -> None:
    with pytest.raises(InvalidInput, match="The schema is not UTF-8"):
        from_utf8("Größe".encode("cp1252"), "schema")


@pytest.mark.parametrize("value", [float("nan"), {"a": [float("inf")]}, {"a\ud800": 1}])
def test_a_value_is_checked_as_a_text_is(value: object) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        check_json(value)
