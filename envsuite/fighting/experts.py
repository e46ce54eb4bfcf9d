"""The reference player: the computer player of the engine, deciding at the pace of agents and through their actions."""

import numpy as np

from envsuite.core import Players
from envsuite.core.jit import kernel, records
from envsuite.core.world import allocate
from envsuite.fighting.kernel import brain
from envsuite.fighting.kernel.commands import MACROS
from envsuite.fighting.kernel.inputs import NEUTRAL
from envsuite.fighting.params import (
    AIR,
    BUTTON_CODES,
    HK,
    HP,
    LEVELS,
    LK,
    LP,
    MK,
    MP,
    X_ANTI_AIR,
    X_CROUCH_BLOCK,
    X_DASH_B,
    X_DASH_F,
    X_FORWARD,
    X_IDLE,
    X_JAB,
    X_JUMP_B,
    X_JUMP_F,
    X_JUMP_IN,
    X_JUMP_N,
    X_LOW_JAB,
    X_POKE,
    X_SPECIAL,
    X_STAND_BLOCK,
    X_SUPER,
    X_SWEEP,
    X_THROW,
)

REFERENCE = (1, 100, 100, 100, 100, 85, 34, 0)
"""The fields of `envsuite.fighting.params.LEVEL`: it sees a frame late, and always does what it knows."""

PLAN = np.dtype([("macro", np.int32), ("step", np.int32)], align=True)

# what a macro plays, a direction a decision; the button comes with the last
_STEPS = (
    (2, 3, 6, 0, 0, 0),
    (6, 2, 3, 0, 0, 0),
    (2, 1, 4, 0, 0, 0),
    (2, 5, 2, 0, 0, 0),
    (2, 3, 6, 2, 3, 6),
    (6, 5, 6, 0, 0, 0),  # dash forward
    (4, 5, 4, 0, 0, 0),
    (6, 0, 0, 0, 0, 0),  # charged
    (8, 0, 0, 0, 0, 0),
)
_LENGTHS = (3, 3, 3, 3, 6, 3, 3, 1, 1)


@kernel
def _planned(plan, charge):
    """Direction and buttons of a plan's present step; the plan goes on, or ends."""
    number = plan.macro
    if X_JUMP_F <= number <= X_JUMP_B:
        plan.macro = -1
        return (9, 8, 7)[number - X_JUMP_F]
    row, kicks = 4, False
    if number in (X_DASH_F, X_DASH_B):
        row = 5 if number == X_DASH_F else 6
    elif number != X_SUPER:
        row = number - X_SPECIAL
        if charge != 0:
            kicks = row >= 2
            row = 7 + row % 2
    code, last = _STEPS[row][plan.step], _LENGTHS[row] - 1
    if plan.step >= last:
        plan.macro = -1
        if number >= X_SPECIAL:
            code |= (HK if kicks else HP) << 4
    plan.step += 1
    return code


@kernel
def _as_macro(code, air):
    """The macro that is nearest to a direction and buttons."""
    direction, buttons = code & 15, code >> 4
    if buttons == LP | LK:
        return X_THROW
    if buttons == LK:
        return X_LOW_JAB
    if buttons in (LP, MP):
        return X_JAB
    if buttons == MK:
        return X_POKE
    if buttons == HK:
        return X_JUMP_IN if air else X_SWEEP
    if buttons == HP:
        return X_ANTI_AIR
    if direction >= 7:
        return X_JUMP_B if direction == 7 else (X_JUMP_N if direction == 8 else X_JUMP_F)
    if direction == 6:
        return X_FORWARD
    if direction == 4:
        return X_STAND_BLOCK
    return X_IDLE if direction == NEUTRAL else X_CROUCH_BLOCK


@kernel
def _written(form, code, air, out):
    """Write a direction and buttons as an action."""
    direction, buttons = code & 15, code >> 4
    if form == 0:
        out[0], out[1] = direction - 1, 0
        for k in range(len(BUTTON_CODES)):
            if BUTTON_CODES[k] == buttons:
                out[1] = k
    elif form == 2:
        out[0] = direction - 1
        for k in range(6):
            if buttons == 1 << k:
                out[0] = 10 + k
        if buttons == LP | LK:
            out[0] = 16
    else:
        out[0] = _as_macro(code, air)


