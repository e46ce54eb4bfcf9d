"""Proximal policy optimisation (Schulman et al. 2017), all of it in this file: read it from top to bottom.

It imports nothing of its neighbours: torch, numpy, gymnasium, and envsuite for the run's record and the policy file. It
learns on any id of `gymnasium.make_vec` with vector observations whose actions are numbers or one choice, without mask.
Settings, their defaults and what they mean are those of ``ppo.py``, which also has images, masks, several agents, a
privileged critic, curricula, teachers, tuned settings and checkpoints; learning curves are statistically the same.
Details follow Huang et al. (2022), "The 37 implementation details of PPO".

    python baselines/ppo_single_file.py --env-id CartPole-v1 --total-steps 100000 --num-envs 16
"""

import argparse
import dataclasses
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical, Distribution, Independent, Normal

import envsuite
from envsuite.agents.onnx import Action, Graph, Interface, save
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.rollout import EVALUATION_SEED, Episodes

LIMIT = 10.0  # normalised observations and scaled rewards are clipped here
ACTIVATIONS: dict[str, Any] = {"tanh": nn.Tanh, "relu": nn.ReLU}


@dataclass
class Config:
    """Settings.

    Attributes:
        env_id: environment, envsuite's or any other of Gymnasium's.
        total_steps: environment steps, all instances together.
        num_envs: instances stepped at once.
        num_steps: steps of each instance between updates.
        epochs: passes over each batch of experience.
        minibatches: parts that a pass is cut into.
        learning_rate: initial step size of Adam.
        final_rate: share of the step size that is left at the end of its linear decay.
        gamma: discount.
        gae_lambda: of generalised advantage estimation (Schulman et al. 2016).
        clip: range of the probability ratio.
        entropy: coefficient of the entropy bonus.
        value: coefficient of the value loss.
        max_gradient: norm at which gradients are clipped.
        hidden: units of each hidden layer.
        activation: ``"tanh"`` or ``"relu"``.
        normalise: whether observations are scaled by their running moments.
        scale_rewards: whether rewards are divided by the running spread of discounted returns.
        log_std: initial logarithm of the action noise (Box actions).
        final_log_std: its upper bound at the end, which falls linearly from `log_std`.
        seed: training seed.
        threads: PyTorch threads; 0 leaves PyTorch's own choice.
        evaluations: evaluations along the way, equally spaced, the last at the end.
        episodes: evaluation episodes each time.
    """

    env_id: str = "envsuite/QuadHover-v0"
    total_steps: int = 1_000_000
    num_envs: int = 256
    num_steps: int = 64
    epochs: int = 4
    minibatches: int = 4
    learning_rate: float = 3e-4
    final_rate: float = 0.0
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip: float = 0.2
    entropy: float = 0.0
    value: float = 0.5
    max_gradient: float = 0.5
    hidden: tuple[int, ...] = (64, 64)
    activation: str = "tanh"
    normalise: bool = True
    scale_rewards: bool = True
    log_std: float = 0.0
    final_log_std: float = math.inf
    seed: int = 0
    threads: int = 0
    evaluations: int = 20
    episodes: int = 100


class RunningMoments:
    """Mean and variance (d,) of all rows so far (Chan et al. 1979)."""

    def __init__(self, size: int):
        self.mean, self.var, self.count = torch.zeros(size), torch.ones(size), 1e-4

    def update(self, batch: torch.Tensor) -> None:
        """Add rows (b, d)."""
        var, mean = torch.var_mean(batch, dim=0, correction=0)
        total, delta = self.count + len(batch), mean - self.mean
        within = self.var * self.count + var * len(batch)
        self.var = (within + delta**2 * self.count * len(batch) / total) / total
        self.mean, self.count = self.mean + delta * len(batch) / total, total

    @property
    def scale(self) -> torch.Tensor:
        """(d,) one over the standard deviation."""
        return torch.rsqrt(self.var + 1e-8)


