"""The interface of extraction engines."""

from typing import Protocol

from pincite.model.call import Call
from pincite.model.extraction import Answer, Material
from pincite.model.schema import Schema


class Engine(Protocol):
    """Fills a schema from a document. Thread-safe.

    An engine is not trusted: each value of its answer is verified against the document before anybody sees it.
    """

    @property
    def name(self) -> str:
        """Its name in the registry, which results state."""
        ...

    @property
    def limits_its_time(self) -> bool:
        """True if each of its attempts has a time limit of its own, so that nobody else should set one for all."""
        ...

    def extract(self, material: Material, schema: Schema, call: Call) -> Answer:
        """Return values and where each was found.

        Every value has a citation at its own path: that of a list's element ends in its index, that of a value by
        model in the model's name. What was not found is absent or null.

        Args:
            material: The document and its chunks.
            schema: The fields.
            call: Checked for cancellation; receives progress in fields.

        Raises:
            PinciteError: The engine failed as a whole.
        """
        ...
