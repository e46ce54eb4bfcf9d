"""Policies that answer texts with texts: drawing answers, and the probabilities of given ones.

A *model* is any network that reads and writes tokens: `transformer.Transformer`, `causal_lm.CausalLM`, or another
with their methods (`LanguageModel`). Equal rows are worked out once: a game has far fewer different prompts than turns.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from tokens import Answers

from envsuite.core.companions import Words
from envsuite.language_games.language import TurnWords

FORBIDDEN = -1e9
"""Logit of a token that may not come."""
TOKENS = 64
"""Of an answer, at most."""


class Tokenizer(Protocol):
    """Texts as numbers: tokens below `len`."""

    end: int

    def encode(self, text: str) -> Sequence[int]:
        """Numbers of a text, without an end."""
        ...

    def decode(self, numbers: Any) -> str:
        """The text of numbers, up to the first end."""
        ...

    def __len__(self) -> int:
        """How many tokens there are."""
        ...


class LanguageModel(Protocol):
    """A network that reads and writes tokens, see `transformer.Transformer` for what its methods do."""

    tokenizer: Tokenizer
    width: int

    def __call__(self, tokens: torch.Tensor) -> torch.Tensor:
        """(n, l, width) of (n, l)."""
        ...

    def scores(self, x: torch.Tensor) -> torch.Tensor:
        """Logits (..., tokens)."""
        ...

    def begin(self, tokens: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor, Any]:
        """Read prompts."""
        ...

    def extend(self, memory: Any, parents: torch.Tensor, tokens: torch.Tensor) -> tuple[torch.Tensor, Any]:
        """Write one token more."""
        ...


class Said(NamedTuple):
    """Answers; n rows of at most a tokens.

    Attributes:
        tokens: (n, a) int64, filled up with ends.
        counts: (n,) int64, tokens of each, its end included where it has one.
        log_prob: (n, a) float32 of each token, 0 behind the last.
        x: (n, a, width), what each token was drawn by.
    """

    tokens: torch.Tensor
    counts: torch.Tensor
    log_prob: torch.Tensor
    x: torch.Tensor


def situation(words: Words, state: np.void, agent: int, rules: bool, moves: bool = True) -> str:
    """What an agent is told.

    Args:
        words: of the world.
        state: one record.
        agent: who is told.
        rules: whether also what stays the same all through an episode.
        moves: whether a game of two in turn also tells whose turn it is and which moves are legal.
    """
    if moves:
        text = words.describe(state, agent)
        return text if rules else text.replace(words.instructions(state, agent), "").strip()
    if not isinstance(words, TurnWords):
        raise ValueError(f"moves is False, expected True: {type(words).__name__} is of no game of two players in turn")
    text = words.situation(state, agent)
    return f"{words.instructions(state, agent)}\n{text}" if rules else text


def padded(rows: Sequence[Sequence[int]], end: int) -> torch.Tensor:
    """Rows of different lengths as one (n, longest) int64 tensor."""
    found = np.full((len(rows), max(map(len, rows))), end, np.int64)
    for k, row in enumerate(rows):
        found[k, : len(row)] = row
    return torch.from_numpy(found)


def distinct(*columns: Iterable[Hashable]) -> tuple[torch.Tensor, list[int]]:
    """Which rows are equal in all columns: the group of each row, (n,) int64, and the first row of each group."""
    index: dict[Any, int] = {}
    group, firsts = [], []
    for k, key in enumerate(zip(*columns, strict=True)):
        if key not in index:
            index[key] = len(firsts)
            firsts.append(k)
        group.append(index[key])
    return torch.tensor(group), firsts


def candidates(scores: torch.Tensor, allowed: Sequence[Sequence[int] | None]) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities (n, c) of the tokens that may come, and which tokens these are, (n, c) int64.

    Args:
        scores: logits (n, tokens).
        allowed: tokens of each row, or None in all rows for all tokens.
    """
    if allowed[0] is None:
        return scores.log_softmax(1), torch.arange(scores.shape[1]).expand(scores.shape)
    lists = [one for one in allowed if one is not None]
    columns = padded(lists, 0)
    there = torch.arange(columns.shape[1]) < torch.tensor([len(one) for one in lists]).unsqueeze(1)
    return torch.where(there, scores.gather(1, columns), FORBIDDEN).log_softmax(1), columns


