"""Boosted trees as arrays: each model is a file of a few hundred kilobytes, evaluated without the library that fits."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True)
class Trees:
    """Trees for one yes-or-no decision; the nodes of all are numbered together.

    Attributes:
        roots: First node of each tree.
        depth: Most steps from a root to a leaf.
        features: Column that a node compares.
        thresholds: A row goes left if its value is at most this.
        left: Next node of such a row; a leaf's own number at a leaf.
        steps: Distance from there to the next node of other rows; 0 at a leaf.
        values: Log-odds that a leaf adds.
    """

    roots: Array
    depth: int
    features: Array
    thresholds: Array
    left: Array
    steps: Array
    values: Array

    def probabilities(self, rows: Array) -> Array:
        """Return the probability of yes for each row of features."""
        nodes = np.repeat(self.roots[None, :], len(rows), axis=0)
        flat, start = np.ascontiguousarray(rows).ravel(), (np.arange(len(rows)) * rows.shape[1])[:, None]
        for _ in range(self.depth):
            is_right = flat.take(start + self.features.take(nodes)) > self.thresholds.take(nodes)
            nodes = self.left.take(nodes) + is_right * self.steps.take(nodes)
        return 1 / (1 + np.exp(-self.values.take(nodes).sum(axis=1, dtype=np.float64)))


def load(path: Traversable) -> Trees:
    """Load a model from a file."""
    with path.open("rb") as file, np.load(file) as arrays:
        names = ("features", "thresholds", "left", "steps", "values")
        return Trees(arrays["roots"], int(arrays["depth"]), *(arrays[key] for key in names))


@cache
def trees(name: str) -> Trees:
    """Load the fitted model of a name, once."""
    return load(files("pincite.formats.pdf.fitted") / f"{name}.npz")
