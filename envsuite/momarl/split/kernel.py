"""The rules of the splitting games on one record, the batch loops, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import Between, World, batch_loops, kernel, rng
from envsuite.momarl.allocation import GOODS, allotted
from envsuite.momarl.letters import LETTERS
from envsuite.momarl.split.params import DRAWS, HIGH, KINDS, LOW, MOST_VALUE, POOL, WORTH, Params
from envsuite.momarl.split.state import Info, State, action_layout, observation_layout


@kernel
def draw_values(s, p):
    """One draw of goods and values; whether it is one of those that count."""
    kinds = len(s.goods)
    equal, differ, total = 0, False, 0
    for k in range(kinds):
        if p.draw == 3:
            s.goods[k] = 1 + rng.integers(s.rng, rng.DYNAMICS, POOL[1])
        elif p.draw == 1:
            s.value[0, k] = HIGH if rng.integers(s.rng, rng.DYNAMICS, 2) == 1 else LOW
            s.value[1, k] = np.int32(HIGH + LOW) - s.value[0, k]
        else:
            for n in range(2):
                if p.draw == 0:
                    s.value[n, k] = HIGH if rng.integers(s.rng, rng.DYNAMICS, 2) == 1 else LOW
                else:
                    s.value[n, k] = 1 + rng.integers(s.rng, rng.DYNAMICS, MOST_VALUE)
        total += s.goods[k]
        equal += s.value[0, k] - s.value[1, k]
        differ = differ or s.value[0, k] != s.value[1, k]
    if p.draw == 0:
        return equal == 0 and differ
    return p.draw != 3 or (POOL[0] <= total <= POOL[1])


@kernel
def draw_worth(s):
    """Values of which all goods are worth ten to each; whether every kind is worth something, one of them to both."""
    shared, wanted = False, True
    for n in range(2):
        worth = 0
        for k in range(len(s.goods)):
            s.value[n, k] = rng.integers(s.rng, rng.DYNAMICS, WORTH // s.goods[k] + 1)
            worth += s.goods[k] * s.value[n, k]
        if worth != WORTH:
            return False
    for k in range(len(s.goods)):
        wanted = wanted and (s.value[0, k] > 0 or s.value[1, k] > 0)
        shared = shared or (s.value[0, k] > 0 and s.value[1, k] > 0)
    return wanted and shared


@kernel
def deal(s, p):
    """Goods and values of a round; silence."""
    for k in range(len(s.goods)):
        s.goods[k] = GOODS
        for n in range(2):
            s.claim[n, k], s.value[n, k] = -1, 0
    for n in range(2):
        for k in range(s.letter.shape[1]):
            s.letter[n, k] = 0
    while not draw_values(s, p):
        pass
    if p.draw == 3:
        while not draw_worth(s):
            pass
    s.said = 0


@kernel
def reset(s, p):
    """The first round; who speaks first is drawn."""
    s.played, s.best, s.agreed = 0, 0.0, 0
    s.first = rng.integers(s.rng, rng.RESET, 2)
    for n in range(2):
        s.points[n], s.total[n] = 0.0, 0.0
        for k in range(len(s.goods)):
            s.asked[n, k], s.kept[n, k] = 0, 0.0
    deal(s, p)


@kernel
def speaker(s, p):
    """Whose turn it is to speak; 2 where both split."""
    if s.said >= 2 * p.quota:
        return 2
    return (np.int64(s.first) + np.int64(s.said)) % 2


@kernel
def split(s, p, actions):
    """Divide the goods of the round."""
    fit, best = True, np.float32(0.0)
    for k in range(len(s.goods)):
        goods = np.int64(s.goods[k])
        for n in range(2):
            s.asked[n, k] = min(np.int64(actions[n, k]), goods)
        both = s.asked[0, k] + s.asked[1, k]
        fit = fit and (both == goods if p.exact else both <= goods)
        best += np.float32(goods) * np.float32(max(s.value[0, k], s.value[1, k]))
    for n in range(2):
        s.points[n] = 0.0
        for k in range(len(s.goods)):
            if p.exact:
                s.kept[n, k] = s.asked[n, k] if fit else 0
            else:
                s.kept[n, k] = allotted(np.int64(s.asked[n, k]), np.int64(s.asked[1 - n, k]), np.int64(s.goods[k]))
            s.points[n] += s.kept[n, k] * np.float32(s.value[n, k])
        s.total[n] += s.points[n]
    s.best, s.agreed = best, fit


@kernel
def step(s, p, actions, rewards):
    """A message, or the split. Whether it was the last split."""
    one, kinds = speaker(s, p), len(s.goods)
    rewards[0], rewards[1] = 0.0, 0.0
    if one < 2:
        for k in range(kinds):
            s.claim[one, k] = actions[one, k]
        for k in range(actions.shape[1] - kinds):
            s.letter[one, k] = actions[one, kinds + k]
        s.said += 1
        return False
    split(s, p, actions)
    rewards[0], rewards[1] = s.points[0], s.points[1]
    s.played += 1
    s.first = 1 - s.first
    if s.played < p.rounds:
        deal(s, p)
        return False
    return True


@kernel
def observe(s, p, observations, info):
    """Write what both agents see, and the metrics; by index, since a kind alone would be no array."""
    one, kinds = speaker(s, p), len(s.goods)
    for n in range(2):
        out = observations[n]
        for k in range(kinds):
            out[k] = np.float32(s.goods[k]) / GOODS
            out[kinds + k] = np.float32(s.value[n, k]) / MOST_VALUE
            other = np.float32(s.value[1 - n, k]) / MOST_VALUE
            out[2 * kinds + k] = other if p.open else 0.0
            out[3 * kinds + k] = s.claim[1 - n, k]
            out[4 * kinds + 3 + k] = np.float32(s.asked[n, k]) / GOODS
            out[5 * kinds + 3 + k] = np.float32(s.asked[1 - n, k]) / GOODS
        out[4 * kinds] = one == n
        out[4 * kinds + 1] = one == 2
        out[4 * kinds + 2] = np.float32(s.played) / np.float32(p.rounds)
        out[6 * kinds + 3] = s.points[n]
        for k in range(len(out) - 6 * kinds - 4):
            out[6 * kinds + 4 + k] = s.letter[1 - n, k]
        info[n].points, info[n].agreed = s.points[n], s.agreed
        info[n].efficiency = (s.points[0] + s.points[1]) / s.best if s.best > 0.0 else 0.0


class SplitWorld(World):
    """Two agents that value goods differently say what they keep of each kind, after they have talked or not.

    Args:
        kinds: of goods.
        values: ``"ties"``: 10 or 1 each, redrawn until both agents' sums are equal and one kind divides them;
            ``"exclusive"``: 10 for one, 1 for the other; ``"uniform"``: 1 to 20 each; ``"deal"``: five to seven goods,
            all together worth 10 to each, every kind worth something to somebody, one of them to both.
        rule: ``"proportional"``: where both ask for more than there are, they get shares in proportion; ``"exact"``:
            both get what they ask if that leaves nothing and takes nothing twice, otherwise nothing.
        open_values: each knows what the other values.
        messages: ``"none"``; ``"claims"``: numbers said of the own values, true or not; ``"text"``: up to 500 bytes.
        quota: messages of each agent in a round.
        rounds: of an episode.

    Raises:
        ValueError: options do not go with each other.
    """

    info_dtype = Info.dtype(np.float32)
    agents = ("agent_0", "agent_1")
    loops = batch_loops(reset, step, observe)

    def __init__(
        self,
        *,
        kinds: Annotated[int, Between(1, len(KINDS))] = 3,
        values: Literal["ties", "exclusive", "uniform", "deal"] = "ties",
        rule: Literal["proportional", "exact"] = "proportional",
        open_values: bool = True,
        messages: Literal["none", "claims", "text"] = "none",
        quota: Annotated[int, Between(0, 20)] = 0,
        rounds: Annotated[int, Between(1, 10**6)] = 10,
    ):
        if (quota == 0) != (messages == "none"):
            wanted = "0" if messages == "none" else "1 or more"
            raise ValueError(f"quota is {quota}, expected {wanted} for messages {messages!r}")
        if values in ("ties", "deal") and kinds < 2:
            raise ValueError(f"kinds is {kinds}, expected 2 or 3 for values {values!r}")
        self.params = Params.make(
            rounds=rounds, quota=quota, draw=DRAWS.index(values), exact=rule == "exact", open=open_values
        )
        letters = self.letters = LETTERS if messages == "text" else 0
        self.kinds = KINDS[:kinds]
        self.state_dtype = State.dtype(kinds=kinds, letters=max(1, letters))
        self.action = action_layout(kinds, letters)
        self.observation = observation_layout(kinds, letters)
