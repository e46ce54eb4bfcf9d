"""Two legs that walk in a plane: ``walker2d_v5.xml`` and ``walker2d.xml``."""

from functools import partial
from math import pi

from envsuite.rigid import Body, Capsule, Hinge, Motor, Option, Plane, Scene, Slide

ROUGH = (0.1, 0.1)  # spinning and rolling friction
link = partial(Capsule, conaffinity=0, friction=(0.9, *ROUGH))
joint = partial(Hinge, axis=(0, -1, 0), armature=0.01, damping=0.1)
motor = partial(Motor, gear=100, ctrlrange=(-1, 1))
ALONG_X = (0.70710678118654757, 0, -0.70710678118654746, 0)
COLOURS = {"": (0.8, 0.6, 0.4, 1), "_left": (0.7, 0.3, 0.6, 1)}


def _leg(side: str, friction: float) -> list[Body]:
    """Thigh, leg and foot of one side, whose names end in `side`."""
    colour = COLOURS[side]
    foot = (friction, *ROUGH)
    return [
        Body(
            f"thigh{side}",
            "torso",
            pos=(0, 0, -0.2),
            joints=[joint(f"thigh{side}_joint", range=(-150 * pi / 180, 0))],
            geoms=[link(f"thigh{side}_geom", size=(0.05, 0.225), pos=(0, 0, -0.225), rgba=colour)],
        ),
        Body(
            f"leg{side}",
            f"thigh{side}",
            pos=(0, 0, -0.7),
            joints=[joint(f"leg{side}_joint", pos=(0, 0, 0.25), range=(-150 * pi / 180, 0))],
            geoms=[link(f"leg{side}_geom", size=(0.04, 0.25), rgba=colour)],
        ),
        Body(
            f"foot{side}",
            f"leg{side}",
            pos=(0.2, 0, -0.35),
            joints=[joint(f"foot{side}_joint", pos=(-0.2, 0, 0.1), range=(-pi / 4, pi / 4))],
            geoms=[
                link(f"foot{side}_geom", size=(0.06, 0.1), pos=(-0.1, 0, 0.1), quat=ALONG_X, friction=foot, rgba=colour)
            ],
        ),
    ]


def walker2d(name: str, *, right: float, left: float) -> Scene:
    """The walker.

    Args:
        name: of the scene.
        right: sliding friction of the right foot.
        left: sliding friction of the left foot.
    """
    torso = Body(
        "torso",
        pos=(0, 0, 1.25),
        joints=[
            Slide("rootx", axis=(1, 0, 0), pos=(0, 0, -1.25)),
            Slide("rootz", axis=(0, 0, 1), pos=(0, 0, -1.25), ref=1.25),
            Hinge("rooty", axis=(0, 1, 0)),
        ],
        geoms=[link("torso_geom", size=(0.05, 0.2), rgba=COLOURS[""])],
    )
    sides = ("", "_left")
    return Scene(
        name,
        option=Option(timestep=0.002, integrator="RK4"),
        geoms=[Plane("floor", size=(40, 40, 40), friction=(0.7, *ROUGH), rgba=(0.8, 0.9, 0.8, 1))],
        bodies=[torso, *_leg("", right), *_leg("_left", left)],
        actuators=[motor(f"{part}{side}_joint") for side in sides for part in ("thigh", "leg", "foot")],
    )


WALKER2D = walker2d("walker2d", right=1.9, left=1.9)
WALKER2D_V4 = walker2d("walker2d_v4", right=0.9, left=1.9)  # of Walker2d-v2 to v4
