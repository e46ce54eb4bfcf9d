"""PPO with one learner and many actors, on Ray Core (extra ``ray``): asynchronous with V-trace, or in step.

Actors own their environments and play `num_steps` steps at a time with the newest weights they are given; batches come
to the learner through Ray's object store. In step (``--no-asynchronous``) the learner waits for all actors, and the run
is one of PPO whose rows lie in several processes. Asynchronously it learns from each batch as it comes, while the
others play on; its actor then plays on with what was learned. So weights are n - 1 updates old with n actors, and that
each actor waits for one update costs an nth of the steps at most. What older weights have played is weighted by V-trace
(IMPALA; Espeholt et al. 2018, arXiv 1802.01561), and PPO's clipped ratio bounds the step (APPO; Petrenko et al. 2020,
arXiv 2006.11751), from the present policy on and not from the older one (Hilton et al. 2022, arXiv 2110.00641,
equation 3).

An actor that dies is started anew with new episodes. Who stops the learner, or kills it, goes on from its checkpoint by
the same command, with new episodes too. ``RAY_ADDRESS`` names a cluster; without it actors run on this machine.

Run ``python baselines/appo.py --help`` for all settings; those of an environment come from ``baselines/appo.toml``.
"""

import dataclasses
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from launch import main
from ppo import PPO, PPOConfig
from rows import Rows

from envsuite.agents.onnx import OnnxPolicy
from envsuite.evaluation.executors.common import ATTEMPTS, ONE_THREAD
from envsuite.evaluation.executors.ray import connect
from envsuite.evaluation.rollout import Episodes

NEXT = "next_critic_obs"
"""What an actor's critic would see after the last step, (1, r, *C)."""


@dataclass
class APPOConfig(PPOConfig):
    """Settings of APPO, beside those of `PPOConfig`.

    Attributes:
        num_envs: instances of all actors together.
        actors: processes that play.
        asynchronous: whether each batch is learned from as it comes; else the learner waits for all actors.
        ratio_limit: of V-trace: probability ratios count at most so much in corrections of values (rho).
        trace_limit: of V-trace: likewise in how far corrections reach back (c), times `gae_lambda`.
    """

    algorithm = "appo"

    actors: int = 2
    asynchronous: bool = True
    ratio_limit: float = 1.0
    trace_limit: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.actors < 1 or self.num_envs % self.actors:
            raise ValueError(
                f"num_envs is {self.num_envs} and actors {self.actors}, expected a multiple of at least 1 actor"
            )
        if self.teach or self.stages:
            raise ValueError("actors have neither a teacher (teach) nor stages of a curriculum (stages)")
        if not 0 < self.trace_limit <= self.ratio_limit:
            raise ValueError(
                f"ratio_limit is {self.ratio_limit} and trace_limit {self.trace_limit}, expected numbers above 0, the "
                "first not below the second"
            )


