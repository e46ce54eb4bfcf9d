"""The Industrial Benchmark on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, Vector, batch_loops, fmath, kernel, rng
from envsuite.industrial.benchmark.goldstone import penalties, penalty, turn
from envsuite.industrial.benchmark.params import (
    BUFFER,
    GROWS_FROM,
    GROWS_TO,
    GROWTH,
    PAID_SHIFT,
    PAID_WEAR,
    SHIFT_BOUND,
    SHIFT_SCALE,
    SHIFT_SETPOINT,
    SPREAD,
    START,
    STEPS,
    TOLERANCE,
    WEIGHTS,
    Params,
)
from envsuite.industrial.benchmark.state import CONTINUOUS, DISCRETE, FRAME, Info, State, observation
from envsuite.industrial.world import PlantWorld


@kernel
def draw(s):
    """A number in [0, 1)."""
    return rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0)


@kernel
def sigmoid(x):
    """1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + fmath.exp(-x))


@kernel
def begin_drift(s):
    """Draw how the setpoint drifts, and for how long."""
    s.drift_steps = 1 + rng.integers(s.rng, rng.DYNAMICS, 99)
    s.drifted = 0
    s.drift = 2.0 * draw(s) - 1.0
    if draw(s) < 0.1:
        s.drift = 0.0


@kernel
def move_setpoint(s):
    """Let the setpoint drift; at the end of its range it turns in half of the cases."""
    if s.drifted == s.drift_steps:
        begin_drift(s)
    wanted = s.setpoint + s.drift
    if (wanted > 100.0 or wanted < 0.0) and draw(s) > 0.5:
        s.drift = -s.drift
    s.setpoint = min(max(wanted, 0.0), 100.0)
    s.drifted += 1


@kernel
def effective(s):
    """Effective velocity and gain, each from 0 to 1 over the range of the steerings at this setpoint."""
    p = s.setpoint
    raw, least, most = (s.gain + p + 2.0) / (s.velocity + 101.0 - p), (p + 2.0) / (201.0 - p), (p + 102.0) / (101.0 - p)
    velocity = (raw - least) / (most - least)
    raw, least, most = 1.0 / (s.gain + p + 1.0), 1.0 / (p + 101.0), 1.0 / (p + 1.0)
    return velocity, (raw - least) / (most - least)


@kernel
def worn(hidden, act, noise):
    """Hidden wear after a step: it vanishes below the tolerance, and beyond a threshold it grows by itself."""
    if act <= TOLERANCE:
        return act
    if hidden >= GROWS_FROM:
        return min(GROWS_TO, GROWTH * hidden)
    return 0.9 * hidden + noise / 3.0


@kernel
def wear(s):
    """Draw the fatigue of a step."""
    velocity, gain = effective(s)
    late_gain, late_velocity = -0.1 * fmath.log(1.0 - draw(s)), -0.1 * fmath.log(1.0 - draw(s))
    share_gain, share_velocity = draw(s), draw(s)
    struck_gain = draw(s) < min(max(gain, 0.001), 0.999)
    struck_velocity = draw(s) < min(max(velocity, 0.001), 0.999)
    noise_gain, noise_velocity = 2.0 * (sigmoid(late_gain) - 0.5), 2.0 * (sigmoid(late_velocity) - 0.5)
    if struck_gain:
        noise_gain += (1.0 - noise_gain) * share_gain * gain
    if struck_velocity:
        noise_velocity += (1.0 - noise_velocity) * share_velocity * velocity
    s.worn_gain, s.worn_velocity = worn(s.worn_gain, gain, noise_gain), worn(s.worn_velocity, velocity, noise_velocity)
    share = max(noise_velocity, noise_gain)
    if max(s.worn_velocity, s.worn_gain) == GROWS_TO:
        share = sigmoid(rng.normal(s.rng, rng.DYNAMICS, 2.4, 0.4))
    basic = max(0.0, 30000.0 / (5.0 * s.velocity + 100.0) - 0.01 * s.gain * s.gain)
    s.fatigue = basic * (1.0 + 2.0 * share) / 3.0


@kernel
def operational(s):
    """Operational cost of now."""
    return fmath.exp((2.0 * s.setpoint + 2.5 * s.gain + 4.0 * s.velocity) / 100.0)


@kernel
def paid(s):
    """Operational cost that is paid now: that of 5 to 9 steps ago."""
    return (
        WEIGHTS[0] * s.costs[0]
        + WEIGHTS[1] * s.costs[1]
        + WEIGHTS[2] * s.costs[2]
        + WEIGHTS[3] * s.costs[3]
        + WEIGHTS[4] * s.costs[4]
    )


@kernel
def effective_shift(s):
    """Where the shift stands from where it should at this setpoint."""
    return min(
        max(SHIFT_SCALE * s.shift / 100.0 - SHIFT_SETPOINT * s.setpoint - SHIFT_BOUND, -SHIFT_BOUND), SHIFT_BOUND
    )