def make_mlp(sizes: Sequence[int], activation: str, last_gain: float) -> nn.Sequential:
    """Linear layers; orthogonal weights with gain sqrt 2, `last_gain` for the output; zero biases."""
    linear = [nn.Linear(inputs, outputs) for inputs, outputs in pairwise(sizes)]
    layers: list[nn.Module] = []
    for layer in linear:
        nn.init.orthogonal_(layer.weight, last_gain if layer is linear[-1] else math.sqrt(2))
        nn.init.zeros_(layer.bias)
        layers += [layer, ACTIVATIONS[activation]()]
    return nn.Sequential(*layers[:-1])


class Agent(nn.Module):
    """Actor and critic on normalised observations; a ValueError says which spaces are not supported."""

    def __init__(self, config: Config, obs_space: gymnasium.Space, action_space: gymnasium.Space):
        super().__init__()
        if not isinstance(obs_space, gymnasium.spaces.Box):
            raise ValueError(f"observation space {obs_space} is not supported, expected Box")
        self.discrete = isinstance(action_space, gymnasium.spaces.Discrete) and action_space.start == 0
        if not self.discrete and not isinstance(action_space, gymnasium.spaces.Box):
            raise ValueError(f"action space {action_space} is not supported, expected Box, or Discrete from 0")
        self.obs_space, self.action_space = obs_space, action_space
        obs_dim = int(np.prod(obs_space.shape))
        outputs = int(action_space.n) if self.discrete else int(np.prod(action_space.shape))
        self.actor = make_mlp([obs_dim, *config.hidden, outputs], config.activation, 0.01)
        self.critic = make_mlp([obs_dim, *config.hidden, 1], config.activation, 1.0)
        self.obs_moments, self.normalise = RunningMoments(obs_dim), config.normalise
        if not self.discrete:
            self.log_std = nn.Parameter(torch.full((outputs,), config.log_std))
            self.low, self.high = (torch.tensor(b.reshape(-1)) for b in (action_space.low, action_space.high))

    def normalised(self, obs: torch.Tensor) -> torch.Tensor:
        """Observations (b, d) as the networks take them."""
        mean, scale = self.obs_moments.mean, self.obs_moments.scale
        return ((obs - mean) * scale).clamp(-LIMIT, LIMIT) if self.normalise else obs

    def distribution(self, obs: torch.Tensor) -> Distribution:
        """The policy at normalised observations."""
        output = self.actor(obs)
        return Categorical(logits=output) if self.discrete else Independent(Normal(output, self.log_std.exp()), 1)

    def to_env(self, action: torch.Tensor) -> np.ndarray:
        """Actions as the environments take them, (b,) or (b, *A); numbers are clipped to their bounds."""
        if self.discrete:
            return action.numpy()
        return action.clamp(self.low, self.high).reshape(-1, *self.action_space.shape).numpy()

    @torch.no_grad()
    def greedy(self, obs: np.ndarray) -> np.ndarray:
        """Actions without noise for observations (b, *O)."""
        output = self.actor(self.normalised(to_rows(obs)))
        return self.to_env(output.argmax(-1) if self.discrete else output)


def to_rows(obs: np.ndarray) -> torch.Tensor:
    """Observations (b, *O) as float32 rows (b, d)."""
    return torch.tensor(np.asarray(obs, np.float32).reshape(len(obs), -1))


def gae(batch: dict[str, torch.Tensor], value: torch.Tensor, gamma: float, gae_lambda: float) -> torch.Tensor:
    """Advantages (t, n) by generalised advantage estimation.

    Where an episode ends, the next row's observation is still its own last one (Gymnasium's ``NEXT_STEP`` mode): a
    truncated episode is bootstrapped from it, a terminated one is not.

    Args:
        batch: ``reward`` (t, n); (t, n) bool ``terminated``, and ``done``, terminated or truncated.
        value: (t + 1, n), of the observation before each step and after the last.
        gamma: discount.
        gae_lambda: share of the longer sums.
    """
    advantage, last = torch.zeros_like(value[:-1]), torch.zeros_like(value[0])
    for t in reversed(range(len(advantage))):
        delta = batch["reward"][t] + gamma * value[t + 1] * ~batch["terminated"][t] - value[t]
        last = delta + gamma * gae_lambda * last * ~batch["done"][t]
        advantage[t] = last
    return advantage


