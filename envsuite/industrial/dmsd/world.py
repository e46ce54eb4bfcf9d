"""Two equal masses between two walls, joined by springs and dampers; a force pushes each."""

from typing import Annotated

import numpy as np

from envsuite.core import Between, Block, Record, StateRecord, Vector, batch_loops, field, fmath, kernel, rng
from envsuite.core.matrices import product
from envsuite.industrial.world import PlantWorld

SWITCH = 50  # step at which the second targets begin
REACH = 1.5  # m, targets are within
START, DRIFT = 0.25, 0.1  # m and m/s, an episode begins within
SOFT = 0.01  # m, added to distances under the logarithm
TRAIL = 100  # steps that pictures look back
_SLOWEST = 0.999  # of a swing that is left after a step, at most; more would hardly ever come to rest
_SOURCE = "NeoRL-2, DMSD"


class Params(Record):
    """The constants."""

    mass = field(20.0, "kg", "of each", low=0.1, source=_SOURCE)
    stiffness = field(2.0, "N/m", "of each of three springs", low=0, source=_SOURCE)
    damping = field(4.0, "N s/m", "of each of three dampers", low=0, source=_SOURCE)
    force = field(30.0, "N", "of an action of 1", low=0, source=_SOURCE)
    dt = field(0.2, "s", "a step", source=_SOURCE)


class State(StateRecord):
    """Where the masses are, from rest, and where they should be."""

    x = field(unit="m", meaning="displacements from rest", shape=2)
    v = field(unit="m/s", meaning="velocities", shape=2)
    targets = field(unit="m", meaning="of each mass, before and after the switch", shape=(2, 2))
    push = field(unit="N", meaning="forces of the last step", shape=2)
    trail = field(unit="m", meaning="displacements at the last steps, by step modulo their number", shape=(TRAIL, 2))


class Info(Record):
    """The metrics."""

    error = field(unit="m", meaning="distances from the targets", type=np.float32, shape=2)
    force = field(unit="N", meaning="of the last step", type=np.float32, shape=2)
    energy = field(unit="J", meaning="kinetic and elastic", type=np.float32)


@kernel
def target(s, i):
    """Where a mass should be now, m."""
    return s.targets[i, 1 if s.clock.step >= SWITCH else 0]


@kernel
def reset(s, p):
    """Start near rest; each mass has one or two targets, with equal probability."""
    for i in range(2):
        s.x[i] = rng.uniform(s.rng, rng.RESET, -START, START)
    for i in range(2):
        s.v[i] = rng.uniform(s.rng, rng.RESET, -DRIFT, DRIFT)
        s.push[i] = 0.0
    for i in range(2):
        several = rng.integers(s.rng, rng.RESET, 2) == 1
        s.targets[i, 0] = rng.uniform(s.rng, rng.RESET, -REACH, REACH)
        s.targets[i, 1] = rng.uniform(s.rng, rng.RESET, -REACH, REACH) if several else s.targets[i, 0]
    for k in range(TRAIL):
        s.trail[k, 0], s.trail[k, 1] = s.x[0], s.x[1]


@kernel
def inner_force(s, p, i):
    """Force of springs and dampers on a mass, N."""
    other = 1 - i
    return p.stiffness * (s.x[other] - 2.0 * s.x[i]) + p.damping * (s.v[other] - 2.0 * s.v[i])


@kernel
def step(s, p, action):
    """A step of Euler's explicit method; returns the reward, and that nothing ends the episode."""
    rate = p.dt / p.mass
    s.push[0], s.push[1] = p.force * action[0], p.force * action[1]
    gain = (rate * (inner_force(s, p, 0) + s.push[0]), rate * (inner_force(s, p, 1) + s.push[1]))
    reward = 0.0
    for i in range(2):
        s.x[i] += p.dt * s.v[i]
        s.v[i] += gain[i]
        s.trail[s.clock.step % TRAIL, i] = s.x[i]
        reward -= fmath.log(abs(s.x[i] - target(s, i)) + SOFT)
    return reward, False


