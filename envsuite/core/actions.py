"""Checks actions before any kernel sees them."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.core.layout import Layout, Vector

_MODES = {"clip": 0, "refuse": 1, "pass": 2}


@kernel
def _sanitise(actions, low, high, mode, out):
    """Copy rows of actions, clipped if so asked; the flat index of the first invalid element, or -1."""
    for i in range(actions.shape[0]):
        for j in range(actions.shape[1]):
            value = actions[i, j]
            if value - value != 0:  # nan and infinities
                return i * actions.shape[1] + j
            if value < low[j] or value > high[j]:
                if mode == 1:
                    return i * actions.shape[1] + j
                if mode == 0:
                    value = low[j] if value < low[j] else high[j]
            out[i, j] = value
    return -1


_FEW = 8  # numbers that Python compares in less time than a kernel takes to begin


@kernel
def _all_inside(actions, low, high):
    """Whether all elements lie within one pair of bounds; without branches, for vector instructions."""
    faults = 0
    for k in range(actions.shape[0]):
        faults |= int(not ((actions[k] >= low) & (actions[k] <= high)))
    return faults == 0


class ActionChecker:
    """Turns what a user passes as actions into the array that kernels take.

    Args:
        layout: what one agent may do; choices that do not exist are always refused.
        lead: leading shape, () for one agent of one environment.
        out_of_range: in the place of the layout's own rule for numbers outside the bounds.
    """

    def __init__(self, layout: Layout, lead: tuple[int, ...], out_of_range: str | None = None):
        self.layout = layout
        self._arguments = (layout, lead, out_of_range)
        self.shape = lead + layout.shape
        self._dtype = np.dtype(layout.dtype)
        numbers = isinstance(layout, Vector)
        self._kinds = "fiu" if numbers else "iu"
        self._low = np.ascontiguousarray(layout.low.reshape(-1))
        self._high = np.ascontiguousarray(layout.high.reshape(-1))
        self._mode = _MODES[(out_of_range or layout.out_of_range) if numbers else "refuse"]
        self._rows = (-1, self._low.size)
        self._bounds = self._low[0].item(), self._high[0].item()
        self._one_bound = bool((self._low == self._low[0]).all() and (self._high == self._high[0]).all())
        self._out = np.zeros(self.shape, self._dtype)
        self._out_rows = self._out.reshape(self._rows)

    def __reduce__(self):  # the rows are a view, which pickling would cut off
        return type(self), self._arguments

    def __call__(self, actions) -> np.ndarray:
        """Check actions.

        Args:
            actions: anything that NumPy makes an array of the right shape of.

        Returns:
            An array of the layout's type and of shape ``lead + layout.shape``: the one given, if there was nothing to
            change; otherwise one that the next call overwrites.

        Raises:
            TypeError: elements are not numbers (not integers, for discrete actions).
            ValueError: wrong shape, nan or infinity, or a refused number; the message names it.
        """
        given = np.asarray(actions)
        if given.shape != self.shape:
            raise ValueError(f"actions have shape {given.shape}, expected {self.shape}")
        if given.dtype != self._dtype:
            given = self._cast(given)
        if self._one_bound and given.flags.c_contiguous and self._inside(given.reshape(-1)):
            return given  # nothing to change: kernels only read it
        bad = _sanitise(given.reshape(self._rows), self._low, self._high, self._mode, self._out_rows)
        if bad >= 0:
            self._refuse(given, bad)
        return self._out

    def _inside(self, flat: np.ndarray) -> bool:
        if flat.size > _FEW:
            return _all_inside(flat, self._low[0], self._high[0])
        low, high = self._bounds
        for number in flat.tolist():  # noqa: SIM110 (half the time of `all`)
            if not low <= number <= high:
                return False
        return True

    def _cast(self, given: np.ndarray) -> np.ndarray:
        if given.dtype.kind not in self._kinds:
            wanted = "integers" if self._kinds == "iu" else "numbers"
            raise TypeError(f"actions have type {given.dtype}, expected {wanted} ({self._dtype})")
        with np.errstate(over="ignore"):  # becomes infinity, which is refused by name
            return given.astype(self._dtype)

    def _refuse(self, given: np.ndarray, bad: int) -> None:
        index = tuple(int(k) for k in np.unravel_index(bad, self.shape)) if self.shape else ()
        column = bad % self._low.size
        where = f" at index {index}" if index else ""
        value = given.reshape(-1)[bad]
        low, high = self._low[column], self._high[column]
        raise ValueError(f"action {value}{where} is invalid, expected a value in [{low}, {high}]")
