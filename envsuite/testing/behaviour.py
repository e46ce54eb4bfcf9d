"""The behaviour hash: notices every change in what an environment does."""

import hashlib

import numpy as np

from envsuite.agents.random import RandomPolicy
from envsuite.cards import EnvCard
from envsuite.core.batch import Batch, record_bytes
from envsuite.core.world import lead_shape, make_world

GOLDEN_SEEDS = (0, 1, 2)
GOLDEN_STEPS = 200


def behaviour_hash(card: EnvCard, steps: int = GOLDEN_STEPS) -> str:
    """Digest states, observations, rewards and flags along golden trajectories of random actions.

    Two builds with the same hash behave alike, to the last bit, on these trajectories. A new hash asks for a new
    version of the id.

    Args:
        card: the environment.
        steps: length of the trajectories; the card's hash is for the default.

    Returns:
        16 hexadecimal digits.
    """
    world = make_world(card.world, **card.options)
    slots = len(GOLDEN_SEEDS)
    batch = Batch(world, slots, num_threads=1, horizon=card.horizon or 0)
    batch.seed(GOLDEN_SEEDS)
    output = batch.reset()
    policy = RandomPolicy(world.action, lead_shape(world, slots), world.observation)
    policy.reset(np.ones(slots, np.bool_), np.array(GOLDEN_SEEDS))
    total = hashlib.sha256(output.observations.tobytes())
    for _ in range(steps):
        output = batch.step(policy.act(output.observations, batch.states), batch.done)
        for array in (output.observations, output.rewards, output.terminated, output.truncated):
            total.update(np.ascontiguousarray(array).tobytes())
        total.update(record_bytes(batch.states).tobytes())
    return total.hexdigest()[:16]
