"""Our graph against BERT written down a second time, in NumPy."""

from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from pincite.embedding import graph
from pincite.embedding.graph import Precision
from pincite.embedding.wordpiece import WordPiece
from pincite.errors import ConfigError
from support.tiny_model import Floats, bert, safetensors, tiny_weights

TEXTS = (
    "Verify that passwords are stored with a salted hash.",
    "",
    "The verifier SHALL compare the prospective secrets against a list of commonly-used values. " * 12,
)


def run(model: bytes, ids: list[int]) -> Floats:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    return session.run(None, {"ids": np.array(ids, np.int64)})[0]


@pytest.mark.parametrize("ids", [[3], [1, 2, 3, 49], list(range(20))])
def test_fp32_computes_bert(ids: list[int]) -> None:
    weights = tiny_weights()
    assert run(graph.build(weights, "fp32"), ids) == pytest.approx(bert(weights, ids), abs=2e-6)


@pytest.mark.parametrize("ids", [[3], [1, 2, 3, 49], list(range(20))])
def test_int8_comes_close_to_bert(ids: list[int]) -> None:
    weights = tiny_weights()
    vector = run(graph.build(weights, "int8"), ids)
    assert np.linalg.norm(vector) == pytest.approx(1, abs=1e-6)
    assert vector @ bert(weights, ids) > 0.99


def test_the_real_model_in_fp32_is_bert_to_five_nines(model_cache: Path) -> None:
    weights = graph.parse_safetensors((model_cache / "model.safetensors").read_bytes())
    model = graph.build(weights, "fp32")
    for text in TEXTS:
        (ids,) = WordPiece().encode(text, 256)
        assert run(model, ids) @ bert(weights, ids) >= 0.99999


@pytest.mark.parametrize("precision", ["int8", "fp32"])
def test_the_same_weights_give_the_same_bytes(precision: Precision) -> None:
    assert graph.build(tiny_weights(), precision) == graph.build(tiny_weights(), precision)


@given(
    arrays.arrays(np.float32, (3, 5), elements=st.floats(-1e3, 1e3, width=32, allow_subnormal=False)),
    st.sampled_from([64, 127]),
)
def test_quantised_rows_are_within_half_a_step(matrix: Floats, limit: int) -> None:
    rows, scale = graph.quantize_rows(matrix, limit)
    assert np.abs(rows.astype(int)).max() <= limit
    assert (np.abs(rows * scale[:, None] - matrix) <= scale[:, None] * 0.5001).all()


def test_a_row_of_zeros_stays_zero() -> None:
    rows, scale = graph.quantize_rows(np.zeros((1, 4), np.float32), 127)
    assert not rows.any() and scale.tolist() == [1.0]


def test_safetensors_give_their_float_arrays() -> None:
    arrays_in = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "ids": np.arange(3), "b": np.ones(2, np.float32)}
    found = graph.parse_safetensors(safetensors(arrays_in))
    assert set(found) == {"a", "b"}
    assert np.array_equal(found["a"], arrays_in["a"]) and np.array_equal(found["b"], arrays_in["b"])


@pytest.mark.parametrize(
    "blob",
    [
        b"",
        b"\xff" * 8,
        b"\x02\0\0\0\0\0\0\0[]",
        b"\x05\0\0\0\0\0\0\0{a: 1",
        safetensors({"a": np.ones(9, np.float32)})[:-4],
        b'\x1e\0\0\0\0\0\0\0{"a": {"dtype": "F32", "x": 0}}',
        b'\x50\0\0\0\0\0\0\0{"a": {"dtype": "F32", "data_offsets": [0, "x"], "shape": [1]}}'.ljust(88),
    ],
)
def test_what_is_no_safetensors_file_is_refused(blob: bytes) -> None:
    with pytest.raises(ConfigError, match="not a safetensors file"):
        graph.parse_safetensors(blob)


@pytest.mark.parametrize("name", ["embeddings.LayerNorm.bias", "encoder.layer.1.attention.self.key.bias"])
def test_a_missing_array_is_named(name: str) -> None:
    weights = tiny_weights()
    del weights[name]
    with pytest.raises(ConfigError, match=name):
        graph.build(weights, "int8")
