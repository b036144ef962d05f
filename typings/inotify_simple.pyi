from io import FileIO
from typing import NamedTuple

class Event(NamedTuple):
    wd: int
    mask: int
    cookie: int
    name: str

class INotify(FileIO):
    def __init__(self, inheritable: bool = ..., nonblocking: bool = ..., closefd: bool = ...) -> None: ...
    def add_watch(self, path: str, mask: int) -> int: ...
    def rm_watch(self, wd: int) -> None: ...
    def read(self, timeout: int | None = ..., read_delay: int | None = ...) -> list[Event]: ...  # type: ignore[override]
