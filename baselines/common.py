"""What the baselines share: settings from tables, rows of experience, the training loop, checkpoints."""

import math
import time
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode

import envsuite
from envsuite.agents.onnx import OnnxPolicy
from envsuite.cards import EnvCard
from envsuite.core.batch import Snapshot
from envsuite.evaluation.rollout import Episodes, onnx_player, play

MASK = "action_mask"
"""Key of info, and name of the observation's block, that say which choices are allowed."""


@dataclass
class Config:
    """Settings of every algorithm.

    Attributes:
        env_id: environment to train on.
        env_options: options of the environment while training, for instance a shaped reward.
        stages: curriculum; from ``step`` on, the world's method named by each other key has been called with its value.
        autoreset: how instances begin anew, a value of `gymnasium.vector.AutoresetMode`; what is learned is the same.
        total_steps: environment steps, all instances together.
        num_envs: instances stepped at once.
        learning_rate: initial step size of Adam.
        gamma: discount.
        hidden: units of each hidden layer.
        activation: ``"tanh"`` or ``"relu"``.
        normalise: whether inputs that are vectors are scaled by their running moments.
        privileged: info key of the critic's input; empty for the observation.
        seed: of everything random.
        threads: PyTorch threads; 0 leaves PyTorch's own choice.
        device: ``"cpu"``, or ``"cuda"``: environments and networks on a GPU (extra ``cuda``).
        evaluations: evaluations along the way, equally spaced, the last at the end; a checkpoint follows each.
        episodes: evaluation episodes each time.
    """

    algorithm: ClassVar[str]

    env_id: str = "envsuite/QuadHover-v0"
    env_options: dict[str, Any] = field(default_factory=dict)
    stages: tuple[dict[str, Any], ...] = ()
    autoreset: str = "SameStep"
    total_steps: int = 1_000_000
    num_envs: int = 256
    learning_rate: float = 3e-4
    gamma: float = 0.99
    hidden: tuple[int, ...] = (64, 64)
    activation: str = "tanh"
    normalise: bool = True
    privileged: str = ""
    seed: int = 0
    threads: int = 0
    device: str = "cpu"
    evaluations: int = 20
    episodes: int = 100

    @classmethod
    def for_env(cls, env_id: str, **changes: Any) -> Self:
        """The tuned settings of an environment from ``<algorithm>.toml``, with changes.

        Raises:
            TypeError: an unknown setting.
        """
        env_id = envsuite.card(env_id).id
        return cls.tuned(env_id, **changes, env_id=env_id)

    @classmethod
    def tuned(cls, key: str, **changes: Any) -> Self:
        """The settings under a key of ``<algorithm>.toml``, with changes.

        Raises:
            TypeError: an unknown setting.
        """
        table = tomllib.loads(Path(__file__).with_name(f"{cls.algorithm}.toml").read_text(encoding="utf-8"))
        settings = {**table.get(key, {}), **changes}
        settings.pop("search", None)
        for name in ("hidden", "stages", "initial_action"):
            if name in settings:
                settings[name] = tuple(settings[name])
        return cls(**settings)


class Step(NamedTuple):
    """What a step brought; r rows.

    Attributes:
        reward: (r,) or (r, objectives) float32.
        terminated: (r,) bool, ended by the task.
        over: (r,) bool, ended by the task or the length limit.
        valid: (r,) bool, False where the action went nowhere: the agent had ended before and waits for the others, or
            the step began a new episode (`NEXT_STEP`).
        begun: (r,) bool, the next observation is the first of an episode.
        next_seen: (r, *O) what the step led to, also where a new episode has begun since.
        next_criticised: (r, *C) likewise.
        next_mask: (r, choices) bool, likewise; None where all is allowed.
    """

    reward: torch.Tensor
    terminated: torch.Tensor
    over: torch.Tensor
    valid: torch.Tensor
    begun: torch.Tensor
    next_seen: torch.Tensor
    next_criticised: torch.Tensor
    next_mask: torch.Tensor | None