@torch.no_grad()
def vtrace(
    reward: torch.Tensor,
    value: torch.Tensor,
    done: torch.Tensor,
    bootstrap_value: torch.Tensor,
    next_value: torch.Tensor,
    log_ratio: torch.Tensor,
    gamma: float,
    reach: float,
    ratio_limit: float,
    trace_limit: float,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Targets of values, and weighted advantages (Espeholt et al. 2018, equations 1 and 4).

    Args:
        reward: (t, r) of each step.
        value: (t, r), by the present weights, of what each step began with.
        done: (t, r) bool, the episode ended with the step.
        bootstrap_value: (t, r), see `learning.gae`.
        next_value: (r,), by the present weights, of what comes after all steps.
        log_ratio: (t, r), of the present policy's probabilities to those that the actions were drawn with.
        gamma: discount.
        reach: lambda of remark 2.
        ratio_limit: of ratios in corrections.
        trace_limit: of ratios in traces.
    """
    ratio = log_ratio.exp()
    rho, trace = ratio.clamp(max=ratio_limit), reach * ratio.clamp(max=trace_limit)
    target, after_value = torch.zeros_like(value), next_value
    advantage, correction = torch.zeros_like(value), torch.zeros_like(next_value)
    after_target = next_value
    for step in reversed(range(len(reward))):
        after = torch.where(done[step], bootstrap_value[step], after_value)
        error = rho[step] * (reward[step] + gamma * after - value[step])
        correction = error + gamma * trace[step] * correction * ~done[step]
        target[step] = value[step] + correction
        then = torch.where(done[step], bootstrap_value[step], after_target)
        advantage[step] = rho[step] * (reward[step] + gamma * then - value[step])
        after_value, after_target = value[step], target[step]
    return target, advantage


class Actor:
    """A process that plays.

    Args:
        config: settings of the run.
        seed: of its episodes and what it draws.
    """

    def __init__(self, config: APPOConfig, seed: int):
        torch.set_num_threads(1)
        own = {"num_envs": config.num_envs // config.actors, "seed": seed, "device": "cpu"}
        self.player = PPO(dataclasses.replace(config, actors=1, **own))

    def play(self, weights: dict[str, Any]) -> dict[str, np.ndarray]:
        """Columns of `num_steps` steps with these weights, and `NEXT`."""
        started = time.perf_counter()
        self.player.agent.load_state_dict({name: _tensor(one) for name, one in weights.items()})
        batch = self.player.play()
        batch[NEXT] = self.player.rows.critic_obs.unsqueeze(0)
        found = {name: column.numpy() for name, column in batch.items()}
        return found | {"seconds": np.array(time.perf_counter() - started)}


class Crew:
    """The actors, each with one batch under way.

    Args:
        config: settings of the run.
        steps: of the run so far, by which seeds differ from those before it was stopped.

    Attributes:
        lost: actors that have died.
    """

    def __init__(self, config: APPOConfig, steps: int):
        self._ray, self._mine = connect(config.actors)
        self._config, self._steps = config, steps
        path = os.pathsep.join(filter(None, (str(Path(__file__).parent), os.environ.get("PYTHONPATH"))))
        environment = {"runtime_env": {"env_vars": {**ONE_THREAD, "PYTHONPATH": path}}}
        self._make = self._ray.remote(num_cpus=1, **environment)(Actor)
        self.lost, self._lives, self._failures = 0, [0] * config.actors, [0] * config.actors
        self._actors = [self._start(k) for k in range(config.actors)]
        self._going: dict[Any, tuple[int, int]] = {}
        self._weights: Any = None
        self._version = -1

    def _start(self, k: int) -> Any:
        life = self._lives[k]
        self._lives[k] += 1
        places = np.random.SeedSequence([self._config.seed, self._steps, k, life])
        return self._make.remote(self._config, int(places.generate_state(1)[0] >> 2))

    def tell(self, weights: dict[str, Any], version: int) -> None:
        """Weights for all batches that are begun from now on."""
        self._weights, self._version = self._ray.put(weights), version

    def ask(self, k: int) -> None:
        """Have an actor begin a batch."""
        self._going[self._actors[k].play.remote(self._weights)] = k, self._version

    def take(self) -> tuple[int, int, dict[str, torch.Tensor]]:
        """The next batch: whose it is, the version of its weights, its columns.

        Raises:
            ChildProcessError: an actor has died again and again.
        """
        while True:
            (ready, *_), _ = self._ray.wait(list(self._going))
            k, version = self._going.pop(ready)
            try:
                found = self._ray.get(ready)
            except self._ray.exceptions.RayActorError as error:
                self.lost += 1
                self._failures[k] += 1
                if self._failures[k] >= ATTEMPTS:
                    raise ChildProcessError(f"actor {k} died {ATTEMPTS} times in a row: {error}") from error
                self._actors[k] = self._start(k)
                self.ask(k)
                continue
            self._failures[k] = 0
            return k, version, {name: _tensor(one) for name, one in found.items()}

    def close(self) -> None:
        """Stop all actors."""
        for actor in self._actors:
            self._ray.kill(actor)
        if self._mine:
            self._ray.shutdown()


class APPO(PPO):
    """One training run: the learner."""

    kept = (*PPO.kept, "version")
    devices = ("cpu",)

    def __init__(self, config: APPOConfig):
        super().__init__(config)
        self.crew: Crew | None = None
        self.version = 0
        count = config.num_envs // config.actors * self.rows.agents
        self.running_return = torch.zeros(config.actors, count)
        self._waited = self._since = 0.0

    def make_rows(self) -> Rows:
        """What is learned from lies in the actors; these tell the shapes."""
        return Rows(dataclasses.replace(self.config, num_envs=1, actors=1))

    def train(self, *given: Any, **named: Any) -> tuple[OnnxPolicy, Episodes]:
        """See `Trainer.train`; the actors live as long."""
        try:
            return super().train(*given, **named)
        finally:
            if self.crew is not None:
                self.crew.close()
                self.crew = None

    def play_and_learn(self) -> dict[str, Any]:
        """Take what has been played, have more played, and learn."""
        config, started = self.config, time.perf_counter()
        if self.crew is None:
            self.crew = Crew(config, self.steps)
            self._waited, self._since = 0.0, started
            self.crew.tell(self.weights(), self.version)
            if config.asynchronous:
                for k in range(config.actors):
                    self.crew.ask(k)
        taken = self.take_one(self.crew) if config.asynchronous else self.take_all(self.crew)
        self._waited += time.perf_counter() - started
        batch, age, numbers = taken
        self.steps += batch["reward"].numel() // self.rows.agents
        found = self.update(self.judge(batch))
        self.version += 1
        self.crew.tell(self.weights(), self.version)
        if config.asynchronous:
            self.crew.ask(self._mine)
        share = self._waited / max(1e-9, time.perf_counter() - self._since)
        return found | numbers | {"staleness": age, "actors_lost": float(self.crew.lost), "waiting": share}

    def take_one(self, crew: Crew) -> tuple[dict[str, torch.Tensor], float, dict[str, float]]:
        """A batch, its age in versions, and what it took; its actor goes on once it was learned from."""
        k, version, batch = crew.take()
        self._mine: Any = k
        return batch, float(self.version - version), _measured(batch)

    def take_all(self, crew: Crew) -> tuple[dict[str, torch.Tensor], float, dict[str, float]]:
        """The batches of all actors side by side, in the order of actors."""
        for k in range(self.config.actors):
            crew.ask(k)
        found = {k: batch for k, _, batch in (crew.take() for _ in range(self.config.actors))}
        parts = [found[k] for k in range(self.config.actors)]
        numbers = [_measured(part) for part in parts]
        self._mine = slice(None)
        batch = {name: torch.cat([part[name] for part in parts], dim=1) for name in parts[0]}
        return batch, 0.0, {name: sum(one[name] for one in numbers) / len(numbers) for name in numbers[0]}

    def weights(self) -> dict[str, Any]:
        """Of the network and its normalisers, as actors take them."""
        return {
            name: one.numpy().copy() if isinstance(one, torch.Tensor) else one
            for name, one in self.agent.state_dict().items()
        }

    def next_value(self) -> torch.Tensor:
        """Values of what comes after the batch."""
        return self._after

    def scaled(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """As PPO's, of the rows of whose batch it is."""
        whole, mine = self.running_return, self._mine
        self.running_return = whole[mine].flatten()
        found = super().scaled(batch)
        whole[mine] = self.running_return.reshape(whole[mine].shape)
        self.running_return = whole
        return found

    @torch.no_grad()
    def judge(self, batch: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """As PPO's; asynchronously by V-trace, and the clip begins at the present policy."""
        config, agent = self.config, self.agent
        self._after = agent.values(batch.pop(NEXT)[0])
        if not config.asynchronous:
            return super().judge(batch)
        batch["reward"] = self.scaled(batch)
        shape = batch["reward"].shape
        flat = {name: column.flatten(0, 1) for name, column in batch.items()}
        seen, told = flat["obs"], flat.get("critic_obs", flat["obs"])
        inputs = agent.obs_normaliser(seen), agent.critic_normaliser(told)
        distribution, value = agent.policy_and_value(*inputs, flat.get("mask"))
        batch["value"] = value.reshape(shape)
        present = distribution.log_prob(flat["action"]).reshape(shape)
        log_ratio, batch["log_prob"] = present - batch["log_prob"], present
        parts = (batch[name] for name in ("reward", "value", "done", "bootstrap_value"))
        limits = (config.gae_lambda, config.ratio_limit, config.trace_limit)
        batch["return"], batch["advantage"] = vtrace(*parts, self._after, log_ratio, config.gamma, *limits)
        return batch


def _tensor(value: Any) -> Any:
    """Of an array that lies in Ray's memory, which nobody may write to."""
    return torch.from_numpy(np.array(value)) if isinstance(value, np.ndarray) else value


def _measured(batch: dict[str, torch.Tensor]) -> dict[str, float]:
    """What a batch took: the actor's seconds, and megabytes."""
    seconds = float(batch.pop("seconds"))
    return {"play_seconds": seconds, "megabytes": sum(one.nbytes for one in batch.values()) / 1e6}


if __name__ == "__main__":
    main(APPO, APPOConfig)
