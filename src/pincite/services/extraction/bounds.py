"""Limits on a schema's size, which is a caller's input."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from pincite.errors import InvalidInput
from pincite.model.schema import Path, dotted

MAX_DEPTH = 32
"""Maximum depth of nesting; real schemas have at most six levels."""
MAX_NODES = 2_000
"""Maximum number of fields, references expanded: few short ones could expand to millions."""
MAX_READ = 100_000
"""Maximum number of keywords and their members that are read, however often: one reference in `allOf` doubles what it
refers to. A schema of 2,000 fields has a fifth of it; reading so many takes a third of a second."""
_CHARS_PER_MEMBER = 100


@dataclass(slots=True)
class Budget:
    """Counts the fields of one schema while it is read."""

    nodes: int = 0
    read: int = 0

    def expand(self, part: Mapping[str, Any], path: Path) -> None:
        """Count the keywords of a part that is read, and their members.

        Raises:
            InvalidInput: The schema expands to too many.
        """
        self.read += 1 + sum(map(_size, part.values()))
        if self.read > MAX_READ:
            raise InvalidInput(
                f"The references, allOf and anyOf of the schema stand for too much at {dotted(path[:3])!r}: more than "
                f"{MAX_READ:,} keywords once they are written out. Write out the fields that you need."
            )

    def spend(self, path: Path) -> None:
        """Count a field.

        Raises:
            InvalidInput: The schema has too many, or this one is nested too deep.
        """
        self.nodes += 1
        if len(path) > MAX_DEPTH:
            raise InvalidInput(f"The schema is nested deeper than {MAX_DEPTH} levels at {dotted(path[:3])!r}.")
        if self.nodes > MAX_NODES:
            raise InvalidInput(f"The schema has more than {MAX_NODES:,} fields. Ask for fewer at once.")


def _size(value: Any) -> int:
    """Return about how long a keyword takes to read."""
    if isinstance(value, str):
        return 1 + len(value) // _CHARS_PER_MEMBER
    return len(cast("list[Any]", value)) if isinstance(value, list | Mapping) else 1
