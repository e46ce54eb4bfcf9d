"""Trust-and-Split with messages in free text: what differs from `kernel`."""

import numpy as np

from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.trust_split.kernel import TrustSplitWorld, reset, speaker, split, wins
from envsuite.momarl.trust_split.params import UPPER
from envsuite.momarl.trust_split.state import TALK_ACTION, TALK_INFO, TALK_OBSERVATION, TALK_STATE


@kernel
def hush(s):
    """Forget what was said."""
    for n in range(2):
        for k in range(s.letter.shape[1]):
            s.letter[n, k] = 0


@kernel
def reset_talk(s, p):
    """Begin as in the game without words, in silence."""
    reset(s, p)
    hush(s)


@kernel
def step(s, p, actions, rewards):
    """A message, or the split. Whether it was the last split."""
    one = speaker(s, p)
    rewards[0], rewards[1] = 0.0, 0.0
    if one < 2:
        for k in range(s.letter.shape[1]):
            s.letter[one, k] = actions[one, 1 + k]
        s.said += 1
        return False
    hush(s)
    return split(s, p, np.int64(actions[0, 0]), np.int64(actions[1, 0]), rewards)


@kernel
def observe(s, p, observations, info):
    """Write what both agents see, and the metrics."""
    one, points = speaker(s, p), s.before[0, 3] + s.before[1, 3]
    for n in range(2):
        out = observations[n]
        for k in range(3):
            out[k] = s.hand[n] == k
        out[3], out[4] = one == n, one == 2
        out[5] = np.float32(s.played) / np.float32(p.rounds)
        out[6] = s.before[n, 0]
        out[7] = s.before[n, 1] / np.float32(GOODS)
        out[8] = s.before[1 - n, 1] / np.float32(GOODS)
        out[9] = s.before[n, 3] / np.float32(UPPER * GOODS)
        for k in range(s.letter.shape[1]):
            out[10 + k] = s.letter[1 - n, k]
        info[n].upper = wins(np.int64(s.hand[n]), np.int64(s.hand[1 - n]))
        info[n].points = s.before[n, 3]
        info[n].efficiency = points / np.float32(UPPER * GOODS)
        winner = 0 if s.before[0, 0] > 0 else 1
        info[n].kept_upper, info[n].kept_lower = s.before[winner, 1], s.before[1 - winner, 1]


class TalkingTrustSplitWorld(TrustSplitWorld):
    """Two agents with different hands talk freely, then both say how many of ten coins they keep.

    Args:
        rounds: of an episode.
        quota: messages of each agent in a round, 0 to 10.
        alternating: who has the upper hand changes every round, rather than by chance.

    Raises:
        ValueError: an option's value is out of range.
    """

    state_dtype = TALK_STATE
    info_dtype = TALK_INFO
    action = TALK_ACTION
    observation = TALK_OBSERVATION
    loops = batch_loops(reset_talk, step, observe)
