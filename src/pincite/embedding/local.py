"""all-MiniLM-L6-v2 on ONNX Runtime, with a graph of our own: one text per run, one thread per worker."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from pincite.embedding import compiled, installer, weights
from pincite.embedding.base import BATCH_TEXTS
from pincite.embedding.wordpiece import SPECIAL_TOKENS, WordPiece
from pincite.errors import ModelUnavailable
from pincite.model.call import Call
from pincite.runtime.device import ONNX_FATAL
from pincite.runtime.imports import import_once

if TYPE_CHECKING:
    import onnxruntime

    from pincite.embedding.base import EmbedderOptions, Tokenizer
    from pincite.embedding.graph import Precision
    from pincite.model.vector import Vector

WINDOW = 256
"""Maximum number of ids of a run, including [CLS] and [SEP]: the length the model was trained with."""
_PRECISION_NAMES = {"int8": "int8w7", "fp32": "fp32"}


def build(options: "EmbedderOptions", *, cache_dir: Path) -> "LocalEmbedder":
    """Return an embedder that keeps its weights and its compiled model in a folder."""
    return LocalEmbedder(
        cache_dir=cache_dir,
        model_dir=options.model_dir,
        fetch=options.fetch,
        precision=options.precision,
        threads=options.threads,
    )


class LocalEmbedder:
    """An `Embedder`. Thread-safe; loads at the first use if `load` was not called.

    Args:
        cache_dir: Folder for the weights and the compiled model.
        model_dir: A folder with `model.safetensors` to search first.
        fetch: Whether missing weights may be fetched.
        precision: `int8` (2.5 times as fast, 96 MB) or `fp32` (exact).
        threads: Number of threads of `embed`; the number of cores if None.
        pin: The weights to use.
        options: How they are fetched.
    """

    provider = "local"
    batch_size = BATCH_TEXTS
    model = "all-MiniLM-L6-v2"
    dimensions = 384

    def __init__(
        self,
        *,
        cache_dir: Path,
        model_dir: Path | None = None,
        fetch: bool = True,
        precision: "Precision" = "int8",
        threads: int | None = None,
        pin: weights.Pin = weights.MINILM,
        options: installer.Options | None = None,
    ) -> None:
        self.identity = f"minilm-l6-v2/{_PRECISION_NAMES[precision]}/v{compiled.RECIPE}"
        self._words = WordPiece()
        self.tokenizer: Tokenizer = self._words
        self._cache_dir = cache_dir
        self._model_dir = model_dir
        self._options = (options or installer.Options()) if fetch else None
        self._precision: Precision = precision
        self._threads = threads or _cores()
        self._pin = pin
        self._lock = threading.Lock()
        self._session: onnxruntime.InferenceSession | None = None

    @property
    def is_loaded(self) -> bool:
        """See `Embedder.is_loaded`."""
        return self._session is not None

    def load(self, call: Call) -> None:
        """Load the model: 0.2 s from the cache, 1 s more to build it, and a download of 83 MB before
        that. Idempotent; a second caller waits for the first.

        Raises:
            ModelUnavailable: The weights are missing and may not be fetched, or failed verification.
            ModelUnreachable: The weights could not be fetched.
        """
        self._loaded_session(call)

    def embed(self, texts: Sequence[str], call: Call) -> "Vector":
        """Embed passages: (n, 384). Checks `call` before each text and each window of a long one."""
        import numpy as np  # noqa: PLC0415  # loaded with the model

        session = self._loaded_session(call)
        vectors = np.empty((len(texts), self.dimensions), np.float32)

        def work(index: int) -> None:
            vectors[index] = self._vector(session, texts[index], call)

        _run_parallel(work, len(texts), self._threads)
        return vectors

    def embed_tokens(self, texts: Sequence[str], call: Call) -> "list[Vector]":
        """See `TokenEmbedder.embed_tokens`. Checks `call` before each text and each window of a long one."""
        session = self._loaded_session(call)
        vectors: dict[int, Vector] = {}

        def work(index: int) -> None:
            vectors[index] = self._token_vectors(session, texts[index], call)

        _run_parallel(work, len(texts), self._threads)
        return [vectors[index] for index in range(len(texts))]

    def embed_query(self, text: str, call: Call | None = None) -> "Vector":
        """Embed one question: (384,), in the calling thread, so that it waits for no passages.

        A question longer than the model's window is truncated.
        """
        call = Call()  # a question is short: it is embedded even when its caller is late
        return self._vector(self._loaded_session(call), text[: self._words.cut(text, WINDOW - SPECIAL_TOKENS)], call)

    def _loaded_session(self, call: Call) -> "onnxruntime.InferenceSession":
        """Return the session; the first caller creates it."""
        if self._session is None:
            # Poll the lock, so that a waiting call can be cancelled.
            while not self._lock.acquire(timeout=0.1):
                call.check()
            try:
                if self._session is None:
                    self._session = self._open(call)
            finally:
                self._lock.release()
        return self._session

    def _open(self, call: Call) -> "onnxruntime.InferenceSession":
        model = compiled.obtain(self._precision, self._pin, self._model_dir, self._cache_dir, self._options, call)
        # Only now: without a model, a first answer by keywords does not need NumPy.
        return open_session(model)

    def _vector(self, session: "onnxruntime.InferenceSession", text: str, call: Call) -> "Vector":
        """Return a text's vector: for a long text the mean over its windows, weighted by their tokens."""
        import numpy as np  # noqa: PLC0415  # loaded with the model

        total: Vector = np.zeros(self.dimensions, np.float32)
        windows = self._words.encode(text, WINDOW)
        for ids in windows:
            call.check()
            (vector,) = session.run(["vector"], {"ids": np.asarray(ids, np.int64)})
            if len(windows) == 1:
                return vector
            total += vector * np.float32(len(ids) - SPECIAL_TOKENS)
        return total / np.float32(np.linalg.norm(total))

    def _token_vectors(self, session: "onnxruntime.InferenceSession", text: str, call: Call) -> "Vector":
        import numpy as np  # noqa: PLC0415  # loaded with the model

        windows: list[Vector] = []
        for ids in self._words.encode(text, WINDOW):
            call.check()
            _, tokens = session.run(None, {"ids": np.asarray(ids, np.int64)})
            windows.append(tokens[1:-1])  # between [CLS] and [SEP]
        vectors: Vector = np.concatenate(windows)
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def open_session(source: Path | bytes) -> "onnxruntime.InferenceSession":
    """Open a single-threaded ONNX Runtime session without log output.

    The graph already has fused operators, so a higher optimisation level or a saved optimised model
    (.onnx, .ort) gains nothing: opening takes 18 to 20 ms of processor time with each, and runs take
    the same time.

    Raises:
        ModelUnavailable: ONNX Runtime cannot be loaded.
    """
    try:
        import_once("onnxruntime")
        import onnxruntime  # noqa: PLC0415  # 50 ms that start-up does without
    except ImportError as fault:  # a platform without a build of it
        raise ModelUnavailable(
            "ONNX Runtime cannot be loaded on this machine, so there is no search by meaning. "
            "Reinstall it: pip install --force-reinstall onnxruntime",
            details=str(fault),
        ) from fault
    onnxruntime.set_default_logger_severity(ONNX_FATAL)
    # For a host program that imported ONNX Runtime before pincite; see `pincite/__init__.py`.
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = ONNX_FATAL
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    model = source if isinstance(source, bytes) else str(source)
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def _cores() -> int:
    # Not the machine's: a container or taskset may allow fewer.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _run_parallel(work: Callable[[int], None], count: int, threads: int) -> None:
    """Call `work(0)` … `work(count - 1)` on threads that each take the next number; the first error stops all."""
    numbers = iter(range(count))
    lock, failed = threading.Lock(), threading.Event()

    def loop() -> None:
        while not failed.is_set():
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            try:
                work(number)
            except BaseException:
                failed.set()
                raise

    if min(count, threads) <= 1:
        loop()
        return
    with ThreadPoolExecutor(min(count, threads), thread_name_prefix="pincite-embed") as pool:
        try:
            running = [pool.submit(loop) for _ in range(min(count, threads))]
            for future in running:
                future.result()
        finally:
            failed.set()
