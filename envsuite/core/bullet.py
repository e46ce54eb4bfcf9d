"""PyBullet as the engine of a backend: its module, a world of it in this process, and pictures by its renderer."""

import contextlib
import importlib
from types import ModuleType
from typing import Any, NamedTuple

import gymnasium
import numpy as np

KINDS = ("rgb", "depth", "segmentation")
FARTHEST = 100.0
"""What cameras still see, m."""


def load_pybullet() -> ModuleType:
    """The engine's module.

    Raises:
        ModuleNotFoundError: it is not installed; the message names the extra.
    """
    try:
        return importlib.import_module("pybullet")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            'the backend "bullet" needs PyBullet: pip install "envsuite[bullet]"', name="pybullet"
        ) from error


class Picture(NamedTuple):
    """What a camera sees.

    Attributes:
        rgb: uint8 (height, width, 3).
        depth: float32 (height, width), m along the camera's axis; 100 where there is nothing.
        segmentation: int32 (height, width), index into `names`; -1 where there is nothing.
        names: of the bodies.
    """

    rgb: np.ndarray
    depth: np.ndarray
    segmentation: np.ndarray
    names: tuple[str, ...]


class BulletClient:
    """A PyBullet world in this process, without a window.

    Attributes:
        names: of the bodies, by the engine's number.
        client: the engine's number of this world; -1 once it is closed.
        left: what was left by an episode that is to go on; None where nobody can go on from it.
    """

    def __init__(self) -> None:
        self._engine = load_pybullet()
        self.client = self._engine.connect(self._engine.DIRECT)
        self.names: dict[int, str] = {}
        self.left: tuple[int, bytes] | None = None

    def _call(self, name: str, *arguments, **options):
        return getattr(self._engine, name)(*arguments, **options, physicsClientId=self.client)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of all bodies, each once."""
        return tuple(dict.fromkeys(self.names.values()))

    def picture(self, view, size: tuple[int, int], fov: float, nearest: float) -> Picture:
        """Draw what a camera sees, by the engine's software renderer.

        Args:
            view: 16 numbers of the view matrix, as OpenGL has it.
            size: (width, height), pixels.
            fov: angle that the height of the picture spans, degrees.
            nearest: what is still drawn, m.
        """
        width, height = size
        lens = self._engine.computeProjectionMatrixFOV(fov, width / height, nearest, FARTHEST)
        rgba, depth, bodies = self._call(
            "getCameraImage", width, height, view, lens, shadow=True, renderer=self._engine.ER_TINY_RENDERER
        )[2:]
        # from OpenGL's depth buffer to metres
        depth = np.asarray(depth, np.float64).reshape(height, width)
        metres = FARTHEST * nearest / (FARTHEST - (FARTHEST - nearest) * depth)
        seen = np.asarray(bodies, np.int64).reshape(height, width)
        segmentation, kinds = np.full(seen.shape, -1, np.int32), self.kinds
        for body, name in self.names.items():
            segmentation[seen == body] = kinds.index(name)
        rgb = np.asarray(rgba, np.uint8).reshape(height, width, 4)[..., :3].copy()
        return Picture(rgb, metres.astype(np.float32), segmentation, kinds)

    def close(self) -> None:
        """Free the engine's memory."""
        if self.client >= 0:
            with contextlib.suppress(self._engine.error):  # it is gone already
                self._call("disconnect")
            self.client = -1


def check_view(size: tuple[int, int], fov: float) -> None:
    """Refuse what gives no picture.

    Args:
        size: (width, height), pixels.
        fov: angle that the height of the picture spans, degrees.

    Raises:
        ValueError: a size or an angle that gives no picture.
    """
    if min(size) < 1:
        raise ValueError(f"size is {size}, expected at least one pixel each way")
    if not 0 < fov < 180:
        raise ValueError(f"fov is {fov} degrees, expected more than 0 and less than 180")


class Pictured(gymnasium.ObservationWrapper):
    """Adds pictures to the observations: a dictionary of ``"state"`` (the task's own) and the kinds asked for.

    Of several agents, the pictures are stacked along a first axis. Subclasses say how a picture is taken.

    Args:
        env: a task made with ``backend="bullet"``.
        worlds: class that its world has to be of; it has `names`, of all that cameras can see.
        kinds: some of ``"rgb"``, ``"depth"`` and ``"segmentation"``, see `Picture`.
        size: (width, height), pixels.

    Raises:
        ValueError: an unknown kind, or an environment without the engine.
    """

    def __init__(self, env: gymnasium.Env, worlds: type, kinds: tuple[str, ...], size: tuple[int, int]):
        super().__init__(env)
        if not kinds or not set(kinds) <= set(KINDS):
            raise ValueError(f"kinds are {kinds}, expected some of {', '.join(KINDS)}")
        self._base: Any = env.unwrapped
        world = getattr(self._base, "world", None)
        if not isinstance(world, worlds):
            raise ValueError('cameras need an environment made with backend="bullet"')
        self._kinds, self._many = tuple(kinds), len(self._base.world.agents)
        shape = ((self._many,) if self._many else ()) + (size[1], size[0])
        whole = {
            "rgb": gymnasium.spaces.Box(0, 255, (*shape, 3), np.uint8),
            "depth": gymnasium.spaces.Box(0.0, FARTHEST, shape, np.float32),
            "segmentation": gymnasium.spaces.Box(-1, len(self._base.world.names()) - 1, shape, np.int32),
        }
        spaces = {"state": env.observation_space, **{kind: whole[kind] for kind in self._kinds}}
        self.observation_space = gymnasium.spaces.Dict(spaces)

    def shot(self, state: np.void, agent: int) -> Picture:
        """The picture of an agent; 0 of one alone."""
        raise NotImplementedError

    def observation(self, observation):
        """The task's observation and the pictures."""
        state = self._base.batch.states[0]
        shots = [self.shot(state, n) for n in range(max(1, self._many))]
        pictures = {kind: [getattr(shot, kind) for shot in shots] for kind in self._kinds}
        stacked = {kind: np.stack(found) if self._many else found[0] for kind, found in pictures.items()}
        return {"state": observation, **stacked}
