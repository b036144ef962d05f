"""Tasks: a document and a schema that wait to be extracted, and what became of them."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

ID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
"""A ULID."""


class TaskStatus(StrEnum):
    """The state of a task."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def final(self) -> bool:
        """True if the task never changes again."""
        return self not in (TaskStatus.QUEUED, TaskStatus.RUNNING)


@dataclass(frozen=True, slots=True)
class TaskError:
    """Why a task failed: a message, and details one by one."""

    message: str
    details: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """How far a running task is.

    Attributes:
        done: Steps done.
        total: Steps in all; None if not known.
        message: What it does.
    """

    done: float
    total: float | None
    message: str


@dataclass(frozen=True, slots=True)
class NewTask:
    """What a caller asks for.

    Attributes:
        id: A ULID.
        file_name: The name as it was sent; used nowhere as a path.
        extension: The extension of the stored file, with its dot.
        schema: JSON text.
        engine: `auto`, or an engine's name.
        strict: Whether a value that is not verified is left out.
        min_confidence: Confidence below which a value is left out, too.
    """

    id: str
    file_name: str
    extension: str
    schema: str
    engine: str
    strict: bool = field(default=True, kw_only=True)
    min_confidence: float = field(default=0.0, kw_only=True)


@dataclass(frozen=True, slots=True)
class Task(NewTask):
    """A task that is stored.

    Attributes:
        created_at: When it was stored, in seconds since the epoch.
        updated_at: When it last changed.
        version: Rises with every change.
        attempts: How often a worker took it up, not counting those that gave it back.
        progress: Of a running task; None before its first step.
        error: Why it failed; None else.
    """

    status: TaskStatus
    created_at: float
    updated_at: float
    version: int
    attempts: int
    progress: TaskProgress | None = None
    error: TaskError | None = None
