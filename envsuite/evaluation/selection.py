"""Offline policy selection: which of several policies is the best one, told from a dataset alone.

The candidates of a dataset are policy files in ``leaderboard/candidates/<dataset>/``, with ``candidates.json``, which
says what each earns. How well they were told apart is measured as by Fu et al. (2021, "Benchmarks for Deep Off-Policy
Evaluation", arXiv 2103.16596).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import envsuite

INDEX = "candidates.json"
BASELINE = "selection"
"""The baseline that chooses; its runs made no policy of their own."""


@dataclass(frozen=True)
class Candidate:
    """A policy that may be chosen.

    Attributes:
        name: of its file, without the ending.
        path: of its file.
        origin: what learned it, and for how long.
        score: mean return.
        standard_error: of that mean.
        sha256: of the file, hexadecimal.
    """

    name: str
    path: Path
    origin: str
    score: float
    standard_error: float
    sha256: str


@dataclass(frozen=True)
class Candidates:
    """All candidates of a dataset.

    Attributes:
        dataset: id.
        env_id: its environment.
        behaviour: behaviour hash of the environment in which they were scored.
        episodes: that each score is the mean of.
        policies: at least two, by name.
    """

    dataset: str
    env_id: str
    behaviour: str
    episodes: int
    policies: tuple[Candidate, ...]

    @property
    def by_chance(self) -> float:
        """Mean score of all: what a choice by chance is worth."""
        return sum(one.score for one in self.policies) / len(self.policies)

    @property
    def best(self) -> float:
        """The highest score."""
        return max(one.score for one in self.policies)


def candidates_folder() -> Path:
    """Where candidates lie: in the repository; wheels come without them."""
    return Path(envsuite.__file__).parents[1] / "leaderboard" / "candidates"


def load_candidates(dataset: str, folder: str | Path | None = None) -> Candidates:
    """Read the candidates of a dataset, and check their files.

    Args:
        dataset: id.
        folder: of all candidates; that of the repository by default.

    Raises:
        FileNotFoundError: there are none.
        ValueError: a file is not what it was, or they were scored in another behaviour of the environment.
    """
    root = Path(folder) if folder else candidates_folder()
    place = root / dataset
    if not (place / INDEX).is_file():
        known = sorted(path.parent.relative_to(root).as_posix() for path in root.rglob(INDEX))
        hint = f"there are some of {', '.join(known)}" if known else f"{root} holds none; they are in the repository"
        raise FileNotFoundError(f"there are no candidates of {dataset!r}: {hint}")
    table = json.loads((place / INDEX).read_text(encoding="utf-8"))
    card = envsuite.card(table["env_id"])
    if card.behaviour != table["behaviour"]:
        raise ValueError(
            f"{place} was scored in behaviour {table['behaviour']} of {card.id}, now it is {card.behaviour}"
        )
    policies = []
    for name, one in table["policies"].items():
        path = place / f"{name}.onnx"
        found = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "missing"
        if found != one["sha256"]:
            raise ValueError(f"{path} has the digest {found}, expected {one['sha256']}")
        policies.append(Candidate(name, path, one["origin"], one["score"], one["standard_error"], one["sha256"]))
    return Candidates(dataset, card.id, card.behaviour, table["episodes"], tuple(policies))


@dataclass(frozen=True)
class Judgement:
    """How well candidates were told apart.

    Attributes:
        chosen: name of the one with the highest value.
        rank_correlation: Spearman's, of values and scores, from -1 to 1; 0 if all values are the same.
        regret: how far the chosen one is from the best, as a share of the way from the worst to the best.
        regret_3: likewise of the best of the three with the highest values.
    """

    chosen: str
    rank_correlation: float
    regret: float
    regret_3: float


def judge(candidates: Candidates, values: Mapping[str, float]) -> Judgement:
    """Compare values with what the candidates earn.

    Args:
        candidates: of a dataset.
        values: of each, by name, on any scale; higher for better.

    Raises:
        ValueError: values of other policies, or that are no numbers.
    """
    from scipy.stats import spearmanr

    names = [one.name for one in candidates.policies]
    if set(values) != set(names):
        raise ValueError(f"values are of {sorted(values)}, expected one of each of {sorted(names)}")
    if odd := [name for name in names if not abs(values[name]) < float("inf")]:
        raise ValueError(f"the value of {odd[0]} is {values[odd[0]]}, expected a number")
    scores = {one.name: one.score for one in candidates.policies}
    order = sorted(names, key=lambda name: -values[name])
    worst, best = min(scores.values()), max(scores.values())
    correlation = 0.0
    if len(set(values.values())) > 1:
        correlation = float(spearmanr([values[name] for name in names], [scores[name] for name in names]).statistic)
    regrets = [(best - max(scores[name] for name in order[:k])) / (best - worst) for k in (1, 3)]
    return Judgement(order[0], correlation, *regrets)
