"""One kernel in the place of many, of which a number says which to call."""

from collections.abc import Sequence
from typing import Any

from envsuite.core.jit import kernel_of


def one_of(name: str, kernels: Sequence[Any]) -> Any:
    """Kernel (number, given) that calls the kernel of a number with what is given.

    Args:
        name: differs from that of all others made in the first one's file.
        kernels: all take one argument and return values of the same types.
    """
    scope: dict[str, Any] = {f"kernel_{k}": one for k, one in enumerate(kernels)}
    lines = [f"    if number == {k}: return kernel_{k}(given)" for k in range(len(kernels) - 1)]
    lines.append(f"    return kernel_{len(kernels) - 1}(given)")
    exec("\n".join(["def choose(number, given):", *lines]), scope)
    return kernel_of(scope["choose"], kernels[0], name)
