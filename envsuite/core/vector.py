"""Many instances of a world: the Gymnasium `VectorEnv`, and the autoreset machinery all batch front ends share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from envsuite.core.actions import ActionChecker
from envsuite.core.batch import Batch, Output, Snapshot, all_ended, check_whole, over_agents
from envsuite.core.companions import Pictures, Referee, companion
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


class BatchFrontEnd(WorldFrontEnd):
    """Reset, step and automatic resets over arrays; agents keep their axis.

    Args:
        world: ``"module:Class"`` or a `World`.
        num_envs: number of instances.
        max_episode_steps: length limit; episodes that reach it are truncated. None for no limit.
        render_mode: None, ``"rgb_array"``, ``"ansi"``, or ``"human"`` (a window with all instances tiled).
        autoreset_mode: a `gymnasium.vector.AutoresetMode` or its value.
        copy: give out fresh arrays every step; False reuses one set of arrays, which the next step overwrites.
        num_threads: threads to step the batch with; None decides by its size. Never changes results.
        obs_type: ``"state"``; ``"text"`` for descriptions; ``"tokens"`` for their words as numbers, where the world
            has a fixed vocabulary; ``"pixels"`` for uint8 (84, 84, 3) frames, or another of the world's
            `Pictures.forms`.
        **options: options of the world.
    """

    def __init__(
        self,
        world: str | World,
        num_envs: int = 1,
        *,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        num_threads: int | None = None,
        obs_type: str = "state",
        **options: Any,
    ):
        check_choice("render_mode", render_mode, [None, *RENDER_MODES])
        modes = {mode.value: mode for mode in AutoresetMode}
        value = autoreset_mode.value if isinstance(autoreset_mode, AutoresetMode) else autoreset_mode
        check_choice("autoreset_mode", value, list(modes))
        if max_episode_steps is not None:
            check_whole("max_episode_steps", max_episode_steps, 1, "or None for no limit")
        self.world = make_world(world, **options)
        check_observation(self.world, obs_type)
        self.num_envs = num_envs
        self.batch = Batch(
            self.world,
            num_envs,
            num_threads=num_threads,
            horizon=max_episode_steps or 0,
            reuse=not copy,
        )
        self.max_episode_steps = max_episode_steps
        self.render_mode = render_mode
        self.autoreset_mode = modes[value]
        self.obs_type = obs_type
        self._check = ActionChecker(self.world.action, lead_shape(self.world, num_envs))
        self._info_names = self.world.info_dtype.names or ()
        self._info_masks = tuple("_" + name for name in self._info_names)
        self._everywhere = np.ones((len(self._info_masks), num_envs), np.bool_)
        self._window = None

    def _reset_arrays(
        self, seed: int | Sequence[int | None] | None, options: dict[str, Any] | None, entropy: int
    ) -> tuple[Output, dict[str, Any]]:
        mask = self._reset_mask(options)
        if mask is not None and not self.batch.seeded:
            raise ValueError("options['reset_mask'] needs a first reset of all instances")
        if seed is not None or not self.batch.seeded:
            seeds, seeded = self._seeds(seed, entropy)
            if mask is not None:
                seeded = seeded & mask
            self.batch.seed(seeds, seeded)
        output = self.batch.reset(mask)
        return output, self._infos(output.info, mask)

    def _seeds(self, seed, entropy: int) -> tuple[list[int], np.ndarray]:
        """Seed of every instance, and which instances are to be seeded at all."""
        if seed is None or isinstance(seed, int | np.integer):
            first = entropy if seed is None else int(seed)
            return [first + i for i in range(self.num_envs)], np.ones(self.num_envs, np.bool_)
        if isinstance(seed, str | bytes) or not hasattr(seed, "__len__"):
            raise ValueError(f"seed is {seed!r}, expected a whole number, or one for each instance")
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds given for {self.num_envs} instances")
        wanted = np.array([one is not None for one in seed]) | (not self.batch.seeded)
        return [entropy + i if one is None else int(one) for i, one in enumerate(seed)], wanted

    def _reset_mask(self, options: dict[str, Any] | None) -> np.ndarray | None:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return None
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"options['reset_mask'] is {mask!r}, expected a bool array of shape ({self.num_envs},)")
        if not mask.any():
            raise ValueError("options['reset_mask'] selects no instance")
        return mask

    def _step_arrays(self, actions) -> tuple[Output, dict[str, Any]]:
        checked = self._check(actions)
        over = self.batch.done
        if not self.batch.seeded:
            raise ResetNeeded("no episode has begun: call reset() before step()")
        if self.autoreset_mode is AutoresetMode.NEXT_STEP:
            output = self.batch.step(checked, over)
            return output, self._infos(output.info, None)
        if over.any():
            raise ResetNeeded(
                f"the episode of instance {int(np.flatnonzero(over)[0])} has ended: "
                "call reset(options={'reset_mask': ...}) before step()"
            )
        output = self.batch.step(checked)
        if self.autoreset_mode is AutoresetMode.DISABLED or not self.batch.done.any():
            return output, self._infos(output.info, None)
        final = self._final(output)
        self.batch.restart_ended()
        return output, self._infos(output.info, None) | final

    def _final(self, output: Output) -> dict[str, Any]:
        """Last observation and info of the episodes that have just ended, before they are overwritten."""
        done = self.batch.done.copy()
        where = np.flatnonzero(done)
        rows = output.observations[where]
        if self.obs_type != "state":
            rows = self._pixels(where)
        listed = np.full(self.num_envs, None, dtype=object)
        for row, i in zip(rows, where, strict=True):
            listed[i] = row
        info = np.zeros_like(output.info)
        info[where] = output.info[where]
        return {
            "final_obs": listed,
            "_final_obs": done,
            "final_obs_dense": rows.copy(),
            "final_info": self._infos(info, done),
            "_final_info": done.copy(),
        }

    def _pixels(self, instances: np.ndarray | None = None) -> np.ndarray:
        """Observations of some instances, where they are not the world's own."""
        return self.batch.sensed(self.obs_type, instances)

    def _infos(self, info: np.ndarray, mask: np.ndarray | None) -> dict[str, Any]:
        infos: dict[str, Any] = dict(zip(self._info_names, map(info.__getitem__, self._info_names), strict=True))
        # a row each, so that who writes into one mask changes no other
        present = self._everywhere.copy()
        if mask is not None:
            present[:] = mask
        infos.update(zip(self._info_masks, present, strict=True))
        return infos

    def _observed(self, output: Output) -> np.ndarray:
        if self.obs_type != "state":
            return self._pixels()
        return output.observations

    def set_state(self, snapshot: Snapshot) -> np.ndarray:
        """Return to a moment taken with `get_state`.

        Returns:
            The observations of that moment.
        """
        observations = self.batch.set_state(snapshot)
        return self._observed(self.batch.last) if self.obs_type != "state" else observations

    def _frames(self) -> tuple[np.ndarray, ...]:
        return tuple(self.frame(i) for i in range(self.num_envs))

    def _show(self) -> None:
        from envsuite.core.canvas import tile

        if self._window is None:
            from envsuite.core.window import Window

            self._window = Window(f"{type(self.world).__name__} x {self.num_envs}", companion(self.world, Pictures).fps)
        self._window.show(tile(self._frames()))

    def _release(self) -> None:
        if self._window is not None:
            self._window.close()
            self._window = None
        self.batch.close()


