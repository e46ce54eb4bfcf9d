"""The bootstrap classes of `rliable.library`, on our resampling."""

from collections.abc import Callable, Iterator, Sequence
from statistics import NormalDist
from typing import Any, Literal

import numpy as np

from envsuite.scoring.intervals import check_interval, interval, plain
from envsuite.scoring.layout import Layout, to_layout
from envsuite.scoring.resampling import Bootstrap, Plan, correction, custom_draws, custom_influence, samples
from envsuite.scoring.rliable.metrics import Resamples

#: Other names of methods, as in `arch.bootstrap`.
_NAMES = {"debiased": "bc", "bias-corrected": "bc", "var": "norm", "cov": "norm"}

#: Positional and keyword data, as `arch.bootstrap` has them.
Data = tuple[tuple[np.ndarray, ...], dict[str, np.ndarray]]


def make_bootstrap(func: Callable[..., Any], sides: Sequence[Layout], plan: Plan) -> Bootstrap:
    """Bootstrap of a function of one or several score arrays, each drawn by itself.

    Args:
        func: takes the arrays and returns a number or a vector; one made of the functions of
            `envsuite.scoring.rliable.metrics` is computed at once, any other is called once a resample.
        sides: the score arrays.
        plan: how to resample.

    Raises:
        ValueError: the arrays differ in their number of tasks.
    """
    if len({side.tasks for side in sides}) > 1:
        raise ValueError(f"score arrays have {[side.tasks for side in sides]} tasks, expected as many in each")
    arrays = [side.array() for side in sides]
    value = np.asarray(func(*arrays), np.float64)
    pairs = [(side, number) for number, side in enumerate(sides)]
    draws = _all_at_once(func, value.shape, plan, pairs)
    if draws is None:
        draws = custom_draws(func, value.shape, plan, *pairs)
    corrections = [correction(side, plan.task_bootstrap) for side in sides]

    def influence() -> np.ndarray:
        return np.concatenate(
            [
                custom_influence(lambda own, k=k: func(*arrays[:k], own, *arrays[k + 1 :]), side)
                for k, side in enumerate(sides)
            ]
        )

    inflations, freedoms = zip(*corrections, strict=True)
    return Bootstrap(value, draws, max(inflations), min(freedoms), influence)


def _all_at_once(
    func: Callable[..., Any], shape: tuple[int, ...], plan: Plan, pairs: list[tuple[Layout, int]]
) -> np.ndarray | None:
    """The statistic of all resamples by one call, or None if it does not consist of our metrics."""
    try:
        found = np.asarray(func(*(Resamples(side, plan, number) for side, number in pairs)), np.float64)
    except (TypeError, ValueError, AttributeError, IndexError, KeyError):
        return None
    if found.shape != (*shape, plan.resamples):
        return None
    draws = np.moveaxis(found, -1, 0)
    few = Plan(min(3, plan.resamples), plan.seed, plan.task_bootstrap)
    for r, resample in enumerate(samples(few, *pairs)):  # a statistic that mixed resamples would show here
        if not np.allclose(draws[r], func(*resample), rtol=1e-9, atol=1e-12):
            return None
    return draws


def make_interval(
    func: Callable[..., Any], sides: Sequence[Layout], plan: Plan, method: str, confidence: float
) -> tuple[np.ndarray, np.ndarray]:
    """A statistic and its interval.

    Args:
        func: see `make_bootstrap`, like `sides` and `plan`.
        sides: see there.
        plan: see there.
        method: one of `envsuite.scoring.intervals.METHODS`; ``"norm"``, by the standard deviation of the draws; or
            another name of these in `arch.bootstrap`.
        confidence: coverage aimed at.

    Returns:
        The value, and the ends (2, K); K is 1 for a number.
    """
    method = _NAMES.get(method, method)
    check_interval(sides, plan, "percentile" if method == "norm" else method, confidence)
    boot = make_bootstrap(func, sides, plan)
    if method == "norm":
        reach = NormalDist().inv_cdf(0.5 + confidence / 2) * boot.draws.std(axis=0)
        ends = boot.value - reach, boot.value + reach
    else:
        ends = interval(boot, method, confidence)
    return boot.value, np.stack([np.atleast_1d(end) for end in ends])


