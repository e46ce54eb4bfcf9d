"""A human figure, standing and lying: ``humanoid.xml`` and ``humanoidstandup.xml``."""

from dataclasses import dataclass
from functools import partial
from math import pi
from typing import Any

from envsuite.rigid import Body, Capsule, Free, Hinge, Motor, Option, Plane, Scene, Shared, Sphere

Point = tuple[float, float, float]

limb: Shared = {"condim": 1, "margin": 0.001, "rgba": (0.8, 0.6, 0.4, 1)}
bone = partial(Capsule, **limb)
ball = partial(Sphere, **limb)
motor = partial(Motor, ctrlrange=(-0.4, 0.4))
TILTED = (1, 0, -0.002, 0)


def joint(name: str, axis: Point, low: float, high: float, damping: float = 1, **more: Any) -> Hinge:
    """A hinge with limits in degrees."""
    return Hinge(name, axis=axis, range=(low * pi / 180, high * pi / 180), damping=damping, **more)


hip = partial(joint, damping=5, armature=0.01, stiffness=10)


@dataclass(frozen=True)
class _Pose:
    """Where both figures differ; points of the right side, whose y changes sign on the left one."""

    torso: Point
    head: Point
    waist: Point  # of the upper waist; its shape reaches 0.06 to both sides
    lwaist: Point
    pelvis: Point
    thigh: Point
    thigh_end: Point
    shin: Point
    shin_end: Point
    foot: Point
    left_hip_y: float  # lower limit, in degrees


STANDING = _Pose(
    torso=(0, 0, 1.4),
    head=(0, 0, 0.19),
    waist=(-0.01, 0, -0.12),
    lwaist=(-0.01, 0, -0.26),
    pelvis=(0, 0, -0.165),
    thigh=(0, -0.1, -0.04),
    thigh_end=(0, 0.01, -0.34),
    shin=(0, 0.01, -0.403),
    shin_end=(0, 0, -0.3),
    foot=(0, 0, -0.45),
    left_hip_y=-110,
)
LYING = _Pose(
    torso=(0, 0, 0.105),
    head=(-0.15, 0, 0),
    waist=(0.11, 0, 0),
    lwaist=(0.21, 0, 0),
    pelvis=(0.165, 0, 0),
    thigh=(0, -0.1, 0),
    thigh_end=(0.34, 0.01, 0),
    shin=(0.403, 0.01, 0),
    shin_end=(0.3, 0, 0),
    foot=(0.35, 0, -0.1),
    left_hip_y=-120,
)


def _mirrored(point: Point, side: int) -> Point:
    return point[0], side * point[1], point[2]


def _leg(name: str, pose: _Pose) -> list[Body]:
    right = name == "right"
    side = 1 if right else -1
    lowest, drive = (-110, 0.008) if right else (pose.left_hip_y, 0.01)
    return [
        Body(
            f"{name}_thigh",
            "pelvis",
            pos=_mirrored(pose.thigh, side),
            joints=[
                hip(f"{name}_hip_x", (side, 0, 0), -25, 5),
                hip(f"{name}_hip_z", (0, 0, side), -60, 35),
                hip(f"{name}_hip_y", (0, 1, 0), lowest, 20, armature=drive, stiffness=20),
            ],
            geoms=[bone(f"{name}_thigh1", size=0.06, fromto=(0, 0, 0, *_mirrored(pose.thigh_end, side)))],
        ),
        Body(
            f"{name}_shin",
            f"{name}_thigh",
            pos=_mirrored(pose.shin, side),
            joints=[
                joint(
                    f"{name}_knee", (0, -1, 0), -160, -2, pos=(0, 0, 0.02), armature=0.006, stiffness=0 if right else 1
                )
            ],
            geoms=[bone(f"{name}_shin1", size=0.049, fromto=(0, 0, 0, *pose.shin_end))],
        ),
        Body(f"{name}_foot", f"{name}_shin", pos=pose.foot, geoms=[ball(f"{name}_foot", size=0.075, pos=(0, 0, 0.1))]),
    ]


