"""Which device models run on."""

from collections.abc import Collection
from typing import Literal

Device = Literal["cuda", "mps", "cpu"]

_PROVIDERS: tuple[tuple[Device, str], ...] = (("cuda", "CUDAExecutionProvider"), ("mps", "CoreMLExecutionProvider"))
"""ONNX Runtime's names; Core ML runs on Apple's GPU and neural engine."""

CPU_PROVIDER = "CPUExecutionProvider"


def device_of(available: Collection[str]) -> Device:
    """Return the first device of CUDA, Apple's and the CPU that the runtime offers.

    Args:
        available: Names of ONNX Runtime's execution providers.
    """
    for device, provider in _PROVIDERS:
        if provider in available:
            return device
    return "cpu"


def providers_of(available: Collection[str]) -> list[str]:
    """Return the execution providers to use, the CPU last: it runs what the others cannot."""
    return [*(provider for _, provider in _PROVIDERS if provider in available), CPU_PROVIDER]


ONNX_FATAL = 4
"""Severity from which ONNX Runtime may write to standard error itself: its errors are raised all the same, and what it
writes is no line of a JSON log."""
