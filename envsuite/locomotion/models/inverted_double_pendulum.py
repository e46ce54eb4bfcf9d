"""Two poles on a cart on a rail: ``inverted_double_pendulum.xml``."""

from functools import partial

from envsuite.rigid import Body, Capsule, Hinge, Motor, Option, Plane, Scene, Shared, Site, Slide

ALONG_X = (0.707, 0, 0.707, 0)
shape: Shared = {"contype": 0, "friction": (1, 0.1, 0.1)}
pole = partial(Capsule, size=0.045, fromto=(0, 0, 0, 0, 0, 0.6), rgba=(0, 0.7, 0.7, 1), **shape)
hinge = partial(Hinge, axis=(0, 1, 0), damping=0.05)

INVERTED_DOUBLE_PENDULUM = Scene(
    "inverted_double_pendulum",
    option=Option(timestep=0.01, integrator="RK4", gravity=(1e-5, 0, -9.81)),
    geoms=[
        Plane("floor", pos=(0, 0, -3), size=(40, 40, 40), rgba=(0.8, 0.9, 0.8, 1), **shape),
        Capsule("rail", size=(0.02, 1), quat=ALONG_X, rgba=(0.3, 0.3, 0.7, 1), **shape),
    ],
    bodies=[
        Body(
            "cart",
            joints=[Slide("slider", axis=(1, 0, 0), range=(-1, 1), margin=0.01, damping=0.05)],
            geoms=[Capsule("cart", size=(0.1, 0.1), quat=ALONG_X, rgba=(0.7, 0.7, 0, 1), **shape)],
        ),
        Body("pole", "cart", joints=[hinge("hinge")], geoms=[pole("cpole")]),
        Body(
            "pole2",
            "pole",
            pos=(0, 0, 0.6),
            joints=[hinge("hinge2")],
            geoms=[pole("cpole2")],
            sites=[Site("tip", (0, 0, 0.6))],
        ),
    ],
    actuators=[Motor("slider", name="slide", gear=500, ctrlrange=(-1, 1))],
)
