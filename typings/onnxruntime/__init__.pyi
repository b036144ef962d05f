# What pincite uses of ONNX Runtime, which ships no types.
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

class GraphOptimizationLevel(Enum):
    ORT_DISABLE_ALL = ...
    ORT_ENABLE_BASIC = ...
    ORT_ENABLE_EXTENDED = ...
    ORT_ENABLE_ALL = ...

class SessionOptions:
    intra_op_num_threads: int
    inter_op_num_threads: int
    log_severity_level: int
    graph_optimization_level: GraphOptimizationLevel
    optimized_model_filepath: str
    enable_cpu_mem_arena: bool

class InferenceSession:
    def __init__(
        self, path_or_bytes: str | bytes, sess_options: SessionOptions | None = None, providers: Sequence[str] = ...
    ) -> None: ...
    def run(
        self, output_names: Sequence[str] | None, input_feed: Mapping[str, npt.NDArray[Any]]
    ) -> list[npt.NDArray[np.float32]]: ...

def set_default_logger_severity(severity: int) -> None: ...
def disable_telemetry_events() -> None: ...

def get_available_providers() -> list[str]: ...