@kernel
def _switched(code, facing, out):
    """Write a direction and buttons as ten switches."""
    direction, buttons = code & 15, code >> 4
    side = (direction - 1) % 3 - 1
    if facing < 0:
        side = -side
    out[0], out[1] = int(direction >= 7), int(direction <= 3)
    out[2], out[3] = int(side < 0), int(side > 0)
    for k in range(6):
        out[4 + k] = (buttons >> k) & 1


@kernel
def _decide(states, params, plans, agents, level, actions):
    """Think for every slot and agent, on copies of the records."""
    p = params[0]
    for n in range(states.shape[0]):
        s = states[n]
        for j in range(agents):
            f, plan, out = s.fighters[j], plans[n, j], actions[n, j]
            ch = p.characters[f.character]
            f.level = level
            if p.form == 4:  # one macro, and none behind it
                out[1], out[2] = MACROS, MACROS
            if s.clock.step == 0:  # a new episode, perhaps of other characters
                plan.macro, f.brain.until = -1, 0
            if plan.macro >= 0:
                code = _planned(plan, ch.charge)
            else:
                f.macro = -1
                code = brain.think(s, p, j)
                if f.macro >= 0:
                    if p.form >= 2 and f.macro >= X_SPECIAL:
                        out[0] = f.macro - X_SPECIAL + 17 if p.form == 2 else f.macro
                        continue
                    plan.macro, plan.step = f.macro, 0
                    code = _planned(plan, ch.charge)
            if p.form == 1:
                _switched(code, f.facing, out)
            else:
                _written(p.form, code, f.state == AIR, out)


class ComputerPlayer:
    """The computer player through an agent's actions: it sees and presses once a decision.

    Args:
        world: a `DuelWorld` or `DuelVersusWorld`; all of its agents are played.
        level: 1 to 8; None for better eyes and nerves than any of these, `REFERENCE`.
    """

    def __init__(self, world, level: int | None = None):
        self._world, self._level = world, level or LEVELS
        self._params = records(world.params.copy())
        if level is None:
            self._params["levels"][0, LEVELS - 1] = REFERENCE
        self._agents = max(1, len(world.agents))
        self._make_room(0)

    def _make_room(self, slots: int) -> None:
        self._copies = allocate(self._world, slots)
        self._minds = self._copies["fighters"]["brain"][:, : self._agents].copy()
        self._plans = records(np.zeros((slots, self._agents), PLAN))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Forget plans and thoughts."""
        if len(self._copies) != len(mask):
            self._make_room(len(mask))
        self._plans["macro"][mask] = -1
        self._minds[mask] = np.zeros((), self._minds.dtype)

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The action of every agent; the records are copied, not changed."""
        self._copies[:] = states
        self._copies["fighters"]["brain"][:, : self._agents] = self._minds
        shape = self._world.action.shape
        actions = np.zeros((len(states), self._agents, *(shape or (1,))), np.int64)
        _decide(self._copies, self._params, self._plans, self._agents, self._level, actions)
        self._minds = self._copies["fighters"]["brain"][:, : self._agents].copy()
        if not self._world.agents:
            actions = actions[:, 0]
        return actions if shape else actions[..., 0]


class FightPlayers(Players):
    """The reference player, and those who collect data."""

    def expert(self):
        """The computer player with better eyes, deciding at the pace of agents."""
        return ComputerPlayer(self.world)

    def collector(self, name):
        """A computer player (``"level-3"``), or a network of the ladder (``"rung-4"``), for all agents."""
        from envsuite.fighting.ladder import rung, rungs

        levels = [f"level-{k}" for k in range(1, LEVELS + 1)]
        if name in levels:
            return ComputerPlayer(self.world, 1 + levels.index(name))
        if name in rungs():
            return rung(name)[1]
        raise ValueError(f"collector is {name!r}, expected one of {', '.join((*levels, *rungs()))}")
