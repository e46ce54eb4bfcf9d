"""What the baselines share: settings from tables, rows of experience, networks, run folders, the command line."""

import argparse
import dataclasses
import itertools
import tomllib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import click
import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn

import envsuite
from envsuite.agents.onnx import Action, Interface, OnnxPolicy, Program, mlp, save
from envsuite.agents.onnx.interface import Kind
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.rollout import EVALUATION_SEED, Episodes, play
from envsuite.evaluation.runs import RunRecord

OBSERVATION_LIMIT = 10.0  # normalised observations are clipped here (detail 5 of the nine for continuous control)


@dataclass
class Config:
    """Settings of every algorithm.

    Attributes:
        env_id: environment to train on.
        env_options: options of the environment while training, for instance a shaped reward.
        stages: curriculum; from ``step`` on, the world's method named by each other key has been called with its value.
        total_steps: environment steps, all instances together.
        num_envs: instances stepped at once.
        learning_rate: initial step size of Adam.
        gamma: discount.
        hidden: units of each hidden layer.
        privileged: info key of the critic's input; empty for the observation.
        seed: of everything random.
        threads: PyTorch threads; 0 leaves PyTorch's own choice.
        evaluations: evaluations along the way, equally spaced, the last at the end.
        episodes: evaluation episodes each time.
    """

    algorithm: ClassVar[str]

    env_id: str = "envsuite/QuadHover-v0"
    env_options: dict[str, Any] = field(default_factory=dict)
    stages: tuple[dict[str, Any], ...] = ()
    total_steps: int = 1_000_000
    num_envs: int = 256
    learning_rate: float = 3e-4
    gamma: float = 0.99
    hidden: tuple[int, ...] = (64, 64)
    privileged: str = ""
    seed: int = 0
    threads: int = 0
    evaluations: int = 20
    episodes: int = 100

    @classmethod
    def for_env(cls, env_id: str, **changes: Any) -> Self:
        """The tuned settings of an environment from ``<algorithm>.toml``, with changes.

        Raises:
            TypeError: an unknown setting.
        """
        table = tomllib.loads(Path(__file__).with_name(f"{cls.algorithm}.toml").read_text(encoding="utf-8"))
        settings = {**table.get(envsuite.card(env_id).id, {}), **changes, "env_id": envsuite.card(env_id).id}
        settings.pop("search", None)
        for name in ("hidden", "stages"):
            if name in settings:
                settings[name] = tuple(settings[name])
        return cls(**settings)


class Step(NamedTuple):
    """What a step brought; r rows.

    Attributes:
        reward: (r,) float32.
        terminated: (r,) bool, ended by the task.
        over: (r,) bool, ended by the task or the length limit.
        valid: (r,) bool, False for agents that had ended before this step and wait for the others.
        ended: (e,) int64, rows whose world has begun a new episode.
        final_seen: (e, O) their last observations.
        final_criticised: (e, C) their last inputs of the critic.
    """

    reward: torch.Tensor
    terminated: torch.Tensor
    over: torch.Tensor
    valid: torch.Tensor
    ended: torch.Tensor
    final_seen: torch.Tensor
    final_criticised: torch.Tensor


