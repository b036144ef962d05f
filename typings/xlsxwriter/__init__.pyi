# The part of xlsxwriter that the tests use.
from collections.abc import Mapping
from typing import IO

class Workbook:
    def __init__(self, filename: str | IO[bytes], options: Mapping[str, object] | None = ...) -> None: ...
    def close(self) -> None: ...
