"""Packages whose `__init__` module runs when a name is first read from them, not when a module of them is imported."""

import importlib.util
import sys
import threading
from importlib.abc import Loader
from types import ModuleType
from typing import Any

_LOADING = threading.RLock()
_DEFERRED: dict[str, Loader] = {}


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
