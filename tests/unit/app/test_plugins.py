from pathlib import Path

import pytest

from pincite import registry
from pincite.app.plugins import build_embedder
from pincite.registry import EmbedderRow
from pincite.settings import load
from support.embedders import Recording


def test_an_embedder_of_the_registry_is_built_from_its_section_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = EmbedderRow("recording", "support.embedders:Recording", section="embedding")
    monkeypatch.setattr(registry, "EMBEDDERS", (*registry.EMBEDDERS, row))
    settings = load({"EMBEDDING_PROVIDER": "recording", "PINCITE_CACHE": tmp_path, "PINCITE_EMBED_THREADS": 3})
    embedder = build_embedder(settings)
    assert isinstance(embedder, Recording)
    assert (embedder.options, embedder.cache_dir) == (settings.embedding, tmp_path / "models")
