"""One episode as a table of physical quantities: what flew where, when, and by which actions."""

from dataclasses import dataclass

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch, Output
from envsuite.core.companions import Logs, Pictures, companion
from envsuite.core.world import World, lead_shape, make_world
from envsuite.evaluation.rollout import PolicyMaker


@dataclass(frozen=True)
class Trajectory:
    """An episode.

    Attributes:
        world: where it took place.
        columns: one row for every moment and agent, by name: ``time`` (s), ``agent`` (index), those of
            `Logs.telemetry`, ``action_0`` and so on, and ``reward`` (taken and received from that moment on; nan at
            the last), and every number and flag of the world's info.
        state: the last state record.
    """

    world: World
    columns: dict[str, np.ndarray]
    state: np.void

    def of_agent(self, agent: int = 0) -> dict[str, np.ndarray]:
        """The rows of one agent."""
        mine = self.columns["agent"] == agent
        return {name: column[mine] for name, column in self.columns.items()}


def fly(card: EnvCard, make_policy: PolicyMaker, seed: int) -> Trajectory:
    """Play one episode and note every moment.

    Args:
        card: the environment.
        make_policy: see `envsuite.evaluation.rollout.policy_maker`.
        seed: of the environment and of the policy.

    Raises:
        ValueError: the world keeps no log, or has no length limit.
    """
    world = make_world(card.world, **card.options)
    if not card.horizon:
        raise ValueError(f"{card.id} has no length limit: the episode might never end")
    batch = Batch(world, 1, horizon=card.horizon)
    batch.seed([seed])
    output = batch.reset()
    policy = make_policy(world, 1)
    policy.reset(np.ones(1, np.bool_), np.array([seed]))
    check = ActionChecker(world.action, lead_shape(world, 1))
    rows: list[dict[str, np.ndarray]] = []
    while True:
        row = _moment(world, batch, output, len(rows))
        rows.append(row)
        if batch.done[0]:
            break
        action = check(policy.act(output.observations, batch.states))
        output = batch.step(action)
        agents = max(1, len(world.agents))
        row.update({f"action_{k}": part for k, part in enumerate(action.reshape(agents, -1).T)})
        row["reward"] = output.rewards.reshape(agents, -1).sum(axis=1)
    batch.close()
    names = dict.fromkeys(name for row in rows for name in row)
    empty = np.full(max(1, len(world.agents)), np.nan)
    columns = {name: np.concatenate([row.get(name, empty) for row in rows]) for name in names}
    return Trajectory(world, columns, batch.states[0].copy())


def _moment(world: World, batch: Batch, output: Output, step: int) -> dict[str, np.ndarray]:
    agents = max(1, len(world.agents))
    row = {"time": np.full(agents, step / companion(world, Pictures).fps), "agent": np.arange(agents)}
    row.update(companion(world, Logs).telemetry(batch.states[0]))
    info = output.info.reshape(agents)
    row.update({name: info[name].copy() for name in info.dtype.names or () if info[name].ndim == 1})
    return row
