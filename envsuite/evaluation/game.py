"""A person's game in a browser: keys and clicks in, frames out."""

from typing import Any

import numpy as np

from envsuite.agents.human import HumanPolicy
from envsuite.cards import EnvCard
from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch
from envsuite.core.companions import Controls, Pictures, Referee, companion
from envsuite.core.layout import mask_of
from envsuite.core.world import lead_shape, make_world
from envsuite.evaluation.film import Film

SMOOTH = 25.0
"""Frames a second at most."""
WAITS = 2.0
"""Moves a second at most of who is not the person, in games that wait for one."""


class Game:
    """Episodes of one instance, played by a person against the world's computer player.

    A world whose keys say what happens while none is held goes on in real time; any other waits for a key or a click.

    Args:
        card: the environment.

    Attributes:
        fps: frames a second.
        waits: whether it waits for the person.
        total: return so far, of the person's agent, summed over objectives.
        steps: taken in this episode.
        done: the episode has ended.

    Raises:
        ValueError: it has no keys.
    """

    def __init__(self, card: EnvCard):
        self.card, self.world = card, make_world(card.world, **card.options)
        keys, pictures = companion(self.world, Controls).keys(), companion(self.world, Pictures)
        if not keys:
            raise ValueError(f"{card.id} has no keys to play with")
        self.waits = () not in keys
        self._every = max(1, round(pictures.fps / SMOOTH))
        self.fps = WAITS if self.waits else pictures.fps / self._every
        self._keys = [frozenset(names) for names in keys]
        self._held: set[str] = set()
        self._struck: list[set[str]] = []
        self._clicks: list[tuple[float, float]] = []
        self._now: set[str] = set()
        self._policy = HumanPolicy(self.world, lambda: self._now, self._clicked)
        self._batch = Batch(self.world, 1, horizon=card.horizon or 0)
        self._check = ActionChecker(self.world.action, lead_shape(self.world, 1))
        self._mask = mask_of(self.world.observation, self.world.action)
        self._film, self._sent = Film(pictures.size), (0, 0)
        self.total, self.steps, self.done, self._again = 0.0, 0, True, False

    @property
    def about(self) -> dict[str, Any]:
        """What a page has to know first: the picture's size, the keys, and how it goes on."""
        keys = sorted({name for keys in self._keys for name in keys})
        clicks = type(companion(self.world, Controls)).click is not Controls.click
        size = self._film.size
        return {
            "id": self.card.id, "size": size, "fps": self.fps, "waits": self.waits, "keys": keys, "clicks": clicks
        }  # fmt: skip

    def begin(self, seed: int) -> None:
        """Begin an episode.

        Args:
            seed: of it.
        """
        self._seed = seed
        self._batch.seed([seed])
        self._output = self._batch.reset()
        self._policy.reset(np.ones(1, np.bool_), np.array([seed]))
        self._struck, self._clicks = [], []
        self.total, self.steps, self.done, self._again = 0.0, 0, False, False

    def again(self) -> None:
        """Begin the next episode, with the next seed, at the next `tick`."""
        self._again = True

    def press(self, held: set[str]) -> None:
        """Say which keys are held down now, by pygame's names.

        Args:
            held: their names.
        """
        if held - self._held:
            self._struck = [*self._struck[-3:], held]
        self._held = held

    def click(self, place: tuple[float, float]) -> None:
        """Say where the mouse clicked, as shares of the picture's width and height.

        Args:
            place: across and down.
        """
        self._clicks = [*self._clicks[-3:], place]

    def _clicked(self) -> tuple[float, float] | None:
        return self._clicks.pop(0) if self._clicks else None

    def tick(self) -> bool:
        """Go on for the time of a frame, if the person has done what the game waits for; whether anything changed."""
        if self._again:
            self.begin(self._seed + 1)
            return True
        if self.done:
            return False
        if not self.waits:
            self._now = self._held | (self._struck.pop(0) if self._struck else set())  # a short stroke counts, too
            for _ in range(self._every):
                self._step()
            return True
        turn = companion(self.world, Referee).current_player(self._batch.states[0])
        if turn in (None, 0):
            while self._struck and not any(keys <= self._struck[0] for keys in self._keys):
                self._struck.pop(0)
            if not self._struck and not self._clicks:
                return False
            self._now = set() if self._clicks else self._struck.pop(0)
        return self._step()

    def _step(self) -> bool:
        """Take a step, unless the episode is over, or the person's move is not allowed or only half made."""
        if self.done:
            return False
        seen = self._output.observations
        actions = self._check(self._policy.act(seen, self._batch.states))
        if self.waits and self._policy.idle:
            return False
        if self.waits and self._mask.stop:
            allowed = seen.reshape(max(1, len(self.world.agents)), -1)[0, self._mask]
            if allowed.any() and not allowed[int(actions.reshape(-1)[0])]:
                return False
        self._output = output = self._batch.step(actions)
        self.total += float(np.asarray(output.rewards)[0].reshape(max(1, len(self.world.agents)), -1)[0].sum())
        self.steps += 1
        self.done = bool(self._batch.done[0])
        return True

    def frame(self) -> dict[str, Any]:
        """What there is to see, for ``drawing.frame`` of ``draw.js``; colours and backgrounds when they are new."""
        film = self._film
        film.frames.clear()
        film.add(self.world, self._batch.states[0])
        colors, backgrounds = self._sent
        self._sent = len(film.colors), len(film.backgrounds)
        return {
            "colors": list(film.colors)[colors:],
            "backgrounds": list(film.backgrounds)[backgrounds:],
            **film.frames[0],
            "step": self.steps,
            "total": round(self.total, 3),
            "done": self.done,
        }
