"""What a task of a suite is told."""

import numpy as np

from envsuite.core import Record, field
from envsuite.manipulation.meta import params as task_params
from envsuite.manipulation.suites.goals import MOST


class _Choice(Record):
    """What a suite adds to a task; it stands first, since no record may be the beginning of another."""

    goals = field(unit="m", shape=(MOST, 2, 3), meaning="places that episodes have")
    goal_count = field(type=np.int64, low=1, high=MOST)
    tasks = field(type=np.int64, meaning="number of tasks", low=1)
    episodes = field(type=np.int64, meaning="in a row that have the same task and goal", low=1)
    attempt_steps = field(type=np.int64, meaning="after which everything is put back; 0 for never", low=0)
    fixed_task = field(type=np.uint8, meaning="whether an instance keeps its task")
    one_hot = field(type=np.uint8, meaning="whether the task is observed")
    history = field(type=np.uint8, meaning="whether the last action and reward are observed")


class Params(_Choice, task_params.Params):
    """A task of a suite."""
