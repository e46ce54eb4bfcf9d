"""Sweeps: baselines, training seeds and settings as one table of jobs, whole, drawn, or thinned out on the way."""

import itertools
import math
import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from envsuite.evaluation.jobs import derived_seed
from envsuite.evaluation.schema import parse

_DIGITS = 4
"""Significant digits of numbers that are drawn: settings are read by people."""


@dataclass(frozen=True)
class Range:
    """Values of a setting between two ends; whole numbers between whole ends.

    Attributes:
        low: least.
        high: greatest.
        log: whether every factor between them is as likely as any other, instead of every difference.
    """

    low: int | float
    high: int | float
    log: bool = False

    def __post_init__(self) -> None:
        if not -math.inf < self.low < self.high < math.inf:
            raise ValueError(f"low is {self.low} and high {self.high}, expected finite numbers, the first less")
        if self.log and self.low <= 0:
            raise ValueError(f"low is {self.low}, expected a number above 0 for a logarithmic range")

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are meant."""
        return isinstance(self.low, int) and isinstance(self.high, int)


@dataclass(frozen=True)
class Search:
    """How settings are chosen.

    Attributes:
        method: ``"grid"``: all combinations of values that are listed; ``"random"``: drawn; ``"halving"``: drawn, and
            the worst given up after parts of the run (Jamieson & Talwalkar 2016, arXiv 1502.07943).
        trials: settings that are drawn.
        seed: of the draws.
        rungs: of halving: parts of the run, the last to its end.
        keep: of halving: share of the settings that go on after each part, and of the steps that a part is of the
            next.
    """

    method: Literal["grid", "random", "halving"] = "grid"
    trials: int = 16
    seed: int = 0
    rungs: int = 3
    keep: float = 1 / 3

    def __post_init__(self) -> None:
        for name in ("trials", "rungs"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected at least 1")
        if not 0 < self.keep < 1:
            raise ValueError(f"keep is {self.keep}, expected a number between 0 and 1")

    @property
    def parts(self) -> list[float]:
        """Shares of the run after which settings are compared; the last is 1."""
        rungs = self.rungs if self.method == "halving" else 1
        return [self.keep ** (rungs - 1 - k) for k in range(rungs)]


@dataclass(frozen=True)
class Sweep:
    """What is tried.

    Attributes:
        name: for people and folders.
        baselines: names such as ``"ppo/QuadHover"``.
        seeds: training seeds, or how many, from 0 on.
        settings: of all runs, where they differ from the tuned ones.
        space: values or a range of each setting that is tried.
        search: how these are chosen.
    """

    name: str
    baselines: list[str]
    seeds: int | list[int] = 3
    settings: dict[str, Any] = field(default_factory=dict)
    space: dict[str, list[Any] | Range] = field(default_factory=dict)
    search: Search = field(default_factory=Search)

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*", self.name):
            raise ValueError(f"name is {self.name!r}, expected letters, digits and _ . -")
        if not self.baselines or not self.training_seeds or min(self.training_seeds) < 0:
            raise ValueError("a sweep needs at least one baseline, and one training seed from 0 on")
        for name, values in (("baselines", self.baselines), ("seeds", self.training_seeds)):
            if twice := [one for k, one in enumerate(values) if one in values[:k]]:
                raise ValueError(f"{name}: {twice[0]} is there twice")
        if both := sorted(set(self.settings) & set(self.space)):
            raise ValueError(f"{both[0]} is in settings and in space")
        for name, values in self.space.items():
            if isinstance(values, Range) and self.search.method == "grid":
                raise ValueError(
                    f"space: {name} is a range; a grid needs a list of values, or search.method = 'random'"
                )
            if values == []:
                raise ValueError(f"space: {name} has no values")

    @property
    def training_seeds(self) -> list[int]:
        """Of every configuration."""
        return list(range(self.seeds)) if isinstance(self.seeds, int) else self.seeds

    @property
    def told(self) -> str:
        """What was searched, for the settings that come out."""
        search, seeds = self.search, len(self.training_seeds)
        if search.method == "grid":
            what = f"grid of {len(configurations(self))} settings"
        else:
            what = f"random search of {search.trials} settings"
        if search.method == "halving":
            what += f" ({search.keep:.0%} of them go on after each of {search.rungs} parts)"
        return f"{what}, {seeds} training seed{'s' * (seeds > 1)} each, of {', '.join(self.space) or 'nothing'}"


def load_sweep(path: Path) -> Sweep:
    """Read a sweep's file (TOML); its name is the file's where it has none.

    Raises:
        ValueError: it is no TOML, or something in it cannot be meant.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path} is not TOML: {error}") from error
    return parse({"name": path.stem, **table}, Sweep, path.name)


def configurations(sweep: Sweep) -> list[dict[str, Any]]:
    """The settings that are tried, in order; drawn ones follow from the search's seed.

    Raises:
        ModuleNotFoundError: Optuna, which draws, is missing.
    """
    if sweep.search.method == "grid":
        lists = [values for values in sweep.space.values() if isinstance(values, list)]
        return [dict(zip(sweep.space, chosen, strict=True)) for chosen in itertools.product(*lists)]
    try:
        import optuna
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('optuna is not installed: pip install "envsuite[sweep]"', name="optuna") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    kinds: dict[str, optuna.distributions.BaseDistribution] = {}
    for name, values in sweep.space.items():
        if isinstance(values, list):
            kinds[name] = optuna.distributions.IntDistribution(0, len(values) - 1)
        elif values.whole:
            kinds[name] = optuna.distributions.IntDistribution(int(values.low), int(values.high), log=values.log)
        else:
            kinds[name] = optuna.distributions.FloatDistribution(values.low, values.high, log=values.log)
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(sweep.search.seed))
    found = []
    for _ in range(sweep.search.trials):
        drawn = study.ask(kinds).params
        found.append({name: _value(sweep.space[name], drawn[name]) for name in sweep.space})
    return [one for k, one in enumerate(found) if one not in found[:k]]


def _value(values: list[Any] | Range, drawn: Any) -> Any:
    if isinstance(values, list):
        return values[drawn]
    return drawn if values.whole else float(f"{drawn:.{_DIGITS}g}")


def label(configuration: dict[str, Any]) -> str:
    """Its name for people and folders."""
    parts = []
    for name, value in configuration.items():
        plainly = isinstance(value, list) and not any(isinstance(one, list | dict) for one in value)
        parts.append(f"{name}={'x'.join(map(str, value)) if plainly else value}")
    text = re.sub(r"[^A-Za-z0-9_.,=+-]+", "_", ",".join(parts)) or "as_tuned"
    return text if len(text) <= 80 else f"{text[:70]}-{derived_seed(configuration) % 10**8:08d}"
