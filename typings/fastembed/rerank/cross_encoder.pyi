from collections.abc import Iterable, Mapping, Sequence

class _Tokenizer:
    def enable_truncation(self, max_length: int) -> None: ...

class _Model:
    tokenizer: _Tokenizer

class TextCrossEncoder:
    model: _Model
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
    def list_supported_models(cls) -> list[Mapping[str, object]]: ...
    def rerank(self, query: str, documents: Sequence[str], batch_size: int = 64) -> Iterable[float]: ...
