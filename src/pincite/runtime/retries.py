"""The event of a request to a service that is repeated (contract 2)."""

import logging

from pincite.model.call import Call

log = logging.getLogger("pincite.retries")


def log_retry(service: str, attempt: int, reason: str, call: Call) -> None:
    """Log that a request to a service failed and is repeated after a pause."""
    log.warning(
        "retry_attempt", extra={"service": service, "attempt": attempt, "reason": reason, "rid": call.request_id}
    )