def evaluate(config: Config, agent: Agent) -> Episodes:
    """Play one episode of each evaluation seed to its end, without noise."""
    env = gymnasium.make_vec(config.env_id, num_envs=config.episodes)
    obs, _ = env.reset(seed=EVALUATION_SEED)
    returns, lengths = np.zeros(config.episodes), np.zeros(config.episodes, np.int64)
    flags = np.zeros((2, config.episodes), np.bool_)
    while (live := ~flags.any(axis=0)).any():
        obs, reward, terminated, truncated, _ = env.step(agent.greedy(obs))
        returns[live] += reward[live]
        lengths[live] += 1
        flags |= live & np.stack([terminated, truncated])
    env.close()
    return Episodes(np.arange(config.episodes) + EVALUATION_SEED, returns, lengths, *flags)


def train(config: Config, log: Callable[..., None] = lambda step, episodes, **numbers: None) -> tuple[Agent, Episodes]:
    """Train to the end, evaluating along the way.

    Args:
        config: settings.
        log: called with the step, the `Episodes` of an evaluation, and numbers by name.

    Returns:
        The agent and its last evaluation.

    Raises:
        ValueError: spaces that are not supported, or a mask of actions.
        FloatingPointError: the loss is no number.
    """
    torch.manual_seed(config.seed)
    if config.threads:
        torch.set_num_threads(config.threads)
    Distribution.set_default_validate_args(False)
    env = gymnasium.make_vec(config.env_id, num_envs=config.num_envs)
    agent = Agent(config, env.single_observation_space, env.single_action_space)
    optimizer = torch.optim.Adam(agent.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
    return_moments, running_return = RunningMoments(1), torch.zeros(config.num_envs)
    episodes, evaluated, steps, training_time = None, 0, 0, 0.0

    first_obs, info = env.reset(seed=config.seed)
    if "action_mask" in info:
        raise ValueError(f"{config.env_id} forbids actions by a mask, which is not supported here: see ppo.py")
    obs, done = to_rows(first_obs), torch.zeros(config.num_envs, dtype=torch.bool)
    while steps < config.total_steps:
        started = time.perf_counter()
        left = 1.0 - steps / config.total_steps
        for group in optimizer.param_groups:
            group["lr"] = config.learning_rate * (config.final_rate + (1.0 - config.final_rate) * left)
        if not agent.discrete and config.final_log_std < math.inf:
            agent.log_std.data.clamp_(max=config.final_log_std + (config.log_std - config.final_log_std) * left)

        # play num_steps steps of each instance
        rows: list[dict[str, torch.Tensor]] = []
        with torch.no_grad():
            for _ in range(config.num_steps):
                policy = agent.distribution(agent.normalised(obs))
                action = policy.sample()
                # the step after an episode's end resets the instance: it is no experience
                row = {"obs": obs, "action": action, "log_prob": policy.log_prob(action), "valid": ~done}
                next_obs, reward, terminated, truncated, _ = env.step(agent.to_env(action))
                done = torch.tensor(terminated | truncated)
                row |= {"reward": torch.tensor(reward, dtype=torch.float32), "terminated": torch.tensor(terminated)}
                rows.append(row | {"done": done})
                obs = to_rows(next_obs)
            batch = {key: torch.stack([row[key] for row in rows]) for key in rows[0]}
            value = agent.critic(agent.normalised(torch.cat([batch["obs"], obs.unsqueeze(0)]))).squeeze(-1)
            if config.scale_rewards:  # by the spread of discounted returns
                returns = []
                for reward, ended in zip(batch["reward"], batch["done"], strict=True):
                    running_return = running_return * config.gamma + reward
                    returns.append(running_return)
                    running_return = running_return * ~ended
                return_moments.update(torch.stack(returns)[batch["valid"]].unsqueeze(1))
                batch["reward"] = (batch["reward"] * return_moments.scale).clamp(-LIMIT, LIMIT)
            batch["advantage"] = gae(batch, value, config.gamma, config.gae_lambda)
            batch["return"] = batch["advantage"] + value[:-1]
        steps += config.num_steps * config.num_envs

        # learn from them
        batch = {key: column[batch["valid"]] for key, column in batch.items()}
        raw_obs, batch["obs"] = batch["obs"], agent.normalised(batch["obs"])
        for _ in range(config.epochs):
            for index in torch.randperm(len(raw_obs)).chunk(config.minibatches):
                part = {key: column[index] for key, column in batch.items()}
                policy = agent.distribution(part["obs"])
                log_ratio = policy.log_prob(part["action"]) - part["log_prob"]
                ratio = log_ratio.exp()
                advantage = (part["advantage"] - part["advantage"].mean()) / (part["advantage"].std() + 1e-8)
                clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
                policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
                value_loss = 0.5 * (agent.critic(part["obs"]).squeeze(-1) - part["return"]).square().mean()
                entropy = policy.entropy().mean()
                loss = policy_loss - config.entropy * entropy + config.value * value_loss
                optimizer.zero_grad(set_to_none=True)
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), config.max_gradient)
                optimizer.step()
        agent.obs_moments.update(raw_obs)
        training_time += time.perf_counter() - started
        if not math.isfinite(loss.item()):
            raise FloatingPointError(f"loss is {loss.item()} at environment step {steps}")

        if (due := steps * config.evaluations // config.total_steps) > evaluated:
            evaluated = due
            episodes = evaluate(config, agent)
            numbers = {"policy_loss": policy_loss.item(), "value_loss": value_loss.item(), "entropy": entropy.item()}
            numbers |= {"approx_kl": (ratio - 1 - log_ratio).mean().item(), "training_time": training_time}
            log(steps, episodes, mean_return=float(episodes.returns.mean()), **numbers)
    env.close()
    return agent, episodes or evaluate(config, agent)


def save_policy(path: Path, config: Config, agent: Agent) -> None:
    """Write the actor as a policy file, which `envsuite play` and `envsuite evaluate` take."""
    graph = Graph(agent.obs_space.shape, agent.obs_space.dtype)
    x = graph.flatten(graph.observation)
    if agent.normalise:
        x = graph.normalise(x, agent.obs_moments.mean.numpy(), agent.obs_moments.scale.numpy(), LIMIT)
    linear = [layer for layer in agent.actor if isinstance(layer, nn.Linear)]
    weights, biases = ([getattr(layer, name).detach().numpy() for layer in linear] for name in ("weight", "bias"))
    x = graph.dense_stack(x, weights, biases, config.activation)
    action, shape = Action("argmax"), biases[-1].shape
    if not agent.discrete:
        action, shape = Action("clip", tuple(agent.low.tolist()), tuple(agent.high.tolist())), agent.action_space.shape
    save(path, graph.model(x, shape), Interface(config.env_id, action))


def main() -> None:
    """Command line: every plain setting is an option."""
    parser = argparse.ArgumentParser(description="Train PPO.", formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--runs", default="runs", help="folder of run records")
    for option in dataclasses.fields(Config):
        if option.type in (bool, int, float, str):
            kind: Any = {"action": argparse.BooleanOptionalAction} if option.type is bool else {"type": option.type}
            parser.add_argument(f"--{option.name.replace('_', '-')}", default=option.default, **kind)
    given = vars(parser.parse_args())
    for name in ("total_steps", "num_envs", "num_steps", "epochs", "minibatches", "evaluations", "episodes"):
        if given[name] < 1:
            parser.error(f"{name} is {given[name]}, expected at least 1")
    runs, config = given.pop("runs"), Config(**given)
    card, settings = envsuite.cards().get(config.env_id), dataclasses.asdict(config)
    identity = (config.env_id, "ppo_single_file", settings, config.seed, card.behaviour if card else "")
    record = RunFolder(runs, *identity, eval_seeds=(EVALUATION_SEED, config.episodes))

    def log(step: int, episodes: Episodes, **numbers: float) -> None:
        print(f"step {step:>10,}  mean return {numbers['mean_return']:.4g}", flush=True)
        record.log(step, **numbers)
        record.log_episodes(step, episodes)

    with record:
        agent, episodes = train(config, log)
        save_policy(record.path / "policy.onnx", config, agent)
    record.finish("finished", mean_return=float(episodes.returns.mean()), episodes=len(episodes.returns))
    print(f"run folder: {record.path}")


if __name__ == "__main__":
    main()
