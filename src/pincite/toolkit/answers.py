"""What tools return: the base classes of answers, and the state of the index that they were taken from."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, Field

from pincite.model.status import Freshness, iso


def optional(description: str) -> Any:
    """Return a field of an answer that is omitted if it is None."""
    return Field(default=None, exclude_if=lambda value: value is None, description=description)


class ResponseModel(BaseModel, defer_build=True):
    """Base class of answers and their parts. Pydantic builds its validators at first use, to keep start-up fast."""


class IndexState(ResponseModel):
    """The state of the index that an answer was taken from."""

    generation: int = Field(description="Version of the index.")
    checked_at: str = Field(description="When the source was last compared with the index.")
    pending: int = Field(description="Documents that still wait to be indexed.")
    stale: bool = Field(description="True if this answer may miss a change.")
    reason: str | None = optional("Why it is stale.")


class Answer(ResponseModel):
    """What every tool that reads an index returns."""

    index: IndexState | None = optional("The state of the index that this answer was taken from.")

    def with_index_state(self, freshness: Freshness) -> Self:
        """Return this answer with the state of its index."""
        return self.model_copy(update={"index": IndexState(**state_fields(freshness))})

    def text_form(self, dumped: Mapping[str, Any]) -> object:
        """Return what clients that do not read structured content get as JSON text: the whole answer.

        Args:
            dumped: This answer as plain values.
        """
        return dumped


def state_fields(freshness: Freshness) -> dict[str, Any]:
    """Return the fields of `IndexState`."""
    return {
        "generation": freshness.generation,
        "checked_at": iso(freshness.checked_at),
        "pending": freshness.pending,
        "stale": freshness.stale,
        "reason": freshness.reason or None,
    }
