"""The rules of the iterated prisoner's dilemma on one record, the batch loops, and the world."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import World
from envsuite.momarl.prisoners.state import ACTION, INFO, PARAMS, STATE, observation_layout
from envsuite.momarl.world import named, number, whole


@kernel
def reset(s):
    """Nobody has acted."""
    s.last[0], s.last[1] = np.int8(-1), np.int8(-1)


@kernel
def step(s, p, actions, rewards):
    """Both act, and are paid; whether it was the last round."""
    s.last[0], s.last[1] = np.int8(actions[0]), np.int8(actions[1])
    for n in range(2):
        rewards[n] = p.pay[s.last[n], s.last[1 - n]]
    return s.clock.step >= p.rounds


@kernel
def observe(s, observations, info):
    """Write what both agents see, and the metrics."""
    for n in range(2):
        observations[n, 0] = np.float32(s.clock.step + np.uint32(1))
        observations[n, 1] = np.float32(s.last[n])
        observations[n, 2] = np.float32(s.last[1 - n])
        info[n].cooperated = s.last[n] == 0
        info[n].other_cooperated = s.last[1 - n] == 0


class PrisonersWorld(World):
    """Two agents choose, round after round and at once, to cooperate (A) or to defect (B).

    Args:
        rounds: of an episode.
        reward: each gets if both cooperate, R.
        punishment: each gets if both defect, P.
        temptation: who defects against a cooperator gets, T.
        sucker: who cooperates with a defector gets, S.

    Raises:
        ValueError: not T > R > P > S.
    """

    state_dtype = STATE
    info_dtype = INFO
    action = ACTION
    agents = named("player", 2)
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        rounds: int = 10,
        reward: float = 3.0,
        punishment: float = 1.0,
        temptation: float = 5.0,
        sucker: float = 0.0,
    ):
        pays = [number("payoff", one, -1e6, 1e6) for one in (temptation, reward, punishment, sucker)]
        if not pays[0] > pays[1] > pays[2] > pays[3]:
            raise ValueError(f"payoffs are {pays}, expected temptation > reward > punishment > sucker")
        self.params = np.zeros(1, PARAMS)
        self.params[0]["pay"] = [[reward, sucker], [temptation, punishment]]
        self.params[0]["rounds"] = whole("rounds", rounds, 1, 10**6)
        self.observation = observation_layout(rounds)

    def known_equilibrium(self) -> np.ndarray:
        """The only subgame-perfect equilibrium: both defect in all rounds; choices (2, rounds)."""
        return np.ones((2, int(self.params[0]["rounds"])), np.int64)
