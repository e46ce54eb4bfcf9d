"""Environments for LeRobot: its observations and names, and the file by which its EnvHub loads them.

LeRobot (huggingface/lerobot 0.4 to 0.6) is not needed here. It calls ``make_env`` of an ``env.py``, and expects of the
vector that comes back dictionaries with ``agent_pos`` and ``pixels``, actions as rows of numbers, ``is_success`` in
infos, and of each environment ``task``, ``task_description`` and ``_max_episode_steps``.
"""

import json
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

import envsuite
from envsuite.cards import EnvCard
from envsuite.core.frontend import check_choice, joint_pixels

OBSERVATIONS = ("state", "pixels", "pixels_agent_pos")
"""What is seen: numbers, pictures, or both; as LeRobot's own environments name it."""


class LeRobotEnv(gymnasium.Env):
    """One instance of an environment as LeRobot wants it.

    An environment of several agents is one robot: the numbers of all agents stand in one row.

    Args:
        env_id: as for `envsuite.card`.
        obs_type: one of `OBSERVATIONS`.
        render_mode: ``"rgb_array"``, which LeRobot's videos are made of, or another of the environment's.
        **options: of the environment.

    Attributes:
        env: the environment underneath.
        task: its id.
        task_description: its summary in words.

    Raises:
        ValueError: actions that are choices, or rewards of several objectives.
    """

    def __init__(self, env_id: str, obs_type: str = "state", render_mode: str | None = "rgb_array", **options: Any):
        check_choice("obs_type", obs_type, list(OBSERVATIONS))
        card = _fitting(env_id)
        self.env = gymnasium.make(card.id, render_mode=render_mode, **options)
        self._world: Any = self.env.unwrapped
        self._obs_type = obs_type
        self.task, self.task_description = card.id, card.summary
        self._max_episode_steps = options.get("max_episode_steps", card.horizon)
        self.render_mode, self.metadata = render_mode, self.env.metadata
        seen, action = self.env.observation_space, self.env.action_space
        assert isinstance(seen, spaces.Box)
        assert isinstance(action, spaces.Box)
        self.action_space = spaces.flatten_space(action)
        parts: dict[str, spaces.Space] = {}
        if obs_type != "pixels":
            parts["agent_pos"] = spaces.flatten_space(seen)
        if obs_type != "state":
            parts["pixels"] = spaces.Box(0, 255, self._pixels().shape, np.uint8)
        self.observation_space = spaces.Dict(parts)

    def _pixels(self) -> np.ndarray:
        return joint_pixels(self._world.world, self._world.batch.pixels("pixels"))[0]

    def _observation(self, seen: np.ndarray) -> dict[str, np.ndarray]:
        found = {"agent_pos": seen.reshape(-1)} if self._obs_type != "pixels" else {}
        return found | ({"pixels": self._pixels()} if self._obs_type != "state" else {})

    def _told(self, info: dict[str, Any]) -> dict[str, Any]:
        return {"is_success": bool(np.all(info.get("is_success", False)))}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict, dict]:
        """Begin an episode; options are LeRobot's own and change nothing."""
        super().reset(seed=seed)
        seen, info = self.env.reset(seed=seed)
        return self._observation(seen), self._told(info)

    def step(self, action: np.ndarray) -> tuple[dict, float, bool, bool, dict]:
        """Take a step.

        Args:
            action: (A,), of all agents.

        Returns:
            Observation, reward, terminated, truncated, and whether the task has succeeded (``is_success``).
        """
        given = np.asarray(action).reshape(self.env.action_space.shape)
        seen, reward, terminated, truncated, info = self.env.step(given)
        return self._observation(seen), float(reward), terminated, truncated, self._told(info)

    def render(self) -> Any:
        """As the render mode says."""
        return self.env.render()

    def close(self) -> None:
        """Close the window and stop the threads."""
        self.env.close()


def _fitting(env_id: str) -> EnvCard:
    card = envsuite.card(env_id)
    if card.objectives:
        raise ValueError(f"{card.id} has {len(card.objectives)} objectives, expected a scalar reward")
    action = gymnasium.make(card.id).action_space
    if not isinstance(action, spaces.Box):
        raise ValueError(f"{card.id} takes {action} as actions, expected numbers, which LeRobot's policies give")
    return card


