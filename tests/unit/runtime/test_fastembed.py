"""Models of fastembed are loaded once, and a failure says what to do; what loads them here is not fastembed."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import Cancelled, ConfigError, ConnectionFailed, PinciteError
from pincite.model.call import Call
from pincite.runtime.fastembed import FastembedModel, ModelSource


def test_callers_at_the_same_time_share_one_load(tmp_path: Path) -> None:
    made: list[dict[str, Any]] = []

    def make(options: dict[str, Any]) -> list[dict[str, Any]]:
        made.append(options)
        return made

    model = FastembedModel(ModelSource("a/b", tmp_path, fetch=False, threads=3), make)
    assert not model.is_loaded
    with ThreadPoolExecutor(4) as threads:
        loads = [threads.submit(model.loaded_model, Call()) for _ in range(8)]
        assert all(load.result() is made for load in loads)
    assert model.is_loaded
    (options,) = made
    assert options["cache_dir"] == str(tmp_path / "fastembed") and options["specific_model_path"] is None
    assert (options["local_files_only"], options["threads"], options["providers"][-1]) == (
        True,
        3,
        "CPUExecutionProvider",
    )
    assert os.environ["HF_HUB_DISABLE_TELEMETRY"] == "1"


@pytest.mark.parametrize(
    ("source", "kind", "message"),
    [
        ({"folder": Path("/models/b")}, ConfigError, "The model in the folder b of PINCITE_MODEL_DIR cannot be loaded"),
        ({"fetch": False}, ConfigError, "is not here and may not be fetched. Put its files into a folder b"),
        ({}, ConnectionFailed, "could not be fetched. Put its files into a folder b"),
    ],
)
def test_a_failure_names_the_next_action_and_is_tried_again(
    tmp_path: Path, source: dict[str, Any], kind: type[PinciteError], message: str
) -> None:
    tries: list[int] = []

    def fail(_: dict[str, Any]) -> None:
        tries.append(1)
        raise OSError("no route")

    model = FastembedModel(ModelSource("a/b", tmp_path, **source), fail)
    for _ in range(2):
        with pytest.raises(kind, match=message) as caught:
            model.loaded_model(Call())
        assert caught.value.details == "OSError: no route"
    assert len(tries) == 2 and not model.is_loaded


def test_our_own_failures_stay_as_they_are(tmp_path: Path) -> None:
    def fail(_: dict[str, Any]) -> None:
        raise ConfigError("fastembed has no model.")

    with pytest.raises(ConfigError, match=r"^fastembed has no model"):
        FastembedModel(ModelSource("a/b", tmp_path), fail).loaded_model(Call())


def test_a_caller_that_is_cancelled_does_not_wait_for_the_load_of_another(tmp_path: Path) -> None:
    begun, release = threading.Event(), threading.Event()

    def block(_: dict[str, Any]) -> str:
        begun.set()
        release.wait(30)
        return "loaded"

    model = FastembedModel(ModelSource("a/b", tmp_path), block)
    cancelled = Call()
    cancelled.stop.set()
    with ThreadPoolExecutor(1) as threads:
        first = threads.submit(model.loaded_model, Call())
        assert begun.wait(30)
        with pytest.raises(Cancelled):
            model.loaded_model(cancelled)
        release.set()
        assert first.result() == "loaded"


def test_a_token_is_in_no_representation(tmp_path: Path) -> None:
    assert "hf_secret" not in repr(ModelSource("a/b", tmp_path, token="hf_secret"))  # noqa: S106
