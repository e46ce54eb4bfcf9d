"""Collects what is played, as a record that replays it."""

import numpy as np

from envsuite.cards import EnvCard
from envsuite.core.batch import Batch
from envsuite.core.world import World
from envsuite.evaluation.episodes import INTERVAL, EpisodeLog, state_digests
from envsuite.evaluation.records import plain


class Recorder:
    """Collects what slots do, and puts it in the order of episodes.

    Args:
        card: the environment, with its options.
        world: the same.
    """

    def __init__(self, card: EnvCard, world: World):
        self._card, self._world = card, world
        self._steps: list[tuple[np.ndarray, np.ndarray]] = []
        self._digests: list[list[np.ndarray]] = []
        self._done: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._ends: list[tuple[int, int, bool, bool]] = []

    @property
    def episodes(self) -> int:
        """How many have ended."""
        return len(self._done)

    def begin(self, slots: int) -> None:
        """A new set of slots; what was not ended is forgotten."""
        self._steps, self._digests = [], [[] for _ in range(slots)]

    def step(self, actions: np.ndarray, rewards: np.ndarray, batch: Batch, live: np.ndarray) -> None:
        """One step; `live` are the slots whose episode it belongs to."""
        self._steps.append((actions.copy(), rewards.copy()))
        due = live if len(self._steps) % INTERVAL == 0 else live & batch.done
        slots = np.flatnonzero(due)
        if slots.size:
            for slot, digest in zip(slots, state_digests(batch.states, slots), strict=True):
                self._digests[slot].append(digest)

    def end(self, seeds: np.ndarray, lengths: np.ndarray, flags: np.ndarray) -> None:
        """All slots have ended.

        Args:
            seeds: (slots,) of their episodes.
            lengths: (slots,) their steps.
            flags: (2, slots) bool, terminated for all agents, truncated for any.
        """
        actions, rewards = (np.stack(column) for column in zip(*self._steps, strict=True))
        for slot, length in enumerate(lengths):
            self._done.append((actions[:length, slot], rewards[:length, slot], np.array(self._digests[slot])))
            self._ends.append((int(seeds[slot]), int(length), bool(flags[0, slot]), bool(flags[1, slot])))

    def log(self) -> EpisodeLog:
        """The record of all episodes that have ended, at least one."""
        actions, rewards, digests = (np.concatenate(column) for column in zip(*self._done, strict=True))
        seeds, lengths, terminated, truncated = (np.array(column) for column in zip(*self._ends, strict=True))
        counts = [len(one[2]) for one in self._done]
        return EpisodeLog(
            self._card.id,
            plain(self._card.options),
            self._card.behaviour,
            seeds.astype(np.int64),
            np.concatenate([[0], np.cumsum(lengths)]),
            actions,
            rewards.astype(self._world.reward.dtype, copy=False),
            terminated,
            truncated,
            digests,
            np.concatenate([[0], np.cumsum(counts)]),
        )
