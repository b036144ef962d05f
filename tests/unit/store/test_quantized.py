import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pincite.store.quantized import Floats, Quantized


def quantized(vectors: Floats) -> Quantized:
    codes = Quantized.empty(*vectors.shape)
    codes.write(0, vectors)
    return codes


@given(
    st.integers(1, 700),
    st.sampled_from([2, 16, 384]),
    st.sampled_from([1e-30, 1e-3, 1.0, 1e6]),
    st.integers(0, 2**31),
)
def test_every_product_lies_within_its_bounds(rows: int, dimensions: int, length: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = (rng.standard_normal((rows, dimensions)) * length).astype(np.float32)
    vectors[rng.integers(rows)] = 0
    vectors[rng.integers(rows), rng.integers(dimensions)] *= 1000  # one number that takes the scale of its row
    query = rng.standard_normal(dimensions).astype(np.float32)
    least, greatest = quantized(vectors).bounds(rows, query)
    exact = vectors.astype(np.float64) @ query
    slack = 1e-5 * np.abs(exact).max() + 1e-30
    assert (least <= exact + slack).all()
    assert (greatest >= exact - slack).all()


def test_the_bounds_of_unit_vectors_are_close() -> None:
    vectors = np.random.default_rng(1).standard_normal((1000, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    least, greatest = quantized(vectors).bounds(1000, vectors[0])
    assert float((greatest - least).max()) < 0.04


def test_rows_are_written_where_they_belong() -> None:
    vectors = np.eye(4, dtype=np.float32)
    codes = Quantized.empty(4, 4)
    codes.write(0, vectors[:3])
    codes.write(3, vectors[3:])
    least, greatest = codes.bounds(3, vectors[2])
    np.testing.assert_allclose((least + greatest) / 2, [0, 0, 1], atol=1e-6)
    least, greatest = codes.bounds(4, vectors[3])
    np.testing.assert_allclose((least + greatest) / 2, [0, 0, 0, 1], atol=1e-6)
