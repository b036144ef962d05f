"""Models run on CUDA, then on Apple's devices, then on the CPU."""

import pytest

from pincite.runtime.device import Device, device_of, providers_of

CUDA, CORE_ML, CPU = "CUDAExecutionProvider", "CoreMLExecutionProvider", "CPUExecutionProvider"


@pytest.mark.parametrize(
    ("available", "device", "providers"),
    [
        ([CPU], "cpu", [CPU]),
        (["AzureExecutionProvider", CPU], "cpu", [CPU]),
        ([CPU, CORE_ML], "mps", [CORE_ML, CPU]),
        ([CORE_ML, CPU, CUDA], "cuda", [CUDA, CORE_ML, CPU]),
        ([], "cpu", [CPU]),
    ],
)
def test_the_best_device_that_the_runtime_offers_is_used(
    available: list[str], device: Device, providers: list[str]
) -> None:
    assert device_of(available) == device
    assert providers_of(available) == providers
