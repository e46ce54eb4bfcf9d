"""The rules of pistonball on one record, the batch loops, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Reward, World, batch_loops, cut, kernel, rng
from envsuite.momarl.pistonball.params import (
    DROP,
    DT,
    FINISH,
    GRIP,
    HEIGHT,
    LOWEST,
    PERSISTENCE,
    POSITIONS,
    RADIUS,
    SPIN,
    STROKE,
    WALL,
    Params,
)
from envsuite.momarl.pistonball.physics import advance
from envsuite.momarl.pistonball.state import CONTINUOUS, DISCRETE, OBSERVATION, Info, State
from envsuite.momarl.world import named


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
def raised(s, n):
    """How far a piston's head is up, in units of its way; -1 for the walls beside the first and the last."""
    return (LOWEST - s.height[n]) / (STROKE * POSITIONS) if 0 <= n < len(s.height) else -1.0


@kernel
def observe(s, p, o, info):
    """Write what each piston sees, and the metrics."""
    pistons = len(s.height)
    at_wall = s.before + s.velocity[0] * DT <= FINISH
    for n in range(pistons):
        o[n].height, o[n].left_height, o[n].right_height = raised(s, n), raised(s, n - 1), raised(s, n + 1)
        o[n].column = np.float32(n) / np.float32(pistons - 1)
        across = s.place[0] - WALL * (np.float64(n) + 1.5)
        seen = p.far != 0 or abs(across) < 1.5 * WALL + RADIUS
        o[n].visible = seen
        o[n].across = across / RADIUS if seen else 0.0
        o[n].above = (s.height[n] - s.place[1]) / RADIUS if seen else 0.0
        o[n].velocity[0] = s.velocity[0] / RADIUS if seen else 0.0
        o[n].velocity[1] = -s.velocity[1] / RADIUS if seen else 0.0
        o[n].spin = s.spin if seen else 0.0
        info[n].left, info[n].at_wall = (s.before - WALL) / s.way, at_wall


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
        n_pistons: how many. The ball has 0.05 s for each of them in a step.
        time_penalty: reward of the second objective in each step before the last.
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
    """

    info_dtype = Info.dtype(np.float32)
    observation = OBSERVATION

    def __init__(
        self,
        *,
        n_pistons: Annotated[int, Between(2, 60)] = 20,
        time_penalty: Annotated[float, Between(-1e6, 0)] = -0.1,
        continuous: bool = True,
        random_drop: bool = True,
        random_rotate: bool = True,
        ball_mass: Annotated[float, Between(1e-3, 1e3)] = 0.75,
        ball_friction: Annotated[float, Between(0, 100)] = 0.3,
        ball_elasticity: Annotated[float, Between(0, 10)] = 1.5,
        wall_elasticity: Annotated[float, Between(0, 10)] = 0.0,
        max_cycles: Annotated[int, Between(1, 10**6)] = 125,
        sight: Literal["window", "all"] = "window",
    ):
        self.params = Params.make(
            mass=ball_mass,
            friction=GRIP * ball_friction,
            bounce=ball_elasticity * wall_elasticity,
            penalty=time_penalty,
            cycles=max_cycles,
            drop=random_drop,
            spin=random_rotate,
            far=sight == "all",
        )
        self.action = CONTINUOUS if continuous else DISCRETE
        self._continuous = continuous
        self.agents = named("piston", n_pistons)
        # the ball can lie all its way back to the right wall, and its way may be a single px
        most = 100.0 * WALL * n_pistons
        penalty = float(self.params[0]["penalty"])
        self.reward = Reward(("progress", "time"), np.array([-most, penalty]), np.array([most, 0.0]))
        self.state_dtype = State.dtype(pistons=n_pistons, lines=n_pistons + 4)

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the kind of action."""
        return BY_NUMBERS if self._continuous else BY_CHOICES
