"""Recipes: what a dataset is generated from, by a card and a rule or as a file, ``datasets/*/*.toml``."""

import dataclasses
import difflib
import hashlib
import json
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

import envsuite
from envsuite.cards import EnvCard, datasets_folder, locked
from envsuite.core.companions import Players, companion
from envsuite.core.world import World
from envsuite.data.manifest import Anchors, check_id
from envsuite.data.noise import DelayedPolicy, Noise, NoisyPolicy
from envsuite.data.tiers import slug, tier_ids, tier_recipe
from envsuite.evaluation.policies import BUILT_IN, policy_digest
from envsuite.evaluation.records import plain
from envsuite.evaluation.rollout import EVALUATION_SEED, PolicyMaker, policy_maker
from envsuite.evaluation.schema import parse

SCHEMA = 1
_DESCRIPTIVE = (
    *("id", "title", "summary", "tier", "licence", "citation", "anchors", "hash", "small", "folder", "counterparts"),
)
COLLECTOR = "collector:"
"""Before the name of one of a world's players for collecting data."""
_STRIDE = 0x9E3779B97F4A7C15  # 2 ** 64 over the golden ratio: multiples of it, modulo 2 ** 64, fill every range evenly


@dataclass(frozen=True)
class Component:
    """One of the policies whose episodes are mixed.

    Attributes:
        policy: ``"random"``, ``"expert"``, ``"collector:NAME"`` (see `envsuite.core.companions.Players.collector`), or
            the path of an ``.onnx`` file, from the recipe's folder.
        weight: share of the episodes, relative to those of the others.
        sha256: of the file and the ``.json`` beside it, see `envsuite.evaluation.policies.policy_digest`.
        noise: what is done to its actions.
        delay: steps by which its actions come late, before noise is added.
    """

    policy: str
    weight: float = 1.0
    sha256: str = ""
    noise: Noise | None = None
    delay: int = 0

    def __post_init__(self):
        if not 0 < self.weight < float("inf"):
            raise ValueError(f"the weight of {self.policy} is {self.weight}, expected a number above 0")
        if self.delay < 0:
            raise ValueError(f"the delay of {self.policy} is {self.delay}, expected a number of steps")
        if self.named == bool(self.sha256):
            raise ValueError(f"policy {self.policy}: a file needs its sha256, and only a file has one")

    @property
    def named(self) -> bool:
        """Whether it needs no file."""
        return self.policy in BUILT_IN or self.policy.startswith(COLLECTOR)

    @property
    def label(self) -> str:
        """For people: the policy, its delay and its noise."""
        late = f", {self.delay} steps late" if self.delay else ""
        if self.noise is None:
            return self.policy + late
        memory = f", memory {self.noise.memory:g}" if self.noise.memory else ""
        share = f" in {self.noise.share:g} of the steps" if self.noise.share < 1 else ""
        return f"{self.policy}{late}, {self.noise.kind} noise {self.noise.scale:g}{memory}{share}"


@dataclass(frozen=True)
class Small:
    """The first episodes only, for tests.

    Attributes:
        episodes: how many.
        hash: of the dataset that they are; empty before it was first generated.
    """

    episodes: int
    hash: str = ""


@dataclass(frozen=True)
class Counterpart:
    """A published dataset that this one stands for.

    Attributes:
        name: of that dataset, with the benchmark's before it: ``"D4RL/maze2d-umaze-v1"``.
        equal: what is as it is there.
        differs: what is not.
    """

    name: str
    equal: str
    differs: str


