"""Two fighters under the tests' control, frame by frame."""

import numpy as np

from envsuite.core.batch import Batch
from envsuite.fighting.kernel import DuelVersusWorld
from envsuite.fighting.params import AIR, ATTACK, BUTTON_NAMES, CROUCH, STAGE, UNIT

NOTHING = (5, "none")
MOTIONS = {
    19: (2, 3, 6),
    20: (6, 2, 3),
    21: (2, 1, 4),
    22: (2, 5, 2),
    23: (2, 3, 6, 2, 3, 6),
}


class Bout:
    """One fight, a frame a step."""

    def __init__(self, first="arden", second="arden", gap=40, **options):
        world = DuelVersusWorld(characters=(first, second), frame_skip=1, swap_sides=False, **options)
        self.batch = Batch(world, 1, num_threads=1)
        self.batch.seed([0])
        self.batch.reset()
        self.world = world
        self.place(gap)

    @property
    def state(self):
        return self.batch.states[0]

    def fighter(self, i):
        return self.batch.states[0]["fighters"][i]

    def set(self, i, **fields):
        for name, value in fields.items():
            self.batch.states["fighters"][name][0, i] = value

    def place(self, gap):
        self.set(0, x=STAGE // 2 - gap * UNIT // 2)
        self.set(1, x=STAGE // 2 + gap * UNIT // 2)

    def step(self, first=NOTHING, second=NOTHING):
        row = [[direction - 1, BUTTON_NAMES.index(button)] for direction, button in (first, second)]
        return self.batch.step(np.array([row], np.int64))

    def wait(self, frames, first=NOTHING, second=NOTHING):
        for _ in range(frames):
            self.step(first, second)

    def moves(self, i=0):
        return self.world.params[0]["characters"]["moves"][int(self.fighter(i)["character"])]

    def perform(self, move, button="HP", second=NOTHING):
        """The first fighter begins a move; its first frame has passed when this returns."""
        if move < 6:
            self.step((5, BUTTON_NAMES[1 + move]), second)
        elif move < 12:
            self.step((2, BUTTON_NAMES[1 + move - 6]), second)
        elif move == 18:
            self.step((5, "throw"), second)
        elif self.world.params[0]["characters"]["charge"][int(self.fighter(0)["character"])] and move < 23:
            self.set(0, charge_back=40, charge_down=40)
            kicks = move in (21, 22)
            press = {"HP": "HK", "punches": "kicks"}[button] if kicks else button
            self.step((8 if move in (20, 22) else 6, press), second)
        else:
            *motion, last = MOTIONS[move]
            for direction in motion:
                self.step((direction, "none"), second)
            self.step((last, button), second)
        assert self.fighter(0)["state"] == ATTACK
        assert self.fighter(0)["move"] == move, (self.fighter(0)["move"], move)


def busy(fighter) -> bool:
    """Whether a fighter cannot act."""
    return int(fighter["state"]) > CROUCH and int(fighter["state"]) != AIR


def luck_inputs(rng, frames, pairs):
    """Inputs like a wild player's: held directions, buttons, and motions in full; (frames, pairs, 2, 2)."""
    out = np.zeros((frames, pairs, 2, 2), np.int64)
    for k in range(pairs):
        for i in range(2):
            t = 0
            while t < frames:
                kind = rng.random()
                if kind < 0.3:
                    motion = list(MOTIONS.values())[rng.integers(5)]
                    for n, direction in enumerate(motion):
                        if t < frames:
                            press = rng.choice((1, 2, 3, 4, 5, 6, 8, 9)) if n == len(motion) - 1 else 0
                            out[t, k, i] = direction - 1, press
                            t += 1
                elif kind < 0.4:
                    for direction in (6, 5, 6) if rng.random() < 0.7 else (4, 5, 4):
                        if t < frames:
                            out[t, k, i] = direction - 1, 0
                            t += 1
                else:
                    long = int(rng.choice((1, 2, 3, 5, 8, 45), p=(0.2, 0.2, 0.2, 0.2, 0.15, 0.05)))
                    direction = rng.choice((0, 1, 2, 3, 4, 5, 5, 5, 6, 7, 8))
                    button = rng.integers(10) if rng.random() < 0.5 else 0
                    out[t : t + long, k, i, 0] = direction
                    out[t : t + 1, k, i, 1] = button
                    t += long
    return out
