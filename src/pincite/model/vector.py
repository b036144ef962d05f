"""The type of vectors, to be imported under `TYPE_CHECKING`: NumPy is not imported at run time."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vector = npt.NDArray[np.float32]
    """One vector (d,) or several (n, d): float32, each of length 1."""
