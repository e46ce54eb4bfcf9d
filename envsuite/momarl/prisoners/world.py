"""The iterated prisoner's dilemma: the rules on one record, the world, and its companions."""

from typing import Annotated

import numpy as np

from envsuite.core import (
    Between,
    Block,
    Choice,
    Controls,
    Record,
    Referee,
    StateRecord,
    Vector,
    Words,
    World,
    batch_loops,
    field,
    kernel,
)

Payoff = Annotated[float, Between(-1e6, 1e6)]


class Params(Record):
    """The options."""

    pay = field(type=np.float32, shape=(2, 2), meaning="by own and other's choice, 0 to cooperate and 1 to defect")
    rounds = field(type=np.uint32, meaning="of an episode")


class State(StateRecord):
    """What both remember."""

    last = field(type=np.int8, shape=2, meaning="choices of the last round, -1 before the first")


class Info(Record):
    """The metrics, of the last round."""

    cooperated = field(type=np.bool_)
    other_cooperated = field(type=np.bool_)


@kernel
def reset(s):
    """Nobody has acted."""
    s.last[0], s.last[1] = -1, -1


@kernel
def step(s, p, actions, rewards):
    """Both act, and are paid; whether it was the last round."""
    s.last[0], s.last[1] = actions[0], actions[1]
    for n in range(2):
        rewards[n] = p.pay[s.last[n], s.last[1 - n]]
    return s.clock.step >= p.rounds


@kernel
def observe(s, o, info):
    """Write what both agents see, and the metrics."""
    for n in range(2):
        o[n].round, o[n].own_last, o[n].other_last = s.clock.step + 1, s.last[n], s.last[1 - n]
        info[n].cooperated, info[n].other_cooperated = s.last[n] == 0, s.last[1 - n] == 0


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

    state_dtype, info_dtype = State.dtype(), Info.dtype()
    action = Choice(("A", "B"))
    agents = ("player_0", "player_1")
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        rounds: Annotated[int, Between(1, 10**6)] = 10,
        reward: Payoff = 3.0,
        punishment: Payoff = 1.0,
        temptation: Payoff = 5.0,
        sucker: Payoff = 0.0,
    ):
        pays = [temptation, reward, punishment, sucker]
        if not pays[0] > pays[1] > pays[2] > pays[3]:
            raise ValueError(f"payoffs are {pays}, expected temptation > reward > punishment > sucker")
        self.params = Params.make(pay=[[reward, sucker], [temptation, punishment]], rounds=rounds)
        own = "own last choice: 0 A, cooperate, 1 B, defect, -1 before the first round"
        self.observation = Vector(
            (
                Block("round", 1, 1, rounds + 1, "", "that is to be played"),
                Block("own last", 1, -1, 1, "", own),
                Block("other last", 1, -1, 1, "", "the other's"),
            )
        )

    def known_equilibrium(self) -> np.ndarray:
        """The only subgame-perfect equilibrium: both defect in all rounds; choices (2, rounds)."""
        return np.ones((2, int(self.params[0]["rounds"])), np.int64)


class PrisonersWords(Words):
    """The payoffs and the last round; answers are letters."""

    def describe(self, state, agent=0):
        """The rules and the last round."""
        p = self.world.params[0]
        (both, lone), (tempted, neither) = p["pay"].tolist()
        told = "This is the first round."
        if state["last"][0] >= 0:
            mine, other = (self.world.action.names[int(state["last"][k])] for k in (agent, 1 - agent))
            told = f"In the last round you chose {mine} and the other chose {other}."
        return (
            f"Round {int(state['clock']['step']) + 1} of {int(p['rounds'])}. Two players choose A or B at once. Both "
            f"A: {both:g} points each. Both B: {neither:g} each. One A, one B: {lone:g} for A and {tempted:g} for B. "
            f"{told} Answer A or B."
        )


class PrisonersControls(Controls):
    """The letters."""

    def keys(self):
        """The letters."""
        return {("a",): 0, ("b",): 1}


class PrisonersReferee(Referee):
    """Players are rivals: what counts is the first one's points."""

    zero_sum = True
