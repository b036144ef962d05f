"""What schemathesis checks of every answer, and how many requests it makes up."""

import importlib
from typing import Any

from hypothesis import HealthCheck, Phase, settings

_checks = importlib.import_module("schemathesis.checks")  # its types are not known
CHECKS: list[Any] = [
    _checks.not_a_server_error,
    _checks.status_code_conformance,
    _checks.content_type_conformance,
    _checks.response_schema_conformance,
]


def requests(examples: int) -> settings:
    """The settings of a test with so many requests an operation, the same ones each time."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
        phases=[Phase.explicit, Phase.generate],
    )