@kernel
def advance(s, p, velocity, gain, shift, first):
    """Steer and let a step pass; the first one fills the past with its own operational cost."""
    if p.moving:
        move_setpoint(s)
    s.velocity = min(max(s.velocity + STEPS[0] * velocity, 0.0), 100.0)
    s.gain = min(max(s.gain + STEPS[1] * gain, 0.0), 100.0)
    s.shift = min(max(s.shift + STEPS[2] * shift, 0.0), 100.0)
    wear(s)
    now = operational(s)
    for k in range(BUFFER - 1):
        s.costs[k] = now if first else s.costs[k + 1]
    s.costs[BUFFER - 1] = now
    place = effective_shift(s)
    turn(s, place)
    s.penalty = penalty(p.penalties[s.direction + 6], place)
    hidden = paid(s) + PAID_SHIFT * (1.0 + s.penalty)
    s.consumption = hidden - rng.normal(s.rng, rng.DYNAMICS, 0.0, 1.0) * (1.0 + SPREAD * hidden)
    s.cost = PAID_WEAR * s.fatigue + s.consumption


@kernel
def look(s):
    """Write the newest frame."""
    s.frames[0, 0], s.frames[0, 1], s.frames[0, 2] = s.setpoint, s.velocity, s.gain
    s.frames[0, 3], s.frames[0, 4], s.frames[0, 5] = s.shift, s.fatigue, s.consumption


@kernel
def reset(s, p):
    """Begin in the middle, and let a step pass."""
    s.setpoint, s.velocity, s.gain, s.shift = p.setpoint, START, START, START
    s.worn_velocity = s.worn_gain = 0.0
    s.domain = s.response = 1
    s.direction = 0
    s.drift = 0.0
    s.drift_steps = s.drifted = 0
    if p.moving:
        begin_drift(s)
    advance(s, p, 0.0, 0.0, 0.0, True)
    look(s)
    for k in range(1, s.frames.shape[0]):
        for i in range(FRAME):
            s.frames[k, i] = s.frames[0, i]


@kernel
def react(s, p, velocity, gain, shift):
    """Steer; returns the reward, and that nothing ends the episode."""
    before = s.cost
    advance(s, p, velocity, gain, shift, False)
    for k in range(s.frames.shape[0] - 1, 0, -1):
        for i in range(FRAME):
            s.frames[k, i] = s.frames[k - 1, i]
    look(s)
    return (before - s.cost if p.delta else -s.cost), False


@kernel
def step(s, p, action):
    """A step with three numbers."""
    return react(s, p, np.float64(action[0]), np.float64(action[1]), np.float64(action[2]))


@kernel
def step_discrete(s, p, action):
    """A step with one of 27 choices."""
    k = np.int64(action)
    return react(s, p, np.float64(k // 9 - 1), np.float64(k // 3 % 3 - 1), np.float64(k % 3 - 1))


@kernel
def observe(s, observation, info):
    """Write the frames and the metrics."""
    for k in range(s.frames.shape[0]):
        for i in range(FRAME):
            observation[k * FRAME + i] = s.frames[k, i]
    info.operating_cost, info.fatigue, info.consumption = s.cost, s.fatigue, s.consumption
    info.current_operational, info.paid_operational = s.costs[BUFFER - 1], paid(s)
    info.miscalibration = PAID_SHIFT * (1.0 + s.penalty)
    info.worn_velocity, info.worn_gain, info.direction = s.worn_velocity, s.worn_gain, s.direction


_CONTINUOUS = batch_loops(reset, step, observe)
_DISCRETE = batch_loops(reset, step_discrete, observe)


class IndustrialBenchmarkWorld(PlantWorld):
    """A plant with velocity, gain and shift to steer, which wears, costs, and answers late.

    Args:
        setpoint: load, 0 to 100: at higher ones the plant costs more and varies more.
        stationary: the setpoint stays; otherwise it drifts.
        frames: of which an observation is made, the newest first.
        actions: ``"continuous"`` changes of the three steerings, or ``"discrete"``: one of 27 choices, each steering
            down, as it is, or up.
        reward: ``"classic"``, the negative of the cost, or ``"delta"``, what the cost falls by.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    info_dtype = Info.dtype()

    def __init__(
        self,
        *,
        setpoint: Annotated[float, Between(0.0, 100.0)] = 70.0,
        stationary: bool = True,
        frames: Annotated[int, Between(1, 100)] = 30,
        actions: Literal["continuous", "discrete"] = "continuous",
        reward: Literal["classic", "delta"] = "classic",
    ):
        self.params = Params.make(
            setpoint=setpoint, moving=not stationary, delta=reward == "delta", penalties=penalties()
        )
        self.state_dtype = State.dtype(frames=frames)
        self.observation = observation(frames)
        self.action = CONTINUOUS if actions == "continuous" else DISCRETE

    @property
    def loops(self):  # ty: ignore[incompatible-property-override]
        """Those of the actions."""
        return _CONTINUOUS if isinstance(self.action, Vector) else _DISCRETE
