"""The type of a vector, named without importing NumPy at run time: import it under `TYPE_CHECKING`."""

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
"""Two threads that import NumPy at once may each see the other's half of it."""


def import_numpy() -> None:
    """Import NumPy, so that its products run in the calling thread; call it before an import of NumPy in a function.

    Threads that search side by side serve more that way (measured: 31 against 6 queries a second).
    BLAS reads the variables once, when it is loaded; what a user has set stays.
    """
    with _IMPORTING:
        if "numpy" not in sys.modules:
            for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
                os.environ.setdefault(variable, "1")
            importlib.import_module("numpy")
