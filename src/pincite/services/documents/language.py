"""Which language a text is in."""

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Protocol

from pincite.runtime.imports import import_once

log = logging.getLogger("pincite.language")

SAMPLE_CHARS = 5_000
"""Characters at the beginning that decide; by contract 4, Language."""
MIN_CHARS = 10
"""Characters below which a text says too little; by contract 4, Language."""

RELIABLE = 0.8
"""Probability from which a language is certain: of 2,313 messages of 60 characters at most in 82 languages 63 % reach
it, of which three are taken for another language; of the others 28 %."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language.

    Attributes:
        code: ISO 639-1.
        name: In English.
        reliable: False if it was not recognised, or another language is nearly as probable.
    """

    code: str
    name: str
    reliable: bool = True


FALLBACK = Language("en", "English", reliable=False)


@cache
def language_names() -> Mapping[str, str]:
    """Return the English names of the languages that the detector tells apart, by ISO 639-1 code."""
    lines = Path(__file__).with_name("language_names.tsv").read_text("utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


class Classifier(Protocol):
    """The part of a `py3langid` identifier that is used."""

    def classify(self, text: str) -> tuple[str, float]:
        """Return the code of the most probable language and its probability."""
        ...


class LanguageDetection:
    """Recognises languages; its model is loaded at the first text. Thread-safe, deterministic."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def detect(self, text: str) -> Language:
        """Return the language of a text, judged by its first `SAMPLE_CHARS` characters; English if it is not known."""
        sample = text[:SAMPLE_CHARS].strip()
        if len(sample) < MIN_CHARS or not any(map(str.isalpha, sample)) or self._classifier is None:
            return FALLBACK
        try:
            code, probability = self._classifier.classify(sample)
            return Language(code, language_names()[code], reliable=bool(probability >= RELIABLE))
        except Exception:  # by contract, no fault of the detector is one of the call
            log.exception("language.failed")
            return FALLBACK

    @property
    def available(self) -> bool:
        """Whether languages can be recognised; loads nothing."""
        from importlib.util import find_spec  # noqa: PLC0415 - not at start-up

        return find_spec("py3langid") is not None

    @property
    def _classifier(self) -> Classifier | None:
        # `cached_property` has no lock of its own: without one, simultaneous first calls would each load 90 MB.
        with self._lock:
            return self._loaded

    @cached_property
    def _loaded(self) -> Classifier | None:
        try:
            import_once("py3langid.langid")
            from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415 - loaded at first use

            identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
            # Its other languages have no ISO 639-1 code, and are taken for their neighbours' in short texts.
            identifier.set_languages(language_names())
        except Exception as error:  # noqa: BLE001 - not installed, or not as expected
            log.warning("language.unavailable", extra={"problem": f"{type(error).__name__}: {error}"})
            return None
        return identifier
