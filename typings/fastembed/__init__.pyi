# What pincite uses of fastembed; its own types are incomplete.
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

class TextEmbedding:
    def __init__(
        self,
        model_name: str,
        *,
        cache_dir: str | None = None,
        threads: int | None = None,
        providers: Sequence[str] | None = None,
        cuda: bool = False,
        specific_model_path: str | None = None,
        local_files_only: bool = False,
    ) -> None: ...
    @classmethod
    def get_embedding_size(cls, model_name: str) -> int: ...
    def embed(self, documents: Sequence[str], batch_size: int = 256) -> Iterable[npt.NDArray[np.float32]]: ...
    def query_embed(self, query: str) -> Iterable[npt.NDArray[np.float32]]: ...