def _arm(name: str, low: float, high: float) -> list[Body]:
    side = 1 if name == "right" else -1
    return [
        Body(
            f"{name}_upper_arm",
            "torso",
            pos=(0, -0.17 * side, 0.06),
            joints=[
                joint(f"{name}_shoulder1", (2, side, 1), low, high, armature=0.0068, stiffness=1),
                joint(f"{name}_shoulder2", (0, -side, 1), low, high, armature=0.0051, stiffness=1),
            ],
            geoms=[bone(f"{name}_uarm1", size=0.04, fromto=(0, 0, 0, 0.16, -0.16 * side, -0.16))],
        ),
        Body(
            f"{name}_lower_arm",
            f"{name}_upper_arm",
            pos=(0.18, -0.18 * side, -0.18),
            joints=[joint(f"{name}_elbow", (0, -1, side), -90, 50, armature=0.0028)],
            geoms=[
                bone(f"{name}_larm", size=0.031, fromto=(0.01, 0.01 * side, 0.01, 0.17, 0.17 * side, 0.17)),
                ball(f"{name}_hand", size=0.04, pos=(0.18, 0.18 * side, 0.18)),
            ],
        ),
    ]


def _humanoid(name: str, pose: _Pose) -> Scene:
    x, _, z = pose.waist
    floor: Shared = {"friction": (1, 0.1, 0.1), "margin": 0.001, "rgba": (0.8, 0.9, 0.8, 1)}
    return Scene(
        name,
        option=Option(timestep=0.003, integrator="RK4", solver="PGS", iterations=50),
        geoms=[Plane("floor", size=(20, 20, 0.125), **floor)],
        bodies=[
            Body(
                "torso",
                pos=pose.torso,
                joints=[Free("root")],
                geoms=[
                    bone("torso1", size=0.07, fromto=(0, -0.07, 0, 0, 0.07, 0)),
                    ball("head", size=0.09, pos=pose.head),
                    bone("uwaist", size=0.06, fromto=(x, -0.06, z, x, 0.06, z)),
                ],
            ),
            Body(
                "lwaist",
                "torso",
                pos=pose.lwaist,
                quat=TILTED,
                joints=[
                    hip("abdomen_z", (0, 0, 1), -45, 45, pos=(0, 0, 0.065), armature=0.02, stiffness=20),
                    hip("abdomen_y", (0, 1, 0), -75, 30, pos=(0, 0, 0.065), armature=0.02),
                ],
                geoms=[bone("lwaist", size=0.06, fromto=(0, -0.06, 0, 0, 0.06, 0))],
            ),
            Body(
                "pelvis",
                "lwaist",
                pos=pose.pelvis,
                quat=TILTED,
                joints=[hip("abdomen_x", (1, 0, 0), -35, 35, pos=(0, 0, 0.1), armature=0.02)],
                geoms=[bone("butt", size=0.09, fromto=(-0.02, -0.07, 0, -0.02, 0.07, 0))],
            ),
            *_leg("right", pose),
            *_leg("left", pose),
            *_arm("right", -85, 60),
            *_arm("left", -60, 85),
        ],
        actuators=[
            *(motor(f"abdomen_{axis}", name=f"abdomen_{axis}", gear=100) for axis in "yzx"),
            *(
                motor(f"{side}_{part}", name=f"{side}_{part}", gear=gear)
                for side in ("right", "left")
                for part, gear in (("hip_x", 100), ("hip_z", 100), ("hip_y", 300), ("knee", 200))
            ),
            *(
                motor(f"{side}_{part}", name=f"{side}_{part}", gear=25)
                for side in ("right", "left")
                for part in ("shoulder1", "shoulder2", "elbow")
            ),
        ],
    )


HUMANOID = _humanoid("humanoid", STANDING)
HUMANOID_STANDUP = _humanoid("humanoid_standup", LYING)
