"""Libraries that are installed only by an extra."""

from importlib import import_module
from types import ModuleType


def need(module: str, extra: str) -> ModuleType:
    """Import a module of an optional library.

    Raises:
        ImportError: it is not installed; the message names the extra.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{module} is missing: pip install 'envsuite[{extra}]'") from error