class Rows:
    """A batch environment in SAME_STEP mode, read without copies; each agent of each instance is a row.

    Several agents thus share one policy, and each learns from its own reward (independent learning with parameter
    sharing).

    Attributes:
        env: the environment.
        count: rows r.
        action_space: of one row.
        seen: (r, O) float32, what the actor sees.
        criticised: (r, C) float32, what the critic sees.
    """

    def __init__(self, config: Config):
        card = envsuite.card(config.env_id)
        options = {"num_envs": config.num_envs, "autoreset_mode": AutoresetMode.SAME_STEP, **config.env_options}
        several = card.agents > 1
        self.env: Any = envsuite.parallel_vec(card.id, **options) if several else gymnasium.make_vec(card.id, **options)
        self.action_space = self.env.single_action_space
        self._privileged = config.privileged
        observation, infos = self.env.reset(seed=config.seed)
        self._agents = observation.shape[1] if several else 1
        self.count = config.num_envs * self._agents
        self._was_over = np.zeros((config.num_envs, self._agents), np.bool_)
        self._read(observation, infos)
        self._stages = sorted(config.stages, key=lambda stage: stage["step"])

    def _flat(self, array: np.ndarray, rows: int) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array)).reshape(rows, -1).float()

    def _critic_input(self, observations: np.ndarray, info: np.ndarray | None) -> torch.Tensor:
        chosen = observations if info is None else info
        return self._flat(chosen, len(chosen) * self._agents)

    def _read(self, observation: np.ndarray, infos: dict[str, Any]) -> None:
        self.seen = self._flat(observation, self.count)
        self.criticised = self._critic_input(observation, infos[self._privileged]) if self._privileged else self.seen

    def enter_stages(self, steps: int) -> bool:
        """Apply what the curriculum has due by now; whether anything was.

        Args:
            steps: environment steps so far.
        """
        due = bool(self._stages) and steps >= self._stages[0]["step"]
        while self._stages and steps >= self._stages[0]["step"]:
            for method, value in self._stages.pop(0).items():
                if method != "step":
                    getattr(self.env.world, method)(value)
        return due

    def step(self, actions: torch.Tensor) -> Step:
        """Play actions (r, A) and go on to the next observations."""
        observation, reward, terminated, truncated, infos = self.env.step(
            actions.reshape(self.env.action_space.shape).numpy()
        )
        flags = [flag.reshape(self._was_over.shape) for flag in (terminated, terminated | truncated)]
        valid = ~self._was_over
        self._was_over = flags[1] & ~flags[1].all(axis=1, keepdims=True)
        self._read(observation, infos)
        ended, final_seen = torch.zeros(0, dtype=torch.int64), self.seen[:0]
        final_criticised = self.criticised[:0]
        if "final_obs" in infos:
            worlds = np.flatnonzero(infos["_final_obs"])
            last = infos["final_obs_dense"]
            ended = torch.from_numpy((worlds[:, np.newaxis] * self._agents + np.arange(self._agents)).reshape(-1))
            final_seen = self._flat(last, len(ended))
            info = infos["final_info"][self._privileged][worlds] if self._privileged else None
            final_criticised = self._critic_input(last, info)
        return Step(
            torch.from_numpy(reward).reshape(-1).float(),
            *(torch.from_numpy(flag).reshape(-1) for flag in (*flags, valid)),
            ended,
            final_seen,
            final_criticised,
        )


class Normaliser(nn.Module):
    """Running mean and variance of observations, and their normalised form."""

    def __init__(self, size: int):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("variance", torch.ones(size))
        self.count = 1e-4

    def update(self, batch: torch.Tensor) -> None:
        """Merge the moments of a batch (Chan et al. 1979)."""
        variance, mean = torch.var_mean(batch, dim=0, correction=0)
        total = self.count + len(batch)
        delta = mean - self.mean
        self.variance = (
            self.variance * self.count + variance * len(batch) + delta**2 * self.count * len(batch) / total
        ) / total
        self.mean = self.mean + delta * len(batch) / total
        self.count = total

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        """Normalise and clip."""
        scaled = (batch - self.mean) * torch.rsqrt(self.variance + 1e-8)
        return scaled.clamp(-OBSERVATION_LIMIT, OBSERVATION_LIMIT)


def perceptron(sizes: list[int], last_gain: float) -> nn.Sequential:
    """Tanh network with orthogonal weights (gain sqrt 2, and `last_gain` for the output) and zero biases."""
    layers: list[nn.Module] = []
    for k, (inputs, outputs) in enumerate(itertools.pairwise(sizes)):
        layer = nn.Linear(inputs, outputs)
        last = k == len(sizes) - 2
        nn.init.orthogonal_(layer.weight, last_gain if last else 2**0.5)
        nn.init.zeros_(layer.bias)
        layers += [layer] if last else [layer, nn.Tanh()]
    return nn.Sequential(*layers)


def exported(env_id: str, rows: Rows, normaliser: Normaliser, actor: nn.Sequential, kind: Kind) -> OnnxPolicy:
    """An actor as a policy that plays without PyTorch.

    Args:
        env_id: environment that it was trained on.
        rows: its observations and actions.
        normaliser: of its inputs.
        actor: linear layers with tanh between them.
        kind: what becomes of the last layer's output, see `envsuite.agents.onnx.Action`.
    """
    linear = [layer for layer in actor if isinstance(layer, nn.Linear)]
    space, low, high = rows.action_space, (), ()
    if isinstance(space, gymnasium.spaces.Box):
        low, high = (tuple(map(float, bound.reshape(-1))) for bound in (space.low, space.high))
    model = mlp(
        [layer.weight.detach().numpy().copy() for layer in linear],
        [layer.bias.detach().numpy().copy() for layer in linear],
        observation_shape=rows.env.single_observation_space.shape,
        action_shape=space.shape or None,
        mean=normaliser.mean.numpy().copy(),
        scale=torch.rsqrt(normaliser.variance + 1e-8).numpy(),
        limit=OBSERVATION_LIMIT,
    )
    return OnnxPolicy(Program(model), Interface(env_id, Action(kind, low, high)))


