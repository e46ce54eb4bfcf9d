"""Small scenes: each pair of shapes, welds, servos, balls, options of contacts."""

from math import pi

from envsuite.rigid import (
    Ball,
    Body,
    Box,
    Capsule,
    Connect,
    Cylinder,
    Exclude,
    Free,
    Hinge,
    Inertial,
    Motor,
    Option,
    Pair,
    Plane,
    Position,
    Scene,
    Slide,
    Sphere,
    Velocity,
    Weld,
)


def degrees(*angles: float) -> tuple[float, ...]:
    return tuple(angle * pi / 180 for angle in angles)


def loose(name: str, pos, geom, euler=(0, 0, 0)) -> Body:
    return Body(name, pos=pos, euler=degrees(*euler), joints=[Free()], geoms=[geom])


def ground(name: str, *bodies: Body, **more) -> Scene:
    option = more.pop("option", Option())
    return Scene(name, option=option, geoms=[Plane(size=(5, 5, 0.1))], bodies=bodies, **more)


LYING = (0, 90, 0)
FINGER = {"damping": 100, "armature": 1}


def _hand() -> Scene:
    pads = [
        ("left", (0, 0.05, -0.05), Slide("left", axis=(0, 1, 0), range=(-0.04, 0.02), frictionloss=1, **FINGER)),
        ("right", (0, -0.05, -0.05), Slide("right", axis=(0, 1, 0), range=(-0.02, 0.04), **FINGER)),
    ]
    return ground(
        "hand",
        Body("guide", pos=(0, 0, 0.4), quat=(1, 0, 0.2, 0), mocap=True),
        Body("hand", pos=(0, 0, 0.4), joints=[Free()], geoms=[Box(size=(0.04, 0.06, 0.03), mass=0.5)]),
        *(
            Body(name, "hand", pos=pos, joints=[joint], geoms=[Box(size=(0.01, 0.01, 0.04))])
            for name, pos, joint in pads
        ),
        option=Option(timestep=0.0025),
        excludes=[Exclude("hand", "hand")],
        equalities=[Weld("guide", "hand")],
        actuators=[Position("left", kp=400, ctrlrange=(-1, 1)), Position("right", kp=400, kv=3, ctrlrange=(-1, 1))],
    )


def _chain() -> Scene:
    bodies = [loose("link0", (0, 0, 1), Capsule(fromto=(0, 0, 0, 0.2, 0, 0), size=0.05))]
    for k in (1, 2):
        ball = Ball(f"ball{k}", range=(0, 0.8), damping=0.1)
        shape = Capsule(fromto=(0, 0, 0, 0.2, 0.05, 0), size=0.04)
        bodies.append(Body(f"link{k}", f"link{k - 1}", pos=(0.25, 0, 0), joints=[ball], geoms=[shape]))
    return ground("chain", *bodies, option=Option(integrator="RK4", timestep=0.004))


def _mixed() -> Scene:
    stiff = Box(size=(0.1, 0.15, 0.1), solref=(-400, -20), solmix=3, condim=6, margin=0.02, gap=0.01)
    proud = Sphere(size=0.1, priority=1, condim=4, friction=(0.3, 0.02), solimp=(0.7, 0.9, 0.01, 0.4, 3))
    return Scene(
        "mixed",
        geoms=[Plane("slope", euler=(0.1, 0.2, 0), solmix=0.5)],
        bodies=[loose("stiff", (0, 0, 0.2), stiff), loose("proud", (0.05, 0, 0.45), proud)],
    )


