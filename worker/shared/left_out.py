"""Stands in for large modules that a library imports and that are never used."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType


def stand_in(module: str, *names: str) -> None:
    """Have a module that holds empty classes of these names, unless it is imported already."""
    if module in sys.modules:
        return
    made = ModuleType(module)
    made.__spec__ = ModuleSpec(module, None)
    for name in names:
        setattr(made, name, type(name, (), {}))
    sys.modules[module] = made