def as_seed(random_state: Any) -> int:
    """The seed that a `random_state` stands for: an integer, a NumPy generator, or None for 0."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    return int(random_state)


class _Stratified:
    """What both classes share; the data of all arguments are `_sides`, drawn each by itself."""

    def __init__(
        self, arrays: tuple[np.ndarray, ...], named: dict[str, np.ndarray], random_state: Any, task_bootstrap: bool
    ):
        if not arrays:
            raise ValueError("no scores given, expected at least one array (runs, tasks)")
        self._original = tuple(np.asarray(one) for one in arrays), {key: np.asarray(one) for key, one in named.items()}
        self._keys = tuple(named)
        self._seed, self._calls = as_seed(random_state), 0
        self._task_bootstrap = task_bootstrap
        self.index: Any = None
        self._show(self._original)
        self._sides = self._layouts()

    def _layouts(self) -> list[Layout]:
        return [to_layout(one) for one in self._everything()]

    def _split(self, resample: tuple[Any, ...]) -> list[Any]:
        """Arrays of all arguments from those of `_sides`."""
        return list(resample)

    def _everything(self) -> list[np.ndarray]:
        positional, named = self._original
        return [*positional, *named.values()]

    def _show(self, data: Data) -> None:
        self.data = data
        self.pos_data, self.kw_data = data
        self.__dict__.update(data[1])

    def _plan(self, reps: int) -> Plan:
        """Resamples of the next call; the first call's are those of `get_interval_estimates` with this seed."""
        seed = self._seed
        if self._calls:
            seed = int(np.random.SeedSequence([self._seed, self._calls]).generate_state(1)[0])
        self._calls += 1
        return Plan(reps, seed, self._task_bootstrap)

    def _called(self, func: Callable[..., Any], extra: dict[str, Any] | None) -> Callable[..., Any]:
        """The function of the sides."""
        count = len(self._original[0])
        if extra and (both := sorted(set(extra) & set(self._keys))):
            raise ValueError(f"extra_kwargs holds {both[0]!r}, which is the name of data")

        def call(*sides: Any) -> Any:
            arrays = self._split(sides)
            return func(*arrays[:count], **dict(zip(self._keys, arrays[count:], strict=True)), **(extra or {}))

        return call

    def update_indices(self) -> Any:
        """Draw indices: ``scores[indices]`` is a resample."""
        return self._indices(self._plan(1), 0)

    def _indices(self, plan: Plan, r: int) -> Any:
        raise NotImplementedError

    def _index_of(self, side: int, shape: tuple[int, ...], plan: Plan, r: int) -> tuple[np.ndarray, ...]:
        from envsuite.scoring import kernels

        sizes, drawn = np.full(shape[1], shape[0]), np.zeros(shape[:2], np.int64)
        tasks = np.arange(shape[1])
        if plan.task_bootstrap:
            kernels.draw_tasks(plan.key(0), r, tasks)
        kernels.draw_runs(plan.key(side), r, tasks, sizes, drawn)
        inner = (1,) * (len(shape) - 2)
        others = np.ogrid[tuple(slice(size) for size in shape)][2:]
        return np.broadcast_to(drawn.reshape(*drawn.shape, *inner), shape), tasks.reshape(1, -1, *inner), *others

    def bootstrap(self, reps: int) -> Iterator[Data]:
        """Resamples, `reps` pairs of positional data (a tuple) and named data (a dictionary)."""
        plan, count = self._plan(reps), len(self._original[0])
        for r in range(reps):
            self.index = self._indices(plan, r)
            arrays = self._drawn(self.index)
            self._show((tuple(arrays[:count]), dict(zip(self._keys, arrays[count:], strict=True))))
            yield self.data

    def _drawn(self, index: Any) -> list[np.ndarray]:
        raise NotImplementedError

    def apply(self, func: Callable[..., Any], reps: int = 1000, extra_kwargs: dict[str, Any] | None = None) -> Any:
        """A function of the scores on resamples, (reps, K); K is 1 for a number."""
        draws = make_bootstrap(self._called(func, extra_kwargs), self._sides, self._plan(reps)).draws
        return draws.reshape(reps, -1)

    def conf_int(
        self,
        func: Callable[..., Any],
        reps: int = 1000,
        method: str = "basic",
        size: float = 0.95,
        tail: Literal["two", "lower", "upper"] = "two",
        extra_kwargs: dict[str, Any] | None = None,
        reuse: bool = False,
        sampling: str = "nonparametric",
    ) -> np.ndarray:
        """Interval of a function of the scores.

        Args:
            func: takes the data and returns a number or a vector of K.
            reps: number of resamples.
            method: ``"basic"``, ``"percentile"``, ``"norm"``, ``"bc"``, ``"bca"``, or our ``"expanded"``.
            size: coverage aimed at.
            tail: both ends, or the lower or upper end alone; the other is infinite.
            extra_kwargs: further arguments of `func`.
            reuse: draw the resamples of the call before again.
            sampling: ``"nonparametric"``, the only one there is.

        Returns:
            (2, K): lower and upper ends.

        Raises:
            ValueError: a setting that does not exist, or scores with a single run.
        """
        if sampling != "nonparametric":
            raise ValueError(f"sampling is {sampling!r}, expected 'nonparametric'")
        if tail not in ("two", "lower", "upper"):
            raise ValueError(f"tail is {tail!r}, expected 'two', 'lower' or 'upper'")
        least = 0.0 if tail == "two" else 0.5
        if not least < size < 1:
            raise ValueError(f"size is {size}, expected a number in ({least:g}, 1)")
        if reuse:
            self._calls = max(0, self._calls - 1)
        both = size if tail == "two" else 2 * size - 1
        _, ends = make_interval(self._called(func, extra_kwargs), self._sides, self._plan(reps), method, both)
        if tail != "two":
            ends[int(tail == "lower")] = np.inf if tail == "lower" else -np.inf
        return ends

    def cov(
        self,
        func: Callable[..., Any],
        reps: int = 1000,
        recenter: bool = True,
        extra_kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Covariance (K, K) of a function's draws around their mean, or around its value; a float for a number."""
        boot = make_bootstrap(self._called(func, extra_kwargs), self._sides, self._plan(reps))
        draws = boot.draws.reshape(reps, -1)
        errors = draws - (draws.mean(axis=0) if recenter else boot.value.reshape(-1))
        return plain((errors.T @ errors / reps).reshape(boot.value.shape * 2))

    def var(
        self,
        func: Callable[..., Any],
        reps: int = 1000,
        recenter: bool = True,
        extra_kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Variances (K,), the diagonal of `cov`."""
        found = self.cov(func, reps, recenter, extra_kwargs)
        return np.diag(found) if np.ndim(found) else found

    def reset(self, use_seed: bool = True) -> None:
        """Go back to the data as given and, by default, to the first resample."""
        if use_seed:
            self._calls = 0
        self.index = None
        self._show(self._original)


class StratifiedBootstrap(_Stratified):
    """Draws runs of each task with replacement; several arrays are drawn alike.

    Args:
        *args: scores (runs, tasks) or (runs, tasks, checkpoints), whose runs are drawn whole; all of one shape.
        random_state: an integer or a NumPy generator; None is 0.
        task_bootstrap: draw tasks too.
        **kwargs: more of them, by name.

    Attributes:
        data: `pos_data` and `kw_data`: what was given, and within `bootstrap` the current resample.
        index: indices of that resample.
    """

    def __init__(self, *args: np.ndarray, random_state: Any = None, task_bootstrap: bool = False, **kwargs: np.ndarray):
        super().__init__(args, kwargs, random_state, task_bootstrap)

    def _layouts(self) -> list[Layout]:
        arrays = self._everything()
        shapes = {one.shape for one in arrays}
        if len(shapes) != 1:
            raise ValueError(f"scores have the shapes {sorted(shapes)}, expected one shape: they are drawn alike")
        if len(arrays) == 1:
            return [to_layout(arrays[0])]
        to_layout(arrays[0])
        # one array with all as checkpoints, of which whole runs are drawn
        return [to_layout(np.concatenate([one.reshape(*one.shape[:2], -1) for one in arrays], axis=2))]

    def _split(self, resample: tuple[Any, ...]) -> list[Any]:
        whole, count, inner = resample[0], len(self._everything()), self._original[0][0].shape[2:]
        if count == 1:
            return [whole]
        if isinstance(whole, list):
            parts = [np.split(task, count, axis=-1) for task in whole]
            return [[part[k] if inner else part[k][..., 0] for part in parts] for k in range(count)]
        return [part if inner else part[..., 0] for part in np.split(whole, count, axis=-1)]

    def _indices(self, plan: Plan, r: int) -> Any:
        return self._index_of(0, self._original[0][0].shape, plan, r)

    def _drawn(self, index: Any) -> list[np.ndarray]:
        return [one[index] for one in self._everything()]

    def clone(self, *args: np.ndarray, **kwargs: np.ndarray) -> "StratifiedBootstrap":
        """The same settings and seed on other scores."""
        return type(self)(*args, random_state=self._seed, task_bootstrap=self._task_bootstrap, **kwargs)


class StratifiedIndependentBootstrap(_Stratified):
    """Draws runs of each task with replacement, of each array by itself; numbers of runs may differ.

    Args:
        *args: scores (runs, tasks) or (runs, tasks, checkpoints).
        random_state: an integer or a NumPy generator; None is 0.
        **kwargs: more of them, by name.

    Attributes:
        data: `pos_data` and `kw_data`: what was given, and within `bootstrap` the current resample.
        index: indices of that resample: a list, and a dictionary by name.
    """

    def __init__(self, *args: np.ndarray, random_state: Any = None, **kwargs: np.ndarray):
        super().__init__(args, kwargs, random_state, task_bootstrap=False)

    def _indices(self, plan: Plan, r: int) -> Any:
        found = [self._index_of(side, one.shape, plan, r) for side, one in enumerate(self._everything())]
        count = len(self._original[0])
        return found[:count], dict(zip(self._keys, found[count:], strict=True))

    def _drawn(self, index: Any) -> list[np.ndarray]:
        positional, named = index
        return [one[at] for one, at in zip(self._everything(), [*positional, *named.values()], strict=True)]

    def clone(self, *args: np.ndarray, **kwargs: np.ndarray) -> "StratifiedIndependentBootstrap":
        """The same settings and seed on other scores."""
        return type(self)(*args, random_state=self._seed, **kwargs)