def make_env(
    env_id: str, n_envs: int = 1, use_async_envs: bool = False, **options: Any
) -> dict[str, dict[int, gymnasium.vector.VectorEnv]]:
    """The environments of a ``make_env`` of LeRobot.

    Args:
        env_id: as for `envsuite.card`.
        n_envs: number of instances.
        use_async_envs: one process an instance, instead of one for all.
        **options: see `LeRobotEnv`.

    Returns:
        A vector by the names of suite and task, as LeRobot asks for. It is Gymnasium's own, since LeRobot draws its
        videos from its single environments; its episodes begin anew within the step that ends them.
    """
    if n_envs < 1:
        raise ValueError(f"n_envs is {n_envs}, expected at least 1")
    card = _fitting(env_id)

    def make() -> LeRobotEnv:
        return LeRobotEnv(card.id, **options)

    mode = AutoresetMode.SAME_STEP
    if use_async_envs and n_envs > 1:
        vector: Any = AsyncVectorEnv([make] * n_envs, autoreset_mode=mode, context="forkserver")
    else:
        vector = SyncVectorEnv([make] * n_envs, autoreset_mode=mode)
    return {card.family: {0: vector}}


_ENV = '''"""{summary}

For LeRobot's EnvHub: ``make_env("USER/REPOSITORY", n_envs=4, trust_remote_code=True)`` of ``lerobot.envs``.
"""

from envsuite.adapters import lerobot


def make_env(n_envs: int = 1, use_async_envs: bool = False, cfg=None):
    """Environments for LeRobot; ``task`` of the configuration, where it has one, names another one of envsuite."""
    env_id = getattr(cfg, "task", None) or {env_id}
    return lerobot.make_env(env_id, n_envs, use_async_envs, obs_type={obs_type})
'''

_README = """---
tags:
- lerobot
- envhub
- reinforcement-learning
---

# {id}

{summary}

Source of the task: {source}

```python
from lerobot.envs import make_env

envs = make_env("USER/REPOSITORY", n_envs=4, trust_remote_code=True)
env = envs["{family}"][0]
observation, info = env.reset(seed=0)
```

| observation | shape | type |
| --- | --- | --- |
{rows}

Actions: {action}. `pip install -r requirements.txt` first.
"""


def write_envhub(env_id: str, folder: str | Path, *, obs_type: str = "state") -> list[Path]:
    """Write a repository for LeRobot's EnvHub: ``env.py``, ``requirements.txt`` and ``README.md``.

    Args:
        env_id: as for `envsuite.card`.
        folder: to be made.
        obs_type: one of `OBSERVATIONS`.

    Returns:
        The files, to be uploaded by ``hf upload USER/REPOSITORY FOLDER``.

    Raises:
        FileExistsError: one of them is there already.
        ValueError: an environment that LeRobot cannot play.
    """
    from envsuite.core.files import write_atomic

    env = LeRobotEnv(env_id, obs_type)
    card, folder = envsuite.card(env_id), Path(folder)
    seen = env.observation_space.spaces  # ty: ignore[missing-attribute]
    rows = "\n".join(f"| `{name}` | {space.shape} | {space.dtype} |" for name, space in seen.items())
    told = {"id": card.id, "summary": card.summary, "source": card.source, "family": card.family}
    action = f"{env.action_space.shape} {env.action_space.dtype}"
    summary = card.summary.replace("\\", "/").replace('"""', "'''")
    contents = {
        "env.py": _ENV.format(summary=summary, env_id=json.dumps(card.id), obs_type=json.dumps(obs_type)),
        "requirements.txt": f"envsuite=={envsuite.__version__}\n",
        "README.md": _README.format(rows=rows, action=action, **told),
    }
    env.close()
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / name for name in contents]
    if there := [path for path in files if path.exists()]:
        raise FileExistsError(f"{there[0]} is there already: delete it first, or name another folder")
    for path, content in zip(files, contents.values(), strict=True):
        write_atomic(path, content)
    return files
