"""The combination lock: the rules on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Record,
    Reward,
    StateRecord,
    Vector,
    World,
    batch_loops,
    field,
    fmath,
    kernel,
    rng,
)

SYMBOLS = 10
LANES = 3
DEAD = 2
"""The lane that leads nowhere; the lanes before it are alive."""
MOST_DOORS = 100
_SOURCE = "Zhou et al. (2023), arXiv 2311.08384, continuous Comblock"
_FARTHEST = 6.6  # standard deviations, of `rng.normals`


class Params(Record):
    """The constants."""

    doors = field(50, type=np.int32, low=1, high=MOST_DOORS, meaning="of the corridor, one a step", source=_SOURCE)
    code = field(0, type=np.int8, shape=(LANES - 1, MOST_DOORS), meaning="the symbol that opens each door, by lane")
    temperature = field(0.1, meaning="of the choice of a symbol", low=0, source=_SOURCE)
    switch = field(0.5, meaning="probability that an open door leads into the other lane", source=_SOURCE)
    noise = field(0.1, meaning="standard deviation of the noise on every number before the rotation", source=_SOURCE)
    decoy = field(0.1, meaning="reward that is paid for failing...", source=_SOURCE)
    decoy_chance = field(0.5, meaning="... with this probability", source=_SOURCE)
    late = field(0, type=np.uint8, meaning="1 if the decoy is paid at the last door instead of where one fails")


class State(StateRecord):
    """Where one stands, and what is seen of it."""

    door = field(type=np.int32, meaning="doors passed, in any lane")
    lane = field(type=np.int8, meaning="0 or 1, or `DEAD`")
    opened = field(type=np.int32, meaning="doors opened by the right symbol")
    symbol = field(type=np.int8, meaning="the last one that was chosen, -1 before the first")
    noise = field(type=np.float32, shape="noisy", meaning="of the observation, in standard deviations")


class Info(Record):
    """The metrics."""

    doors = field(type=np.int32, meaning="opened by the right symbol")
    is_success = field(type=np.bool_, meaning="all doors were opened")


@kernel
def reset(s, p):
    """Before the first door, in either lane with equal probability."""
    s.door, s.opened, s.symbol = 0, 0, -1
    s.lane = rng.integers(s.rng, rng.RESET, DEAD)
    rng.normals(s.rng, rng.OBSERVATION, s.noise)


@kernel
def chosen(s, p, action):
    """A symbol, with probability proportional to exp(preference / temperature)."""
    most = action[0]
    for k in range(SYMBOLS):
        most = max(most, action[k])
    total = 0.0
    for k in range(SYMBOLS):
        total += fmath.exp((action[k] - most) / p.temperature)
    mark, reached = rng.uniform(s.rng, rng.DYNAMICS, 0.0, total), 0.0
    for k in range(SYMBOLS):
        reached += fmath.exp((action[k] - most) / p.temperature)
        if mark < reached:
            return k
    return SYMBOLS - 1


@kernel
def step(s, p, action):
    """Try a symbol on the next door; returns the reward and whether the episode terminated."""
    s.symbol = chosen(s, p, action)
    switched = rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.switch
    decoy = p.decoy if rng.uniform(s.rng, rng.DYNAMICS, 0.0, 1.0) < p.decoy_chance else 0.0
    alive = s.lane != DEAD
    right = alive and s.symbol == p.code[s.lane, s.door]
    s.door += 1
    last = s.door == p.doors
    if right:
        s.opened += 1
        if switched:
            s.lane = 1 - s.lane
    else:
        s.lane = DEAD
    rng.normals(s.rng, rng.OBSERVATION, s.noise)
    if right:
        return (1.0 if last else 0.0), last
    failed_here = last if p.late != 0 else alive
    return (decoy if failed_here else 0.0), last


@kernel
def rotate(x):
    """Multiply by Sylvester's Hadamard matrix, in place: the fast Walsh-Hadamard transform."""
    half = 1
    while half < x.shape[0]:
        for start in range(0, x.shape[0], 2 * half):
            for k in range(start, start + half):
                x[k], x[k + half] = x[k] + x[k + half], x[k] - x[k + half]
        half *= 2


@kernel
def observe(s, p, observation, info):
    """Write lane and door as two ones among noise, rotated, and the metrics."""
    for k in range(observation.shape[0]):
        observation[k] = 0.0
    for k in range(s.noise.shape[0]):
        observation[k] = np.float32(p.noise) * s.noise[k]
    observation[s.lane] += np.float32(1.0)
    observation[LANES + s.door] += np.float32(1.0)
    rotate(observation)
    info.doors, info.is_success = s.opened, s.opened == p.doors


class LockWorld(World):
    """A corridor of doors in two lanes, each of which one symbol of ten opens; a wrong one leads to a dead lane.

    Args:
        doors: of the corridor; an episode has as many steps.
        code: which lock it is: symbols are drawn from this number, and stay the same in all episodes.
        noise: standard deviation of the noise on every number before the rotation.
        temperature: of the choice of a symbol: one with the preference 1 among others of 0 is taken with probability
            0.9996 at 0.1.
        compat: ``"hnpg"``: as in the authors' code, everyone who has not got through may be paid the decoy at the last
            door, instead of those who fail at a door at once (as in the lock that theirs is made from).

    Raises:
        ValueError: an option's value is out of range.
    """

    loops = batch_loops(reset, step, observe)
    info_dtype = Info.dtype()

    def __init__(
        self,
        *,
        doors: Annotated[int, Between(1, MOST_DOORS)] = 50,
        code: Annotated[int, Between(0, 2**31 - 1)] = 0,
        noise: Annotated[float, Between(0.0, 1.0)] = 0.1,
        temperature: Annotated[float, Between(0.01, 10.0)] = 0.1,
        compat: Literal["hnpg"] | None = None,
    ):
        self.params = Params.make(
            doors=doors, code=combination(code), noise=noise, temperature=temperature, late=compat == "hnpg"
        )
        self.state_dtype = State.dtype(noisy=doors + LANES)
        self.reward = Reward(low=np.array(0.0), high=np.array(1.0))
        meaning = "of each symbol; more make it likelier"
        self.action = Vector((Block("preference", SYMBOLS, 0.0, 1.0, "", meaning),), out_of_range="clip")
        numbers = rotated_size(doors)
        most = 2.0 + noise * _FARTHEST * (doors + LANES)
        meaning = f"lane (of {LANES}) and door (of {doors + 1}) as two ones, with noise, times a Hadamard matrix"
        self.observation = Vector((Block("rotated", numbers, -most, most, "", meaning),))


def rotated_size(doors: int) -> int:
    """Numbers of the observation: the next power of two with room for lanes and doors."""
    return 1 << (doors + LANES).bit_length()


def combination(code: int) -> np.ndarray:
    """The symbols of a lock, int8 (lanes alive, MOST_DOORS): a shorter lock is the beginning of a longer one."""
    words = np.random.Philox(key=code).random_raw(MOST_DOORS * DEAD)
    return (words % SYMBOLS).astype(np.int8).reshape(MOST_DOORS, DEAD).T.copy()
