# The part of kreuzberg that pincite uses.
from collections.abc import Mapping, Sequence

class KreuzbergError(Exception): ...

class ExtractionConfig:
    def __init__(self, *, use_cache: bool = ..., disable_ocr: bool = ..., output_format: str = ...) -> None: ...

class ProcessingWarning:
    source: str
    message: str

class ExtractionResult:
    content: str
    metadata: Mapping[str, object]
    processing_warnings: Sequence[ProcessingWarning]

def extract_bytes_sync(data: bytes, mime_type: str, config: ExtractionConfig) -> ExtractionResult: ...
