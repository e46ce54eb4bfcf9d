"""One leg that hops in a plane: ``hopper.xml``."""

from functools import partial
from math import pi

from envsuite.rigid import Body, Capsule, Hinge, Motor, Option, Plane, Scene, Shared, Slide

contact: Shared = {"margin": 0.001, "solimp": (0.8, 0.8, 0.01)}
link = partial(Capsule, condim=1, friction=0.9, rgba=(0.8, 0.6, 0.4, 1), **contact)
joint = partial(Hinge, axis=(0, -1, 0), armature=1, damping=1)
motor = partial(Motor, gear=200, ctrlrange=(-1, 1))
ALONG_X = (0.70710678118654757, 0, -0.70710678118654746, 0)

HOPPER = Scene(
    "hopper",
    option=Option(timestep=0.002, integrator="RK4"),
    geoms=[Plane("floor", size=(20, 20, 0.125), rgba=(0.8, 0.9, 0.8, 1), **contact)],
    bodies=[
        Body(
            "torso",
            pos=(0, 0, 1.25),
            joints=[
                Slide("rootx", axis=(1, 0, 0), pos=(0, 0, -1.25)),
                Slide("rootz", axis=(0, 0, 1), pos=(0, 0, -1.25), ref=1.25),
                Hinge("rooty", axis=(0, 1, 0)),
            ],
            geoms=[link("torso_geom", size=(0.05, 0.2))],
        ),
        Body(
            "thigh",
            "torso",
            pos=(0, 0, -0.2),
            joints=[joint("thigh_joint", range=(-150 * pi / 180, 0))],
            geoms=[link("thigh_geom", size=(0.05, 0.225), pos=(0, 0, -0.225))],
        ),
        Body(
            "leg",
            "thigh",
            pos=(0, 0, -0.7),
            joints=[joint("leg_joint", pos=(0, 0, 0.25), range=(-150 * pi / 180, 0))],
            geoms=[link("leg_geom", size=(0.04, 0.25))],
        ),
        Body(
            "foot",
            "leg",
            pos=(0.13, 0, -0.35),
            joints=[joint("foot_joint", pos=(-0.13, 0, 0.1), range=(-pi / 4, pi / 4))],
            geoms=[link("foot_geom", size=(0.06, 0.195), pos=(-0.065, 0, 0.1), quat=ALONG_X, friction=2)],
        ),
    ],
    actuators=[motor("thigh_joint"), motor("leg_joint"), motor("foot_joint")],
)
