"""Mortar Mayhem: the rules on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    kernel,
    rng,
)

COMMANDS = ("right", "down", "left", "up", "stay", "right down", "right up", "left down", "left up")
OFFSETS = ((1, 0), (0, 1), (-1, 0), (0, -1), (0, 0), (1, 1), (1, -1), (-1, 1), (-1, -1))
"""Columns and rows of each command."""
MOVES = ("wait", "left", "right", "forward")
AHEAD = ((0, -1), (-1, 0), (0, 1), (1, 0))
"""Columns and rows of a step north, west, south and east; a turn to the left leads to the next."""
MOST = 120
"""Commands that a record holds."""


class Params(Record):
    """The options that kernels know."""

    side = field(type=np.int32, meaning="tiles along each side of the arena")
    allowed = field(type=np.int32, meaning="kinds of commands, the first ones of `COMMANDS`")
    commands = field(type=np.int32, meaning="of an episode; at the beginning, where they grow")
    endless = field(type=np.uint8, meaning="1 if commands grow, and the arena has no border")
    told = field(type=np.uint8, meaning="1 if all commands are observed all the time")
    shown = field(type=np.int32, meaning="steps for which a command is shown")
    pause = field(type=np.int32, meaning="steps between commands")
    time = field(type=np.int32, meaning="steps for a command before the tiles go off")
    fire = field(type=np.int32, meaning="steps for which all tiles but one are deadly")
    quirk = field(type=np.uint8, meaning="1 if the last command counts as done in any case")


class State(StateRecord):
    """The arena, the commands, and how far they have been carried out."""

    x = field(type=np.int32, meaning="column of the agent")
    y = field(type=np.int32, meaning="row of the agent")
    facing = field(type=np.int32, meaning="0 north, 1 west, 2 south, 3 east")
    target_x = field(type=np.int32, meaning="column of the tile where the present command leads")
    target_y = field(type=np.int32, meaning="row of that tile")
    command = field(type=np.int8, shape=MOST, meaning="all commands, indices into `COMMANDS`")
    count = field(type=np.int32, meaning="commands that there are")
    current = field(type=np.int32, meaning="commands of this round that are done")
    done = field(type=np.int32, meaning="commands done in the episode")
    first = field(type=np.int32, meaning="first command that is being shown")
    left = field(type=np.int32, meaning="steps of showing that are left")
    visible = field(type=np.int8, meaning="command that is seen now; -1 for none")
    waited = field(type=np.int32, meaning="steps since the tiles were last safe")
    burning = field(type=np.uint8, meaning="1 while all tiles but the target are deadly")
    burnt = field(type=np.int32, meaning="steps for which they have been")
    success = field(type=np.uint8, meaning="1 if all commands are done")


class Info(Record):
    """The metrics."""

    commands = field(type=np.int32, meaning="done in the episode")
    is_success = field(type=np.bool_, meaning="all commands are done; where they grow, the first ten")
    privileged = field(type=np.float32, shape="sides", meaning="for critics: one-hot column and row of the target")


@kernel
def wrapped(p, place):
    """A column or row; beyond the border the other side of an endless arena."""
    return place % p.side if p.endless else place


@kernel
def draw_commands(s, p, first, last, x, y):
    """Draw commands, which never lead beyond the border of an arena that has one."""
    for k in range(first, last):
        able = 0
        for one in range(p.allowed):
            inside = 0 <= x + OFFSETS[one][0] < p.side and 0 <= y + OFFSETS[one][1] < p.side
            able += p.endless or inside
        chosen = rng.integers(s.rng, rng.DYNAMICS, able)
        for one in range(p.allowed):
            inside = 0 <= x + OFFSETS[one][0] < p.side and 0 <= y + OFFSETS[one][1] < p.side
            if p.endless or inside:
                if chosen == 0:
                    s.command[k] = one
                chosen -= 1
        x, y = x + OFFSETS[s.command[k]][0], y + OFFSETS[s.command[k]][1]
    s.count = last


@kernel
def aim(s, p):
    """The next target, from the last one."""
    s.target_x = wrapped(p, s.target_x + OFFSETS[s.command[s.current]][0])
    s.target_y = wrapped(p, s.target_y + OFFSETS[s.command[s.current]][1])


@kernel
def present(s, p, first):
    """Begin to show commands, those from the first on."""
    s.first = first
    s.left = (s.count - first) * (p.shown + p.pause)


@kernel
def show(s, p):
    """Show what comes next."""
    k = (s.count - s.first) * (p.shown + p.pause) - s.left
    s.left -= 1
    s.visible = s.command[s.first + k // (p.shown + p.pause)] if k % (p.shown + p.pause) < p.shown else -1


@kernel
def reset(s, p):
    """Draw the agent's tile and the commands; the first one is seen at once."""
    s.x, s.y, s.facing = rng.integers(s.rng, rng.RESET, p.side), rng.integers(s.rng, rng.RESET, p.side), 0
    for k in range(MOST):
        s.command[k] = 0
    draw_commands(s, p, 0, p.commands, s.x, s.y)
    s.current, s.done, s.waited, s.burning, s.burnt, s.success = 0, 0, 0, 0, 0, 0
    s.target_x, s.target_y = s.x, s.y
    aim(s, p)
    s.visible, s.left = -1, 0
    if not p.told:
        present(s, p, 0)
        show(s, p)


