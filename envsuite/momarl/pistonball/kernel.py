"""The rules of pistonball on one record, the batch loops, and the world."""

import numpy as np

from envsuite.core import rng
from envsuite.core.clock import cut
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import Reward, World
from envsuite.momarl.pistonball.params import (
    DROP,
    DT,
    FINISH,
    GRIP,
    HEIGHT,
    LOWEST,
    MOST_PISTONS,
    PARAMS,
    PERSISTENCE,
    POSITIONS,
    RADIUS,
    SIGHTS,
    SPIN,
    STROKE,
    WALL,
)
from envsuite.momarl.pistonball.physics import advance
from envsuite.momarl.pistonball.state import CONTINUOUS, DISCRETE, INFO, OBSERVATION, state_dtype
from envsuite.momarl.world import named, number, one_of, whole


@kernel
def edge(s):
    """The ball's left edge in whole px, no further than the wall."""
    return max(WALL, np.float64(np.int64(s.place[0] - RADIUS)))


@kernel
def reset(s, p):
    """Pistons in their lower half, the ball near the right wall, turning."""
    pistons = len(s.height)
    for k in range(pistons):
        step = rng.integers(s.rng, rng.RESET, POSITIONS // 2)
        s.height[k], s.push[k] = LOWEST - STROKE * np.float64(step), 0.0
    for k in range(len(s.since)):
        s.normal[k], s.along[k], s.since[k] = 0.0, 0.0, PERSISTENCE + 1
    x, y = 0.0, 0.0
    if p.drop:
        y = np.float64(rng.integers(s.rng, rng.RESET, 2 * DROP[1] + 1) - DROP[1])
        x = np.float64(rng.integers(s.rng, rng.RESET, 2 * DROP[0] + 1) - DROP[0])
    right = WALL * np.float64(pistons + 1)
    s.place[0] = max(right - RADIUS - DROP[0] + x, WALL + RADIUS + 1.0)
    s.place[1] = HEIGHT - WALL - 23.0 - RADIUS - 0.5 * STROKE * POSITIONS - DROP[1] + y
    s.velocity[0], s.velocity[1], s.shift[0], s.shift[1] = 0.0, 0.0, 0.0, 0.0
    s.angle, s.spin = 0.0, 0.0
    if p.spin:
        s.spin = rng.uniform(s.rng, rng.RESET, -SPIN, SPIN)
    s.before = edge(s)
    s.way = s.before - WALL


@kernel
def step(s, p, rewards):
    """Pistons move one after the other, with a step of the engine each. Whether the ball is at the wall."""
    for k in range(len(s.height)):
        y = s.height[k] - STROKE * s.push[k]
        s.height[k] = min(max(y, LOWEST - STROKE * POSITIONS), LOWEST)
        advance(s, p)
    now = edge(s)
    over = now + s.velocity[0] * DT <= FINISH
    for n in range(rewards.shape[0]):
        rewards[n, 0] = (s.before - now) * 100.0 / s.way
        rewards[n, 1] = 0.0 if over else p.penalty
    s.before = now
    if s.clock.step >= p.cycles:
        cut(s.clock)
    return over


@kernel
def observe(s, p, observations, info):
    """Write what each piston sees, and the metrics."""
    pistons, travel = len(s.height), STROKE * POSITIONS
    at_wall = s.before + s.velocity[0] * DT <= FINISH
    for n in range(pistons):
        out = observations[n]
        middle = WALL * (np.float64(n) + 1.5)
        out[0] = (LOWEST - s.height[n]) / travel
        out[1] = ((LOWEST - s.height[n - 1]) / travel) if n > 0 else -1.0
        out[2] = ((LOWEST - s.height[n + 1]) / travel) if n + 1 < pistons else -1.0
        out[3] = np.float32(n) / np.float32(pistons - 1)
        across = s.place[0] - middle
        seen = p.far != 0 or abs(across) < 1.5 * WALL + RADIUS
        out[4] = seen
        out[5] = (across / RADIUS) if seen else 0.0
        out[6] = ((s.height[n] - s.place[1]) / RADIUS) if seen else 0.0
        out[7] = (s.velocity[0] / RADIUS) if seen else 0.0
        out[8] = (-s.velocity[1] / RADIUS) if seen else 0.0
        out[9] = s.spin if seen else 0.0
        info[n].left = (s.before - WALL) / s.way
        info[n].at_wall = at_wall


@kernel
def step_numbers(s, p, actions, rewards):
    """A step by numbers."""
    for k in range(len(s.push)):
        s.push[k] = actions[k, 0]
    return step(s, p, rewards)


@kernel
def step_choices(s, p, actions, rewards):
    """A step by choices: down, stay, up."""
    for k in range(len(s.push)):
        s.push[k] = actions[k] - 1
    return step(s, p, rewards)


BY_NUMBERS = batch_loops(reset, step_numbers, observe)
BY_CHOICES = batch_loops(reset, step_choices, observe)


class PistonballWorld(World):
    """Pistons in a row move up and down, one after the other, to roll a ball to the left wall.

    Args:
        n_pistons: 2 to 60. The ball has 0.05 s for each of them in a step.
        time_penalty: reward of the second objective in each step before the last, at most 0.
        continuous: pushes are numbers; otherwise choices.
        random_drop: the ball's first place is drawn.
        random_rotate: so is its angular velocity.
        ball_mass: which has no effect on its own, since nothing but the ball moves freely.
        ball_friction: multiplied by 0.64, the pistons' and walls'.
        ball_elasticity: multiplied by `wall_elasticity`.
        wall_elasticity: of pistons and walls; the original has 0, so that nothing bounces.
        max_cycles: steps after which an episode is cut off.
        sight: ``"window"``: a piston sees the ball where it is above it or its neighbours, as in the original's
            pictures; ``"all"``: all see it.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    info_dtype = INFO
    observation = OBSERVATION

    def __init__(
        self,
        *,
        n_pistons: int = 20,
        time_penalty: float = -0.1,
        continuous: bool = True,
        random_drop: bool = True,
        random_rotate: bool = True,
        ball_mass: float = 0.75,
        ball_friction: float = 0.3,
        ball_elasticity: float = 1.5,
        wall_elasticity: float = 0.0,
        max_cycles: int = 125,
        sight: str = "window",
    ):
        pistons = whole("n_pistons", n_pistons, 2, MOST_PISTONS)
        self.params = np.zeros(1, PARAMS)
        p = self.params[0]
        p["penalty"] = number("time_penalty", time_penalty, -1e6, 0)
        p["drop"], p["spin"] = bool(random_drop), bool(random_rotate)
        p["mass"] = number("ball_mass", ball_mass, 1e-3, 1e3)
        p["friction"] = GRIP * number("ball_friction", ball_friction, 0, 100)
        p["bounce"] = number("ball_elasticity", ball_elasticity, 0, 10) * number(
            "wall_elasticity", wall_elasticity, 0, 10
        )
        p["cycles"] = whole("max_cycles", max_cycles, 1, 10**6)
        p["far"] = one_of("sight", sight, SIGHTS)
        self.action = CONTINUOUS if continuous else DISCRETE
        self._continuous = continuous
        self.agents = named("piston", pistons)
        # the ball can lie all its way back to the right wall, and its way may be a single px
        most = 100.0 * WALL * pistons
        self.reward = Reward(("progress", "time"), np.array([-most, float(p["penalty"])]), np.array([most, 0.0]))
        self.state_dtype = state_dtype(pistons)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the kind of action."""
        return BY_NUMBERS if self._continuous else BY_CHOICES
