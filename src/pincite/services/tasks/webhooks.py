"""Tell a webhook of finished tasks: signed, at least once, again after a failure (standardwebhooks.com)."""

import base64
import binascii
import hashlib
import hmac
import json
import logging
import threading
import time

from pincite.errors import Cancelled
from pincite.model.call import Call
from pincite.model.status import iso
from pincite.model.task import Task
from pincite.runtime.abandonable import abandonable
from pincite.runtime.imports import import_once
from pincite.services.tasks.base import Announcements
from pincite.services.tasks.loops import Loop

log = logging.getLogger("pincite.webhooks")

DELAYS_SECONDS = (5.0, 30.0, 300.0, 1800.0, 7200.0)
"""Waits before the next attempts: two hours and a half in all, longer than most restarts and outages of a receiver."""

TIMEOUT_SECONDS = 15.0
POLL_SECONDS = 1.0
"""Interval between two polls for finished tasks, which another process may have worked on."""

ENCODED_PREFIX = "whsec_"
"""A secret that begins with it is Base64, as the standard's libraries write it; any other counts as it is."""


class Webhook:
    """Announces finished tasks from a thread of its own, which starts with `start`.

    What is announced and when is stored with each task: it outlasts the process.

    Args:
        tasks: The tasks.
        url: Where announcements go.
        secret: Signs them.
    """

    def __init__(self, tasks: Announcements, url: str, secret: str) -> None:
        self._tasks = tasks
        self._url = url
        self._key = signing_key(secret)
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start announcing."""
        self._thread = Loop("pincite-webhook", "webhook.not_read", self._next, self._closing, POLL_SECONDS).start()

    def close(self) -> None:
        """Stop; what was not announced is announced after the next start."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(POLL_SECONDS)

    def _next(self) -> None:
        """Announce the task that is due, or wait for one."""
        due = self._tasks.announcement()
        if due is None:
            self._closing.wait(POLL_SECONDS)
        else:
            self._announce(*due)

    def _announce(self, task: Task, attempts: int) -> None:
        problem = self._sent(task)
        if not problem:
            self._tasks.announced(task.id, None)
            return
        delay = DELAYS_SECONDS[attempts] if attempts < len(DELAYS_SECONDS) else None
        log.warning("webhook.failed", extra={"task": task.id, "problem": problem, "again_after": delay})
        self._tasks.announced(task.id, delay)

    def _sent(self, task: Task) -> str:
        """Send an announcement; return why it failed, empty if it did not."""
        import_once("httpx2")
        import httpx2  # noqa: PLC0415 - not at start-up

        body = announcement(task)
        headers = signed_headers(self._key, f"task_{task.id}", int(time.time()), body)

        def post() -> str:
            # The body of the answer is never read: it says nothing that is used, and may have any size.
            with httpx2.stream("POST", self._url, content=body, headers=headers, timeout=TIMEOUT_SECONDS) as answer:
                return "" if answer.is_success else f"status {answer.status_code}"

        call = Call(deadline=time.monotonic() + TIMEOUT_SECONDS, stop=self._closing)
        try:
            # A receiver that sends a byte now and then would hold up the announcements of all other tasks.
            return abandonable(post, call, name="pincite-webhook-post")
        except Cancelled:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the task is announced again later, and others before
            return type(error).__name__


def announcement(task: Task) -> bytes:
    """Return the body: what became of a task; its result is fetched from `/tasks/{id}/result`."""
    error = task.error and {"message": task.error.message, "details": list(task.error.details)}
    data = {
        "task_id": task.id,
        "status": task.status.value,
        "created_at": iso(task.created_at),
        "updated_at": iso(task.updated_at),
        "error": error,
    }
    return json.dumps({"type": f"task.{task.status.value}", "timestamp": iso(task.updated_at), "data": data}).encode()


def signed_headers(key: bytes, message_id: str, timestamp: int, body: bytes) -> dict[str, str]:
    """Return the headers that let a receiver check who sent a body, and when.

    Args:
        key: See `signing_key`.
        message_id: The same for every attempt, so that a receiver can tell a repetition.
        timestamp: Seconds since the epoch.
        body: The body.
    """
    signature = hmac.new(key, f"{message_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    return {
        "content-type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(signature).decode()}",
    }


def signing_key(secret: str) -> bytes:
    """Return the bytes that sign: those that `whsec_…` encodes in base64, else the secret itself."""
    if secret.startswith(ENCODED_PREFIX):
        try:
            return base64.b64decode(secret.removeprefix(ENCODED_PREFIX), validate=True)
        except binascii.Error:
            pass
    return secret.encode()
