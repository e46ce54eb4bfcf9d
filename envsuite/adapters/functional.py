"""Gymnasium's functional view: an environment as functions of a state that is passed around, for planning."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.experimental.functional import FuncEnv
from gymnasium.vector import AutoresetMode

import envsuite
from envsuite.core.batch import Snapshot
from envsuite.core.companions import Pictures, companion
from envsuite.core.jit import records


class State(NamedTuple):
    """One moment of n instances; no function changes it.

    Attributes:
        records: (n,) state records, random streams included.
        observations: (n, *O).
        rewards: (n,) or (n, k), of the step that led here; 0 at the beginning.
        terminated: (n,) bool.
        truncated: (n,) bool.
        infos: arrays (n, ...) by name.
    """

    records: np.ndarray
    observations: np.ndarray
    rewards: np.ndarray
    terminated: np.ndarray
    truncated: np.ndarray
    infos: dict[str, np.ndarray]

    def take(self, index: Any) -> "State":
        """Some instances, or one several times: ``state.take([0] * 32)`` are 32 futures of the first.

        Args:
            index: whatever selects rows of an array.
        """
        rows = np.atleast_1d(np.arange(len(self.records))[index])
        arrays = self.records, self.observations, self.rewards, self.terminated, self.truncated
        infos = {name: values[rows] for name, values in self.infos.items()}
        return State(*(array[rows] for array in arrays), infos)


class WorldFuncEnv(FuncEnv):
    """An environment of any number of instances as pure functions over `State`.

    A state holds its random streams, so `transition` needs no generator, and what follows from `initial` is what
    `gymnasium.make` gives with the same seed, bit for bit. Ended instances stay where they are, with reward 0. An
    environment of several agents appears as its joint view, see `envsuite.core.single.WorldEnv`.

    Args:
        env_id: as for `envsuite.card`.
        **options: of the environment; ``max_episode_steps``, its length limit.

    Attributes:
        observation_space: of one instance.
        action_space: of one instance.
    """

    def __init__(self, env_id: str, **options: Any):
        card = envsuite.card(env_id)
        options |= {"autoreset_mode": AutoresetMode.NEXT_STEP, "copy": True, "num_threads": 1}
        self._id, self._options = card.id, options
        self._batches: dict[int, Any] = {}
        one = self._batch(1)
        super().__init__()
        self.observation_space, self.action_space = one.single_observation_space, one.single_action_space

    def _batch(self, count: int) -> Any:
        if count not in self._batches:
            self._batches[count] = gymnasium.make_vec(self._id, count, **self._options)
        return self._batches[count]

    def initial(self, rng: int | Sequence[int] | np.random.Generator, params: Any = None) -> State:
        """States at the beginning of episodes.

        Args:
            rng: a seed, or one for each instance; or a generator, from which a seed is drawn.
            params: none are known; accepted for the API's sake.
        """
        if isinstance(rng, np.random.Generator):
            rng = int(rng.integers(2**31))
        seeds = [int(rng)] if np.ndim(rng) == 0 else [int(one) for one in rng]  # ty: ignore[invalid-argument-type,not-iterable]
        batch = self._batch(len(seeds))
        observations, infos = batch.reset(seed=seeds)
        nothing = np.zeros(len(seeds), np.bool_)
        reward = batch.world.reward
        rewards = np.zeros((len(seeds), *reward.shape), reward.dtype)
        return State(batch.get_state().states, observations, rewards, nothing, nothing.copy(), _told(infos))

    def transition(self, state: State, action: Any, rng: Any = None, params: Any = None) -> State:
        """The states that actions lead to.

        Args:
            state: of n instances.
            action: (n, *A), or an element of the action space for a single instance.
            rng: not needed, chance is in the state.
            params: none are known.

        Raises:
            ValueError: a malformed action, by name and index.
        """
        count = len(state.records)
        batch = self._batch(count)
        actions = np.asarray(action)
        if count == 1 and actions.shape == self.action_space.shape:
            actions = actions[np.newaxis]
        over = state.terminated | state.truncated
        # ended instances begin anew here, since kernels know no other way to stand still, and are put back below
        batch.batch.set_state(Snapshot(state.records, batch.batch.last.observations, over.copy()))
        observations, rewards, terminated, truncated, infos = batch.step(actions)
        after = State(batch.get_state().states, observations, rewards, terminated, truncated, _told(infos))
        return _stay(state, after, over) if over.any() else after

    def observation(self, state: State, rng: Any = None, params: Any = None) -> np.ndarray:
        """(n, *O)."""
        return state.observations

    def reward(self, state: State, action: Any, next_state: State, rng: Any = None, params: Any = None) -> np.ndarray:
        """(n,) or (n, k), of a transition.

        Args:
            state: where it began.
            action: what was done.
            next_state: what `transition` made of both, which knows the reward.
            rng: not needed.
            params: none are known.
        """
        return next_state.rewards

    def terminal(self, state: State, rng: Any = None, params: Any = None) -> np.ndarray:
        """(n,) bool, whether the task has ended; ``state.truncated`` says whether time has."""
        return state.terminated

    def state_info(self, state: State, params: Any = None) -> dict[str, np.ndarray]:
        """The environment's metrics, (n, ...) by name."""
        return state.infos

    def transition_info(self, state: State, action: Any, next_state: State, params: Any = None) -> dict[str, Any]:
        """The metrics after a transition."""
        return next_state.infos

    def render_init(self, params: Any = None, **kwargs: Any) -> tuple[int, int]:
        """What pictures are drawn with: their width and height."""
        pictures = companion(self._batch(1).world, Pictures)
        return kwargs.get("size", pictures.size)

    def render_image(
        self, state: State, render_state: tuple[int, int], params: Any = None
    ) -> tuple[tuple[int, int], np.ndarray]:
        """A picture of the first instance, (height, width, 3) uint8."""
        pictures = companion(self._batch(1).world, Pictures)
        return render_state, pictures.draw(records(state.records)[0], render_state)

    def render_close(self, render_state: tuple[int, int], params: Any = None) -> None:
        """Nothing is left open."""


def _told(infos: dict[str, Any]) -> dict[str, np.ndarray]:
    return {name: np.asarray(values) for name, values in infos.items() if not name.startswith("_")}


def _stay(before: State, after: State, over: np.ndarray) -> State:
    """The states after a step, those that were over before it as they were, with reward 0."""

    def chosen(new: np.ndarray, old: np.ndarray) -> np.ndarray:
        mixed = np.array(new)
        mixed[over] = old[over]
        return mixed

    kept = [chosen(new, old) for new, old in zip(after[:5], before[:5], strict=True)]
    kept[2][over] = 0
    infos = {name: chosen(after.infos[name], before.infos[name]) for name in after.infos}
    return State(*kept, infos)
