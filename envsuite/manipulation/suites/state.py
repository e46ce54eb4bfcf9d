"""One instance of a suite, and its metrics."""

import numpy as np

from envsuite.core import Record, field
from envsuite.manipulation.meta import state as task_state

SEEN = 2 * task_state.SIGHT + 3
"""Numbers that a task shows."""


class _Chosen(Record):
    """Which task and goal an instance has."""

    seed = field(type=np.int64, meaning="given by the user")
    level = field(type=np.int64, meaning="number of the task in the suite")
    goal_number = field(type=np.int64, meaning="which of the task's goals")


class State(_Chosen, task_state.State):
    """One instance."""


class _Told(Record):
    """Which task and goal it was."""

    task = field(type=np.int64, meaning="its number in the suite")
    goal = field(type=np.int64, meaning="which of the task's goals")


class Info(_Told, task_state.Info):
    """The metrics."""
