"""Limits on a schema's size, which is a caller's input."""

from dataclasses import dataclass

from pincite.errors import InvalidInput
from pincite.model.schema import Path, dotted

MAX_DEPTH = 32
"""Maximum depth of nesting; real schemas have at most six levels."""
MAX_NODES = 2_000
"""Maximum number of fields, references expanded: few short ones could stand for millions."""


@dataclass(slots=True)
class Budget:
    """Counts the fields of one schema while it is read."""

    nodes: int = 0

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