@dataclass(frozen=True)
class Recipe:
    """What a dataset is generated from.

    Attributes:
        schema: of the file.
        id: of the dataset.
        title: one line.
        summary: some sentences.
        tier: quality of the behaviour.
        env_id: registered id.
        behaviour: behaviour hash of the environment.
        first_seed: of the environment in the first episode; episode ``i`` has ``first_seed + i``.
        policies: who plays; episodes are dealt out by weight, evenly over every range of episodes.
        licence: SPDX name.
        citation: what to cite.
        small: a form of it for tests.
        episodes: how many; or else
        transitions: the dataset ends with the episode that reaches this number.
        options: options of the environment.
        horizon: length limit of the episodes in steps; None for the environment's.
        observation: ``"state"``, ``"pixels"`` (uint8 frames (84, 84, 3)) or ``"text"`` (descriptions).
        infos: names of the infos that are kept.
        anchors: see `envsuite.data.manifest.About`.
        counterparts: published datasets that it stands for.
        hash: of the dataset; empty before it was first generated.
        folder: of the file or of the family, from which paths of policies go.
    """

    schema: int
    id: str
    title: str
    summary: str
    tier: str
    env_id: str
    behaviour: str
    first_seed: int
    policies: tuple[Component, ...]
    licence: str
    citation: str
    small: Small
    episodes: int | None = None
    transitions: int | None = None
    options: dict[str, Any] = field(default_factory=dict)
    horizon: int | None = None
    observation: Literal["state", "pixels", "text"] = "state"
    infos: tuple[str, ...] = ()
    anchors: dict[str, Anchors] = field(default_factory=dict)
    counterparts: tuple[Counterpart, ...] = ()
    hash: str = ""
    folder: str = ""

    def __post_init__(self):
        check_id(self.id)
        if self.schema != SCHEMA:
            raise ValueError(f"{self.id}: schema is {self.schema}, expected {SCHEMA}")
        if (self.episodes is None) == (self.transitions is None):
            raise ValueError(f"{self.id}: give either episodes or transitions")
        count = self.episodes if self.transitions is None else self.transitions
        if count is None or count < 1 or self.small.episodes < 1:
            raise ValueError(f"{self.id}: {count} episodes or transitions, expected at least 1")
        if self.horizon is not None and self.horizon < 1:
            raise ValueError(f"{self.id}: horizon is {self.horizon}, expected at least 1 step")
        if not self.policies:
            raise ValueError(f"{self.id}: no policy is given")
        if not 0 <= self.first_seed < self.first_seed + count <= EVALUATION_SEED:
            raise ValueError(
                f"{self.id}: seeds from {self.first_seed} may reach {EVALUATION_SEED}, from which on they are kept for "
                "evaluation"
            )

    @property
    def digest(self) -> str:
        """SHA-256 (hexadecimal) of all that the columns depend on but the number of episodes."""
        parts = {key: value for key, value in dataclasses.asdict(self).items() if key not in _DESCRIPTIVE}
        del parts["episodes"], parts["transitions"]
        return hashlib.sha256(json.dumps(plain(parts), sort_keys=True).encode()).hexdigest()

    @property
    def card(self) -> EnvCard:
        """The environment's card with the recipe's options.

        Raises:
            ValueError: unknown environment, of another behaviour, or one that might never end.
        """
        try:
            card = envsuite.card(self.env_id)
        except KeyError as error:
            raise ValueError(f"{self.id}: {error.args[0]}") from error
        if card.behaviour != self.behaviour:
            raise ValueError(
                f"{self.id}: the recipe is for behaviour {self.behaviour} of {card.id}, which has {card.behaviour} here"
            )
        horizon = self.horizon or card.horizon
        if horizon is None:
            raise ValueError(f"{self.id}: {card.id} has no length limit: episodes might never end")
        return replace(card, options={**card.options, **self.options}, horizon=horizon)

    def small_form(self) -> "Recipe":
        """The recipe of the small form, under an id of its own."""
        name, _, version = self.id.rpartition("-")
        return replace(
            self, id=f"{name}-small-{version}", episodes=self.small.episodes, transitions=None, hash=self.small.hash
        )

    def sized(self, episodes: int) -> "Recipe":
        """The recipe of another number of episodes, under an id of its own.

        Episodes that both have are the same ones.

        Args:
            episodes: how many.

        Raises:
            ValueError: fewer than one, or so many that their seeds reach those of evaluations.
        """
        name, _, version = self.id.rpartition("-")
        return replace(self, id=f"{name}-{episodes}-{version}", episodes=episodes, transitions=None, hash="")

    def components(self, first: int, count: int) -> np.ndarray:
        """Which policies play some episodes.

        Args:
            first: number of the first episode.
            count: how many.

        Returns:
            (count,) int64, indices into `policies`.
        """
        shares = np.cumsum([one.weight for one in self.policies])
        with np.errstate(over="ignore"):
            spots = np.arange(first, first + count, dtype=np.uint64) * np.uint64(_STRIDE)
        places = (spots >> np.uint64(11)).astype(np.float64) * 2.0**-53 * shares[-1]
        return np.minimum(np.searchsorted(shares, places, "right"), len(shares) - 1)

    def policy(self, index: int) -> PolicyMaker:
        """The maker of one of the policies.

        Raises:
            ValueError: the file is not the one that the recipe means.
        """
        one = self.policies[index]
        spec = one.policy
        if not one.named:
            path = Path(self.folder, spec)
            if not path.is_file():
                raise ValueError(f"{self.id}: the policy {path} is missing")
            if (found := policy_digest(path)) != one.sha256:
                raise ValueError(f"{self.id}: the policy {path} has sha256 {found}, expected {one.sha256}")
            spec = str(path)
        inner = _collector(spec.removeprefix(COLLECTOR)) if spec.startswith(COLLECTOR) else policy_maker(spec)
        noise, delay = one.noise, one.delay
        if noise is None and not delay:
            return inner

        def erring(world: World, slots: int):
            found = inner(world, slots)
            found = DelayedPolicy(found, delay, world, slots) if delay else found
            return NoisyPolicy(found, noise, world, slots) if noise else found

        return erring