SCENES = {
    scene.name: scene
    for scene in [
        ground("box_plane", loose("a", (0, 0, 0.3), Box(size=(0.1, 0.15, 0.2)), (20, 30, 10))),
        ground(
            "box_stack",
            loose("a", (0, 0, 0.1), Box(size=(0.1, 0.1, 0.1))),
            loose("b", (0.02, 0.01, 0.3), Box(size=(0.1, 0.1, 0.1)), (0, 0, 20)),
        ),
        ground(
            "box_stack_tilted",
            loose("a", (0, 0, 0.1), Box(size=(0.1, 0.1, 0.1))),
            loose("b", (0.05, 0.03, 0.42), Box(size=(0.08, 0.12, 0.1)), (35, 25, 20)),
        ),
        ground(
            "capsule_capsule",
            loose("a", (0, 0, 0.1), Capsule(size=(0.1, 0.2)), LYING),
            loose("b", (0.03, 0.02, 0.35), Capsule(size=(0.08, 0.15)), (0, 85, 60)),
        ),
        ground(
            "sphere_capsule",
            loose("a", (0, 0, 0.1), Capsule(size=(0.1, 0.2)), LYING),
            loose("b", (0.03, 0.02, 0.35), Sphere(size=0.1)),
        ),
        ground(
            "box_capsule",
            loose("a", (0, 0, 0.1), Box(size=(0.15, 0.2, 0.1))),
            loose("b", (0.03, 0.02, 0.32), Capsule(size=(0.08, 0.15)), (0, 80, 60)),
        ),
        ground(
            "sphere_box",
            loose("a", (0, 0, 0.1), Box(size=(0.15, 0.2, 0.1))),
            loose("b", (0.03, 0.02, 0.32), Sphere(size=0.08)),
        ),
        ground("cylinder_plane", loose("a", (0, 0, 0.3), Cylinder(size=(0.1, 0.15)), (20, 30, 10))),
        ground("cylinder_standing", loose("a", (0, 0, 0.152), Cylinder(size=(0.1, 0.15)))),
        ground(
            "cylinder_box",
            loose("a", (0, 0, 0.1), Box(size=(0.15, 0.2, 0.1))),
            loose("b", (0.03, 0.02, 0.36), Cylinder(size=(0.08, 0.15)), (10, 5, 0)),
        ),
        ground(
            "sphere_cylinder",
            loose("a", (0, 0, 0.15), Cylinder(size=(0.15, 0.15))),
            loose("b", (0.03, 0.02, 0.42), Sphere(size=0.08)),
        ),
        ground(
            "box_elliptic",
            loose("a", (0, 0, 0.3), Box(size=(0.1, 0.15, 0.2), condim=4), (20, 30, 10)),
            option=Option(cone="elliptic", impratio=10),
        ),
        ground("sphere_rolling", loose("a", (0, 0, 0.2), Sphere(size=0.1, condim=6, friction=(1, 0.02, 0.01)))),
        _hand(),
        _chain(),
        _mixed(),
        ground(
            "welded",
            loose("a", (0, 0, 0.5), Box(size=(0.1, 0.1, 0.1))),
            loose("b", (0.3, 0, 0.6), Capsule(size=(0.05, 0.1)), (0, 40, 0)),
            equalities=[Weld("a", "b", anchor=(0.05, 0, 0), torquescale=0.3)],
        ),
        ground(
            "connected",
            loose("a", (0, 0, 0.5), Box(size=(0.1, 0.1, 0.1))),
            loose("b", (0.3, 0, 0.6), Capsule(size=(0.05, 0.1)), (0, 40, 0)),
            equalities=[Connect("a", "b", anchor=(0.15, 0, 0))],
        ),
        ground(
            "driven",
            Body(
                "cart",
                pos=(0, 0, 1),
                joints=[
                    Slide("rail", axis=(1, 0, 0), stiffness=40, springref=0.2, frictionloss=2, actfrcrange=(-9, 8))
                ],
                inertial=Inertial(2, pos=(0, 0, 0.1), fullinertia=(0.1, 0.2, 0.25, 0.01, 0.02, 0.03)),
            ),
            Body(
                "arm",
                "cart",
                joints=[Hinge("arm", axis=(0, 1, 0))],
                geoms=[Box(size=(0.02, 0.02, 0.2), pos=(0, 0, 0.2))],
            ),
            actuators=[
                Position("rail", kp=50, kv=4, forcerange=(-20, 20)),
                Velocity("arm", kv=0.5, gear=2),
                Motor("arm", gear=-3, ctrlrange=(-1, 1)),
            ],
        ),
        ground(
            "declared_pair",
            loose("a", (0, 0, 0.5), Box("cube", size=(0.1, 0.1, 0.1), contype=0, conaffinity=0)),
            loose("b", (0, 0, 0.8), Sphere("ball", size=0.1)),
            pairs=[Pair("ball", "cube", condim=6, friction=(0.4, 0.6, 0.01, 0.001, 0.002), margin=0.01, gap=0.004)],
        ),
    ]
}
