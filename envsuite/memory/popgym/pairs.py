"""Finds pairs with a perfect memory."""

from envsuite.core import kernel


@kernel
def flip_batch(states, params, memory, streams, actions):
    """The other card of a known pair, if there is one; else the first card that was never seen."""
    for n in range(states.shape[0]):
        s, known = states[n], memory[n].known
        if s.first >= 0:
            known[s.first] = 1
        if s.second >= 0:
            known[s.second] = 1
        wanted, new = -1, -1
        for i in range(params[0].cards):
            if s.up[i] != 0 or (s.waiting != 0 and i == s.first):
                continue
            if known[i] == 0:
                new = i if new < 0 else new
            elif s.waiting != 0:
                wanted = i if wanted < 0 and s.cards[i] == s.cards[s.first] else wanted
            elif wanted < 0:
                for j in range(i):
                    if known[j] != 0 and s.up[j] == 0 and s.cards[i] == s.cards[j]:
                        wanted = i
        actions[n] = wanted if wanted >= 0 else max(new, 0)