def _collector(name: str) -> PolicyMaker:
    return lambda world, slots: companion(world, Players).collector(name)


def _files() -> dict[str, tuple[Path, dict[str, Any]]]:
    """The recipes that are files: paths and content by the datasets' ids."""
    paths = sorted(path for path in datasets_folder().glob("*/*.toml") if path.name != "rules.toml")
    tables = {path: tomllib.loads(path.read_text(encoding="utf-8")) for path in paths}
    return {str(table.get("id")): (path, table) for path, table in tables.items()}


def _by_rule(name: str) -> tuple[EnvCard, str] | None:
    """The card and the tier of an id by rule."""
    for card in envsuite.cards().values():
        if name.startswith(f"{slug(card)}/") and (tier := tier_ids(card).get(name)):
            return card, tier
    return None


def recipe_ids() -> tuple[str, ...]:
    """Ids of all datasets that have a recipe, by rule or as a file, sorted."""
    by_rule = (name for card in envsuite.cards().values() for name in tier_ids(card))
    return tuple(sorted({*by_rule, *_files()}))


def counterparts() -> dict[str, str]:
    """Names of published datasets, and the ids of those here that stand for them."""
    tables = {name: table for name, (_, table) in _files().items()}
    for card in envsuite.cards().values():
        tables |= {name: tier_recipe(card, tier) for name, tier in tier_ids(card).items() if name not in tables}
    return {one["name"]: name for name, table in tables.items() for one in table.get("counterparts", ())}


def find_counterpart(name: str) -> tuple[Counterpart, Recipe]:
    """What stands here for a published dataset.

    Args:
        name: such as ``"D4RL/maze2d-umaze-v1"``; small or capital letters, with the benchmark's name or without.

    Raises:
        ValueError: nothing does; the message names what comes near.
    """
    known = counterparts()
    for published, own in known.items():
        if name.lower() in (published.lower(), published.lower().partition("/")[2]):
            recipe = load_recipe(own)
            return next(one for one in recipe.counterparts if one.name == published), recipe
    raise ValueError(_unknown(name, [*recipe_ids(), *known]))


def _unknown(name: str, known: Iterable[str]) -> str:
    lower = {one.lower(): one for one in known}
    near = [lower[one] for one in difflib.get_close_matches(name.lower(), lower, n=3, cutoff=0.4)]
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return f"there is no recipe for {name}{hint}; `envsuite datasets list` shows all"


def load_recipe(id_or_path: str | Path) -> Recipe:
    """Read a recipe.

    Args:
        id_or_path: id of a dataset that has one, or the path of a ``.toml`` file.

    Returns:
        The recipe; one of an id has the hashes of the lock, if it was ever generated.

    Raises:
        ValueError: there is none, or what is wrong with it.
    """
    if Path(id_or_path).suffix == ".toml":
        return _read(Path(id_or_path))
    name = str(id_or_path)
    files = datasets_folder().glob(f"*/{name.replace('/', '-')}.toml")
    if path := next(files, None):
        recipe = _read(path)
    elif found := _by_rule(name):
        card, tier = found
        recipe = replace(
            parse(tier_recipe(card, tier), Recipe, name), folder=str(datasets_folder().resolve() / card.family)
        )
    else:
        raise ValueError(_unknown(name, recipe_ids()))
    if (lock := locked().get(name)) is None:
        return recipe
    small = replace(recipe.small, hash=lock["small"])
    return replace(recipe, hash=lock["hash"], behaviour=lock["behaviour"], small=small)


def _read(path: Path) -> Recipe:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    if "folder" in data:
        raise ValueError(f"{path.name}: unknown key 'folder'")
    return replace(parse(data, Recipe, path.name), folder=str(path.parent.resolve()))
