"""An arm with a fork that pushes a puck on a table: ``pusher_v5.xml`` and ``pusher.xml``.

The puck is a cylinder, which slides and does not turn. There is no closed form for capsules against cylinders, so
kernels take a standing capsule of the same mass in its place: its side is the cylinder's side, where the fork pushes
(speeds agree to 1e-7 m/s a step), and it differs at the rims. Neither feels the table, which cannot move what moves
neither up nor down.
"""

from functools import partial
from math import pi
from typing import Any

from envsuite.rigid import Body, Capsule, Cylinder, Geom, Hinge, Motor, Option, Plane, Scene, Shared, Slide, Sphere

contact: Shared = {"friction": (0.8, 0.1, 0.1), "density": 300, "margin": 0.002, "condim": 1}
apart: Shared = {"contype": 0, "conaffinity": 0, **contact}
bone = partial(Capsule, **apart)
ball = partial(Sphere, **apart)
disc = partial(Cylinder, **apart)
hinge = partial(Hinge, armature=0.04, damping=0.1)
slide = partial(Slide, armature=0.04, damping=0.5, range=(-10.3213, 10.3))
GREY, DARK = (0.6, 0.6, 0.6, 1), (0.1, 0.1, 0.1, 1)
X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
DRIVEN = ["shoulder_pan", "shoulder_lift", "upper_arm_roll", "elbow_flex", "forearm_roll", "wrist_flex", "wrist_roll"]
RADIUS, HALF_HEIGHT = 0.05, 0.05

ARM = [
    Body(
        "r_shoulder_pan_link",
        pos=(0, -0.6, 0),
        joints=[hinge("r_shoulder_pan_joint", axis=Z, range=(-2.2854, 1.714602), damping=1)],
        geoms=[
            ball("e1", size=0.05, pos=(-0.06, 0.05, 0.2), rgba=GREY),
            ball("e2", size=0.05, pos=(0.06, 0.05, 0.2), rgba=GREY),
            ball("e1p", size=0.03, pos=(-0.06, 0.09, 0.2), rgba=DARK),
            ball("e2p", size=0.03, pos=(0.06, 0.09, 0.2), rgba=DARK),
            bone("sp", size=0.1, fromto=(0, 0, -0.4, 0, 0, 0.2)),
        ],
    ),
    Body(
        "r_shoulder_lift_link",
        "r_shoulder_pan_link",
        pos=(0.1, 0, 0),
        joints=[hinge("r_shoulder_lift_joint", axis=Y, range=(-0.5236, 1.3963), damping=1)],
        geoms=[bone("sl", size=0.1, fromto=(0, -0.1, 0, 0, 0.1, 0))],
    ),
    Body(
        "r_upper_arm_roll_link",
        "r_shoulder_lift_link",
        joints=[hinge("r_upper_arm_roll_joint", axis=X, range=(-1.5, 1.7))],
        geoms=[bone("uar", size=0.02, fromto=(-0.1, 0, 0, 0.1, 0, 0))],
    ),
    Body("r_upper_arm_link", "r_upper_arm_roll_link", geoms=[bone("ua", size=0.06, fromto=(0, 0, 0, 0.4, 0, 0))]),
    Body(
        "r_elbow_flex_link",
        "r_upper_arm_link",
        pos=(0.4, 0, 0),
        joints=[hinge("r_elbow_flex_joint", axis=Y, range=(-2.3213, 0))],
        geoms=[bone("ef", size=0.06, fromto=(0, -0.02, 0, 0, 0.02, 0))],
    ),
    Body(
        "r_forearm_roll_link",
        "r_elbow_flex_link",
        joints=[hinge("r_forearm_roll_joint", axis=X, range=(-1.5, 1.5))],
        geoms=[bone("fr", size=0.02, fromto=(-0.1, 0, 0, 0.1, 0, 0))],
    ),
    Body("r_forearm_link", "r_forearm_roll_link", geoms=[bone("fa", size=0.05, fromto=(0, 0, 0, 0.291, 0, 0))]),
    Body(
        "r_wrist_flex_link",
        "r_forearm_link",
        pos=(0.321, 0, 0),
        joints=[hinge("r_wrist_flex_joint", axis=Y, range=(-1.094, 0))],
        geoms=[bone("wf", size=0.01, fromto=(0, -0.02, 0, 0, 0.02, 0))],
    ),
    Body(
        "r_wrist_roll_link",
        "r_wrist_flex_link",
        joints=[hinge("r_wrist_roll_joint", axis=X, range=(-1.5, 1.5))],
        geoms=[
            Capsule("fork", size=0.02, fromto=(0, -0.1, 0, 0, 0.1, 0), **contact),
            Capsule("fork_right", size=0.02, fromto=(0, -0.1, 0, 0.1, -0.1, 0), **contact),
            Capsule("fork_left", size=0.02, fromto=(0, 0.1, 0, 0.1, 0.1, 0), **contact),
        ],
    ),
    Body(
        "tips_arm",
        "r_wrist_roll_link",
        geoms=[ball("tip_arml", size=0.01, pos=(0.1, -0.1, 0)), ball("tip_armr", size=0.01, pos=(0.1, 0.1, 0))],
    ),
]


def pusher(name: str, puck: list[Geom]) -> Scene:
    """Arm, table, puck and goal.

    Args:
        name: of the scene.
        puck: shapes of what is pushed.
    """
    return Scene(
        name,
        option=Option(timestep=0.01, iterations=20, gravity=(0, 0, 0), multiccd=False),
        geoms=[Plane("table", pos=(0, 0.5, -0.325), size=(1, 1, 0.1), **contact)],
        bodies=[
            *ARM,
            Body(
                "object",
                pos=(0.45, -0.05, -0.275),
                joints=[slide("obj_slidey", axis=Y), slide("obj_slidex", axis=X)],
                geoms=puck,
            ),
            Body(
                "goal",
                pos=(0.45, -0.05, -0.323),
                joints=[slide("goal_slidey", axis=Y), slide("goal_slidex", axis=X)],
                geoms=[disc("goal", size=(0.08, 0.001), density=1e-5, rgba=(1, 0, 0, 1))],
            ),
        ],
        actuators=[Motor(f"r_{part}_joint", ctrlrange=(-2, 2)) for part in DRIVEN],
    )


def _puck(kind: type[Geom], **mass: Any) -> Geom:
    return partial(kind, **contact)("object", size=(RADIUS, HALF_HEIGHT), conaffinity=0, rgba=(1, 1, 1, 1), **mass)


DENSITY = 0.01  # of the puck in v5
PUSHER = pusher("pusher", [_puck(Cylinder, density=DENSITY)])
PUSHER_CAPSULE = pusher("pusher", [_puck(Capsule, mass=DENSITY * 2 * pi * RADIUS**2 * HALF_HEIGHT)])
# Of Pusher-v2 and v4: lighter, with an invisible sphere that touches nothing.
PUSHER_V4 = pusher(
    "pusher_v4",
    [ball("object_sphere", size=RADIUS, density=1e-5, rgba=(1, 1, 1, 0)), _puck(Cylinder, density=1e-5)],
)