def evaluate(config: Config, policy: OnnxPolicy, episodes: int | None = None) -> Episodes:
    """Play a policy on the evaluation seeds of the environment as registered, without training options."""
    card = envsuite.card(config.env_id)
    return play(card, lambda world, slots: policy, episodes or config.episodes)


class Evaluations:
    """Evaluates along the way, at equally spaced numbers of steps, and logs."""

    def __init__(self, config: Config, log: Callable[..., None]):
        self._config, self._log = config, log
        self._due = np.linspace(0, config.total_steps, config.evaluations + 1)[1:]
        self._done = 0
        self.last: Episodes | None = None

    def at(self, steps: int, policy: Callable[[], OnnxPolicy], **numbers: float | torch.Tensor) -> None:
        """Evaluate if one is due.

        Args:
            steps: environment steps so far.
            policy: makes the policy as it is now.
            **numbers: logged beside the results; tensors are read only when an evaluation is due.
        """
        if self._done == len(self._due) or steps < self._due[self._done]:
            return
        self._done = int(np.searchsorted(self._due, steps, side="right"))
        episodes = self.last = evaluate(self._config, policy())
        shares = {name: float(np.mean(value)) for name, value in episodes.metrics.items() if value.ndim == 1}
        shares |= {name: float(value) for name, value in numbers.items()}
        self._log(steps, episodes, mean_return=float(episodes.returns.mean()), **shares)


class Trainer(Protocol):
    """One training run of an algorithm."""

    def __init__(self, config: Any): ...

    def train(
        self,
        log: Callable[..., None] = ...,
        progress: Callable[[int], None] = ...,
    ) -> tuple[OnnxPolicy, Episodes]:
        """Train to the end, evaluating along the way.

        Args:
            log: called with the step, the `Episodes` of an evaluation, and numbers by name.
            progress: called with the steps done after each update.

        Returns:
            The policy and its last evaluation.
        """
        ...


def run(
    make_trainer: type[Trainer],
    config: Config,
    root: str | Path,
    progress: Callable[[int], None] = lambda steps: None,
) -> Path:
    """Train with a run folder; the record says so when the run fails.

    A run that finished before, with the same settings in the same environment, is not repeated.

    Returns:
        The run folder, with ``policy.onnx`` in it.
    """
    card = envsuite.card(config.env_id)
    settings = dataclasses.asdict(config)
    done = RunFolder.find(root, config.env_id, config.algorithm, settings, config.seed)
    if done is not None:
        record = RunRecord.load(done).data
        if record["status"] == "finished" and record["env_behaviour"] == card.behaviour:
            return done
    folder = RunFolder(
        root,
        config.env_id,
        config.algorithm,
        settings,
        config.seed,
        card.behaviour,
        options=config.env_options,
        eval_seeds=(EVALUATION_SEED, config.episodes),
    )

    def log(step: int, episodes: Episodes, **numbers: float) -> None:
        folder.log(step, **numbers)
        folder.log_episodes(step, episodes)

    try:
        policy, episodes = make_trainer(config).train(log, progress)
        save(folder.path / "policy.onnx", policy.program.model, policy.interface)
    except BaseException as error:
        folder.finish(f"failed: {type(error).__name__}: {error}")
        raise
    folder.finish("finished", mean_return=float(episodes.returns.mean()), episodes=len(episodes.returns))
    return folder.path


@contextmanager
def progress_bar(config: Config) -> Generator[Callable[[int], None]]:
    """A bar on the terminal; gives the function to call with the environment steps done."""
    with click.progressbar(length=config.total_steps, label="training", show_eta=True, update_min_steps=1000) as bar:
        done = 0

        def progress(steps: int) -> None:
            nonlocal done
            bar.update(steps - done)
            done = steps

        yield progress


def main(make_trainer: type[Trainer], settings: type[Config]) -> None:
    """Command line: every plain setting is an option."""
    parser = argparse.ArgumentParser(
        description=f"Train {settings.algorithm.upper()}.", formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--runs", default="runs", help="folder of run records")
    parser.add_argument("--env-id", default=settings.env_id)
    for option in dataclasses.fields(settings):
        if option.type in (int, float, str) and option.name != "env_id":
            parser.add_argument(f"--{option.name.replace('_', '-')}", type=option.type, default=argparse.SUPPRESS)
    given = vars(parser.parse_args())
    root, env_id = given.pop("runs"), given.pop("env_id")
    config = settings.for_env(env_id, **given)
    with progress_bar(config) as progress:
        path = run(make_trainer, config, root, progress)
    print(f"run folder: {path}")
