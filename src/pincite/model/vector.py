"""The type of vectors, to be imported under `TYPE_CHECKING`: NumPy is not imported at run time."""

import importlib
import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]
    """One vector (d,) or several (n, d): float32, each of length 1."""


_IMPORTING = threading.Lock()
"""Two threads that import NumPy at once may each see a partly initialised module."""


def import_numpy() -> None:
    """Import NumPy with single-threaded BLAS; call it before any import of NumPy inside a function.

    Searches in parallel threads are faster that way (measured: 31 against 6 queries a second).
    BLAS reads the variables once, when it is loaded; values that the user has set are kept.
    """
    with _IMPORTING:
        if "numpy" not in sys.modules:
            for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
                os.environ.setdefault(variable, "1")
            importlib.import_module("numpy")
