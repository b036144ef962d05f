from pathlib import Path
from typing import Any

from chromadb.config import Settings

def PersistentClient(path: str | Path = ..., settings: Settings | None = ...) -> Any: ...
def HttpClient(host: str = ..., port: int = ..., ssl: bool = ..., *, settings: Settings | None = ...) -> Any: ...
