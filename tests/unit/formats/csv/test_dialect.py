import csv

import pytest

from pincite.formats.csv.dialect import find_delimiter
from pincite.formats.csv.reader import MAX_FIELD_CHARACTERS
from pincite.formats.detect.decode import decode
from support.delimited_samples import DELIMITERS, Sample, hard, samples


def test_the_delimiter_is_found_in_all_of_168_files() -> None:
    wrong = [sample.name for sample in samples() if find_delimiter(sample.text) != sample.delimiter]
    assert wrong == []


def test_the_encoding_is_found_in_152_of_168_files_at_least() -> None:
    right = [sample.name for sample in samples() if decode(sample.data).text == sample.text]
    assert len(list(samples())) == 168
    assert len(right) >= 152


@pytest.mark.parametrize("sample", list(hard()), ids=[sample.name for sample in hard()])
def test_a_hard_case_is_solved(sample: Sample) -> None:
    assert find_delimiter(sample.text) == sample.delimiter


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_a_few_ragged_rows_do_not_mislead(delimiter: str) -> None:
    rows = [[f"a{n}", f"b, {n}", str(n)] + ["more"] * (n % 7 == 0) for n in range(40)]
    assert find_delimiter("\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows)) == delimiter


def test_where_nothing_parts_it_is_a_comma() -> None:
    assert find_delimiter("") == find_delimiter("one\ntwo\n") == ","


def test_a_field_that_is_too_long_does_no_harm() -> None:
    csv.field_size_limit(1000)  # the module's own limit: whoever parses sets it
    assert find_delimiter("a;b\n1;2\n" * 10 + '"' + "x" * (2 * MAX_FIELD_CHARACTERS)) == ";"