@kernel
def observe(s, p, o, info):
    """Write where the masses are and should be, and the metrics."""
    moving, bent = 0.0, s.x[0] - s.x[1]
    elastic = bent * bent
    for i in range(2):
        o.displacement[i], o.velocity[i], o.target[i] = s.x[i], s.v[i], target(s, i)
        info.error[i] = abs(s.x[i] - target(s, i))
        info.force[i] = s.push[i]
        moving += s.v[i] * s.v[i]
        elastic += s.x[i] * s.x[i]
    info.energy = 0.5 * (p.mass * moving + p.stiffness * elastic)


class DMSDWorld(PlantWorld):
    """Two masses between springs and dampers.

    Args:
        mass: of each, kg.
        stiffness: of each spring, N/m.
        damping: of each damper, N s/m.
        force: greatest force on each mass, N.

    Raises:
        ValueError: an option's value is out of range, or steps of 0.2 s would make such springs swing ever wider.
    """

    state_dtype, info_dtype = State.dtype(), Info.dtype()
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        mass: Annotated[float, Between(0.1, 1000.0)] = 20.0,
        stiffness: Annotated[float, Between(0.0, 1000.0)] = 2.0,
        damping: Annotated[float, Between(0.0, 1000.0)] = 4.0,
        force: Annotated[float, Between(0.1, 10000.0)] = 30.0,
    ):
        self.params = Params.make(mass=mass, stiffness=stiffness, damping=damping, force=force)
        self.action = Vector((Block("force", 2, -1.0, 1.0, f"{force:g} N", "on each mass"),), out_of_range="clip")
        far, fast = reachable(self.params[0])
        self.observation = Vector(
            (
                Block("displacement", 2, -far, far, "m", "from rest"),
                Block("velocity", 2, -fast, fast, "m/s"),
                Block("target", 2, -REACH, REACH, "m"),
            )
        )


def transition(params: np.void) -> tuple[np.ndarray, np.ndarray]:
    """A step as matrices: (x, v)' = A (x, v) + B F.

    Args:
        params: the parameter record.

    Returns:
        A (4, 4) and B (4, 2); F in N.
    """
    dt, mass = float(params["dt"]), float(params["mass"])
    coupling = np.array([[-2.0, 1.0], [1.0, -2.0]])
    a, b = np.eye(4), np.zeros((4, 2))
    a[:2, 2:] = dt * np.eye(2)
    a[2:, :2] = dt / mass * float(params["stiffness"]) * coupling
    a[2:, 2:] += dt / mass * float(params["damping"]) * coupling
    b[2:] = dt / mass * np.eye(2)
    return a, b


def reachable(params: np.void) -> tuple[float, float]:
    """How far and how fast a mass can get at most, m and m/s: what starts and forces of the worst signs add up to.

    Args:
        params: the parameter record.

    Raises:
        ValueError: there is no limit.
    """
    a, b = transition(params)
    radius = float(abs(np.linalg.eigvals(a)).max())
    if radius > _SLOWEST:
        raise ValueError(
            f"mass {params['mass']:g} kg, stiffness {params['stiffness']:g} N/m and damping {params['damping']:g} "
            f"N s/m swing on with {radius:.4f} of their size a step of {params['dt']:g} s, expected at most "
            f"{_SLOWEST:g}: take more damping, or a larger mass"
        )
    start = np.array([START, START, DRIFT, DRIFT])
    farthest, pushed, power = start.copy(), np.zeros(4), np.eye(4)
    while abs(power).max() > 1e-9:
        pushed += abs(product(power, b)).sum(axis=1)
        power = product(a, power)
        farthest = np.maximum(farthest, (abs(power) * start).sum(axis=1))
    most = farthest + float(params["force"]) * pushed
    return float(most[:2].max()), float(most[2:].max())
