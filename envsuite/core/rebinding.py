"""Rules on another engine: kernels as Python runs them, with other functions under some of the names that they use."""

from types import FunctionType
from typing import Any

from envsuite.core.compiling import Kernel


def rebound(kernel: Any, **replacements: Any) -> FunctionType:
    """The Python function behind a kernel, with other functions under some of the names that it uses.

    Args:
        kernel: or a plain function.
        **replacements: by name.
    """
    function = getattr(kernel, "plain", kernel)
    return FunctionType(
        function.__code__, {**function.__globals__, **replacements}, function.__name__, function.__defaults__
    )


def rebound_through(kernel: Any, **replacements: Any) -> FunctionType:
    """Like `rebound`, in what it calls too: kernels outside of the core run as Python, those of the core compiled.

    Args:
        kernel: or a plain function.
        **replacements: by name, wherever it is used.
    """
    return _through(kernel, replacements, {})


def _through(kernel: Any, replacements: dict[str, Any], known: dict[Any, FunctionType]) -> FunctionType:
    if kernel in known:
        return known[kernel]
    made = known[kernel] = rebound(kernel, **replacements)
    scope = made.__globals__
    for name in set(made.__code__.co_names) & set(scope) - set(replacements):
        if _is_rule(scope[name]):
            scope[name] = _through(scope[name], replacements, known)
    return made


def _is_rule(one: Any) -> bool:
    plain = one.py_func if isinstance(one, Kernel) else one
    module = getattr(plain, "__module__", None) or ""
    return isinstance(plain, FunctionType) and not module.startswith("envsuite.core.") and plain.__closure__ is None
