"""Trust-and-Split with messages in free text: what differs from `kernel`."""

import numpy as np

from envsuite.core import batch_loops, kernel
from envsuite.momarl.trust_split.kernel import TrustSplitWorld, measure, observe_round, reset, speaker, split
from envsuite.momarl.trust_split.state import TALK_ACTION, TALK_OBSERVATION, TalkInfo, TalkState


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
def observe(s, p, o, info):
    """Write what both agents see, and the metrics."""
    for n in range(2):
        observe_round(s, p, o[n], n)
        measure(s, info[n], n)
        for k in range(s.letter.shape[1]):
            o[n].letter[k] = s.letter[1 - n, k]


class TalkingTrustSplitWorld(TrustSplitWorld):
    """Two agents with different hands talk freely, then both say how many of ten coins they keep.

    Args:
        rounds: of an episode.
        quota: messages of each agent in a round.
        alternating: who has the upper hand changes every round, rather than by chance.
    """

    state_dtype, info_dtype = TalkState.dtype(), TalkInfo.dtype(np.float32)
    action = TALK_ACTION
    observation = TALK_OBSERVATION
    loops = batch_loops(reset_talk, step, observe)
