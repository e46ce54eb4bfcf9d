"""One instance of a world as a `gymnasium.Env`."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector.utils import batch_space

from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch, Snapshot
from envsuite.core.companions import Controls, Pictures, Referee, companion
from envsuite.core.frontend import (
    RENDER_MODES,
    WorldFrontEnd,
    check_choice,
    check_observation,
    joint_pixels,
    joint_rewards,
    objectives_of,
    sensed_space,
)
from envsuite.core.world import World, lead_shape, make_world


class WorldEnv(WorldFrontEnd, gymnasium.Env):
    """A world, one instance, through the Gymnasium API.

    A world of several agents appears as its joint view: observations and actions of all agents stacked along a
    leading axis, the reward their sum, terminated when all have ended and at least one by termination.

    Args:
        world: ``"module:Class"`` or a `World`.
        render_mode: None, ``"rgb_array"``, ``"human"`` (a window) or ``"ansi"`` (the description).
        obs_type: ``"state"``; ``"text"`` for descriptions; ``"tokens"`` for their words as numbers, where the world
            has a fixed vocabulary; ``"pixels"`` for uint8 (84, 84, 3) frames, or another of the world's
            `Pictures.forms`.
        **options: options of the world.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 30}

    def __init__(
        self,
        world: str | World,
        *,
        render_mode: str | None = None,
        obs_type: str = "state",
        **options: Any,
    ):
        check_choice("render_mode", render_mode, [None, *RENDER_MODES])
        self.world = make_world(world, **options)
        check_observation(self.world, obs_type)
        self.batch = Batch(self.world, 1, num_threads=1)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": companion(self.world, Pictures).fps}
        self.obs_type = obs_type
        agents = len(self.world.agents)
        observation, action = self.world.observation.space(), self.world.action.space()
        self.observation_space = batch_space(observation, agents) if agents else observation
        self.action_space = batch_space(action, agents) if agents else action
        if obs_type != "state":
            self.observation_space = sensed_space(self.world, obs_type)
        self._check = ActionChecker(self.world.action, lead_shape(self.world, 1)[1:])
        self._info_names = self.world.info_dtype.names or ()
        self._reward_shape = self.world.reward.shape
        self._rivals = companion(self.world, Referee).zero_sum
        objectives_of(self.world, self, max(1, agents))
        self._window = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begin an episode.

        Args:
            seed: restarts the random streams; the same seed gives the same sequence of episodes.
            options: none are known; accepted for the API's sake.

        Returns:
            Observation and info.
        """
        super().reset(seed=seed)
        self.batch.title = self.spec.id if self.spec else self.batch.title
        if seed is not None or not self.batch.seeded:
            self.batch.seed([seed if seed is not None else self.np_random_seed])
        output = self.batch.reset()
        if self.render_mode == "human":
            self.render()
        return self._observation(output.observations), self._info(output.info)

    def step(self, action):
        """Take a step.

        Args:
            action: an element of the action space.

        Returns:
            Observation, reward, terminated, truncated, info.

        Raises:
            ValueError: a malformed action, by name.
            gymnasium.error.ResetNeeded: no episode has begun, or it has ended.
        """
        if self.batch.done[0]:
            raise ResetNeeded("the episode has ended or not begun: call reset() before step()")
        output = self.batch.step(self._check(action)[np.newaxis])
        if self.world.agents:
            terminated, truncated = output.terminated[0].all(), output.truncated[0].all()
            ended = self.batch.done[0]
            terminated, truncated = bool(terminated), bool(truncated or (ended and not terminated))
            reward = joint_rewards(output.rewards, self._rivals)[0]
        else:
            terminated, truncated = bool(output.terminated[0]), bool(output.truncated[0])
            reward = output.rewards[0]
        if self.render_mode == "human":
            self.render()
        reward = reward if self._reward_shape else float(reward)
        return self._observation(output.observations), reward, terminated, truncated, self._info(output.info)

    def _observation(self, observations: np.ndarray):
        if self.obs_type != "state":
            return joint_pixels(self.world, self.batch.sensed(self.obs_type))[0]
        return observations[0]

    def _info(self, info: np.ndarray) -> dict[str, Any]:
        if self.world.agents:
            return {name: info[name][0].copy() for name in self._info_names}
        return dict(zip(self._info_names, info[0].item(), strict=True))

    def set_state(self, snapshot: Snapshot):
        """Return to a moment taken with `get_state`, of this or another instance of the same world.

        Returns:
            The observation of that moment.
        """
        return self._observation(self.batch.set_state(snapshot))

    def render(self):
        """Draw according to the render mode: an array (H, W, 3) uint8, a text, or a window (None)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing: make the environment with a render_mode")
            return None
        if self.render_mode == "ansi":
            agents = range(max(1, len(self.world.agents)))
            return "\n".join(self.describe(agent=agent) for agent in agents)
        if self.render_mode == "rgb_array":
            return self.frame()
        if self._window is None:
            from envsuite.core.window import Window

            self._window = Window(
                self.spec.id if self.spec else type(self.world).__name__, companion(self.world, Pictures).fps
            )
        self._window.show(self.frame())
        return None

    def get_keys_to_action(self) -> dict[tuple[str, ...], Any]:
        """Keyboard control for `gymnasium.utils.play.play`."""
        return companion(self.world, Controls).keys()

    def close(self) -> None:
        """Close the window and stop the threads."""
        if self._window is not None:
            self._window.close()
            self._window = None
        self.batch.close()
