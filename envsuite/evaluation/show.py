"""Plays episodes as pictures."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from envsuite.agents.human import HumanPolicy
from envsuite.cards import EnvCard
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, companion
from envsuite.core.world import lead_shape, make_world
from envsuite.evaluation.episodes import EpisodeLog
from envsuite.evaluation.recorder import Recorder
from envsuite.evaluation.rollout import PolicyMaker, flags_at_end

_SMOOTH = 25  # frames a second that look fluent; faster worlds skip steps


class Show:
    """Episodes of one instance, frame by frame, in real time.

    Args:
        card: the environment.
        make_policy: the player; None for a person, see `watch`.
        size: (width, height) of frames; the world's own by default.
        smooth: frames a second at most.

    Attributes:
        fps: frames a second at which the episode runs in real time.
        total: return so far of the present episode, summed over agents and objectives.
        steps: its steps so far.
        recorder: of the episodes that ended.
    """

    def __init__(
        self,
        card: EnvCard,
        make_policy: PolicyMaker | None,
        size: tuple[int, int] | None = None,
        smooth: float = _SMOOTH,
    ):
        self.world = make_world(card.world, **card.options)
        self.total = 0.0
        self.steps = 0
        self.recorder = Recorder(card, self.world)
        self._batch = Batch(self.world, 1, horizon=card.horizon or 0)
        self._check = ActionChecker(self.world.action, lead_shape(self.world, 1))
        self._policy: Any = make_policy(self.world, 1) if make_policy else None
        self._every = max(1, round(companion(self.world, Pictures).fps / smooth))
        self._size = size or companion(self.world, Pictures).size
        self.fps = companion(self.world, Pictures).fps / self._every

    def watch(self, window: Any, people: int = 1) -> None:
        """Take the keys of a window where no policy plays.

        Args:
            window: a `envsuite.core.window.Window`.
            people: who play at its keyboard.

        Raises:
            ValueError: the world has no keys for so many.
        """
        if self._policy is None:
            self._policy = HumanPolicy(self.world, window.pressed, window.clicked, people)

    def episode(self, seed: int) -> Iterator[np.ndarray]:
        """Play one episode.

        Args:
            seed: of the environment and of the player.

        Yields:
            uint8 frames (height, width, 3), the first of the initial state, the last of the final one.
        """
        batch = self._batch
        batch.seed([seed])
        output = batch.reset()
        self.recorder.begin(1)
        self._policy.reset(np.ones(1, np.bool_), np.array([seed]))
        self.total, self.steps = 0.0, 0
        yield companion(self.world, Pictures).draw(batch.states[0], self._size)
        while not batch.done[0]:
            actions = self._check(self._policy.act(output.observations, batch.states))
            output = batch.step(actions)
            self.recorder.step(actions, output.rewards, batch, np.ones(1, np.bool_))
            self.total += float(output.rewards.sum())
            self.steps += 1
            if batch.done[0]:
                flags = np.stack(flags_at_end(output, bool(self.world.agents)))
                self.recorder.end(np.array([seed]), np.array([self.steps]), flags)
            if self.steps % self._every == 0 or batch.done[0]:
                yield companion(self.world, Pictures).draw(batch.states[0], self._size)


class Recorded:
    """A player who does what an episode of a log has.

    Args:
        log: recorded episodes.
        episode: which of them.
    """

    def __init__(self, log: EpisodeLog, episode: int):
        self._actions = log.actions[int(log.offsets[episode]) : int(log.offsets[episode + 1])]
        self._step = 0

    def reset(self, mask: np.ndarray, seeds: np.ndarray) -> None:
        """See `envsuite.agents.policy.Policy.reset`."""
        self._step = 0

    def act(self, observations: np.ndarray, states: np.ndarray) -> np.ndarray:
        """See `envsuite.agents.policy.Policy.act`."""
        self._step += 1
        return self._actions[self._step - 1 : self._step]
