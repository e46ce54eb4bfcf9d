"""A two-legged runner in a plane: ``half_cheetah.xml``."""

from functools import partial
from typing import Any

from envsuite.rigid import Body, Capsule, Geom, Hinge, Motor, Option, Plane, Scene, Shared, Slide

shape: Shared = {"friction": (0.4, 0.1, 0.1), "solimp": (0, 0.8, 0.01)}
link = partial(Capsule, conaffinity=0, rgba=(0.8, 0.6, 0.4, 1), **shape)
joint = partial(Hinge, axis=(0, 1, 0), armature=0.1, solimplimit=(0, 0.8, 0.03))
motor = partial(Motor, ctrlrange=(-1, 1))
PALE = (0.9, 0.6, 0.6, 1)


def bone(name: str, length: float, pos: tuple[float, float, float], pitch: float, **more: Any) -> Geom:
    """A shape of half length `length`, turned by `pitch` about y."""
    return link(name, size=(0.046, length), pos=pos, euler=(0, pitch, 0), **more)


HALF_CHEETAH = Scene(
    "half_cheetah",
    option=Option(timestep=0.01),
    settotalmass=14,
    geoms=[Plane("floor", size=(40, 40, 40), rgba=(0.8, 0.9, 0.8, 1), **shape)],
    bodies=[
        Body(
            "torso",
            pos=(0, 0, 0.7),
            joints=[
                Slide("rootx", axis=(1, 0, 0), solimplimit=(0, 0.8, 0.03)),
                Slide("rootz", axis=(0, 0, 1), solimplimit=(0, 0.8, 0.03)),
                Hinge("rooty", axis=(0, 1, 0), solimplimit=(0, 0.8, 0.03)),
            ],
            geoms=[link("torso", size=0.046, fromto=(-0.5, 0, 0, 0.5, 0, 0)), bone("head", 0.15, (0.6, 0, 0.1), 0.87)],
        ),
        Body(
            "bthigh",
            "torso",
            pos=(-0.5, 0, 0),
            joints=[joint("bthigh", range=(-0.52, 1.05), damping=6, stiffness=240)],
            geoms=[bone("bthigh", 0.145, (0.1, 0, -0.13), -3.8)],
        ),
        Body(
            "bshin",
            "bthigh",
            pos=(0.16, 0, -0.25),
            joints=[joint("bshin", range=(-0.785, 0.785), damping=4.5, stiffness=180)],
            geoms=[bone("bshin", 0.15, (-0.14, 0, -0.07), -2.03, rgba=PALE)],
        ),
        Body(
            "bfoot",
            "bshin",
            pos=(-0.28, 0, -0.14),
            joints=[joint("bfoot", range=(-0.4, 0.785), damping=3, stiffness=120)],
            geoms=[bone("bfoot", 0.094, (0.03, 0, -0.097), -0.27, rgba=PALE)],
        ),
        Body(
            "fthigh",
            "torso",
            pos=(0.5, 0, 0),
            joints=[joint("fthigh", range=(-1, 0.7), damping=4.5, stiffness=180)],
            geoms=[bone("fthigh", 0.133, (-0.07, 0, -0.12), 0.52)],
        ),
        Body(
            "fshin",
            "fthigh",
            pos=(-0.14, 0, -0.24),
            joints=[joint("fshin", range=(-1.2, 0.87), damping=3, stiffness=120)],
            geoms=[bone("fshin", 0.106, (0.065, 0, -0.09), -0.6, rgba=PALE)],
        ),
        Body(
            "ffoot",
            "fshin",
            pos=(0.13, 0, -0.18),
            joints=[joint("ffoot", range=(-0.5, 0.5), damping=1.5, stiffness=60)],
            geoms=[bone("ffoot", 0.07, (0.045, 0, -0.07), -0.6, rgba=PALE)],
        ),
    ],
    actuators=[
        motor("bthigh", name="bthigh", gear=120),
        motor("bshin", name="bshin", gear=90),
        motor("bfoot", name="bfoot", gear=60),
        motor("fthigh", name="fthigh", gear=120),
        motor("fshin", name="fshin", gear=60),
        motor("ffoot", name="ffoot", gear=30),
    ],
)
