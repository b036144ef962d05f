"""pincite: the document server for AI agents."""

import os

# ONNX Runtime collects events when it is imported and uploads them later, unless this is set before. Every process of
# ours imports this module first, and the processes that it starts inherit it: docs/decisions/0006.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

__version__ = "0.1.0"

__all__ = ["__version__"]
