"""An arm of two links and a target on a table: ``reacher.xml``."""

from functools import partial

from envsuite.rigid import Body, Capsule, Cylinder, Hinge, Motor, Option, Plane, Scene, Shared, Slide, Sphere

shape: Shared = {"contype": 0, "friction": (1, 0.1, 0.1)}
still: Shared = {"conaffinity": 0, **shape}
PINK = (0.9, 0.4, 0.6, 1)
side = partial(Capsule, size=0.02, rgba=PINK, **still)
link = partial(Capsule, size=0.01, fromto=(0, 0, 0, 0.1, 0, 0), rgba=(0, 0.4, 0.6, 1), **shape)
hinge = partial(Hinge, axis=(0, 0, 1), armature=1, damping=1)
goal = partial(Slide, range=(-0.27, 0.27))

REACHER = Scene(
    "reacher",
    option=Option(timestep=0.01, integrator="RK4"),
    geoms=[
        Plane("ground", size=(1, 1, 10), rgba=(0.9, 0.9, 0.9, 1), **still),
        side("sideS", fromto=(-0.3, -0.3, 0.01, 0.3, -0.3, 0.01)),
        side("sideE", fromto=(0.3, -0.3, 0.01, 0.3, 0.3, 0.01)),
        side("sideN", fromto=(-0.3, 0.3, 0.01, 0.3, 0.3, 0.01)),
        side("sideW", fromto=(-0.3, -0.3, 0.01, -0.3, 0.3, 0.01)),
        Cylinder("root", size=0.011, fromto=(0, 0, 0, 0, 0, 0.02), rgba=PINK, **still),
    ],
    bodies=[
        Body("body0", pos=(0, 0, 0.01), joints=[hinge("joint0")], geoms=[link("link0")]),
        Body("body1", "body0", pos=(0.1, 0, 0), joints=[hinge("joint1", range=(-3, 3))], geoms=[link("link1")]),
        Body(
            "fingertip",
            "body1",
            pos=(0.11, 0, 0),
            geoms=[Sphere("fingertip", size=0.01, rgba=(0, 0.8, 0.6, 1), **shape)],
        ),
        Body(
            "target",
            pos=(0.1, -0.1, 0.01),
            joints=[goal("target_x", axis=(1, 0, 0), ref=0.1), goal("target_y", axis=(0, 1, 0), ref=-0.1)],
            geoms=[Sphere("target", size=0.009, rgba=(0.9, 0.2, 0.2, 1), **still)],
        ),
    ],
    actuators=[Motor("joint0", gear=200, ctrlrange=(-1, 1)), Motor("joint1", gear=200, ctrlrange=(-1, 1))],
)
