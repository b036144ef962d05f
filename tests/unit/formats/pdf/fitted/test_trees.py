"""Fitted decisions: arrays that give what the library gave that fitted them."""

import hashlib
from importlib.resources import files

import numpy as np
import pytest

from pincite.formats.pdf.fitted.trees import Trees, trees
from pincite.formats.pdf.page.rules import Rules
from pincite.formats.pdf.tables.regroup import features
from support.typed_pages import word

MAX_MODEL_BYTES = 2_000_000


def array(*values: float) -> "np.ndarray":
    return np.array(values)


def test_a_row_goes_left_up_to_the_threshold_and_the_leaves_of_all_trees_add_up() -> None:
    # Two trees of one node: column 0 at 2, column 1 at 0.5.
    model = Trees(
        roots=np.array([0, 3]),
        depth=1,
        features=np.array([0, 0, 0, 1, 0, 0]),
        thresholds=array(2, 0, 0, 0.5, 0, 0),
        left=np.array([1, 1, 2, 4, 4, 5]),
        steps=np.array([1, 0, 0, 1, 0, 0]),
        values=array(0, -1, 1, 0, -2, 2),
    )
    found = model.probabilities(np.array([[2.0, 0.5], [2.1, 0.5], [2.1, 0.6]]))
    assert found == pytest.approx(1 / (1 + np.exp(-array(-3, -1, 3))))


def test_the_model_of_rows_has_the_features_that_lines_give() -> None:
    model = trees("rows")
    lines = [{0: [word("A", 0, y)], 1: [word("1", 50, y)]} for y in (0, 12, 24)]
    measured = features(lines, [0, 1, 2], Rules())
    assert len(measured) == 2 and model.features.max() < measured.shape[1]
    found = model.probabilities(measured)
    assert found.min() >= 0 and found.max() <= 1


@pytest.mark.parametrize("name", ["readings", "rows", "rows_again"])
def test_the_card_of_a_model_names_its_file_by_digest_and_the_file_is_small(name: str) -> None:
    folder = files("pincite.formats.pdf.fitted")
    data = (folder / f"{name}.npz").read_bytes()
    assert len(data) <= MAX_MODEL_BYTES
    assert hashlib.sha256(data).hexdigest() in (folder / f"{name}.md").read_text("utf-8")
