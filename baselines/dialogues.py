"""Whole episodes in words: who is to act is told its situation, and what it answers is read by the world."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from generation import TOKENS, LanguageModel, Said, generate, situation
from tokens import Answers
from torch.nn.functional import pad

from envsuite.cards import EnvCard
from envsuite.core import rng
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, Referee, Words, companion
from envsuite.core.jit import kernel, records
from envsuite.core.language import Refusal
from envsuite.core.world import World, make_world
from envsuite.evaluation.rollout import EVALUATION_SEED, random_policy

DECODINGS = ("legal", "free")
"""Which answers are drawn: those that the world lists, or any tokens."""


@dataclass
class Turns:
    """What was said in g episodes: n turns, in the order in which they were taken.

    Attributes:
        prompts: numbers of each text that was told.
        said: numbers of each answer, its end included.
        choices: what might have been said; None for anything.
        log_prob: (n, a) of each token of an answer, 0 behind the last.
        x: (n, a, width), what each token was drawn by.
        episode: (n,) int64.
        agent: (n,) int64, who acted.
        role: (n,) int64, 0 for who began the episode, or for the first agent where all act at once; then 1, and so on.
        reward: (n,) float32, of the agent until its next turn.
        refused: (n,) bool, the answer was no action.
        returns: (g, agents) float32.
        steps: of the environment, of all episodes together.
    """

    prompts: list[tuple[int, ...]]
    said: list[tuple[int, ...]]
    choices: list[Answers | None]
    log_prob: torch.Tensor
    x: torch.Tensor
    episode: torch.Tensor
    agent: torch.Tensor
    role: torch.Tensor
    reward: torch.Tensor
    refused: torch.Tensor
    returns: torch.Tensor
    steps: int

    def __len__(self) -> int:
        """Number of turns."""
        return len(self.prompts)

    @property
    def counts(self) -> torch.Tensor:
        """(n,) int64, tokens of each answer."""
        return torch.tensor([len(one) for one in self.said])

    def threads(self) -> list[list[int]]:
        """The turns of each agent in each episode, in their order."""
        found: dict[tuple[int, int], list[int]] = {}
        for k, key in enumerate(zip(self.episode.tolist(), self.agent.tolist(), strict=True)):
            found.setdefault(key, []).append(k)
        return list(found.values())

    def rewards_to_go(self, gamma: float = 1.0) -> torch.Tensor:
        """(n,) what each turn brought in the end, discounted turn by turn."""
        found = self.reward.tolist()
        for thread in self.threads():
            for k, after in zip(thread[-2::-1], thread[:0:-1], strict=True):
                found[k] += gamma * found[after]
        return torch.tensor(found)


@dataclass
class Talk:
    """How situations become prompts, and answers actions, in some slots.

    Args:
        world: what is talked about.
        model: who answers.
        decoding: ``"legal"``: answers are those that the world lists; ``"free"``: any tokens.
        answer_tokens: of a free answer at most.
        window: earlier turns, with their answers, that a prompt begins with.
        rules: whether prompts hold what stays the same all through an episode.
        moves: whether prompts hold whose turn it is and which moves are legal, in games of two players in turn.
    """

    world: World
    model: LanguageModel
    decoding: str
    answer_tokens: int
    window: int
    rules: bool
    moves: bool = True
    _told: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    _known: dict[tuple[str, ...], Answers] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.words, self._several = companion(self.world, Words), bool(self.world.agents)
        self._referee = companion(self.world, Referee)

    def forget(self, slot: int) -> None:
        """A new episode begins in a slot."""
        for agent in range(max(1, len(self.world.agents))):
            self._told.pop((slot, agent), None)

    def to_act(self, states: np.ndarray, slots: Sequence[int]) -> list[tuple[int, int]]:
        """Slots and agents that have something to say."""
        if not self._several:
            return [(slot, 0) for slot in slots]
        found = []
        for slot in slots:
            player = self._referee.current_player(states[slot])
            found += [(slot, k) for k in range(len(self.world.agents))] if player is None else [(slot, player)]
        return found

    def prompt(self, state: np.void, slot: int, agent: int) -> str:
        """What an agent is told, the last turns first."""
        told = self._told.get((slot, agent), [])[-2 * self.window :] if self.window else []
        return "\n".join([*told, situation(self.words, state, agent, self.rules, self.moves), ""])

    def choices(self, state: np.void, agent: int) -> Answers | None:
        """What may be answered."""
        if self.decoding == "free":
            return None
        listed = tuple(self.words.answers(state, agent))
        if listed not in self._known:
            if not listed:
                raise ValueError(f"{type(self.world).__name__} does not list its answers: set decoding to 'free'")
            tokenizer = self.model.tokenizer
            self._known[listed] = Answers([tokenizer.encode(one) for one in listed], tokenizer.end)
        return self._known[listed]

    def ask(
        self, states: np.ndarray, who: Sequence[tuple[int, int]], luck: torch.Tensor | None
    ) -> tuple[Any, Any, Said]:
        """Prompts, choices and drawn answers of those that are to act.

        Args:
            states: records of the slots.
            who: slots and agents.
            luck: see `generation.generate`.
        """
        encode = self.model.tokenizer.encode
        texts = [self.prompt(states[slot], slot, agent) for slot, agent in who]
        choices = [self.choices(states[slot], agent) for slot, agent in who]
        prompts = [tuple(encode(text)) for text in texts]
        return prompts, choices, generate(self.model, prompts, choices, self.answer_tokens, luck)

    def read(self, said: Said, k: int, state: np.void, slot: int, agent: int) -> Any:
        """The action of an answer, or a `Refusal`; the turn is kept for later prompts."""
        text = self.model.tokenizer.decode(said.tokens[k].tolist())
        if self.window:
            told = self._told.setdefault((slot, agent), [])
            told += [situation(self.words, state, agent, False, self.moves), f"> {text}"]
        return self.words.parse(text, state, agent)


def talking(config: Any) -> dict[str, Any]:
    """The settings that are those of `Talk`, by name."""
    return {name: getattr(config, name) for name in ("decoding", "answer_tokens", "window", "rules", "moves")}


class Dialogues:
    """Batches of episodes of which every turn is said in words.

    Args:
        config: a `token_trainer.TokenConfig`.
        card: the environment.

    Attributes:
        world: the simulator.
        objectives: components of the reward, 0 for a scalar.
        played: episodes so far.
    """

    def __init__(self, config: Any, card: EnvCard):
        self.config, self.horizon = config, card.horizon
        self.world = make_world(card.world, **{**card.options, **config.env_options})
        self.objectives, self.agents = len(card.objectives), max(1, card.agents)
        self.played = 0
        self._other = None
        if config.opponent != "self":
            if not companion(self.world, Referee).zero_sum:
                raise ValueError(f"opponent is {config.opponent!r}, expected 'self': {card.id} is no game of rivals")
            self._other = companion(self.world, Players).collector(config.opponent)

    def enter_stages(self, steps: int) -> bool:
        """There is no curriculum."""
        return False

    def talk(self, model: LanguageModel) -> Talk:
        """A fresh conversation."""
        config = self.config
        return Talk(self.world, model, **talking(config))

    def seeds(self, group: int) -> np.ndarray:
        """Seeds of the next episodes, each `group` times."""
        count = self.config.num_envs // group
        first = self.config.seed * 10**7 + self.played // group
        return np.repeat((first + np.arange(count)) % EVALUATION_SEED, group)

    @torch.no_grad()
    def play(self, model: LanguageModel, group: int = 1) -> Turns:
        """Play `num_envs` episodes to their ends.

        Args:
            model: who answers, in all seats, or in one of them by turns where there is another opponent.
            group: episodes that begin alike.
        """
        config, world, talk = self.config, self.world, self.talk(model)
        seeds = self.seeds(group)
        slots = len(seeds)
        batch = Batch(world, slots, num_threads=1, horizon=self.horizon)
        batch.seed(seeds)
        output = batch.reset()
        began = dict(reversed(talk.to_act(batch.states, range(slots))))
        spare = random_policy(world, slots)
        spare.reset(np.ones(slots, np.bool_), seeds + 1)
        seat = np.full(slots, -1) if self._other is None else (self.played + np.arange(slots)) // group % 2
        if self._other is not None:
            self._other.reset(np.ones(slots, np.bool_), seeds + config.seed + self.played)
        prompts, said, choices, logs, seen, records = [], [], [], [], [], []
        rewards: list[float] = []
        returns = np.zeros((slots, self.agents), np.float32)
        latest = np.full((slots, self.agents), -1)
        live, steps = np.ones(slots, np.bool_), 0
        while live.any():
            who = talk.to_act(batch.states, np.flatnonzero(live).tolist())
            who = [(slot, agent) for slot, agent in who if seat[slot] in (-1, agent)]
            instead = spare.act(output.observations, batch.states)
            actions = np.array(instead if self._other is None else self._other.act(output.observations, batch.states))
            if who:
                told, listed, found = talk.ask(batch.states, who, torch.rand(len(who), TOKENS))
                texts = found.tokens.tolist()
                for k, (slot, agent) in enumerate(who):
                    action = talk.read(found, k, batch.states[slot], slot, agent)
                    refused = isinstance(action, Refusal)
                    at = (slot, agent) if world.agents else slot
                    actions[at] = instead[at] if refused else action
                    latest[slot, agent] = len(prompts)
                    prompts.append(told[k])
                    said.append(tuple(texts[k][: int(found.counts[k])]))
                    choices.append(listed[k])
                    records.append((slot, agent, (agent - began[slot]) % self.agents, refused))
                    rewards.append(config.refusal if refused else 0.0)
                logs.append(found.log_prob)
                seen.append(found.x)
            output = batch.step(actions, ~live)
            steps += int(live.sum())
            paid = output.rewards.reshape(slots, self.agents)
            for slot in np.flatnonzero(live):
                returns[slot] += paid[slot]
                for agent in range(self.agents):
                    if latest[slot, agent] >= 0:
                        rewards[latest[slot, agent]] += float(paid[slot, agent])
            live &= ~batch.done
        batch.close()
        self.played += slots
        longest = max(one.shape[1] for one in logs)
        log_prob = torch.cat([pad(one, (0, longest - one.shape[1])) for one in logs])
        x = torch.cat([pad(one, (0, 0, 0, longest - one.shape[1])) for one in seen])
        episode, agent, role, refused = (torch.tensor(column) for column in zip(*records, strict=True))
        reward, total = torch.tensor(rewards), torch.from_numpy(returns)
        return Turns(prompts, said, choices, log_prob, x, episode, agent, role, reward, refused, total, steps)

    def state_dict(self) -> dict[str, Any]:
        """All that the next episodes depend on."""
        return {"played": self.played}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Go on from there."""
        self.played = state["played"]


