"""Settings that every algorithm has, and where the tuned ones come from."""

import math
import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Self

import envsuite

COUNTS = (
    *("total_steps", "evaluations", "episodes", "num_steps", "epochs", "minibatches", "batch_size"),
    *("actor_every", "policy_delay", "flow_steps", "ensemble"),
    *("members", "elites", "model_steps", "model_width", "rollouts", "rollout_steps", "rollout_every"),
)
"""Whole numbers that are at least 1; the others may be 0."""


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

    Raises:
        ValueError: a number that cannot be meant, such as a negative one of steps.
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

    def __post_init__(self) -> None:
        for setting in fields(self):
            value = getattr(self, setting.name)
            least = int(setting.name in COUNTS or (setting.name == "num_envs" and setting.default != 0))
            if setting.type is int and value < least:
                raise ValueError(f"{setting.name} is {value}, expected at least {least}")
            if setting.type is float and math.isnan(value):
                raise ValueError(f"{setting.name} is nan, expected a number")
        if not 0 <= self.learning_rate < math.inf:
            raise ValueError(f"learning_rate is {self.learning_rate}, expected a finite number from 0 on")
        if not 0 <= self.gamma <= 1:
            raise ValueError(f"gamma is {self.gamma}, expected a number from 0 to 1")
        if any(units < 1 for units in self.hidden):
            raise ValueError(f"hidden is {self.hidden}, expected at least 1 unit a layer")

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
            ValueError: a single value where a list is expected.
        """
        table = tomllib.loads(Path(__file__).with_name(f"{cls.algorithm}.toml").read_text(encoding="utf-8"))
        settings = {**table.get(key, {}), **changes}
        settings.pop("search", None)
        for name in ("hidden", "stages", "initial_action", "averages", "kinds"):
            if name in settings:
                if not isinstance(settings[name], list | tuple):
                    raise ValueError(f"{name} is {settings[name]!r}, expected a list, such as [{settings[name]}]")
                settings[name] = tuple(settings[name])
        return cls(**settings)
