"""Goals in hindsight (hindsight experience replay, HER; Andrychowicz et al. 2017): a memory that relabels.

A share of the transitions drawn is given another goal: a place that the same episode came to later ("future", section
4.5). Rewards for it are worked out when transitions are drawn, so that each is seen with many goals.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from rows import Rows

_GOING_ON = -1  # in the place of the last step of an episode that has none yet


@dataclass
class HindsightSettings:
    """What relabelling adds to the settings of an algorithm, or changes in them.

    Attributes:
        hindsight: share of the transitions drawn whose goal is a later place of the episode; 0.8 is four in five, the
            paper's best.
        goal_ends: whether a goal that is reached ends an episode of this environment, so that nothing counts after it,
            and no step begins at it: those keep their own goals (filtered HER; Manela and Biess 2021, "Bias-reduced
            hindsight experience replay with virtual goal prioritization"). It is reached where the reward is that of
            having come to it exactly.
    """

    autoreset: str = "NextStep"
    hindsight: float = 0.8
    goal_ends: bool = False


class HindsightBuffer:
    """The last steps of all instances in their order, drawn as transitions with goals in hindsight.

    Args:
        capacity: steps kept, of all instances together; the oldest are overwritten.
        rows: whose steps they are, of a world with goals (`envsuite.core.goals`).
        config: ``returns``, ``gamma`` and ``reward_scale``, and those of `HindsightSettings`.

    Attributes:
        count: steps that there are.

    Raises:
        ValueError: a world without goals, or whose rewards are not those of goals; a share that is none; instances that
            begin anew within a step, whose last places are gone.
    """

    def __init__(self, capacity: int, rows: Rows, config: Any):
        if not 0 <= config.hindsight <= 1:
            raise ValueError(f"hindsight is {config.hindsight}, expected a share from 0 to 1")
        if config.autoreset != AutoresetMode.NEXT_STEP.value:
            raise ValueError(f"autoreset is {config.autoreset!r}, expected 'NextStep' for goals in hindsight")
        self._env, self._world = rows.env, rows.env.world
        if not hasattr(self._world, "compute_reward"):
            raise ValueError(f"{type(self._world).__name__} has no compute_reward, expected a world with goals")
        self._parts = self._world.goal_parts
        self._returns, self._gamma, self._scale = config.returns, config.gamma, config.reward_scale
        self._share, self._goal_ends = config.hindsight, config.goal_ends
        self._rows = rows.count
        self._length = max(capacity // rows.count, config.returns)
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self._columns: dict[str, torch.Tensor] = {}
        self._time = 0  # steps so far, of each instance
        self._begin = torch.zeros(self._rows, dtype=torch.int64)
        self._last = torch.full((self._length, self._rows), _GOING_ON)

    @property
    def count(self) -> int:
        """Steps that there are, of all instances together."""
        return min(self._time, self._length) * self._rows

    def add(self, columns: dict[str, torch.Tensor]) -> None:
        """Take a step of all instances, over the oldest where the memory is full; see `replay.transition`."""
        columns = {name: one for name, one in columns.items() if not name.endswith("critic_obs")}
        columns["achieved"] = torch.from_numpy(self._achieved(columns["next_obs"]))
        if not self._columns:
            for name, values in columns.items():
                self._columns[name] = torch.zeros(self._length, *values.shape, dtype=values.dtype)
        place = self._time % self._length
        for name, values in columns.items():
            self._columns[name][place] = values
        self._last[place] = _GOING_ON
        for row in columns["done"].nonzero()[:, 0].tolist():
            first = max(int(self._begin[row]), self._time - self._length + 1)
            self._last[torch.arange(first, self._time + 1) % self._length, row] = self._time
            self._begin[row] = self._time + 1
        self._time += 1

    def _achieved(self, obs: torch.Tensor) -> np.ndarray:
        """What the step has come to, (r, k) float64: what rewards are paid for, where observations do not hold it."""
        if hasattr(self._world, "achieved"):
            return self._world.achieved(obs.numpy().astype(np.float64), self._env.batch.states)
        return obs[:, self._parts["achieved_goal"]].numpy().astype(np.float64)

    def sample(self, size: int) -> dict[str, torch.Tensor]:
        """Transitions drawn with replacement, all equally likely; each with its own goal or one in hindsight.

        Returns:
            As `replay.ReplayBuffer.sample`. Sums of rewards end where the episode does, or what is known of it; with
            ``goal_ends`` also where the goal is reached.
        """
        known = self._columns
        time, row = self._draw(size)
        last = self._last[time % self._length, row]
        last = torch.where(last == _GOING_ON, self._time - 1, last)
        times = time.unsqueeze(1) + torch.arange(self._returns)
        inside = times <= last.unsqueeze(1)
        places, rows = times % self._length, row.unsqueeze(1)
        end = places.gather(1, inside.sum(1, keepdim=True) - 1).squeeze(1)
        now = places[:, 0]
        later = time + (torch.rand(size) * (last - time + 1)).long()
        goal = known["achieved"][later % self._length, row]
        changed = torch.rand(size) < self._share
        paid = self._paid(known["achieved"][places, rows], goal.unsqueeze(1))
        ahead, discount = inside.float(), known["discount"][end, row]
        if self._goal_ends:
            best = self._paid(goal, goal)
            changed &= ~self._reached_before(time, row, goal, best)
            missed = ((paid < best.unsqueeze(1)) | ~inside).float()
            ahead = ahead * torch.cat([torch.ones(size, 1), missed.cumprod(1)[:, :-1]], 1)
            discount = torch.where(changed, self._gamma * missed.prod(1), discount)
        weight = self._gamma ** torch.arange(self._returns)
        own = (known["reward"][places, rows] * inside * weight).sum(1)
        found = {
            "action": known["action"][now, row],
            "reward": torch.where(changed, (paid * ahead * weight).sum(1), own),
            "discount": discount * self._gamma ** (inside.sum(1) - 1),
        }
        for name, place in (("obs", now), ("next_obs", end)):
            seen = known[name][place, row]
            seen[changed, self._parts["desired_goal"]] = goal[changed].float()
            found[name] = found[name.replace("obs", "critic_obs")] = seen
        return found

    def _paid(self, achieved: torch.Tensor, goal: torch.Tensor) -> torch.Tensor:
        """Rewards (...) of what is achieved for goals, both (..., k), scaled."""
        paid = self._world.compute_reward(achieved.numpy(), goal.numpy())
        return self._scale * torch.from_numpy(np.asarray(paid)).float()

    def _reached_before(
        self, time: torch.Tensor, row: torch.Tensor, goal: torch.Tensor, best: torch.Tensor
    ) -> torch.Tensor:
        """Where steps (b,) began at the goal, so that their episode would have been over before, or nobody knows."""
        before = self._columns["achieved"][(time - 1) % self._length, row]
        return (self._paid(before, goal) >= best) | (time <= max(0, self._time - self._length))

    def _draw(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Times and rows of steps that are experience, each (b,)."""
        filled = min(self._time, self._length)
        time, row = torch.empty(size, dtype=torch.int64), torch.empty(size, dtype=torch.int64)
        wanted = torch.ones(size, dtype=torch.bool)
        while count := int(wanted.sum()):
            time[wanted] = self._time - filled + torch.randint(filled, (count,))
            row[wanted] = torch.randint(self._rows, (count,))
            wanted = ~self._columns["valid"][time % self._length, row]
        return time, row

    def state_dict(self) -> dict[str, Any]:
        """What is in it."""
        filled = min(self._time, self._length)
        columns = {name: values[:filled].clone() for name, values in self._columns.items()}
        return {"columns": columns, "time": self._time, "begin": self._begin, "last": self._last[:filled].clone()}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        self.clear()
        for name, values in state["columns"].items():
            self._columns[name] = torch.zeros(self._length, *values.shape[1:], dtype=values.dtype)
            self._columns[name][: len(values)] = values
        self._time, self._begin = state["time"], state["begin"].clone()
        self._last[: len(state["last"])] = state["last"]
