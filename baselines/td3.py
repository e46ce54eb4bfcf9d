"""Twin delayed deep deterministic policy gradient (TD3; Fujimoto, van Hoof and Meger 2018) in one file.

Reads the batch environment in SAME_STEP mode. The two critics are one network with an axis more, evaluated in one call;
where the environment reports a privileged vector in its info, they see that instead of the observation (asymmetric
actor-critic, Pinto et al. 2018). Inputs are normalised with the moments of the random first steps.

Run ``python baselines/td3.py --help`` for all settings; those of an environment come from ``baselines/td3.toml``.
"""

import copy
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import gymnasium
import torch
from common import Config, Evaluations, Normaliser, Rows, exported, main, perceptron
from torch import nn

from envsuite.agents.onnx import OnnxPolicy
from envsuite.evaluation.rollout import Episodes


@dataclass
class TD3Config(Config):
    """Settings of TD3, beside those of `Config`.

    Attributes:
        first_steps: environment steps of uniformly random actions before learning.
        updates: updates of the critics per environment step.
        batch_size: transitions an update.
        returns: steps whose rewards a target sums before it bootstraps.
        memory: transitions kept; the oldest are overwritten.
        decay: share of the training, counted from its end, over which the step size falls linearly...
        final_rate: ... to this share of it.
        tau: share by which the target networks move towards the learned ones.
        noise: standard deviation of the exploration noise, actions scaled to [-1, 1].
        target_noise: standard deviation of the noise on the actions in targets.
        target_noise_limit: where that noise is clipped.
        policy_delay: updates of the critics per update of the actor and the targets.
    """

    algorithm = "td3"

    num_envs: int = 16
    learning_rate: float = 1e-3
    first_steps: int = 10_000
    updates: float = 0.25
    batch_size: int = 256
    returns: int = 3
    memory: int = 1_000_000
    decay: float = 0.5
    final_rate: float = 0.05
    tau: float = 0.005
    noise: float = 0.1
    target_noise: float = 0.2
    target_noise_limit: float = 0.5
    policy_delay: int = 2


