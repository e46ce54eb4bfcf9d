"""Bodies in words: how they stand, how their joints are bent and turn, what touches the floor."""

import math
from typing import Any, ClassVar

import numpy as np

from envsuite.core import Words
from envsuite.core.language import said, vector_text
from envsuite.rigid.layout import CAPSULE, FREE, PLANE, SLIDE, SPHERE

TOUCHING = 1e-3  # m above the floor


class LocomotionWords(Words):
    """Every joint with its name, angles in degrees; contacts by the names of bodies.

    Attributes:
        joints: names to tell, in the place of the scene's.
        up: which way of the torso is up when it stands.
    """

    joints: ClassVar[tuple[str, ...]] = ()
    up: ClassVar[tuple[float, float, float]] = (0.0, 0.0, 1.0)

    def describe(self, state, agent=0):
        """See `Words.describe`; x and y of bodies that move away are left out, as they are in observations."""
        told = "; ".join(self._joint(state, number) for number in range(len(self.world.compiled.joint)))
        step = int(state["clock"]["step"])
        return f"Step {step}: {told}.{self._floor(state)} {self.task(state)} {self.instructions(state, agent)}"

    def names(self) -> tuple[str, ...]:
        """Of the joints, in the order of the scene."""
        known = tuple(name for name, _ in getattr(self.world, "coordinates", ()))
        return self.joints or known or tuple(self.world.compiled.joint)

    def task(self, state: np.void) -> str:
        """What is to be done.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        return "Move forward, along x, as fast as you can without falling."

    def instructions(self, state, agent=0):
        """See `Words.instructions`."""
        blocks = self.world.action.blocks
        names = ", ".join(block.name for block in blocks)
        low, high = blocks[0].low, blocks[0].high
        count = "one number" if len(blocks) == 1 else f"{len(blocks)} numbers"
        pulls = "the pull of the motor" if len(blocks) == 1 else "the pull of each motor"
        return f"Answer with {count} from {low:g} to {high:g} in brackets, {pulls}: {names}."

    def _joint(self, state: np.void, number: int) -> str:
        """A joint in words."""
        model, body, name = self.world.compiled.model[0], state["body"], self.names()[number]
        at, dof, kind = (int(model[one][number]) for one in ("jnt_qposadr", "jnt_dofadr", "jnt_type"))
        place, speed = body["qpos"][at:], body["qvel"][dof:]
        if kind == FREE:
            return _free(place, speed, self.up)
        if kind == SLIDE:
            moving = f"moves at {said(speed[0], 2)} m/s"
            params = self.world.params[0]
            hidden = "hidden" in params.dtype.names and number < params["hidden"]
            return f"{name} {moving}" if hidden else f"{name} is at {said(place[0], 3)} m and {moving}"
        angle, turning = (said(math.degrees(one), 1) for one in (place[0], speed[0]))
        return f"{name} is at {angle} degrees and turns {turning} degrees/s"

    def _floor(self, state: np.void) -> str:
        """What touches the floor; empty where there is none that could be touched."""
        made = self.world.compiled
        model = made.model[0]
        kinds = model["geom_type"]
        can = [k for k in range(int(model["ngeom"])) if model["geom_touches"][k]]
        if not any(kinds[k] == PLANE for k in can):
            return ""
        places, axes = self.world.frames(state)
        names = list(made.body)
        low: dict[str, Any] = {}
        for k in can:
            if kinds[k] in (SPHERE, CAPSULE):
                body = int(model["geom_bodyid"][k])
                middle = places[body] + axes[body] @ model["geom_pos"][k]
                radius, half = model["geom_size"][k][:2]
                rise = (axes[body] @ model["geom_mat"][k].reshape(3, 3))[2, 2] if kinds[k] == CAPSULE else 0.0
                if middle[2] - half * abs(rise) - radius < TOUCHING:
                    low[names[body]] = None
        return f" Touching the floor: {', '.join(low) or 'nothing'}."


def _free(place: np.ndarray, speed: np.ndarray, up: tuple[float, float, float]) -> str:
    """Height, lean and motion of a body that nothing holds."""
    w, x, y, z = (float(one) for one in place[3:7])
    height = (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y))  # of the torso's axes
    rise = sum(a * b for a, b in zip(height, up, strict=True))
    lean = math.degrees(math.acos(min(max(rise, -1.0), 1.0)))
    speeds, spin = vector_text(speed[:3]), vector_text(np.degrees(speed[3:6]), 0)
    return (
        f"torso is {place[2]:.2f} m high, leans {lean:.1f} degrees from upright, moves at {speeds} m/s along x, y, z "
        f"and turns {spin} degrees/s about its own axes"
    )


class SwimmerWords(LocomotionWords):
    """The swimmer in words."""

    def task(self, state):
        """See `LocomotionWords.task`."""
        return "Swim forward, along x, as fast as you can."


class RandomFrictionHopperWords(LocomotionWords):
    """The hopper whose foot rubs differently, in words."""

    def task(self, state):
        """See `LocomotionWords.task`."""
        friction = float(state["body"]["sliding"][int(self.world.params[0]["foot"])])
        return f"The coefficient of friction of the foot is {friction:.2f}. {super().task(state)}"


class SafetyHalfCheetahWords(LocomotionWords):
    """The runner with a speed limit in words."""

    def task(self, state):
        """See `LocomotionWords.task`."""
        params = self.world.params[0]
        limit, penalty = float(params["speed_limit"]), float(params["penalty"])
        aim = "Move forward, along x, as fast as you can"
        return f"{aim}, but in no step faster than {limit:.4g} m/s: that costs {penalty:g}."


class HumanoidStandupWords(LocomotionWords):
    """Standing up in words."""

    up = (-1.0, 0.0, 0.0)

    def task(self, state):
        """See `LocomotionWords.task`."""
        return "Stand up: bring the torso as high as you can."


class InvertedPendulumWords(LocomotionWords):
    """The pole in words."""

    joints = ("cart", "pole")

    def task(self, state):
        """See `LocomotionWords.task`."""
        return "Keep the pole within 11.5 degrees of upright."


class InvertedDoublePendulumWords(LocomotionWords):
    """Two poles in words."""

    joints = ("cart", "lower pole", "upper pole")

    def task(self, state):
        """See `LocomotionWords.task`."""
        return "Keep both poles upright: their tip must stay higher than 1 m."


class ReacherWords(LocomotionWords):
    """The arm in words."""

    def task(self, state):
        """See `LocomotionWords.task`."""
        x, y = (100 * float(one) for one in state["away"][:2])
        return f"The fingertip is ({x:.1f}, {y:.1f}) cm from the target along x and y: bring it there."
