"""Three links in a viscous medium: ``swimmer.xml``."""

from functools import partial
from math import pi

from envsuite.rigid import Body, Capsule, Hinge, Motor, Option, Plane, Scene, Shared, Slide

apart: Shared = {"contype": 0, "conaffinity": 0}
link = partial(Capsule, size=0.1, condim=1, rgba=(0.8, 0.6, 0.4, 1), **apart)
slide = partial(Slide, armature=0.1)
hinge = partial(Hinge, axis=(0, 0, 1), armature=0.1)
bent = (-100 * pi / 180, 100 * pi / 180)

SWIMMER = Scene(
    "swimmer",
    option=Option(timestep=0.01, integrator="RK4", density=4000, viscosity=0.1),
    geoms=[Plane("floor", pos=(0, 0, -0.1), size=(40, 40, 0.1), rgba=(0.8, 0.9, 0.8, 1), **apart)],
    bodies=[
        Body(
            "torso",
            joints=[slide("slider1", axis=(1, 0, 0)), slide("slider2", axis=(0, 1, 0)), hinge("free_body_rot")],
            geoms=[link("torso", fromto=(1.5, 0, 0, 0.5, 0, 0))],
        ),
        Body(
            "mid",
            "torso",
            pos=(0.5, 0, 0),
            joints=[hinge("motor1_rot", range=bent)],
            geoms=[link("mid", fromto=(0, 0, 0, -1, 0, 0))],
        ),
        Body(
            "back",
            "mid",
            pos=(-1, 0, 0),
            joints=[hinge("motor2_rot", range=bent)],
            geoms=[link("back", fromto=(0, 0, 0, -1, 0, 0))],
        ),
    ],
    actuators=[Motor("motor1_rot", gear=150, ctrlrange=(-1, 1)), Motor("motor2_rot", gear=150, ctrlrange=(-1, 1))],
)
