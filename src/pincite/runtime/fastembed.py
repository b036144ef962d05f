"""Loading of models by fastembed: from a folder, the cache or their hub."""

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from pincite.errors import ModelUnavailable, ModelUnreachable, PinciteError, Unsupported
from pincite.model.call import Call
from pincite.runtime.abandonable import POLL_SECONDS, abandonable
from pincite.runtime.device import ONNX_FATAL, providers_of
from pincite.runtime.imports import import_once

M = TypeVar("M")


class LoadingOptions(Protocol):
    """What is set for all models; `settings.embedding`."""

    @property
    def model_dir(self) -> Path | None:
        """Folder with the models' folders."""
        ...

    @property
    def fetch(self) -> bool:
        """Whether models may be fetched from their hub."""
        ...

    @property
    def threads(self) -> int | None:
        """Number of threads; the number of cores if None."""
        ...


class Secret(Protocol):
    """A value that no log shows; pydantic's `SecretStr`."""

    def get_secret_value(self) -> str:
        """Return it."""
        ...


@dataclass(frozen=True, slots=True)
class ModelSource:
    """Where a model comes from.

    Attributes:
        name: Its name on its hub.
        cache_dir: Folder for fetched models.
        folder: A folder with the model's files; None to use the cache or the hub.
        fetch: Whether it may be fetched from its hub.
        threads: Number of threads that it runs in; the number of cores if None.
        token: The hub's token, for models that need one.
    """

    name: str
    cache_dir: Path
    folder: Path | None = None
    fetch: bool = True
    threads: int | None = None
    token: str | None = field(default=None, repr=False)


def model_source(options: LoadingOptions, name: str, cache_dir: Path, token: Secret | None) -> ModelSource:
    """Return where a model comes from, by the settings.

    Raises:
        Unsupported: fastembed is not installed.
    """
    if find_spec("fastembed") is None:  # a second is too long for the import of what may not be used
        raise Unsupported("fastembed needs an optional package: pip install 'pincite[fastembed]'")
    folder = None if options.model_dir is None else options.model_dir / name.rpartition("/")[2]
    return ModelSource(
        name,
        cache_dir,
        folder if folder is not None and folder.is_dir() else None,
        options.fetch,
        options.threads,
        None if token is None else token.get_secret_value(),
    )


class FastembedModel(Generic[M]):
    """A model that is loaded at its first use. Thread-safe.

    Args:
        source: Where it comes from.
        make: Loads it: receives the keyword arguments of fastembed's classes.
    """

    def __init__(self, source: ModelSource, make: Callable[[dict[str, Any]], M]) -> None:
        self._source = source
        self._make = make
        self._lock = threading.Lock()
        self._loaded: M | None = None

    @property
    def is_loaded(self) -> bool:
        """True once it is loaded."""
        return self._loaded is not None

    def loaded_model(self, call: Call) -> M:
        """Return the model, loaded by the first caller while others wait.

        Raises:
            ModelUnavailable: It is not there and may not be fetched, or is damaged.
            ModelUnreachable: It could not be fetched.
            Cancelled, TimeoutExceeded: See `Call.check`.
        """
        while not self._lock.acquire(timeout=POLL_SECONDS):
            call.check()
        try:
            if self._loaded is None:
                # A hub that does not answer is waited for by its client alone.
                self._loaded = abandonable(self._open, call, name="pincite-model")
            return self._loaded
        finally:
            self._lock.release()

    def _open(self) -> M:
        _prepare_hub(self._source.token)
        import_once("fastembed")
        import onnxruntime  # noqa: PLC0415 - loaded with the model

        onnxruntime.set_default_logger_severity(ONNX_FATAL)
        source = self._source
        options: dict[str, Any] = {
            "cache_dir": str(source.cache_dir / "fastembed"),
            "threads": source.threads,
            "providers": providers_of(onnxruntime.get_available_providers()),
            "cuda": False,
            "specific_model_path": None if source.folder is None else str(source.folder),
            "local_files_only": not source.fetch,
        }
        try:
            return self._make(options)
        except PinciteError:
            raise
        except Exception as error:  # of the hub, its network, ONNX or the disk: each has classes of its own
            raise _failure(source, error) from error


def _prepare_hub(token: str | None) -> None:
    """Set what the hub's client reads from the environment: no telemetry, and a token."""
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    if token:
        os.environ["HF_TOKEN"] = token
    import_once("loguru")
    from loguru import logger  # noqa: PLC0415 - comes with the extra

    logger.disable("fastembed")  # it writes to standard error past our log


def _failure(source: ModelSource, error: Exception) -> ModelUnavailable | ModelUnreachable:
    details = f"{type(error).__name__}: {error}"
    if source.folder is not None:
        message = f"The model in the folder {source.folder.name} of PINCITE_MODEL_DIR cannot be loaded."
        return ModelUnavailable(message, details=details)
    advice = f"Put its files into a folder {source.name.rpartition('/')[2]} of PINCITE_MODEL_DIR."
    if not source.fetch:
        return ModelUnavailable(
            f"The model {source.name} is not here and may not be fetched. {advice}", details=details
        )
    return ModelUnreachable(f"The model {source.name} could not be fetched. {advice}", details=details)
