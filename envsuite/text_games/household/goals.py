"""The six tasks, and which goals each can have in which room."""

import numpy as np

from envsuite.text_games.household.kinds import (
    BATHROOM,
    BEDROOM,
    CAN_CLEAN,
    CAN_COOL,
    CAN_HEAT,
    CAN_HOLD,
    DESKLAMP,
    FRIDGE,
    IN_ROOM,
    KITCHEN,
    LIVINGROOM,
    MICROWAVE,
    NEVER,
    PLAN,
    ROOMS,
    SINKBASIN,
)

TASKS = ("pick", "light", "clean", "heat", "cool", "two")
PICK, LIGHT, CLEAN, HEAT, COOL, TWO = range(len(TASKS))
TASK_ROOMS = (
    (KITCHEN, LIVINGROOM, BEDROOM, BATHROOM),
    (LIVINGROOM, BEDROOM),
    (KITCHEN, BATHROOM),
    (KITCHEN,),
    (KITCHEN,),
    (KITCHEN, LIVINGROOM, BEDROOM, BATHROOM),
)
"""Rooms in which each task is set, as in ALFRED."""
TOOL = (-1, -1, SINKBASIN, MICROWAVE, FRIDGE, -1)
"""The kind of receptacle with which each task treats a thing."""
TREATABLE = {CLEAN: CAN_CLEAN, HEAT: CAN_HEAT, COOL: CAN_COOL}
EVERY = 5
"""One goal in so many is held out."""


def _goals(task: int) -> list[tuple[int, int]]:
    """Kinds of things and of receptacles, -1 for none, that a task can ask for in some room."""
    fits = TREATABLE.get(task, np.ones(DESKLAMP + 1, np.uint8))
    things = [kind for kind in range(DESKLAMP) if fits[kind] and IN_ROOM[list(TASK_ROOMS[task]), kind].any()]
    if task == LIGHT:
        return [(kind, -1) for kind in things]
    spots = [spot for spot in range(len(CAN_HOLD)) if spot != TOOL[task]]
    return [(kind, spot) for kind in things for spot in spots if CAN_HOLD[spot, kind] != NEVER]


def _possible(task: int, room: int, kind: int, spot: int) -> bool:
    exists = spot < 0 or PLAN[room, :, spot].any()
    return room in TASK_ROOMS[task] and bool(IN_ROOM[room, kind]) and bool(exists)


_ROWS = [
    (task, room, kind, spot, number % EVERY == EVERY // 2)
    for task in range(len(TASKS))
    for room in range(len(ROOMS))
    for number, (kind, spot) in enumerate(_goals(task))
    if _possible(task, room, kind, spot)
]
GOALS = np.array(_ROWS, np.int16)
"""int16 (goals, 5): task, room, kind of thing, kind of receptacle or -1, whether it is held out from training."""
_STARTS = np.cumsum([0, *(np.sum((GOALS[:, 0] == t) & (GOALS[:, 1] == r)) for t in range(6) for r in range(4))])
GOAL_AT = _STARTS.astype(np.int64)
"""int64 (tasks * rooms + 1,): where the goals of each task and room begin."""
ROOM_COUNT = np.array([len(rooms) for rooms in TASK_ROOMS], np.int64)
ROOM_OF = np.array([[*rooms, *[-1] * (len(ROOMS) - len(rooms))] for rooms in TASK_ROOMS], np.int64)
"""int64 (tasks, rooms): the rooms of each task; -1 behind them."""
TOOL_OF = np.array(TOOL, np.int64)
