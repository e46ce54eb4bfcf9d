"""Transitions for learning off the policy: sums of successive rewards, and a memory of the last transitions."""

from typing import Any

import torch
from rows import Rows, Step


def transition(
    before: tuple[torch.Tensor, torch.Tensor], action: torch.Tensor, step: Step, gamma: float, scale: float = 1.0
) -> dict:
    """The columns of one step of all rows.

    Args:
        before: what actor and critic saw.
        action: as the networks take it.
        step: what it brought.
        gamma: discount.
        scale: what rewards are multiplied by.

    Returns:
        ``obs, critic_obs, action, reward, next_obs, next_critic_obs``; ``discount``, what the value after it counts
        for: 0 where the task ended the episode, gamma where the length limit did or it goes on; ``done``, ``valid``.
    """
    columns = {"obs": before[0], "critic_obs": before[1], "action": action, "reward": scale * step.reward}
    columns |= {"next_obs": step.next_obs, "next_critic_obs": step.next_critic_obs}
    columns |= {"discount": gamma * ~step.terminated, "done": step.done, "valid": step.valid}
    return columns if step.next_mask is None else columns | {"next_mask": step.next_mask}


def n_step(window: list[dict[str, torch.Tensor]], gamma: float) -> dict[str, torch.Tensor]:
    """The oldest of successive steps with the rewards of all, as far as the episode goes.

    Args:
        window: columns of each step.
        gamma: discount.

    Returns:
        Its valid rows; ``discount`` is what the value after the last reward counts for.
    """
    oldest, *later = window
    found = {name: values for name, values in oldest.items() if name not in ("done", "valid")}
    going, weight = ~oldest["done"], gamma
    for step in later:
        found["reward"] = found["reward"] + weight * going * step["reward"]
        found["discount"] = torch.where(going, weight * step["discount"], found["discount"])
        for name in [name for name in found if name.startswith("next_")]:
            wide = going.reshape(-1, *[1] * (step[name].ndim - 1))
            found[name] = torch.where(wide, step[name], found[name])
        going, weight = going & ~step["done"], weight * gamma
    return {name: values[oldest["valid"]] for name, values in found.items()}


class ReplayBuffer:
    """The last transitions, of sums over ``returns`` steps.

    Args:
        capacity: transitions kept; the oldest are overwritten.
        rows: whose transitions they are.
        returns: steps whose rewards are summed.
        gamma: discount.

    Attributes:
        count: transitions that there are.
    """

    def __init__(self, capacity: int, rows: Rows, returns: int, gamma: float):
        self._capacity, self._returns, self._gamma = max(capacity, rows.count), returns, gamma
        self._same = rows.critic_obs is rows.obs  # then one copy is enough
        self._columns: dict[str, torch.Tensor] = {}
        self._window: list[dict[str, torch.Tensor]] = []
        self._next = self.count = 0

    def add(self, columns: dict[str, torch.Tensor]) -> None:
        """Take a step; it is written when its sum is complete, over the oldest where the memory is full."""
        if self._same:
            columns = {name: one for name, one in columns.items() if not name.endswith("critic_obs")}
        self._window.append(columns)
        if len(self._window) == self._returns:
            self._write(n_step(self._window, self._gamma))
            self._window.pop(0)

    def _write(self, columns: dict[str, torch.Tensor]) -> None:
        if not self._columns:
            for name, values in columns.items():
                self._columns[name] = torch.zeros(self._capacity, *values.shape[1:], dtype=values.dtype)
        count = len(columns["reward"])
        places = (self._next + torch.arange(count)) % self._capacity
        for name, values in columns.items():
            self._columns[name][places] = values
        self._next = (self._next + count) % self._capacity
        self.count = min(self.count + count, self._capacity)

    def clear(self) -> None:
        """Forget everything."""
        self._next = self.count = 0
        self._window.clear()

    def sample(self, size: int) -> dict[str, torch.Tensor]:
        """Rows drawn with replacement, all equally likely."""
        places = torch.randint(self.count, (size,))
        drawn = {name: values[places] for name, values in self._columns.items()}
        if self._same:
            drawn |= {"critic_obs": drawn["obs"], "next_critic_obs": drawn["next_obs"]}
        return drawn

    def state_dict(self) -> dict[str, Any]:
        """What is in it."""
        columns = {name: values[: self.count].clone() for name, values in self._columns.items()}
        return {"columns": columns, "window": list(self._window), "next": self._next, "count": self.count}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Return to a moment."""
        self.clear()
        self._window += state["window"]
        if state["columns"]:
            self._write(state["columns"])
        self._next, self.count = state["next"], state["count"]


class UpdateSchedule:
    """Updates owed to the steps made, where a step is worth a fraction of an update or several.

    Args:
        rate: updates a step.
    """

    def __init__(self, rate: float):
        self._rate, self._owed = rate, 0.0

    def due(self, steps: int) -> int:
        """Updates to make now, after so many more steps."""
        self._owed += steps * self._rate
        now = int(self._owed)
        self._owed -= now
        return now

    def state_dict(self) -> dict[str, float]:
        """What is owed."""
        return {"owed": self._owed}

    def load_state_dict(self, state: dict[str, float]) -> None:
        """Return to a moment."""
        self._owed = state["owed"]
