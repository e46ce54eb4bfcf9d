"""A round body on four legs: Gymnasium's ``ant.xml``, and the weaker one of D4RL and OGBench."""

from functools import partial
from math import pi
from typing import Any

from envsuite.rigid import Body, Capsule, Free, Hinge, Motor, Option, Plane, Scene, Shared, Sphere

HIP = (-30 * pi / 180, 30 * pi / 180)
LOW, HIGH = 30 * pi / 180, 70 * pi / 180

SHAPE: Shared = {"density": 5, "friction": (1, 0.5, 0.5), "margin": 0.01}
"""Of all shapes of Gymnasium's file."""

SOFT: Shared = {**SHAPE, "solimp": (0.8, 0.8, 0.01)}
"""Of all shapes of D4RL's and OGBench's files."""

joint = partial(Hinge, armature=1, damping=1)


def _leg(
    bone: Any, number: int, names: tuple[str, str, str], x: float, y: float, axis: tuple[int, int, int], up: bool
) -> list[Body]:
    """Hip and ankle in the direction (x, y); `names` are of the first body and of the outer shapes."""
    root, middle, outer = names
    reach = (0, 0, 0, x, y, 0)
    return [
        Body(root, "torso", geoms=[bone(f"aux_{number}_geom", fromto=reach)]),
        Body(
            f"aux_{number}",
            root,
            pos=(x, y, 0),
            joints=[joint(f"hip_{number}", axis=(0, 0, 1), range=HIP)],
            geoms=[bone(middle, fromto=reach)],
        ),
        Body(
            f"ankle_{number}",
            f"aux_{number}",
            pos=(x, y, 0),
            joints=[joint(f"ankle_{number}", axis=axis, range=(LOW, HIGH) if up else (-HIGH, -LOW))],
            geoms=[bone(outer, fromto=(0, 0, 0, 2 * x, 2 * y, 0))],
        ),
    ]


def _ant(name: str, shape: Shared, *, timestep: float, gear: float) -> Scene:
    limb: Shared = {"conaffinity": 0, "rgba": (0.8, 0.6, 0.4, 1), **shape}
    leg = partial(_leg, partial(Capsule, size=0.08, **limb))
    motor = partial(Motor, gear=gear, ctrlrange=(-1, 1))
    return Scene(
        name,
        option=Option(timestep=timestep, integrator="RK4"),
        geoms=[Plane("floor", size=(40, 40, 40), rgba=(0.8, 0.9, 0.8, 1), **shape)],
        bodies=[
            Body("torso", pos=(0, 0, 0.75), joints=[Free("root")], geoms=[Sphere("torso_geom", size=0.25, **limb)]),
            *leg(1, ("front_left_leg", "left_leg_geom", "left_ankle_geom"), 0.2, 0.2, (-1, 1, 0), True),
            *leg(2, ("front_right_leg", "right_leg_geom", "right_ankle_geom"), -0.2, 0.2, (1, 1, 0), False),
            *leg(3, ("back_leg", "back_leg_geom", "third_ankle_geom"), -0.2, -0.2, (-1, 1, 0), False),
            *leg(4, ("right_back_leg", "rightback_leg_geom", "fourth_ankle_geom"), 0.2, -0.2, (1, 1, 0), True),
        ],
        actuators=[motor(f"{part}_{number}") for number in (4, 1, 2, 3) for part in ("hip", "ankle")],
    )


ANT = _ant("ant", SHAPE, timestep=0.01, gear=150)

WEAK_ANT = _ant("weak_ant", SOFT, timestep=0.02, gear=30)
"""OGBench's (``ogbench/locomaze/assets/ant.xml``). D4RL's has motors of gear 1 and range 30, and actions that are
scaled by 30, which is the same."""
