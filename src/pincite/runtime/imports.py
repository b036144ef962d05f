"""Imports at first use: one thread at a time, and of packages only when a name is read from them.

Python locks each module by itself. Two threads that enter a package by different modules (`numpy`, and `numpy._core`,
which a library in C imports) each wait for a lock of the other; Python then gives one of them a module that is half
initialised, and a native library that failed so cannot be loaded again before the process ends.
"""

import importlib.util
import os
import sys
import threading
from functools import cache
from importlib.abc import Loader
from types import ModuleType
from typing import Any

_LOADING = threading.RLock()
_DEFERRED: dict[str, Loader] = {}

_BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@cache
def import_once(name: str) -> ModuleType:
    """Import a module while no other thread imports one in this way; call it before an import inside a function.

    NumPy is imported with single-threaded BLAS: searches in parallel threads are faster that way (measured: 31 against
    6 queries a second). BLAS reads the variables once, when it is loaded; values that the user has set are kept.

    Raises:
        ImportError: It is not installed, or fails.
    """
    with _LOADING:
        for variable in _BLAS_THREADS:
            os.environ.setdefault(variable, "1")
        return importlib.import_module(name)


class _LazyPackage(ModuleType):
    """A package whose modules can be imported, and which is executed when an attribute is missing."""

    def __getattr__(self, name: str) -> Any:
        with _LOADING:
            if loader := _DEFERRED.pop(self.__name__, None):
                try:
                    loader.exec_module(self)
                except BaseException:
                    _DEFERRED[self.__name__] = loader
                    raise
        return ModuleType.__getattribute__(self, name)


def defer(*names: str) -> None:
    """Execute these packages when an attribute of theirs is first read: modules of them are imported without it.

    A package that is imported already, or that is not installed, stays as it is.

    Args:
        names: The packages, each after the one that contains it.
    """
    for name in names:
        spec = None if name in sys.modules else importlib.util.find_spec(name)
        if spec is None or spec.loader is None or spec.submodule_search_locations is None:
            continue
        module = importlib.util.module_from_spec(spec)
        module.__class__ = _LazyPackage
        _DEFERRED[name] = spec.loader
        sys.modules[name] = module
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