class Rows:
    """A batch environment, read without copies; each agent of each instance is a row, agents of one instance together.

    Attributes:
        env: the environment.
        agents: rows of an instance.
        count: rows r.
        objectives: components of the reward; 0 for a scalar.
        action_space: of one row.
        shape: of what the actor sees: (numbers,), or (height, width, channels) of bytes.
        critic_shape: of what the critic sees.
        seen: (r, *shape), what the actor sees, float32 or bytes.
        criticised: (r, *critic_shape), what the critic sees.
        mask: (r, choices) bool, which choices are allowed; None where all are.
        mask_at: index of the mask in the observation; None where there is none.
        infos: of the last step, as the environment gave them.

    Raises:
        ValueError: an observation space that no network here takes.
    """

    def __init__(self, config: Config):
        card = envsuite.card(config.env_id)
        self._mode = AutoresetMode(config.autoreset)
        self.env: Any = self.make(card, config)
        self.action_space = self.env.single_action_space
        self._privileged = config.privileged
        self.agents, self.objectives = card.agents, len(card.objectives)
        self.count = config.num_envs * self.agents
        self.shape = _row_shape(self.env.single_observation_space)
        self._stages = sorted(config.stages, key=lambda stage: stage["step"])
        self._entered = 0
        self._was_over = np.zeros((config.num_envs, self.agents), np.bool_)
        observation, infos = self.env.reset(seed=config.seed)
        infos = self._infos(infos)
        self.infos: Mapping[str, Any] = infos
        self._masked = MASK in infos
        self.mask_at = self._find_mask() if self._masked else None
        self.seen, self.criticised, self.mask = self._read(observation, infos)
        self.critic_shape = tuple(self.criticised.shape[1:])

    def make(self, card: EnvCard, config: Config) -> Any:
        """The environments."""
        options = {"num_envs": config.num_envs, "autoreset_mode": self._mode, **config.env_options}
        return (envsuite.parallel_vec if card.agents > 1 else gymnasium.make_vec)(card.id, **options)

    def _find_mask(self) -> int:
        blocks = [block.name for block in getattr(self.env.world.observation, "blocks", ())]
        if MASK not in blocks or len(self.shape) != 1:
            raise ValueError(
                f"info has an {MASK!r}, but the observation has no block of this name (it has {blocks}): a policy file "
                "sees observations alone and could not know what is allowed"
            )
        return self.env.world.observation.offset(MASK)

    def _read(self, observation: Any, infos: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """What actor and critic see of (n, [a,] *O), and what is allowed."""
        seen = self._tensor(observation).reshape(-1, *self.shape)
        seen = seen.float() if len(self.shape) == 1 else seen
        criticised, mask = seen, None
        if self._privileged:
            criticised = self._tensor(infos[self._privileged]).reshape(len(seen), -1).float()
        if self._masked:
            mask = self._tensor(infos[MASK]).reshape(len(seen), -1) != 0
        return seen, criticised, mask

    def _tensor(self, array: Any) -> torch.Tensor:
        return torch.from_numpy(np.ascontiguousarray(array))

    def _infos(self, given: Any) -> Mapping[str, Any]:
        return given

    def enter_stages(self, steps: int) -> bool:
        """Apply what the curriculum has due by now; whether anything was.

        Args:
            steps: environment steps so far.
        """
        before = self._entered
        while self._entered < len(self._stages) and steps >= self._stages[self._entered]["step"]:
            for method, value in self._stages[self._entered].items():
                if method != "step":
                    getattr(self.env.world, method)(value)
            self._entered += 1
        return self._entered > before

    def step(self, actions: torch.Tensor) -> Step:
        """Play actions (r, A) and go on to the next observations."""
        observation, reward, terminated, truncated, infos = self.env.step(
            actions.reshape(self.env.action_space.shape).numpy()
        )
        self.infos = infos
        shape = self._was_over.shape
        over = (terminated | truncated).reshape(shape)
        ended, valid = over.all(axis=1), ~self._was_over
        begun = ended
        if self._mode is AutoresetMode.NEXT_STEP:
            begun = self._was_over.all(axis=1)
            self._was_over = over
        else:
            self._was_over = over & ~ended[:, np.newaxis]
        led = after = self._read(observation, infos)
        if ended.any() and self._mode is AutoresetMode.SAME_STEP:
            last = infos["final_info"]
            keys = [key for key in (self._privileged, MASK) if key in last]
            led = self._with(after, ended, infos["final_obs_dense"], {key: last[key][ended] for key in keys})
        elif ended.any() and self._mode is AutoresetMode.DISABLED:
            after = self._read(*self.env.reset(options={"reset_mask": ended}))
        self.seen, self.criticised, self.mask = after
        flags = (terminated, over, valid, np.repeat(begun, self.agents))
        rewards = torch.from_numpy(reward).float().reshape((self.count, *[self.objectives] * bool(self.objectives)))
        return Step(rewards, *(torch.from_numpy(np.ascontiguousarray(flag)).reshape(-1) for flag in flags), *led)

    def _with(self, rows: Any, where: np.ndarray, observations: np.ndarray, infos: dict[str, np.ndarray]) -> Any:
        """Rows with those of some instances replaced."""
        index = torch.from_numpy(np.repeat(where, self.agents))
        replaced = []
        for old, new in zip(rows, self._read(observations, infos), strict=True):
            if old is not None:
                old = old.clone()
                old[index] = new
            replaced.append(old)
        if not self._privileged:
            replaced[1] = replaced[0]
        return replaced

    def state_dict(self) -> dict[str, Any]:
        """The moment, to the bit."""
        snapshot = self.env.get_state()
        return {
            "states": torch.from_numpy(np.ascontiguousarray(snapshot.states).view(np.uint8).reshape(-1).copy()),
            "observations": torch.from_numpy(snapshot.observations),
            "over": torch.from_numpy(snapshot.over),
            "was_over": torch.from_numpy(self._was_over),
            "rows": [self.seen, self.criticised, self.mask],
            "entered": self._entered,
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment, its stage of the curriculum included."""
        while self._entered < state["entered"]:
            self.enter_stages(self._stages[self._entered]["step"])
        kind = self.env.batch.states.dtype
        states = state["states"].numpy().view(kind).reshape(-1).copy()
        self.env.set_state(Snapshot(states, state["observations"].numpy(), state["over"].numpy()))
        self._was_over = state["was_over"].numpy().copy()
        self.seen, self.criticised, self.mask = state["rows"]


def _row_shape(space: gymnasium.Space) -> tuple[int, ...]:
    if isinstance(space, gymnasium.spaces.Box):
        if space.dtype == np.uint8 and len(space.shape) == 3:
            return space.shape
        return (int(np.prod(space.shape)),)
    raise ValueError(f"observation space {space} is not supported, expected Box")


class Trainer:
    """One training run: the loop and the checkpoints that every algorithm shares.

    Attributes:
        kept: names of attributes that a checkpoint holds: networks, optimisers, memories, tensors and plain data.
        takes_vectors: whether it learns from rewards of several objectives.
        devices: where it learns.
        unit: what a step of the run is.
    """

    kept: ClassVar[tuple[str, ...]] = ()
    unit: ClassVar[str] = "environment step"
    takes_vectors: ClassVar[bool] = False
    devices: ClassVar[tuple[str, ...]] = ("cpu",)

    def __init__(self, config: Any):
        self.config = config
        if config.device not in self.devices:
            raise ValueError(f"device is {config.device!r}, {config.algorithm} learns on {' or '.join(self.devices)}")
        if config.device == "cuda" and not torch.cuda.is_available():
            raise ValueError("device is 'cuda', but PyTorch finds no GPU")
        torch.set_default_device(None if config.device == "cpu" else config.device)  # none costs nothing
        torch.manual_seed(config.seed)
        if config.threads:
            torch.set_num_threads(config.threads)
        self.rows = self.make_rows()
        if self.rows.objectives and not self.takes_vectors:
            raise ValueError(
                f"{config.env_id} has {self.rows.objectives} objectives: only mappo.py learns from vectors"
            )
        self.steps, self.training_time, self._evaluated = 0, 0.0, 0

    def make_rows(self) -> Rows:
        """What it learns from."""
        if self.config.device == "cuda":
            from cuda_rows import CudaRows

            return CudaRows(self.config)
        return Rows(self.config)

    def iterate(self) -> dict[str, Any]:
        """Play some steps and learn from them; losses and other numbers by name."""
        raise NotImplementedError

    def policy(self) -> OnnxPolicy:
        """The actor as it is now."""
        raise NotImplementedError

    def policies(self) -> dict[str, OnnxPolicy]:
        """All that is saved in the end, by file name."""
        return {"policy": self.policy()}

    def files(self) -> dict[str, bytes]:
        """What else is saved in the end, by file name."""
        return {}

    def finished(self) -> bool:
        """Whether the run is at its end."""
        return self.steps >= self.config.total_steps

    def enter_stage(self) -> None:
        """A stage of the curriculum has begun."""

    def evaluate(self) -> Episodes:
        """Play on the evaluation seeds of the environment as registered, without training options."""
        return play(envsuite.card(self.config.env_id), onnx_player(self.policy()), self.config.episodes)

    def summary(self, episodes: Episodes) -> dict[str, float]:
        """What is logged of an evaluation beside the mean return: means of the metrics."""
        return {name: float(np.mean(one)) for name, one in episodes.metrics.items() if one.ndim == 1}

    def decayed(self, final: float = 0.0) -> float:
        """What is left of 1 by a linear decay to `final` at the end."""
        return final + (1.0 - final) * max(0.0, 1.0 - self.steps / self.config.total_steps)

    def train(
        self,
        log: Callable[..., None] = lambda step, episodes, **numbers: None,
        progress: Callable[[int], None] = lambda steps: None,
        checkpoint: Callable[[dict[str, Any]], None] = lambda state: None,
    ) -> tuple[OnnxPolicy, Episodes]:
        """Train to the end, evaluating along the way.

        Args:
            log: called with the step, the `Episodes` of an evaluation, and numbers by name.
            progress: called with the steps done after each update.
            checkpoint: called after each evaluation with the state to go on from.

        Returns:
            The policy and its last evaluation.

        Raises:
            FloatingPointError: a loss is no number; the message says which and when.
        """
        config, episodes = self.config, None
        due = np.linspace(0, config.total_steps, config.evaluations + 1)[1:]
        while not self.finished():
            started = time.perf_counter()
            if self.rows.enter_stages(self.steps):
                self.enter_stage()
            numbers = self.iterate()
            self.training_time += time.perf_counter() - started
            for name, value in numbers.items():
                if name.endswith("loss") and not math.isfinite(value):
                    raise FloatingPointError(f"{name} is {float(value)} at {self.unit} {self.steps}")
            progress(min(self.steps, config.total_steps))
            if self._evaluated < len(due) and (self.steps >= due[self._evaluated] or self.finished()):
                self._evaluated = int(np.searchsorted(due, self.steps, side="right"))
                episodes = self.evaluate()
                shares = self.summary(episodes) | {name: float(value) for name, value in numbers.items()}
                shares |= {"mean_return": float(episodes.returns.mean()), "training_time": self.training_time}
                log(self.steps, episodes, **shares)
                checkpoint(self.state())
        return self.policy(), episodes or self.evaluate()

    def state(self) -> dict[str, Any]:
        """All that the rest of the run depends on, as tensors and plain data."""
        names = (*self.kept, "rows", "steps", "training_time", "_evaluated")
        found = {name: _state_of(getattr(self, name)) for name in names}
        found |= {"cuda_random": torch.cuda.get_rng_state()} if self.config.device == "cuda" else {}
        return {**found, "random": torch.get_rng_state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a checkpoint: the rest of the run is the same, to the bit."""
        for name, value in state.items():
            if name == "random":
                torch.set_rng_state(value.cpu())
            elif name == "cuda_random":
                torch.cuda.set_rng_state(value)
            elif hasattr(getattr(self, name), "load_state_dict"):
                getattr(self, name).load_state_dict(value)
            else:
                setattr(self, name, value)


def _state_of(value: Any) -> Any:
    return value.state_dict() if hasattr(value, "state_dict") else value
