"""The type of a vector, named without importing NumPy at run time: import it under `TYPE_CHECKING`."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]
    """One vector (d,) or several (n, d): float32, each of length 1."""


def one_blas_thread() -> None:
    """Make NumPy's products run in the calling thread; call it before NumPy is first imported.

    Threads that search side by side serve more that way (measured: 31 against 6 queries a second).
    BLAS reads the variables once, when it is loaded; what a user has set stays.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(variable, "1")
