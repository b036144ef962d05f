import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.store.memory.quantized import Floats, Quantized, n_th_greatest


def quantized(vectors: Floats) -> Quantized:
    codes = Quantized.empty(*vectors.shape)
    codes.write(0, vectors)
    return codes


def unit_vectors(rows: int, dimensions: int, seed: int) -> Floats:
    vectors = np.random.default_rng(seed).standard_normal((rows, dimensions)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(
    st.integers(1, 700),
    st.sampled_from([2, 16, 384]),
    st.sampled_from([1e-30, 1e-3, 1.0, 1e6]),
    st.sampled_from([1, 3, 50]),
    st.booleans(),
    st.integers(0, 2**31),
)
def test_the_nearest_are_always_among_the_candidates(
    rows: int, dimensions: int, length: float, n: int, some: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    vectors = (rng.standard_normal((rows, dimensions)) * length).astype(np.float32)
    vectors[rng.integers(rows)] = 0
    vectors[rng.integers(rows), rng.integers(dimensions)] *= 1000  # one number that takes the scale of its row
    query = rng.standard_normal(dimensions).astype(np.float32)
    chosen = np.flatnonzero(rng.random(rows) < 0.7) if some else np.arange(rows)
    candidates = quantized(vectors).candidates(rows, query, n, chosen if some else None)
    exact = vectors.astype(np.float64) @ query
    best = np.sort(exact[chosen])[::-1][:n]
    slack = 1e-5 * np.abs(exact).max() + 1e-30
    assert set(chosen[exact[chosen] > best[-1] + slack if len(best) else []]) <= set(candidates) <= set(chosen)
    assert len(candidates) >= min(n, len(chosen))


@pytest.mark.parametrize("rows", [1000, 60_000])  # with and without blocks
def test_few_candidates_are_left_of_unit_vectors(rows: int) -> None:
    vectors = unit_vectors(rows, 64, 1)
    candidates = quantized(vectors).candidates(rows, vectors[7], 20)
    assert set(np.argsort(vectors @ vectors[7])[-20:]) <= set(candidates)
    assert len(candidates) < 60


def test_rows_are_written_where_they_belong() -> None:
    vectors = np.eye(4, dtype=np.float32)
    codes = Quantized.empty(4, 4)
    codes.write(0, vectors[:3])
    codes.write(3, vectors[3:])
    assert [codes.candidates(4, vector, 1).tolist() for vector in vectors] == [[0], [1], [2], [3]]
    assert codes.candidates(3, vectors[3], 1).tolist() == [0, 1, 2]


def test_the_n_th_greatest() -> None:
    scores = np.random.default_rng(2).permutation(10_000).astype(np.float32)
    assert n_th_greatest(scores, 10, exact=True) == 9990
    assert 9800 < n_th_greatest(scores, 10) <= 9990
    assert n_th_greatest(scores[:10], 10) == -np.inf