@torch.no_grad()
def generate(
    model: LanguageModel,
    prompts: Sequence[tuple[int, ...]],
    choices: Sequence[Answers | None],
    longest: int,
    luck: torch.Tensor | None,
) -> Said:
    """Draw an answer to each prompt.

    Args:
        model: whose answers.
        prompts: n numbers of texts.
        choices: what may be said; None for anything.
        longest: tokens of a free answer.
        luck: (n, a) uniform numbers below 1, by which tokens are drawn; None takes the likeliest token each time.
    """
    end, count = model.tokenizer.end, len(prompts)
    longest = max([longest if one is None else one.longest for one in choices])
    tokens = torch.full((count, longest), end)
    log_prob, counts = torch.zeros(count, longest), torch.zeros(count, dtype=torch.int64)
    drawn_by = torch.zeros(count, longest, model.width)
    # rows that have heard and said the same, with the same choices before them, are one
    group, firsts = distinct(prompts, map(id, choices))
    first, told = ([column[k] for k in firsts] for column in (prompts, choices))
    x, memory = model.begin(padded(first, end), torch.tensor([len(one) for one in first]))
    nodes, live = [0] * len(first), torch.arange(count)
    for at in range(longest):
        allowed = [None if tree is None else tree.allowed(node) for tree, node in zip(told, nodes, strict=True)]
        logs, columns = candidates(model.scores(x).float(), allowed)
        if luck is None:
            which = logs.argmax(1)[group]
        else:
            sums = logs.exp().cumsum(1)
            last = (sums < sums[:, -1:]).sum(1)  # the last with a positive probability
            mine = sums[group]
            which = (mine <= luck[live, at : at + 1] * mine[:, -1:]).sum(1).minimum(last[group])
        drawn = columns[group, which]
        tokens[live, at], counts[live], log_prob[live, at] = drawn, at + 1, logs[group, which]
        drawn_by[live, at] = x[group]
        going = drawn != end
        live, group, drawn = live[going], group[going], drawn[going]
        if not len(live) or at + 1 == longest:
            break
        both, group = torch.unique(torch.stack([group, drawn], 1), dim=0, return_inverse=True)
        parents, said = both.T
        origins = list(zip(parents.tolist(), said.tolist(), strict=True))
        nodes = [0 if (tree := told[k]) is None else tree.after(nodes[k], token) for k, token in origins]
        told = [told[k] for k, _ in origins]
        x, memory = model.extend(memory, parents, said)
    return Said(tokens, counts, log_prob, drawn_by)


class Scored(NamedTuple):
    """Answers as a model sees them now; n rows of at most a tokens.

    Attributes:
        log_prob: (n, a) of each token, 0 behind the last.
        entropy: (n, a) of what each was drawn from, nats.
        x: (n, a, width), what each was drawn by.
    """

    log_prob: torch.Tensor
    entropy: torch.Tensor
    x: torch.Tensor


def score_answers(
    model: LanguageModel,
    prompts: Sequence[tuple[int, ...]],
    said: Sequence[tuple[int, ...]],
    choices: Sequence[Answers | None],
    whole: bool = True,
) -> Scored:
    """The probabilities of given answers, with gradients.

    Args:
        model: whose.
        prompts: n numbers of texts.
        said: numbers of each answer, its end included.
        choices: what might have been said; None for anything.
        whole: whether `Scored.x` is wanted of all tokens; else it is 0 for the last ones, as many as had no
            alternative, and answers to the same prompt are mostly read once for all.
    """
    group, firsts = distinct(prompts, said, map(id, choices))
    rows = [(prompts[k], said[k], choices[k]) for k in firsts]
    counts = [len(text) if whole or tree is None else tree.decided(text) for _, text, tree in rows]
    heads = [(*prompt, *text[: count - 1]) for (prompt, text, _), count in zip(rows, counts, strict=True)]
    source, read = distinct(heads)
    x = model(padded([heads[k] for k in read], model.tokenizer.end))
    longest = max(len(text) for _, text, _ in rows)
    row, place, answer, spot, token, allowed = [], [], [], [], [], []
    for k, ((prompt, text, tree), count) in enumerate(zip(rows, counts, strict=True)):
        row += [source[k]] * count
        place += range(len(prompt) - 1, len(prompt) - 1 + count)
        answer += [k] * count
        spot += range(count)
        token += text[:count]
        allowed += [None] * count if tree is None else tree.path(text)[:count]
    used = x[row, place]
    logs, columns = candidates(model.scores(used).float(), allowed)
    which = (columns == torch.tensor(token).unsqueeze(1)).int().argmax(1)  # the first: rows are filled up behind
    chosen = logs[torch.arange(len(logs)), which]
    entropy = -(logs.exp() * logs).sum(1)

    def spread(values: torch.Tensor) -> torch.Tensor:
        shape = (len(rows), longest, *values.shape[1:])
        places = torch.tensor(answer), torch.tensor(spot)
        return torch.zeros(shape, dtype=values.dtype).index_put(places, values)[group]

    return Scored(spread(chosen), spread(entropy), spread(used))


def read_prompts(model: LanguageModel, prompts: Sequence[tuple[int, ...]]) -> torch.Tensor:
    """What is made of the last place of each prompt, (n, width), with gradients.

    Args:
        model: whose.
        prompts: n numbers of texts.
    """
    group, firsts = distinct(prompts)
    first = [prompts[k] for k in firsts]
    return model.begin(padded(first, model.tokenizer.end), torch.tensor([len(one) for one in first]))[0][group]
