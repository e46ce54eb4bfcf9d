"""Frozen reference policies: one network of a published baseline, by name, that comes with the package.

``baselines/policies/NAME.onnx`` and ``.json`` are the network and how to play it, ``baselines/policies/index.json``
says where it comes from and which digests its files have. A network that plays several environments lies there once.
"""

import contextlib
import dataclasses
import hashlib
import json
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import envsuite
from envsuite.cards import baselines_folder
from envsuite.core.files import write_atomic

if TYPE_CHECKING:
    from envsuite.agents.onnx import OnnxPolicy

FOLDER = "policies"
"""In the folder of baselines."""

INDEX = "index.json"
SUFFIXES = (".onnx", ".json")


@dataclass(frozen=True)
class Frozen:
    """A frozen reference policy.

    Attributes:
        env_id: environment that it plays.
        seed: training seed.
        steps: environment steps, or gradient steps on a dataset, that it was trained for.
        episodes: evaluation episodes, from the first evaluation seed on.
        score: mean return of these.
        behaviour: the environment's behaviour hash.
        sha256: of its files, by suffix.
        name: ``algorithm/Environment-vN``, or ``algorithm/`` and the id of a dataset.
        folder: of the files.
        network: name of the policy whose network it has, too; empty for its own.
    """

    env_id: str
    seed: int
    steps: int
    episodes: int
    score: float
    behaviour: str
    sha256: dict[str, str]
    name: str
    folder: Path
    network: str = ""

    @property
    def path(self) -> Path:
        """The network's file."""
        return self.folder / f"{self.network or self.name}.onnx"

    @property
    def interface_path(self) -> Path:
        """The file that says how to play it."""
        return self.folder / f"{self.name}.json"

    def check(self) -> None:
        """Refuse files that are not what was published.

        Raises:
            ValueError: which, and both digests.
        """
        for suffix, expected in self.sha256.items():
            path = self.path if suffix == ".onnx" else self.interface_path
            if not path.is_file():
                raise ValueError(f"{path} of the policy {self.name} is missing")
            if (found := hashlib.sha256(path.read_bytes()).hexdigest()) != expected:
                raise ValueError(f"{path} has SHA-256 {found}, expected {expected}: it is not the policy {self.name}")

    def load(self) -> "OnnxPolicy":
        """The network, after its files were checked.

        Raises:
            ValueError: a file is not what was published.
        """
        from envsuite.agents.onnx import load

        self.check()
        return load(self.path, self.interface_path)


@cache
def frozen_policies(folder: Path | None = None) -> dict[str, Frozen]:
    """All of them by name.

    Args:
        folder: of baselines; those of the package or the repository by default.
    """
    index = (folder or baselines_folder()) / FOLDER / INDEX
    table = json.loads(index.read_text(encoding="utf-8")) if index.is_file() else {}
    return {name: Frozen(**entry, name=name, folder=index.parent) for name, entry in table.items()}


def find_frozen(name: str) -> Frozen | None:
    """The one of a name; None where there is none.

    Args:
        name: as in `frozen_policies`; an environment's version and namespace may be left out.
    """
    algorithm, slash, short = name.partition("/")
    if not slash:
        return None
    with contextlib.suppress(KeyError):  # a dataset's id
        short = envsuite.card(short).id.split("/")[-1]
    return frozen_policies().get(f"{algorithm}/{short}")


def freeze(baselines: Path, name: str, policy: Path, seed: int, steps: int) -> Frozen:
    """Add a policy, after playing the evaluation episodes of its baseline's published runs.

    Args:
        baselines: folder.
        name: of the baseline.
        policy: ``.onnx`` file with its ``.json`` beside it.
        seed: training seed.
        steps: of training.

    Raises:
        ValueError: there is no such baseline with published runs, or the policy's score lies outside of the interval
            where that of a new run lies with 95 % probability.
    """
    from envsuite.evaluation.baselines import find_baseline
    from envsuite.evaluation.rollout import one_number, play, policy_maker
    from envsuite.scoring import prediction_interval

    one = find_baseline(baselines, name)
    if one.published is None:
        raise ValueError(f"{one.name} has no published runs")
    card, episodes = envsuite.card(one.env_id), int(one.published.config["episodes"])
    score = float(one_number(card, play(card, policy_maker(str(policy)), episodes)).returns.mean())
    low, high = prediction_interval(one.published.scores, 1)
    if not low <= score <= high:
        raise ValueError(f"{policy} scores {score:.6g}, outside of [{low:.6g}, {high:.6g}] of {one.name}")
    digests = {suffix: hashlib.sha256(policy.with_suffix(suffix).read_bytes()).hexdigest() for suffix in SUFFIXES}
    made = Frozen(one.env_id, seed, steps, episodes, score, card.behaviour, digests, one.name, baselines / FOLDER)
    others = {key: value for key, value in frozen_policies(baselines).items() if key != made.name}
    others = _bequeathed(others, made, frozen_policies(baselines))
    same = [value.network or key for key, value in others.items() if value.sha256[".onnx"] == digests[".onnx"]]
    made = dataclasses.replace(made, network=same[0] if same else "")
    made.interface_path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(policy.with_suffix(".json"), made.interface_path)
    if not same:
        shutil.copyfile(policy, made.path)
    table = dict(sorted((others | {made.name: made}).items()))
    lines = [f"{json.dumps(key)}: {json.dumps(_entry(value))}" for key, value in table.items()]
    write_atomic(baselines / FOLDER / INDEX, "{\n" + ",\n".join(lines) + "\n}\n")
    frozen_policies.cache_clear()
    return made


def _bequeathed(others: dict[str, Frozen], made: Frozen, before: dict[str, Frozen]) -> dict[str, Frozen]:
    """The others, of which one gets the network that a policy to be replaced shared with them."""
    heirs = [name for name, one in others.items() if one.network == made.name]
    if not heirs or before[made.name].sha256[".onnx"] == made.sha256[".onnx"]:
        return others
    shutil.copyfile(before[made.name].path, made.folder / f"{heirs[0]}.onnx")
    new = {name: "" if name == heirs[0] else heirs[0] for name in heirs}
    return others | {name: dataclasses.replace(others[name], network=network) for name, network in new.items()}


def _entry(policy: Frozen) -> dict:
    known = dataclasses.asdict(policy)
    return {key: value for key, value in known.items() if key not in ("name", "folder") and value != ""}