@kernel
def move(s, p, action):
    """Turn, or go where there is a tile."""
    if action == 1:
        s.facing = (s.facing + 1) % 4
    elif action == 2:
        s.facing = (s.facing + 3) % 4
    elif action == 3:
        x, y = s.x + AHEAD[s.facing][0], s.y + AHEAD[s.facing][1]
        if p.endless or (0 <= x < p.side and 0 <= y < p.side):
            s.x, s.y = wrapped(p, x), wrapped(p, y)


@kernel
def judge(s, p):
    """When time for a command is over. Reward, and whether the episode is."""
    s.current += 1
    s.burning, s.waited = 1, 1
    right = s.x == s.target_x and s.y == s.target_y
    s.done += right
    over = not right
    if s.current >= s.count:
        if not p.endless:
            s.success = right or p.quirk
            over = True
        elif s.count < MOST:
            draw_commands(s, p, s.count, s.count + 1, 0, 0)
            s.current, s.burnt = 0, 0
            present(s, p, s.count - 1)
        else:
            over = True
    return (0.1 if right else 0.0), over


@kernel
def step(s, p, action):
    """Watch, or carry out; returns the reward and whether the episode terminated."""
    s.visible = -1
    if s.left > 0:
        show(s, p)
        return 0.0, False
    move(s, p, action)
    reward, over = 0.0, False
    if s.burning == 0 and s.waited > 0 and s.waited % p.time == 0:
        reward, over = judge(s, p)
    if s.burning == 0:
        s.waited += 1
    elif s.burnt > 0 and s.burnt % p.fire == 0:
        s.burning, s.burnt = 0, 0
        if s.current < s.count:
            aim(s, p)
    else:
        s.burnt += 1
        if s.x != s.target_x or s.y != s.target_y:
            return 0.0, True
    return reward, over


@kernel
def observe(s, p, observation, info):
    """The agent, what is shown, and the safe tile while the others are deadly."""
    side, at = p.side, 2 * p.side + 4
    for k in range(observation.shape[0]):
        observation[k] = 0
    observation[s.x], observation[side + s.y], observation[2 * side + s.facing] = 1, 1, 1
    if s.visible >= 0:
        observation[at + s.visible] = 1
    at += len(COMMANDS)
    observation[at] = s.burning
    if s.burning:
        observation[at + 1 + s.target_x], observation[at + 1 + side + s.target_y] = 1, 1
    at += 1 + 2 * side
    if p.told:
        for k in range(p.commands):
            observation[at + k * len(COMMANDS) + s.command[k]] = 1
    for k in range(2 * side):
        info.privileged[k] = 0.0
    info.privileged[s.target_x], info.privileged[side + s.target_y] = 1.0, 1.0
    info.commands = s.done
    info.is_success = s.done >= 10 if p.endless else s.success != 0


class MortarMayhemWorld(World):
    """Commands are shown one by one, then carried out in order; who is on the wrong tile when time is up is out.

    Args:
        commands: of an episode; where they grow, at its beginning.
        endless: when all commands are done another one is shown and all are carried out anew; the arena has no border.
        side: tiles along each side of the arena.
        allowed: kinds of commands, the first ones of `COMMANDS`.
        told: all commands are observed all the time; what remains to be remembered is which of them is due.
        show_duration: steps for which a command is shown.
        show_delay: steps between commands.
        explosion_delay: steps for each command.
        explosion_duration: steps for which all tiles but one are deadly.
        compat: ``"memory-gym"``: the last command counts as done even if it was not.

    Raises:
        ValueError: growing commands that are told.
    """

    loops = batch_loops(reset, step, observe)
    action = Choice(MOVES)
    state_dtype = State.dtype()
    reward = Reward(low=np.array(0.0), high=np.array(0.1))

    def __init__(
        self,
        *,
        commands: Annotated[int, Between(1, MOST)] = 10,
        endless: bool = False,
        side: Annotated[int, Between(2, 6)] = 5,
        allowed: Annotated[int, Between(4, 9)] = 5,
        told: bool = False,
        show_duration: Annotated[int, Between(1, 100)] = 3,
        show_delay: Annotated[int, Between(0, 100)] = 1,
        explosion_delay: Annotated[int, Between(1, 100)] = 6,
        explosion_duration: Annotated[int, Between(1, 100)] = 2,
        compat: Literal["memory-gym"] | None = None,
    ):
        if endless and told:
            raise ValueError("told is True, expected False where commands grow")
        self.params = Params.make(
            side=side,
            allowed=allowed,
            commands=commands,
            endless=endless,
            told=told,
            shown=show_duration,
            pause=show_delay,
            time=explosion_delay,
            fire=explosion_duration,
            quirk=compat is not None,
        )
        self.info_dtype = Info.dtype(sides=2 * side)
        names = ", ".join(COMMANDS)
        blocks = [
            Block("column", side, 0, 1, "", "1 for the column of the agent"),
            Block("row", side, 0, 1, "", "1 for its row"),
            Block("facing", 4, 0, 1, "", "1 for north, west, south, east"),
            Block("command", len(COMMANDS), 0, 1, "", f"1 for the command that is shown: {names}"),
            Block("fire", 1, 0, 1, "", "1 while all tiles but one are deadly"),
            Block("safe column", side, 0, 1, "", "1 for the column of the safe tile, while the others are deadly"),
            Block("safe row", side, 0, 1, "", "1 for its row"),
        ]
        if told:
            blocks.append(Block("commands", commands * len(COMMANDS), 0, 1, "", "all commands, each one-hot"))
        self.observation = Vector(tuple(blocks), np.int8)
