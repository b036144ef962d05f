"""Small models in folders as fastembed's come: real graphs over the real vocabulary, with random weights."""

import json
from importlib.resources import files
from pathlib import Path

import numpy as np

from pincite.embedding.onnx_writer import Node, Value, model

WORDS = 2048
"""Size of the tables: a token's row is its id modulo this number, so that few tokens of a test share one."""

IDS = Value("input_ids", "int64", ("batch", "tokens"))
MASK = Value("attention_mask", "int64", ("batch", "tokens"))
TYPES = Value("token_type_ids", "int64", ("batch", "tokens"))


def embedder_folder(parent: Path, name: str = "bge-small-en-v1.5") -> Path:
    """A model whose first vector is the mean of its tokens' random vectors: texts with common words are near."""
    nodes = [
        Node("Mod", ("input_ids", "words"), ("rows",)),
        Node("Gather", ("table", "rows"), ("tokens",)),
        Node("ReduceMean", ("tokens",), ("mean",), attributes={"axes": (1,), "keepdims": 1}),
        Node("Mul", ("tokens", "little"), ("own",)),
        Node("Add", ("own", "mean"), ("last_hidden_state",)),
    ]
    table = np.random.default_rng(7).standard_normal((WORDS, 384)).astype(np.float32)
    constants = {"words": np.array(WORDS), "table": table, "little": np.array(0.001, np.float32)}
    output = Value("last_hidden_state", "float32", ("batch", "tokens", 384))
    graph = model("embedder", nodes, constants, [IDS, MASK], [output], {"": 13})
    return _folder(parent / name, "model_optimized.onnx", graph)


def reranker_folder(parent: Path, name: str = "ms-marco-MiniLM-L-6-v2") -> Path:
    """A model whose score is the product of the sums of both texts' random vectors: common words count."""
    nodes = [
        Node("Mod", ("input_ids", "words"), ("rows",)),
        Node("Gather", ("table", "rows"), ("tokens",)),
        Node("Cast", ("token_type_ids",), ("types",), attributes={"to": 1}),
        Node("Unsqueeze", ("types", "last"), ("of_passage",)),
        Node("Mul", ("tokens", "of_passage"), ("passage",)),
        Node("Sub", ("tokens", "passage"), ("query",)),
        Node("ReduceSum", ("passage", "first"), ("passage_sum",), attributes={"keepdims": 0}),
        Node("ReduceSum", ("query", "first"), ("query_sum",), attributes={"keepdims": 0}),
        Node("Mul", ("passage_sum", "query_sum"), ("product",)),
        Node("ReduceSum", ("product", "first"), ("logits",), attributes={"keepdims": 1}),
    ]
    table = np.random.default_rng(7).standard_normal((WORDS, 64)).astype(np.float32)
    constants = {"words": np.array(WORDS), "table": table, "first": np.array([1]), "last": np.array([2])}
    graph = model(
        "reranker", nodes, constants, [IDS, MASK, TYPES], [Value("logits", "float32", ("batch", 1))], {"": 13}
    )
    return _folder(parent / name, "onnx/model.onnx", graph)


def _folder(folder: Path, file: str, graph: bytes) -> Path:
    (folder / file).parent.mkdir(parents=True)
    (folder / file).write_bytes(graph)
    vocabulary = files("pincite.embedding").joinpath("tokenizer.json").read_bytes()
    (folder / "tokenizer.json").write_bytes(vocabulary)
    (folder / "config.json").write_text(json.dumps({"pad_token_id": 0}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 512, "pad_token": "[PAD]"}))
    return folder