@kernel
def _uniforms(streams, rows, agents, out):
    for k in range(len(rows)):
        for j in range(out.shape[1]):
            out[k, j] = rng.uniform(streams[rows[k]], rng.DYNAMICS if agents[k] == 0 else rng.OBSERVATION, 0.0, 1.0)


class Talker:
    """A model as a player: `envsuite.agents.policy.Policy`.

    Each slot draws its answers from its own stream, so that they depend on its seed alone.

    Args:
        talk: how it is told and read.
        sampled: whether answers are drawn; else the likeliest tokens are taken.
    """

    def __init__(self, talk: Talk, sampled: bool):
        self._talk, self._sampled = talk, sampled
        self._spare: Any = None
        self._streams = records(np.zeros(0, rng.STREAM))

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """Begin anew in the masked slots."""
        if len(self._streams) != len(mask):
            self._streams = records(np.zeros(len(mask), rng.STREAM))
            self._spare = random_policy(self._talk.world, len(mask))
        rng.begin(self._streams, seeds, mask)
        self._spare.reset(mask, seeds)
        for slot in np.flatnonzero(mask).tolist():
            self._talk.forget(slot)

    @torch.no_grad()
    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """An action of each agent; one that is not to act, or that says nothing that can be read, takes any."""
        world = self._talk.world
        actions = np.array(self._spare.act(observations, states))
        who = self._talk.to_act(states, range(len(states)))
        if self._talk.decoding == "legal":  # nothing can be said in episodes that are over and wait for others
            who = [(slot, agent) for slot, agent in who if self._talk.words.answers(states[slot], agent)]
        if not who:
            return actions
        luck = np.zeros((len(who), TOKENS))
        slots, agents = (np.array(column) for column in zip(*who, strict=True))
        _uniforms(self._streams, slots, agents, luck)
        _, _, said = self._talk.ask(states, who, torch.from_numpy(luck).float() if self._sampled else None)
        for k, (slot, agent) in enumerate(who):
            action = self._talk.read(said, k, states[slot], slot, agent)
            if not isinstance(action, Refusal):
                actions[(slot, agent) if world.agents else slot] = action
        return actions