class PairedLinear(nn.Module):
    """Two linear layers side by side: (2, b, inputs) to (2, b, outputs), with PyTorch's own initial spread."""

    def __init__(self, inputs: int, outputs: int):
        super().__init__()
        reach = inputs**-0.5
        self.weight = nn.Parameter(torch.empty(2, inputs, outputs).uniform_(-reach, reach))
        self.bias = nn.Parameter(torch.empty(2, 1, outputs).uniform_(-reach, reach))

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Apply each layer to its part."""
        return torch.baddbmm(self.bias, batch, self.weight)


class Critics(nn.Module):
    """Two action values."""

    def __init__(self, inputs: int, hidden: tuple[int, ...]):
        super().__init__()
        layers: list[nn.Module] = []
        for units in hidden:
            layers += [PairedLinear(inputs, units), nn.Tanh()]
            inputs = units
        self.layers = nn.Sequential(*layers, PairedLinear(inputs, 1))

    def forward(self, criticised: torch.Tensor, action: torch.Tensor) -> torch.Tensor:
        """Values (2, b) of actions (b, A) in [-1, 1] at normalised inputs (b, C)."""
        return self.layers(torch.cat([criticised, action], 1).expand(2, -1, -1)).squeeze(2)


class Memory:
    """The last transitions, one row each."""

    def __init__(self, capacity: int, widths: dict[str, int]):
        self._columns = {name: torch.zeros(capacity, width) for name, width in widths.items()}
        self._capacity, self._next, self.count = capacity, 0, 0

    def add(self, **columns: torch.Tensor) -> None:
        """Write rows, over the oldest where it is full."""
        rows = len(columns["reward"])
        places = (self._next + torch.arange(rows)) % self._capacity
        for name, values in columns.items():
            self._columns[name][places] = values.reshape(rows, -1).float()
        self._next = (self._next + rows) % self._capacity
        self.count = min(self.count + rows, self._capacity)

    def clear(self) -> None:
        """Forget everything."""
        self._next = self.count = 0

    def sample(self, size: int) -> dict[str, torch.Tensor]:
        """Rows drawn with replacement, all equally likely."""
        places = torch.randint(self.count, (size,))
        return {name: values[places] for name, values in self._columns.items()}


def summed(window: list[dict[str, torch.Tensor]], gamma: float) -> dict[str, torch.Tensor]:
    """The oldest of successive steps with the rewards of all, as far as the episode goes.

    Args:
        window: columns of each step.
        gamma: discount.

    Returns:
        Its columns; ``discount`` is what the value after the last reward counts for.
    """
    oldest, *later = window
    found = {name: values for name, values in oldest.items() if name not in ("over", "valid")}
    going, weight = ~oldest["over"], gamma
    for step in later:
        found["reward"] = found["reward"] + weight * going * step["reward"]
        found["discount"] = torch.where(going, weight * step["discount"], found["discount"])
        for name in ("next_seen", "next_criticised"):
            found[name] = torch.where(going[:, None], step[name], found[name])
        going, weight = going & ~step["over"], weight * gamma
    return {name: values[oldest["valid"]] for name, values in found.items()}


class Trainer:
    """One training run."""

    def __init__(self, config: TD3Config):
        self.config = config
        torch.manual_seed(config.seed)
        if config.threads:
            torch.set_num_threads(config.threads)
        self.rows = Rows(config)
        action = self.rows.action_space
        if not isinstance(action, gymnasium.spaces.Box):
            raise ValueError(f"action space {action} is not supported, expected Box")
        low, high = torch.from_numpy(action.low).flatten(), torch.from_numpy(action.high).flatten()
        if not (torch.isfinite(low).all() and torch.isfinite(high).all()):
            raise ValueError(f"action space {action} is not supported, expected finite bounds")
        self.centre, self.reach = (low + high) / 2, (high - low) / 2
        seen, criticised, actions = self.rows.seen.shape[1], self.rows.criticised.shape[1], len(low)
        self.seen, self.criticised = Normaliser(seen), Normaliser(criticised)
        self.actor = nn.Sequential(*perceptron([seen, *config.hidden, actions], 0.01), nn.Tanh())
        self.critics = Critics(criticised + actions, config.hidden)
        self.target_actor, self.target_critics = copy.deepcopy(self.actor), copy.deepcopy(self.critics)
        self.actor_optimiser, self.critic_optimiser = (
            torch.optim.Adam(network.parameters(), lr=config.learning_rate, fused=True)
            for network in (self.actor, self.critics)
        )
        widths = {"seen": seen, "criticised": criticised, "action": actions, "reward": 1}
        widths |= {"next_seen": seen, "next_criticised": criticised, "discount": 1}
        self.window: list[dict[str, torch.Tensor]] = []
        self.memory = Memory(min(config.memory, config.total_steps * self.rows.count // config.num_envs), widths)
        self.steps, self.updates, self._owed = 0, 0, 0.0

    @torch.no_grad()
    def collect(self) -> None:
        """Play one step of every instance."""
        config, rows = self.config, self.rows
        seen, criticised = rows.seen, rows.criticised
        learning = self.steps >= config.first_steps
        if learning:
            action = self.actor(self.seen(seen))
            action = (action + config.noise * torch.randn_like(action)).clamp(-1.0, 1.0)
        else:
            action = torch.rand(rows.count, len(self.reach)) * 2.0 - 1.0
            self.seen.update(seen)
            self.criticised.update(criticised)
        step = rows.step(self.centre + self.reach * action)
        next_seen, next_criticised = rows.seen, rows.criticised
        if len(step.ended):
            next_seen, next_criticised = next_seen.clone(), next_criticised.clone()
            next_seen[step.ended], next_criticised[step.ended] = step.final_seen, step.final_criticised
        columns = {"seen": seen, "criticised": criticised, "action": action, "reward": step.reward}
        columns |= {"next_seen": next_seen, "next_criticised": next_criticised}
        columns |= {"discount": config.gamma * ~step.terminated, "over": step.over, "valid": step.valid}
        self.window.append(columns)
        if len(self.window) == config.returns:
            self.memory.add(**summed(self.window, config.gamma))
            self.window.pop(0)
        self.steps += config.num_envs
        self._owed += learning * config.updates * config.num_envs

    def update(self) -> dict[str, torch.Tensor]:
        """One update of the critics, and in its turn one of the actor; the losses."""
        config, batch = self.config, self.memory.sample(self.config.batch_size)
        seen, criticised = self.seen(batch["seen"]), self.criticised(batch["criticised"])
        with torch.no_grad():
            target = self._targets(batch)
        critic_loss = (self.critics(criticised, batch["action"]) - target).square().mean(1).sum()
        self._descend(self.critic_optimiser, critic_loss)
        self.updates += 1
        losses = {"critic_loss": critic_loss.detach()}
        if self.updates % config.policy_delay == 0:
            actor_loss = -self.critics(criticised, self.actor(seen))[0].mean()
            self._descend(self.actor_optimiser, actor_loss)
            losses["actor_loss"] = actor_loss.detach()
            with torch.no_grad():
                for network, follower in ((self.actor, self.target_actor), (self.critics, self.target_critics)):
                    torch._foreach_lerp_([*follower.parameters()], [*network.parameters()], config.tau)
        return losses

    def _targets(self, batch: dict[str, torch.Tensor]) -> torch.Tensor:
        """What the values should be: the lesser critic at the target's action with clipped noise (equation 14)."""
        config = self.config
        action = self.target_actor(self.seen(batch["next_seen"]))
        noise = config.target_noise * torch.randn_like(action)
        action = (action + noise.clamp(-config.target_noise_limit, config.target_noise_limit)).clamp(-1.0, 1.0)
        following = self.target_critics(self.criticised(batch["next_criticised"]), action).amin(0)
        return batch["reward"][:, 0] + batch["discount"][:, 0] * following

    def _descend(self, optimiser: torch.optim.Optimizer, loss: torch.Tensor) -> None:
        left = 1.0 - self.steps / self.config.total_steps
        for group in optimiser.param_groups:
            group["lr"] = self.config.learning_rate * max(self.config.final_rate, min(1.0, left / self.config.decay))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()

    def _due(self) -> Iterator[None]:
        """One item for every update owed to the steps made so far."""
        while self._owed >= 1.0:
            self._owed -= 1.0
            if self.memory.count >= self.config.batch_size:
                yield

    def train(
        self,
        log: Callable[..., None] = lambda step, episodes, **numbers: None,
        progress: Callable[[int], None] = lambda steps: None,
    ) -> tuple[OnnxPolicy, Episodes]:
        """Train to the end; see `common.Trainer`."""
        config = self.config
        evaluations, training_time = Evaluations(config, log), 0.0
        losses: dict[str, torch.Tensor] = {}
        while self.steps < config.total_steps:
            started = time.perf_counter()
            if self.rows.enter_stages(self.steps):
                self.window.clear()  # what was learned stays; rewards of another task do not
                self.memory.clear()
            self.collect()
            for _ in self._due():
                losses |= self.update()
            if losses and not torch.isfinite(losses["critic_loss"]):
                raise FloatingPointError(f"the loss is {losses['critic_loss'].item()} at environment step {self.steps}")
            training_time += time.perf_counter() - started
            progress(min(self.steps, config.total_steps))
            evaluations.at(self.steps, self.policy, training_time=training_time, **losses)
        assert evaluations.last is not None
        return self.policy(), evaluations.last

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        return exported(self.config.env_id, self.rows, self.seen, self.actor, "tanh")


if __name__ == "__main__":
    main(Trainer, TD3Config)
