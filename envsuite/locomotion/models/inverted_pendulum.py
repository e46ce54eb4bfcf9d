"""A pole on a cart on a rail: ``inverted_pendulum.xml``."""

from functools import partial
from math import pi

from envsuite.rigid import Body, Capsule, Hinge, Motor, Option, Scene, Slide

ALONG_X = (0.707, 0, 0.707, 0)
link = partial(Capsule, contype=0, friction=(1, 0.1, 0.1), rgba=(0.7, 0.7, 0, 1))

INVERTED_PENDULUM = Scene(
    "inverted_pendulum",
    option=Option(timestep=0.02, integrator="RK4"),
    geoms=[link("rail", size=(0.02, 1), quat=ALONG_X, rgba=(0.3, 0.3, 0.7, 1))],
    bodies=[
        Body(
            "cart",
            joints=[Slide("slider", axis=(1, 0, 0), range=(-1, 1), damping=1)],
            geoms=[link("cart", size=(0.1, 0.1), quat=ALONG_X)],
        ),
        Body(
            "pole",
            "cart",
            joints=[Hinge("hinge", axis=(0, 1, 0), range=(-pi / 2, pi / 2), damping=1)],
            geoms=[link("cpole", size=0.049, fromto=(0, 0, 0, 0.001, 0, 0.6), rgba=(0, 0.7, 0.7, 1))],
        ),
    ],
    actuators=[Motor("slider", name="slide", gear=100, ctrlrange=(-3, 3))],
)
