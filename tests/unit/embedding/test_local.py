"""The real model. What every embedder must do is in `tests/contracts/test_embedder.py`."""

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from pincite.embedding import local
from pincite.embedding.installer import Options
from pincite.embedding.local import LocalEmbedder
from pincite.errors import Cancelled, ConfigError, TimeoutExceeded
from pincite.model.call import Call


@pytest.fixture(scope="module")
def embedder(model_cache: Path) -> LocalEmbedder:
    return LocalEmbedder(cache_dir=model_cache, fetch=False, threads=3)


def test_identities_tell_precisions_apart(tmp_path: Path) -> None:
    assert LocalEmbedder(cache_dir=tmp_path).identity == "minilm-l6-v2/int8w7/v1"
    assert LocalEmbedder(cache_dir=tmp_path, precision="fp32").identity == "minilm-l6-v2/fp32/v1"


def test_meaning_is_found_without_shared_words(embedder: LocalEmbedder) -> None:
    texts = ["Passwords are hashed with a salt.", "Bread rises faster in a warm kitchen.", "Rotate keys yearly."]
    scores = embedder.embed(texts, Call()) @ embedder.embed_query("how are credentials stored?")
    assert int(scores.argmax()) == 0


def test_int8_stays_close_to_fp32(embedder: LocalEmbedder, model_cache: Path, data: Path) -> None:
    exact = LocalEmbedder(cache_dir=model_cache, fetch=False, precision="fp32")
    lines = (data / "asvs-4.0.3/md/0x11-V2-Authentication.md").read_text("utf-8").split("\n\n")
    texts = [line for line in lines if len(line) > 80][:24]
    cosines = (exact.embed(texts, Call()) * embedder.embed(texts, Call())).sum(axis=1)
    assert cosines.mean() >= 0.99 and cosines.min() >= 0.98


def test_a_long_text_is_the_mean_of_even_windows(embedder: LocalEmbedder) -> None:
    first, second = "key " * 200, "bread " * 200
    parts = embedder.embed([first, second], Call())
    mean = parts.sum(axis=0)
    whole = embedder.embed([first + second], Call())[0]
    assert whole == pytest.approx(mean / np.linalg.norm(mean), abs=1e-6)
    assert np.linalg.norm(whole) == pytest.approx(1, abs=1e-6)


def test_a_word_is_nearest_to_itself_in_another_sentence(embedder: LocalEmbedder) -> None:
    query, passage = embedder.embed_tokens(["rotate the key", "A key is rotated yearly by its owner."], Call())
    assert query.shape == (3, 384) and int((query[2] @ passage.T).argmax()) == 1


def test_threads_that_load_at_once_share_one_session(model_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh, start = LocalEmbedder(cache_dir=model_cache, fetch=False), threading.Barrier(4)
    opened: list[object] = []
    real = local.open_session

    def counted(source: Path | bytes) -> object:
        opened.append(source)
        return real(source)

    monkeypatch.setattr(local, "open_session", counted)

    def load() -> None:
        start.wait()
        fresh.load(Call())

    threads = [threading.Thread(target=load) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(opened) == 1


def test_who_waits_for_anothers_load_can_leave(tmp_path: Path) -> None:
    loading, gate, call = threading.Event(), threading.Event(), Call()

    def slow() -> None:
        loading.set()
        assert gate.wait(10)

    def first() -> None:
        with pytest.raises(ConfigError):
            fresh.load(Call())

    fresh = LocalEmbedder(cache_dir=tmp_path, options=Options(choose=slow))
    thread = threading.Thread(target=first)
    thread.start()
    assert loading.wait(10)
    call.stop.set()
    with pytest.raises(Cancelled):
        fresh.load(call)
    gate.set()
    thread.join()


def test_a_call_that_ends_midway_ends_every_worker(embedder: LocalEmbedder) -> None:
    call = Call()
    texts = ["short", "a few more words"] * 50

    class Watched(list[str]):
        def __getitem__(self, index: int) -> str:  # pyright: ignore[reportIncompatibleMethodOverride]  # slices unused
            if index == 20:
                call.stop.set()
            assert index < 30, "work went on after the call ended"
            return super().__getitem__(index)

    with pytest.raises(Cancelled):
        embedder.embed(Watched(texts), call)


def test_time_out_is_asked_within_a_long_text(embedder: LocalEmbedder) -> None:
    with pytest.raises(TimeoutExceeded):
        embedder.embed(["word " * 10_000], Call(deadline=0.0))


def test_a_missing_model_is_a_clear_error_and_may_come_later(tmp_path: Path, model_cache: Path) -> None:
    fresh = LocalEmbedder(cache_dir=tmp_path / "cache", fetch=False)
    with pytest.raises(ConfigError, match="PINCITE_MODEL_DIR"):
        fresh.embed_query("anything")
    (tmp_path / "cache").mkdir()
    for file in model_cache.glob("minilm-l6-v2-int8*"):
        (tmp_path / "cache" / file.name).write_bytes(file.read_bytes())
    assert fresh.embed_query("anything").shape == (384,)


def test_a_session_opens_from_bytes_where_nothing_can_be_kept(model_cache: Path) -> None:
    LocalEmbedder(cache_dir=model_cache).load(Call())
    session = local.open_session((model_cache / "minilm-l6-v2-int8-v1-2.onnx").read_bytes())
    kept = LocalEmbedder(cache_dir=model_cache).embed_query("")
    assert session.run(None, {"ids": np.array([101, 102])})[0].tobytes() == kept.tobytes()


def test_a_machine_without_onnx_runtime_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ConfigError, match="ONNX Runtime cannot be loaded"):
        local.open_session(b"")


def test_cores_are_counted_where_there_is_no_affinity(model_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    texts = [f"text {n}" for n in range(8)]
    assert LocalEmbedder(cache_dir=model_cache, fetch=False).embed(texts, Call()).shape == (8, 384)


def test_a_cold_process_writes_nothing_to_its_streams(model_cache: Path) -> None:
    code = (
        "import sys, pathlib; from pincite.embedding.local import LocalEmbedder\n"
        "LocalEmbedder(cache_dir=pathlib.Path(sys.argv[1]), fetch=False).embed_query('quiet')"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(model_cache)], capture_output=True, check=True)
    assert (ended.stdout, ended.stderr) == (b"", b"")


def test_a_question_longer_than_the_model_reads_is_cut_off(embedder: LocalEmbedder) -> None:
    long = "how do zebras sleep " * 400
    kept = long[: embedder.tokenizer.cut(long, 254)]
    assert len(kept) < len(long)
    assert embedder.embed_query(long).tobytes() == embedder.embed_query(kept).tobytes()


def test_an_error_of_the_native_runtime_is_raised_and_writes_nothing_itself(
    model_cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    LocalEmbedder(cache_dir=model_cache).load(Call())
    session = local.open_session((model_cache / "minilm-l6-v2-int8-v1-2.onnx").read_bytes())
    with pytest.raises(Exception, match="indices element out of data bounds"):
        session.run(None, {"ids": np.array([101, 10**9])})
    assert capfd.readouterr() == ("", "")
