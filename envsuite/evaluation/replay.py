"""Recorded episodes: a seed and actions that reproduce every reward and state, and the check that they do."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch, digest
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import PolicyMaker

FORMAT = 1


@dataclass(frozen=True)
class Replay:
    """One recorded episode of T steps.

    Attributes:
        env_id: registered name.
        seed: of the environment.
        actions: (T, [a,] *A).
        rewards: (T, [a,] [k]).
        digests: fingerprint of the state after each step, T strings.
    """

    env_id: str
    seed: int
    actions: np.ndarray
    rewards: np.ndarray
    digests: tuple[str, ...]

    def save(self, path: str | Path) -> None:
        """Write a ``.npz`` file without pickled objects, through a temporary name."""
        path = Path(path)
        header = json.dumps({"format": FORMAT, "env_id": self.env_id, "seed": self.seed})
        partial = path.with_name(path.name + ".partial")
        with partial.open("wb") as file:
            np.savez_compressed(
                file,
                header=header,
                actions=self.actions,
                rewards=self.rewards,
                digests=np.array(self.digests),
            )
        os.replace(partial, path)

    @classmethod
    def load(cls, path: str | Path) -> "Replay":
        """Read a file written by `save`; nothing in it is ever executed.

        Raises:
            ValueError: the file is no replay, or of a newer format.
        """
        try:
            with np.load(path, allow_pickle=False) as data:
                header = json.loads(str(data["header"]))
                arrays = {name: data[name] for name in ("actions", "rewards", "digests")}
        except (KeyError, ValueError, OSError, EOFError) as error:
            if isinstance(error, FileNotFoundError):
                raise
            raise ValueError(f"{path} is not a replay: {error}") from error
        if header.get("format") != FORMAT:
            raise ValueError(f"{path} has replay format {header.get('format')!r}, expected {FORMAT}")
        digests = tuple(str(one) for one in arrays["digests"])
        return cls(str(header["env_id"]), int(header["seed"]), arrays["actions"], arrays["rewards"], digests)


def record(card: EnvCard, make_policy: PolicyMaker, seed: int) -> Replay:
    """Play one episode and record it.

    Args:
        card: the environment.
        make_policy: the player.
        seed: of the environment and of the player.
    """
    world = make_world(card.world, **card.options)
    batch = Batch(world, 1, horizon=card.horizon or 0)
    batch.seed([seed])
    output = batch.reset()
    policy = make_policy(world, 1)
    policy.reset(np.ones(1, np.bool_), np.array([seed]))
    check = ActionChecker(world.action, world.out_of_range, world.lead_shape(1))
    actions, rewards, digests = [], [], []
    while not batch.over[0]:
        action = check(policy.act(output.observations, batch.states))
        actions.append(action[0].copy())
        output = batch.step(action)
        rewards.append(output.rewards[0].copy())
        digests.append(digest(batch.states))
    return Replay(card.id, seed, np.array(actions), np.array(rewards), tuple(digests))


def verify(replay: Replay, card: EnvCard) -> str | None:
    """Play a recorded episode again and compare every step, bit for bit.

    Args:
        replay: the record.
        card: its environment.

    Returns:
        None where all agrees; otherwise the first step that departs, and how.
    """
    if replay.env_id != card.id:
        return f"the replay is of {replay.env_id}, not of {card.id}"
    world = make_world(card.world, **card.options)
    batch = Batch(world, 1, horizon=card.horizon or 0)
    batch.seed([replay.seed])
    batch.reset()
    check = ActionChecker(world.action, world.out_of_range, world.lead_shape(1))
    if not len(replay.actions) == len(replay.rewards) == len(replay.digests):
        return "actions, rewards and digests have different lengths"
    for step, (action, reward, state) in enumerate(zip(replay.actions, replay.rewards, replay.digests, strict=True)):
        if batch.over[0]:
            return f"step {step}: the episode had ended already"
        try:
            output = batch.step(check(action[np.newaxis]))
        except (TypeError, ValueError) as error:
            return f"step {step}: {error}"
        if not np.array_equal(output.rewards[0], reward):
            return f"step {step}: the reward is {output.rewards[0]}, recorded was {reward}"
        if digest(batch.states) != state:
            return f"step {step}: the state differs"
    return None if batch.over[0] else f"the episode does not end with the recorded {len(replay.actions)} steps"