class WorldVectorEnv(BatchFrontEnd, VectorEnv):
    """Many instances of a world through the Gymnasium vector API; see `BatchFrontEnd` for the arguments.

    ``reset(seed=s)`` seeds instance ``i`` with ``s + i``: it then equals a single environment seeded ``s + i``. A
    world of several agents appears as its joint view, as in `envsuite.core.single.WorldEnv`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES}

    def __init__(self, world: str | World, num_envs: int = 1, **arguments: Any):
        super().__init__(world, num_envs, **arguments)
        self.metadata = {
            **self.metadata,
            "render_fps": companion(self.world, Pictures).fps,
            "autoreset_mode": self.autoreset_mode,
        }
        agents = len(self.world.agents)
        self._rivals = companion(self.world, Referee).zero_sum
        observation, action = self.world.observation.space(), self.world.action.space()
        if self.obs_type != "state":
            observation = sensed_space(self.world, self.obs_type)
        elif agents:
            observation = batch_space(observation, agents)
        objectives_of(self.world, self, max(1, agents))
        self.single_observation_space = observation
        self.single_action_space = batch_space(action, agents) if agents else action
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _pixels(self, instances: np.ndarray | None = None) -> np.ndarray:
        return joint_pixels(self.world, super()._pixels(instances))

    def reset(self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None):
        """Begin episodes.

        Args:
            seed: instance ``i`` gets ``seed + i``, or its own of a list.
            options: ``reset_mask``, a bool array (num_envs,) with the instances to reset; all by default.

        Returns:
            Observations (num_envs, *O) and infos (arrays, with a mask beside each).
        """
        super().reset(seed=seed if isinstance(seed, int) else None)
        self.batch.title = self.spec.id if self.spec else self.batch.title
        output, infos = self._reset_arrays(seed, options, 0 if self.batch.seeded else int(self.np_random_seed or 0))
        if self.render_mode == "human":
            self._show()
        return self._observed(output), infos

    def step(self, actions):
        """Take a step in every instance.

        Args:
            actions: (num_envs, *A).

        Returns:
            Observations, rewards, terminations, truncations (arrays over instances), infos.

        Raises:
            ValueError: a malformed action, by name and index.
            gymnasium.error.ResetNeeded: no episode has begun, or one has ended while autoreset is disabled.
        """
        output, infos = self._step_arrays(actions)
        if self.render_mode == "human":
            self._show()
        if not self.world.agents:
            flags = output.terminated, output.truncated
            return self._observed(output), output.rewards, *flags, infos
        terminated = over_agents(np.logical_and, output.terminated)
        late = over_agents(np.logical_and, output.truncated)  # also of an episode that ends at its limit
        truncated = late | (all_ended(output.terminated, output.truncated, self.world.loops.together) & ~terminated)
        return self._observed(output), joint_rewards(output.rewards, self._rivals), terminated, truncated, infos

    def render(self):
        """A tuple of frames or texts, one an instance; None in a window."""
        if self.render_mode == "rgb_array":
            return self._frames()
        if self.render_mode == "ansi":
            return tuple(self.describe(i) for i in range(self.num_envs))
        return None

    def close_extras(self, **kwargs: Any) -> None:
        """Close the window and stop the threads."""
        self._release()
