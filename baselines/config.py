"""Settings that every algorithm has, and where the tuned ones come from."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import envsuite


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
