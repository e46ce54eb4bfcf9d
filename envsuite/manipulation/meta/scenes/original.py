"""Scenes of metaworld 3.1.1 as they are compiled, but for what the engine has no contacts for.

Written by ``benchmarks/meta_scenes.py``: sizes, places, masses and contact parameters, all digits, under the names of
our scenes. Hulls, cylinders that meet capsules, and cylinders that meet cylinders are replaced as in our scenes.
"""

from envsuite.manipulation.meta.scenes.parts import box, capsule, cylinder, sphere
from envsuite.manipulation.meta.scenes.sawyer import scene
from envsuite.rigid import Body, Box, Capsule, Exclude, Free, Hinge, Inertial, Scene, Site, Slide


def _assembly() -> Scene:
    return scene(
        "nut",
        Body(
            "nut",
            pos=(0.1, 0.6, 0.02),
            quat=(0.7071067811865475, 0, 0, 0.7071067811865475),
            joints=[Free("nut")],
            geoms=[
                capsule(size=(0.019, 0.015), pos=(0.048, 0, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                capsule(size=(0.019, 0.015), pos=(0, 0.048, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                capsule(
                    size=(0.019, 0.015),
                    pos=(0.036, 0.036, 0),
                    quat=(0.5004805464415588, 0.7069075641915582, 0.00019900241064196855, 0.49980083905527534),
                ),
                capsule(size=(0.019, 0.015), pos=(-0.048, 0, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                capsule(size=(0.019, 0.015), pos=(0, -0.048, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                capsule(
                    size=(0.019, 0.015),
                    pos=(-0.036, 0.036, 0),
                    quat=(0.5004805464415588, 0.7069075641915582, -0.00019900241064196855, -0.49980083905527534),
                ),
                capsule(
                    size=(0.019, 0.015),
                    pos=(-0.036, -0.036, 0),
                    quat=(0.5004805464415588, 0.7069075641915582, 0.00019900241064196855, 0.49980083905527534),
                ),
                capsule(
                    size=(0.019, 0.015),
                    pos=(0.036, -0.036, 0),
                    quat=(0.5004805464415588, 0.7069075641915582, -0.00019900241064196855, -0.49980083905527534),
                ),
                box(size=(0.019, 0.038, 0.016), pos=(0, -0.13, 0)),
                capsule(size=(0.012, 0.05), pos=(0, -0.1, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
            ],
            sites=[Site("object", pos=(0, -0.13, 0)), Site("mark")],
            inertial=Inertial(
                0.22,
                pos=(4.92819169311593e-19, -0.03272727272727273, 0),
                quat=(0.4999998543727995, 0.49998571961764376, -0.5000001452193432, 0.5000142803823153),
                diaginertia=(0.0011305493795421041, 0.0009179071094791627, 0.00024714455077427865),
            ),
        ),
        Body("peg", pos=(0.1, 0.8, 0.05), geoms=[Capsule(size=(0.02, 0.04), pos=(0, 0, -0.01))], mocap=True),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _basketball() -> Scene:
    return scene(
        "basket",
        Body(
            "object",
            pos=(0, 0.6, 0.03),
            joints=[Free("object")],
            geoms=[sphere(size=(0.03,))],
            sites=[Site("object")],
            inertial=Inertial(
                0.1, diaginertia=(3.5999999999999994e-05, 3.5999999999999994e-05, 3.5999999999999994e-05)
            ),
        ),
        Body(
            "hoop",
            pos=(0, 0.9, 0),
            geoms=[
                box(size=(0.1, 0.01, 0.07), pos=(0, 0, 0.29)),
                cylinder(size=(0.007, 0.108), pos=(0, 0, 0.118)),
                cylinder(size=(0.013, 0.005), pos=(0, 0, 0.005)),
                box(size=(0.01, 0.014, 0.004), pos=(0, -0.023000000000000007, 0.25)),
                capsule(
                    size=(0.01, 0.016),
                    pos=(0.031, -0.051000000000000004, 0.249),
                    quat=(0.6532688037723191, 0.6534018706749187, 0.27044044338085915, 0.2704955304628238),
                ),
                capsule(
                    size=(0.01, 0.016),
                    pos=(0, -0.038000000000000006, 0.249),
                    quat=(0.7073882691671998, 0, 0.706825181105366, 0),
                ),
                capsule(
                    size=(0.01, 0.016), pos=(0.044, -0.083, 0.249), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                capsule(
                    size=(0.01, 0.016), pos=(-0.044, -0.083, 0.249), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                capsule(size=(0.01, 0.016), pos=(0, -0.128, 0.249), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                capsule(
                    size=(0.01, 0.016),
                    pos=(-0.031, -0.051000000000000004, 0.249),
                    quat=(0.6535954230354452, 0.6530751546114102, -0.2705756573354005, -0.27036027643482696),
                ),
                capsule(
                    size=(0.01, 0.016),
                    pos=(-0.031, -0.115, 0.249),
                    quat=(0.6535954230354452, 0.6530751546114102, 0.2705756573354005, 0.27036027643482696),
                ),
                capsule(
                    size=(0.01, 0.016),
                    pos=(0.031, -0.115, 0.249),
                    quat=(0.6535954230354452, 0.6530751546114102, -0.2705756573354005, -0.27036027643482696),
                ),
            ],
            mocap=True,
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _bin_picking() -> Scene:
    return scene(
        "bins",
        Body(
            "object",
            pos=(-0.12, 0.7, 0.04),
            joints=[Free("object")],
            geoms=[box(size=(0.02, 0.02, 0.02), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(0.1, diaginertia=(2.666666666666667e-05, 2.666666666666667e-05, 2.666666666666667e-05)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
            box("fixture_36_0", size=(0.1, 0.005, 0.03), pos=(-0.12, 0.605, 0.03), contype=0),
            box("fixture_36_1", size=(0.1, 0.005, 0.03), pos=(-0.12, 0.7949999999999999, 0.03), contype=0),
            box("fixture_36_2", size=(0.005, 0.09, 0.03), pos=(-0.024999999999999994, 0.7, 0.03), contype=0),
            box("fixture_36_3", size=(0.005, 0.09, 0.03), pos=(-0.215, 0.7, 0.03), contype=0),
            box("fixture_36_4", size=(0.1, 0.1, 0.005), pos=(-0.12, 0.7, 0.005), contype=0),
            box("fixture_38_0", size=(0.1, 0.005, 0.03), pos=(0.12, 0.605, 0.03), contype=0),
            box("fixture_38_1", size=(0.1, 0.005, 0.03), pos=(0.12, 0.7949999999999999, 0.03), contype=0),
            box("fixture_38_2", size=(0.005, 0.09, 0.03), pos=(0.215, 0.7, 0.03), contype=0),
            box("fixture_38_3", size=(0.005, 0.09, 0.03), pos=(0.024999999999999994, 0.7, 0.03), contype=0),
            box("fixture_38_4", size=(0.1, 0.1, 0.005), pos=(0.12, 0.7, 0.005), contype=0),
        ],
    )


def _box_close() -> Scene:
    return scene(
        "lid",
        Body(
            "box",
            pos=(0, 0.8, 0),
            geoms=[
                box(size=(0.1, 0.005, 0.03), pos=(0, -0.095, 0.03), contype=0),
                box(size=(0.1, 0.005, 0.03), pos=(0, 0.095, 0.03), contype=0),
                box(size=(0.005, 0.09, 0.03), pos=(0.095, 0, 0.03), contype=0),
                box(size=(0.005, 0.09, 0.03), pos=(-0.095, 0, 0.03), contype=0),
                box(size=(0.1, 0.1, 0.005), pos=(0, 0, 0.005), contype=0),
            ],
            mocap=True,
        ),
        Body(
            "lid",
            pos=(0, 0.8, 0),
            quat=(0.7071067811865475, 0, 0, 0.7071067811865475),
            joints=[Free("lid")],
            geoms=[
                box(size=(0.005, 0.115, 0.008), pos=(0.11, 0, 0.067), condim=4),
                box(size=(0.115, 0.115, 0.003), pos=(0, 0, 0.078), condim=4),
                box(size=(0.005, 0.115, 0.008), pos=(-0.11, 0, 0.067), condim=4),
                box(size=(0.115, 0.005, 0.008), pos=(0, -0.11, 0.067), condim=4),
                box(size=(0.115, 0.005, 0.008), pos=(0, 0.11, 0.067), condim=4),
                capsule(
                    size=(0.008, 0.05), pos=(0, 0, 0.157), quat=(0.7073882691671998, 0.706825181105366, 0, 0), condim=4
                ),
                capsule(size=(0.008, 0.035), pos=(0, -0.05, 0.118), condim=4),
                capsule(size=(0.008, 0.035), pos=(0, 0.05, 0.118), condim=4),
            ],
            sites=[Site("object", pos=(0, 0, 0.075))],
            inertial=Inertial(
                0.25,
                pos=(0, 0, 0.10628),
                quat=(0.5000140847621433, 0.4999859148410859, -0.4999859148410859, 0.5000140847621433),
                diaginertia=(0.001802772852228933, 0.0013905172764313446, 0.0010900956193964112),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _button_press_topdown() -> Scene:
    return scene(
        "button_topdown",
        Body(
            "housing",
            pos=(0, 0.85, 0.12),
            quat=(0.7073882691671998, -0.706825181105366, 0, 0),
            geoms=[
                box(size=(0.12, 0.102, 0.048), pos=(0, 0.012, 0.072)),
                box(size=(0.12, 0.102, 0.048), pos=(0, 0.012, -0.072)),
                box(size=(0.047, 0.102, 0.024), pos=(-0.073, 0.012, 0)),
                box(size=(0.047, 0.102, 0.024), pos=(0.073, 0.012, 0)),
            ],
            mocap=True,
        ),
        Body(
            "button",
            "housing",
            joints=[
                Slide(
                    "furniture",
                    damping=1,
                    armature=0.001,
                    range=(-0.06, 0),
                    axis=(0, -1, 0),
                    stiffness=0.5,
                    springref=0.5,
                )
            ],
            geoms=[
                cylinder(size=(0.021, 0.039), pos=(0, -0.128, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.026, 0.008), pos=(0, -0.166, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.043, 0.011), pos=(0, -0.183, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
            ],
            sites=[Site("object", pos=(0, -0.1929999388058441, 0.00015369105517151982))],
            inertial=Inertial(0.01, pos=(0, -0.1935, 0), diaginertia=(0.001, 0.001, 0.001)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _button_press_topdown_wall() -> Scene:
    return scene(
        "button_topdown_wall",
        Body(
            "housing",
            pos=(0, 0.85, 0.12),
            quat=(0.7073882691671998, -0.706825181105366, 0, 0),
            geoms=[
                box(size=(0.12, 0.102, 0.048), pos=(0, 0.012, 0.072)),
                box(size=(0.12, 0.102, 0.048), pos=(0, 0.012, -0.072)),
                box(size=(0.047, 0.102, 0.024), pos=(-0.073, 0.012, 0)),
                box(size=(0.047, 0.102, 0.024), pos=(0.073, 0.012, 0)),
            ],
            mocap=True,
        ),
        Body(
            "button",
            "housing",
            joints=[
                Slide(
                    "furniture",
                    damping=1,
                    armature=0.001,
                    range=(-0.06, 0),
                    axis=(0, -1, 0),
                    stiffness=0.5,
                    springref=0.5,
                )
            ],
            geoms=[
                cylinder(size=(0.021, 0.039), pos=(0, -0.128, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.026, 0.008), pos=(0, -0.166, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.043, 0.011), pos=(0, -0.183, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
            ],
            sites=[Site("object", pos=(0, -0.1929999388058441, 0.00015369105517151982))],
            inertial=Inertial(0.01, pos=(0, -0.1935, 0), diaginertia=(0.001, 0.001, 0.001)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
            box("fixture_37_0", size=(0.1, 0.01, 0.075), pos=(0.1, 0.7, 0.075), contype=0),
        ],
    )


def _button_press() -> Scene:
    return scene(
        "button_front",
        Body(
            "housing",
            pos=(0, 0.9, 0.12),
            geoms=[
                box(size=(0.12, 0.102, 0.048), pos=(0, 0.012, 0.072)),
                box(size=(0.12, 0.102, 0.048), pos=(0, 0.012, -0.072)),
                box(size=(0.047, 0.102, 0.024), pos=(-0.073, 0.012, 0)),
                box(size=(0.047, 0.102, 0.024), pos=(0.073, 0.012, 0)),
            ],
            mocap=True,
        ),
        Body(
            "button",
            "housing",
            joints=[
                Slide(
                    "furniture",
                    damping=1,
                    armature=0.001,
                    range=(-0.06, 0),
                    axis=(0, -1, 0),
                    stiffness=0.5,
                    springref=0.5,
                )
            ],
            geoms=[
                cylinder(size=(0.021, 0.039), pos=(0, -0.128, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.026, 0.008), pos=(0, -0.166, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.043, 0.011), pos=(0, -0.183, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
            ],
            sites=[Site("object", pos=(0, -0.193, 0))],
            inertial=Inertial(0.01, pos=(0, -0.1935, 0), diaginertia=(0.001, 0.001, 0.001)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _button_press_wall() -> Scene:
    return scene(
        "button_front_wall",
        Body(
            "housing",
            pos=(0, 0.9, 0.12),
            geoms=[
                box(size=(0.12, 0.102, 0.048), pos=(0, 0.012, 0.072)),
                box(size=(0.12, 0.102, 0.048), pos=(0, 0.012, -0.072)),
                box(size=(0.047, 0.102, 0.024), pos=(-0.073, 0.012, 0)),
                box(size=(0.047, 0.102, 0.024), pos=(0.073, 0.012, 0)),
            ],
            mocap=True,
        ),
        Body(
            "button",
            "housing",
            joints=[
                Slide(
                    "furniture",
                    damping=1,
                    armature=0.001,
                    range=(-0.06, 0),
                    axis=(0, -1, 0),
                    stiffness=0.5,
                    springref=0.5,
                )
            ],
            geoms=[
                cylinder(size=(0.021, 0.039), pos=(0, -0.128, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.026, 0.008), pos=(0, -0.166, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.043, 0.011), pos=(0, -0.183, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
            ],
            sites=[Site("object", pos=(0, -0.193, 0))],
            inertial=Inertial(0.01, pos=(0, -0.1935, 0), diaginertia=(0.001, 0.001, 0.001)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
            box("fixture_37_0", size=(0.1, 0.01, 0.075), pos=(0.1, 0.6, 0.075), contype=0),
        ],
    )


def _coffee_button() -> Scene:
    return scene(
        "coffee",
        Body(
            "machine",
            pos=(0, 0.9, 0),
            geoms=[
                box(size=(0.031, 0.05, 0.035), pos=(0.069, -0.133, 0.3)),
                box(size=(0.031, 0.05, 0.035), pos=(-0.069, -0.133, 0.3)),
                box(size=(0.1, 0.05, 0.018), pos=(0, -0.133, 0.352)),
                box(size=(0.1, 0.05, 0.018), pos=(0, -0.133, 0.248)),
                box(size=(0.1, 0.098, 0.115), pos=(0, 0, 0.115)),
                box(size=(0.016, 0.016, 0.041), pos=(0, -0.141, 0.152)),
                box(size=(0.1, 0.098, 0.07), pos=(0, 0, 0.3)),
            ],
            mocap=True,
        ),
        Body(
            "button",
            "machine",
            joints=[Slide("furniture", damping=1, armature=0.001, range=(0, 0.03), axis=(0, 1, 0))],
            geoms=[
                cylinder(size=(0.032, 0.03), pos=(0, -0.19, 0.3), quat=(0.7073882691671998, 0.706825181105366, 0, 0))
            ],
            sites=[Site("object", pos=(0, -0.22, 0.3))],
            inertial=Inertial(
                0.1,
                pos=(0, -0.19, 0.3),
                quat=(0.7073882691671998, 0.706825181105366, 0, 0),
                diaginertia=(5.56e-05, 5.56e-05, 5.1200000000000004e-05),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
        before=[
            Body(
                "mug",
                pos=(0, 0.6, 0.1),
                joints=[Free("mug")],
                geoms=[
                    cylinder(size=(0.028, 0.033), pos=(0, 0, 0.035)),
                    cylinder(
                        size=(0.02, 0.005), pos=(0.034, 0, 0.042), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                    ),
                ],
                sites=[Site("mark")],
                inertial=Inertial(
                    0.11,
                    pos=(0.003090909090909091, 0, 0.03563636363636364),
                    quat=(0.6997468005805565, 0.10177588321687765, 0.10180402201121667, 0.6997371119034923),
                    diaginertia=(6.88545449034396e-05, 5.807187520503483e-05, 5.01493374672831e-05),
                ),
            )
        ],
        excludes=[Exclude(body1="mug", body2="button")],
    )


def _dial_turn() -> Scene:
    return scene(
        "dial",
        Body("dial", pos=(0, 0.7, 0), mocap=True),
        Body(
            "knob",
            "dial",
            joints=[Hinge("furniture", damping=1, armature=0.001, range=(-3.14, 3.14))],
            geoms=[
                cylinder(size=(0.05, 0.018), pos=(0, 0, 0.018), contype=0),
                box(size=(0.015, 0.046, 0.015), pos=(0, 0, 0.051), contype=0),
            ],
            sites=[Site("object", pos=(0, -0.05, 0))],
            inertial=Inertial(
                0.3655433388230814,
                pos=(0, 0, 0.025474900264349908),
                quat=(0.5000000000000007, 0.5000000000000007, -0.5000000000000007, 0.5000000000000007),
                diaginertia=(0.0004180407735288518, 0.000341607249875009, 0.000289415649875009),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _door_close() -> Scene:
    return scene(
        "door",
        Body(
            "frame",
            pos=(0, 0.9, 0.15),
            geoms=[
                box(size=(0.016, 0.106, 0.15), pos=(-0.204, 0, 0)),
                box(size=(0.016, 0.106, 0.15), pos=(0.204, 0, 0)),
                box(size=(0.188, 0.106, 0.012), pos=(0, 0, 0.138)),
                box(size=(0.189, 0.106, 0.012), pos=(0, 0, -0.138)),
                box(size=(0.188, 0.012, 0.126), pos=(0, 0.094, 0)),
            ],
            mocap=True,
        ),
        Body(
            "door",
            "frame",
            pos=(-0.185, -0.1, 0),
            joints=[Hinge("furniture", damping=2, armature=0.001, range=(-2, 0))],
            geoms=[
                cylinder(
                    size=(0.028, 0.012), pos=(0.325, -0.006, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                cylinder(
                    size=(0.013, 0.047), pos=(0.325, -0.065, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                cylinder(
                    size=(0.019, 0.075), pos=(0.381, -0.12, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)
                ),
                cylinder(
                    size=(0.023, 0.054), pos=(0.395, -0.12, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)
                ),
                box(size=(0.18, 0.01, 0.123), pos=(0.185, 0, 0)),
            ],
            inertial=Inertial(
                2.2298222619416523,
                pos=(0.22370158923042344, -0.02042807483854756, 0),
                quat=(0.5554460703990991, 0.5554338438911735, 0.4375914687934114, 0.43759183536453483),
                diaginertia=(0.04361750018393778, 0.03733800635131263, 0.01169039919287212),
            ),
        ),
        Body(
            "handle",
            "door",
            pos=(0.375722, -0.10714, 3.6e-05),
            quat=(0.151171, 0.690759, -0.150621, 0.690879),
            sites=[Site("object")],
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _door_lock() -> Scene:
    return scene(
        "lock",
        Body(
            "frame",
            pos=(0, 0.9, 0.15),
            geoms=[
                box(size=(0.016, 0.106, 0.15), pos=(-0.204, 0, 0)),
                box(size=(0.016, 0.106, 0.15), pos=(0.204, 0, 0)),
                box(size=(0.188, 0.106, 0.012), pos=(0, 0, 0.138)),
                box(size=(0.189, 0.106, 0.012), pos=(0, 0, -0.138)),
                box(size=(0.188, 0.012, 0.126), pos=(0, 0.094, 0)),
                box(size=(0.047, 0.013, 0.047), pos=(0, -0.109, 0.061)),
                box(size=(0.028, 0.012, 0.028), pos=(0.14, -0.10600000000000001, -0.05)),
                box(
                    size=(0.013, 0.013, 0.047),
                    pos=(0.14, -0.165, -0.05),
                    quat=(0.7073882691671998, 0.706825181105366, 0, 0),
                ),
                box(
                    size=(0.019, 0.019, 0.075),
                    pos=(0.196, -0.22, -0.05),
                    quat=(0.7073882691671998, 0, 0.706825181105366, 0),
                ),
                box(
                    size=(0.023, 0.023, 0.054),
                    pos=(0.21000000000000002, -0.22, -0.05),
                    quat=(0.7073882691671998, 0, 0.706825181105366, 0),
                ),
                box(size=(0.184, 0.01, 0.124), pos=(0, -0.1, 0)),
            ],
            mocap=True,
        ),
        Body(
            "lock",
            "frame",
            pos=(0, -0.11800000000000001, 0.061),
            joints=[Hinge("furniture", damping=2, armature=0.001, range=(0, 1.57), axis=(0, 1, 0))],
            geoms=[box(size=(0.05, 0.019, 0.01), pos=(0.042, -0.024, 0))],
            sites=[Site("object", pos=(0.09, -0.04, 0.01)), Site("mark", pos=(0.09, -0.04, -0.01))],
            inertial=Inertial(
                0.001,
                pos=(0.042, -0.024, 0),
                diaginertia=(1.5366666666666668e-07, 8.666666666666668e-07, 9.536666666666669e-07),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _hand_insert() -> Scene:
    return scene(
        "light_block",
        Body(
            "object",
            pos=(0, 0.6, 0.02),
            joints=[Free("object")],
            geoms=[box(size=(0.02, 0.02, 0.02), friction=(1, 0.1, 0.002), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(0.01, diaginertia=(100000, 100000, 100000)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("slab_1", size=(0.69, 0.38, 0.43), pos=(0, 0.6, -0.483), contype=0),
            Box("slab_2", size=(0.08, 0.28, 0.05), pos=(0, 0.48, 0), contype=0),
            Box("slab_3", size=(0.31, 0.4, 0.05), pos=(-0.39, 0.6, 0), contype=0),
            Box("slab_4", size=(0.31, 0.4, 0.05), pos=(0.39, 0.6, 0), contype=0),
            Box("slab_5", size=(0.08, 0.04, 0.05), pos=(0, 0.96, 0), contype=0),
        ],
    )


def _drawer_close() -> Scene:
    return scene(
        "drawer",
        Body(
            "case",
            pos=(0, 0.9, 0),
            geoms=[
                box(size=(0.008, 0.1, 0.084), pos=(-0.11, 0, 0.084)),
                box(size=(0.008, 0.1, 0.084), pos=(0.11, 0, 0.084)),
                box(size=(0.102, 0.008, 0.076), pos=(0, 0.092, 0.07600000000000001)),
                box(size=(0.102, 0.092, 0.014), pos=(0, -0.008, 0.013999999999999999)),
                box(size=(0.102, 0.1, 0.008), pos=(0, 0, 0.16)),
            ],
            mocap=True,
        ),
        Body(
            "drawer",
            "case",
            pos=(0, -0.01, 0.09000000000000001),
            joints=[Slide("furniture", damping=2, armature=0.001, range=(-0.16, 0), axis=(0, 1, 0))],
            geoms=[
                box(size=(0.1, 0.008, 0.052), pos=(0, -0.082, 0.008)),
                box(size=(0.1, 0.008, 0.052), pos=(0, 0.082, 0.008)),
                box(size=(0.008, 0.074, 0.052), pos=(-0.092, 0, 0.008)),
                box(size=(0.008, 0.074, 0.052), pos=(0.092, 0, 0.008)),
                box(size=(0.1, 0.09, 0.008), pos=(0, 0, -0.052)),
                capsule(size=(0.009, 0.03), pos=(-0.05, -0.12, 0), quat=(0.7070347681678408, 0.7071787868720665, 0, 0)),
                capsule(size=(0.009, 0.05), pos=(0, -0.15, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                capsule(size=(0.009, 0.03), pos=(0.05, -0.12, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
            ],
            sites=[Site("object", pos=(0, -0.16, 0)), Site("mark", pos=(0, -0.16, 0.05))],
            inertial=Inertial(
                0.38,
                pos=(0, -0.061578947368421046, -0.002105263157894736),
                quat=(0.5055068688424863, 0.49441071683577664, -0.4944313328387968, 0.5055279475343105),
                diaginertia=(0.00392952643003938, 0.0027495893867616025, 0.001708390358637616),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _faucet_open() -> Scene:
    return scene(
        "faucet",
        Body(
            "faucet",
            pos=(0, 0.8, 0),
            geoms=[cylinder(size=(0.046, 0.009), pos=(0, 0, 0.009)), cylinder(size=(0.017, 0.044), pos=(0, 0, 0.061))],
            mocap=True,
        ),
        Body(
            "handle",
            "faucet",
            pos=(0, 0, 0.124),
            joints=[Hinge("furniture", damping=2, armature=0.001, range=(-1.57, 1.57))],
            geoms=[
                cylinder(
                    size=(0.012, 0.021), pos=(0, -0.05, 0.001), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                capsule(size=(0.017, 0.055), pos=(0, -0.12, 0.001), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.032, 0.02), pos=(0, 0, 0.001)),
            ],
            sites=[Site("object", pos=(-0.015, -0.175, -0.01)), Site("mark", pos=(0.015, -0.175, -0.01))],
            inertial=Inertial(
                0.26813074419368405,
                pos=(0, -0.0574499894550198, 0.0010000000000000002),
                quat=(0.5000316074239318, 0.49996839057788484, -0.49996839057788484, 0.5000316074239318),
                diaginertia=(0.0011533694971039275, 0.0011375848871035261, 6.827777457541665e-05),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
        excludes=[Exclude(body1="faucet", body2="handle")],
    )


def _hammer() -> Scene:
    return scene(
        "hammer",
        Body(
            "hammer",
            pos=(0, 0.6, 0.02),
            joints=[Free("hammer")],
            geoms=[
                capsule(size=(0.02, 0.14), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                cylinder(size=(0.026, 0.025), pos=(0.16, 0, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                cylinder(size=(0.02, 0.015), pos=(0.16, 0.026, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(size=(0.038, 0.016), pos=(0.16, 0.056, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                cylinder(
                    size=(0.038, 0.016), pos=(0.16, -0.056, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                cylinder(size=(0.02, 0.015), pos=(0.16, -0.026, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
            ],
            sites=[Site("object")],
            inertial=Inertial(
                1.1,
                pos=(0.14545454545454548, 1.5770213417970973e-18, 0),
                quat=(-2.5985647413795387e-05, 0.7070358348914447, -2.5980433786487733e-05, 0.7071777194094317),
                diaginertia=(0.005518078270535419, 0.003671678406345053, 0.0024068525457809223),
            ),
        ),
        Body(
            "nail",
            pos=(0.24, 0.64, 0.11),
            joints=[Slide("nail", damping=2, armature=0.001, range=(0, 0.1), axis=(0, 1, 0))],
            geoms=[box(size=(0.03, 0.009, 0.03), conaffinity=0)],
            sites=[Site("object2")],
            inertial=Inertial(
                0.08859291283123216,
                pos=(0, 0.024255319148936177, 0),
                quat=(0.7071988963011329, 0.7070146540705229, 0, 0),
                diaginertia=(0.00012937003683998263, 0.0001293700222403389, 2.478718063646723e-05),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
            box("fixture_36_0", size=(0.1, 0.1, 0.048), pos=(0.24, 0.85, 0.172)),
            box("fixture_36_1", size=(0.042, 0.1, 0.014), pos=(0.298, 0.85, 0.11)),
            box("fixture_36_2", size=(0.042, 0.1, 0.014), pos=(0.182, 0.85, 0.11)),
            box("fixture_36_3", size=(0.1, 0.1, 0.048), pos=(0.24, 0.85, 0.048)),
        ],
    )


def _handle_press_side() -> Scene:
    return scene(
        "handle_side",
        Body(
            "stand",
            pos=(-0.4, 0.6, 0),
            quat=(0.7073882691671998, 0, 0, 0.706825181105366),
            geoms=[
                box(size=(0.035, 0.028, 0.014), pos=(0, -0.082, 0.014), contype=0),
                box(size=(0.0259, 0.088, 0.1), pos=(-0.0605, 0.006, 0.1)),
                box(size=(0.0259, 0.088, 0.1), pos=(0.0605, 0.006, 0.1)),
                box(size=(0.0348, 0.06, 0.1), pos=(0, 0.034, 0.1)),
            ],
            mocap=True,
        ),
        Body(
            "handle",
            "stand",
            pos=(0, -0.05, 0.15),
            joints=[Slide("furniture", damping=30, armature=0.001, range=(-0.1, 0))],
            geoms=[
                box(size=(0.032, 0.075, 0.011), pos=(0, -0.081, 0), contype=0),
                cylinder(
                    size=(0.022, 0.07),
                    pos=(0, -0.166, 0),
                    quat=(0.7073882691671998, 0, 0.706825181105366, 0),
                    contype=0,
                ),
            ],
            sites=[
                Site("object", pos=(0, -0.166, 0.022)),
                Site("mark", pos=(0.05, -0.166, 0.014)),
                Site("centre", pos=(0, -0.12, 0)),
            ],
            inertial=Inertial(
                0.002,
                pos=(0, -0.12350000000000001, 0),
                quat=(0.49983393682690147, 0.49983393682690147, -0.500166008037454, 0.500166008037454),
                diaginertia=(7.583166507475496e-06, 5.769833492524506e-06, 2.1360000000000004e-06),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _handle_press() -> Scene:
    return scene(
        "handle",
        Body(
            "stand",
            pos=(0, 0.88, 0),
            geoms=[
                box(size=(0.035, 0.028, 0.014), pos=(0, -0.082, 0.014), contype=0),
                box(size=(0.0259, 0.088, 0.1), pos=(-0.0605, 0.006, 0.1)),
                box(size=(0.0259, 0.088, 0.1), pos=(0.0605, 0.006, 0.1)),
                box(size=(0.0348, 0.06, 0.1), pos=(0, 0.034, 0.1)),
            ],
            mocap=True,
        ),
        Body(
            "handle",
            "stand",
            pos=(0, -0.05, 0.15),
            joints=[Slide("furniture", damping=30, armature=0.001, range=(-0.1, 0))],
            geoms=[
                box(size=(0.032, 0.075, 0.011), pos=(0, -0.081, 0), contype=0),
                cylinder(
                    size=(0.022, 0.07),
                    pos=(0, -0.166, 0),
                    quat=(0.7073882691671998, 0, 0.706825181105366, 0),
                    contype=0,
                ),
            ],
            sites=[
                Site("object", pos=(0, -0.166, 0.022)),
                Site("mark", pos=(0.05, -0.166, 0.014)),
                Site("centre", pos=(0, -0.12, 0)),
            ],
            inertial=Inertial(
                0.002,
                pos=(0, -0.12350000000000001, 0),
                quat=(0.49983393682690147, 0.49983393682690147, -0.500166008037454, 0.500166008037454),
                diaginertia=(7.583166507475496e-06, 5.769833492524506e-06, 2.1360000000000004e-06),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _handle_pull_side() -> Scene:
    return scene(
        "handle_side_up",
        Body(
            "stand",
            pos=(-0.4, 0.6, 0),
            quat=(0.7073882691671998, 0, 0, 0.706825181105366),
            geoms=[
                box(size=(0.035, 0.028, 0.014), pos=(0, -0.082, 0.014), contype=0),
                box(size=(0.0259, 0.088, 0.1), pos=(-0.0605, 0.006, 0.1)),
                box(size=(0.0259, 0.088, 0.1), pos=(0.0605, 0.006, 0.1)),
                box(size=(0.0348, 0.06, 0.1), pos=(0, 0.034, 0.1)),
            ],
            mocap=True,
        ),
        Body(
            "handle",
            "stand",
            pos=(0, -0.05, 0.15),
            joints=[Slide("furniture", damping=30, armature=0.001, range=(-0.1, 0))],
            geoms=[
                box(size=(0.032, 0.075, 0.011), pos=(0, -0.081, 0), contype=0),
                cylinder(
                    size=(0.022, 0.07),
                    pos=(0, -0.166, 0),
                    quat=(0.7073882691671998, 0, 0.706825181105366, 0),
                    contype=0,
                ),
            ],
            sites=[
                Site("object", pos=(0, -0.166, 0.022)),
                Site("mark", pos=(0.05, -0.166, 0.014)),
                Site("centre", pos=(0, -0.12, 0)),
            ],
            inertial=Inertial(
                0.002,
                pos=(0, -0.12350000000000001, 0),
                quat=(0.49983393682690147, 0.49983393682690147, -0.500166008037454, 0.500166008037454),
                diaginertia=(7.583166507475496e-06, 5.769833492524506e-06, 2.1360000000000004e-06),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _lever_pull() -> Scene:
    return scene(
        "lever",
        Body(
            "stand",
            pos=(0, 0.88, 0),
            geoms=[
                box(size=(0.041, 0.083, 0.125), pos=(0, 0, 0.125)),
                cylinder(size=(0.083, 0.041), pos=(0, 0, 0.25), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                box(size=(0.05, 0.092, 0.013), pos=(0, 0, 0.013)),
            ],
            mocap=True,
        ),
        Body(
            "lever",
            "stand",
            pos=(0.12, 0, 0.25),
            joints=[Hinge("furniture", damping=2, armature=0.001, range=(0, 1.57), axis=(1, 0, 0))],
            geoms=[
                cylinder(size=(0.038, 0.016), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                cylinder(size=(0.012, 0.1), pos=(0, -0.091, 0), quat=(0.7073882691671998, 0.706825181105366, 0, 0)),
                sphere(size=(0.03,), pos=(0, -0.2, 0)),
                cylinder(size=(0.016, 0.046), pos=(-0.025, 0, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
            ],
            inertial=Inertial(
                0.004,
                pos=(-0.00625, -0.07275000000000001, 0),
                quat=(0.4844450783549977, 0.51499566631671, -0.484495856355861, 0.5151273579481408),
                diaginertia=(3.252449792869129e-05, 3.180151493285253e-05, 2.0049871384562204e-06),
            ),
        ),
        Body(
            "knob",
            "lever",
            pos=(0, -0.2, 0),
            quat=(0.7071067811865476, 0.7071067811865475, 0, 0),
            sites=[Site("object")],
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
        excludes=[Exclude(body1="stand", body2="lever")],
    )


def _pick_place_wall() -> Scene:
    return scene(
        "puck_wall",
        Body(
            "object",
            pos=(0, 0.6, 0.02),
            joints=[Free("object")],
            geoms=[cylinder(size=(0.02, 0.02), friction=(1, 0.1, 0.002), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(0.75, diaginertia=(0.000880012, 0.000880012, 0.000880012)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
            Box("fixture_34_0", size=(0.12, 0.01, 0.06), pos=(0.1, 0.75, 0.06)),
            box("fixture_34_1", size=(0.12, 0.01, 0.06), pos=(0.1, 0.75, 0.06), contype=0),
        ],
    )


def _pick_out_of_hole() -> Scene:
    return scene(
        "puck_hole",
        Body(
            "object",
            pos=(0, 0.6, 0.02),
            joints=[Free("object")],
            geoms=[cylinder(size=(0.02, 0.02), friction=(1, 0.1, 0.002), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(0.01, diaginertia=(100000, 100000, 100000)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
            Box("fixture_34_0", size=(0.7, 0.225, 0.027), pos=(0, 0.425, 0.027), contype=0, solref=(0.005, 0.1)),
            Box("fixture_34_1", size=(0.15, 0.025, 0.027), pos=(0, 0.975, 0.027), contype=0, solref=(0.005, 0.1)),
            Box("fixture_34_2", size=(0.275, 0.175, 0.027), pos=(-0.425, 0.825, 0.027), contype=0, solref=(0.005, 0.1)),
            Box("fixture_34_3", size=(0.275, 0.175, 0.027), pos=(0.425, 0.825, 0.027), contype=0, solref=(0.005, 0.1)),
        ],
    )


def _pick_place() -> Scene:
    return scene(
        "puck",
        Body(
            "object",
            pos=(0, 0.6, 0.02),
            joints=[Free("object")],
            geoms=[cylinder(size=(0.02, 0.02), friction=(1, 0.1, 0.002), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(0.75, diaginertia=(0.000880012, 0.000880012, 0.000880012)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _plate_slide() -> Scene:
    return scene(
        "plate",
        Body(
            "puck",
            pos=(0, 0.6, 0.015),
            joints=[
                Slide("puck_x", damping=1, armature=0.001, range=(-0.2, 0.2), axis=(1, 0, 0)),
                Slide("puck_y", damping=1, armature=0.001, range=(0, 0.3), axis=(0, 1, 0)),
            ],
            geoms=[box(size=(0.05, 0.05, 0.015))],
            sites=[Site("object")],
            inertial=Inertial(
                0.05, diaginertia=(4.5416666666666675e-05, 4.5416666666666675e-05, 8.333333333333336e-05)
            ),
        ),
        Body(
            "net",
            pos=(0, 0.85, 0),
            geoms=[
                capsule(
                    size=(0.008, 0.073), pos=(-0.1, 0.004, 0.009), quat=(0.7070347681678408, 0.7071787868720665, 0, 0)
                ),
                capsule(
                    size=(0.008, 0.073), pos=(0.1, 0.004, 0.009), quat=(0.7070347681678408, 0.7071787868720665, 0, 0)
                ),
                capsule(size=(0.008, 0.082), pos=(-0.1, -0.0685, 0.091)),
                capsule(size=(0.008, 0.082), pos=(0.1, -0.0685, 0.091)),
                capsule(
                    size=(0.008, 0.1), pos=(0, -0.0685, 0.174), quat=(0.7070347681678408, 0, 0.7071787868720665, 0)
                ),
                capsule(size=(0.008, 0.1), pos=(0, 0.077, 0.009), quat=(0.7070347681678408, 0, 0.7071787868720665, 0)),
                box(size=(0.0038, 0.07, 0.085), pos=(-0.1021, 0, 0.088)),
                box(size=(0.0038, 0.07, 0.085), pos=(0.1021, 0, 0.088)),
                box(size=(0.1, 0.0034, 0.085), pos=(0, 0.073, 0.088)),
                box(size=(0.1, 0.055, 0.0034), pos=(0, -0.013, 0.177)),
            ],
            mocap=True,
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _plate_slide_side() -> Scene:
    return scene(
        "plate_side",
        Body(
            "puck",
            pos=(0, 0.6, 0.015),
            joints=[
                Slide("puck_x", damping=1, armature=0.001, range=(-0.2, 0.2), axis=(1, 0, 0)),
                Slide("puck_y", damping=1, armature=0.001, range=(0, 0.3), axis=(0, 1, 0)),
            ],
            geoms=[box(size=(0.05, 0.05, 0.015))],
            sites=[Site("object")],
            inertial=Inertial(
                0.05, diaginertia=(4.5416666666666675e-05, 4.5416666666666675e-05, 8.333333333333336e-05)
            ),
        ),
        Body(
            "net",
            pos=(-0.3, 0.6, 0),
            quat=(0.7073882691671998, 0, 0, 0.706825181105366),
            geoms=[
                capsule(
                    size=(0.008, 0.073), pos=(-0.1, 0.004, 0.009), quat=(0.7070347681678408, 0.7071787868720665, 0, 0)
                ),
                capsule(
                    size=(0.008, 0.073), pos=(0.1, 0.004, 0.009), quat=(0.7070347681678408, 0.7071787868720665, 0, 0)
                ),
                capsule(size=(0.008, 0.082), pos=(-0.1, -0.0685, 0.091)),
                capsule(size=(0.008, 0.082), pos=(0.1, -0.0685, 0.091)),
                capsule(
                    size=(0.008, 0.1), pos=(0, -0.0685, 0.174), quat=(0.7070347681678408, 0, 0.7071787868720665, 0)
                ),
                capsule(size=(0.008, 0.1), pos=(0, 0.077, 0.009), quat=(0.7070347681678408, 0, 0.7071787868720665, 0)),
                box(size=(0.0038, 0.07, 0.085), pos=(-0.1021, 0, 0.088)),
                box(size=(0.0038, 0.07, 0.085), pos=(0.1021, 0, 0.088)),
                box(size=(0.1, 0.0034, 0.085), pos=(0, 0.073, 0.088)),
                box(size=(0.1, 0.055, 0.0034), pos=(0, -0.013, 0.177)),
            ],
            mocap=True,
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _peg_insert_side() -> Scene:
    return scene(
        "peg",
        Body(
            "peg",
            pos=(0, 0.6, 0.03),
            joints=[Free("peg", damping=0.005)],
            geoms=[Box(size=(0.015, 0.015, 0.12), quat=(0.7073882691671998, 0, 0.706825181105366, 0))],
            sites=[Site("object", pos=(0.03, 0, 0.01)), Site("mark", pos=(-0.1, 0, 0))],
            inertial=Inertial(0.1, diaginertia=(100000, 100000, 100000)),
        ),
        Body(
            "box",
            pos=(-0.3, 0.6, 0),
            quat=(0.7073882691671998, 0, 0, 0.706825181105366),
            geoms=[
                box(size=(0.09, 0.1, 0.005), pos=(0, 0, 0.195)),
                box(size=(0.09, 0.096, 0.05), pos=(0, 0, 0.05)),
                box(size=(0.03, 0.096, 0.03), pos=(-0.06, 0, 0.13)),
                box(size=(0.03, 0.096, 0.03), pos=(0.06, 0, 0.13)),
                box(size=(0.09, 0.096, 0.015), pos=(0, 0, 0.175)),
                box(size=(0.005, 0.1, 0.1), pos=(0.095, 0, 0.1)),
                box(size=(0.005, 0.1, 0.1), pos=(-0.095, 0, 0.1)),
            ],
            mocap=True,
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _peg_unplug_side() -> Scene:
    return scene(
        "plug",
        Body(
            "plug",
            pos=(-0.252, 0.6, 0.131),
            joints=[Free("plug")],
            geoms=[
                sphere(size=(0.03,), pos=(-0.035, 0, 0)),
                cylinder(size=(0.045, 0.007), pos=(-0.013, 0, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
                sphere(size=(0.04,), pos=(0.06, 0, 0)),
                box(size=(0.038, 0.038, 0.035), pos=(0.025, 0, 0), quat=(0.7073882691671998, 0, 0.706825181105366, 0)),
            ],
            sites=[Site("object", pos=(0.04, 0, 0))],
            inertial=Inertial(
                0.08,
                pos=(-0.012875000000000004, 0, 0),
                quat=(0, 0.7071251455501611, 0, 0.707088416345981),
                diaginertia=(0.00013045125380250073, 0.00013045124999999994, 4.4151662864165885e-05),
            ),
        ),
        Body(
            "wall",
            pos=(-0.3, 0.6, 0),
            geoms=[
                box(size=(0.025, 0.039, 0.022), pos=(0, 0.061, 0.131)),
                box(size=(0.025, 0.1, 0.023), pos=(0, 0, 0.176)),
                box(size=(0.025, 0.1, 0.055), pos=(0, 0, 0.054000000000000006)),
                box(size=(0.025, 0.045, 0.011), pos=(0, 0.056, 0.083)),
                box(size=(0.025, 0.039, 0.022), pos=(0, -0.061, 0.131)),
            ],
            mocap=True,
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _soccer() -> Scene:
    return scene(
        "soccer",
        Body(
            "object",
            pos=(0, 0.6, 0.03),
            joints=[Free("object")],
            geoms=[sphere(size=(0.026,))],
            sites=[Site("object")],
            inertial=Inertial(
                0.04, diaginertia=(1.0815999999999998e-05, 1.0815999999999998e-05, 1.0815999999999998e-05)
            ),
        ),
        Body(
            "net",
            pos=(0, 0.9, 0),
            geoms=[
                box(size=(0.005, 0.065, 0.08), pos=(-0.0965, -0.01, 0.08)),
                box(size=(0.005, 0.065, 0.08), pos=(0.0965, -0.01, 0.08)),
                box(size=(0.095, 0.005, 0.08), pos=(0, 0.05, 0.08)),
                box(size=(0.095, 0.04, 0.005), pos=(0, -0.025, 0.16)),
            ],
            mocap=True,
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _stick_push() -> Scene:
    return scene(
        "stick",
        Body(
            "stick",
            pos=(-0.15, 0.75, 0.02),
            joints=[Free("stick")],
            geoms=[Box("stick", size=(0.05, 0.02, 0.02), condim=4, solimp=(0.998, 0.998, 0.001, 0.5, 2))],
            sites=[Site("object"), Site("end", pos=(0.05, 0, 0))],
            inertial=Inertial(
                0.02, diaginertia=(5.3333333333333345e-06, 1.9333333333333337e-05, 1.9333333333333337e-05)
            ),
        ),
        Body(
            "thermos",
            pos=(0.2, 0.6, 0),
            joints=[
                Slide("thermos_x", damping=1, armature=0.001, range=(-0.2, 0.2), axis=(1, 0, 0)),
                Slide("thermos_y", damping=1, armature=0.001, range=(-0.2, 0.2), axis=(0, 1, 0)),
            ],
            geoms=[
                cylinder(size=(0.06, 0.1), pos=(0, 0, 0.14)),
                cylinder(size=(0.062, 0.02), pos=(0, 0, 0.02)),
                box(size=(0.01, 0.005, 0.068), pos=(0, -0.135, 0.132)),
                box(size=(0.01, 0.04, 0.005), pos=(0, -0.09, 0.195)),
                box(size=(0.01, 0.04, 0.005), pos=(0, -0.09, 0.069)),
            ],
            sites=[Site("object2", pos=(0, 0, 0.132)), Site("mark", pos=(0, -0.09, 0.132))],
            inertial=Inertial(
                3.267803392611169,
                pos=(4.42000945437141e-11, -0.002005016641149224, 0.14315477826767298),
                quat=(0.9999985765111639, -0.0016872983274580362, 0, 0),
                diaginertia=(0.028694296643241343, 0.027937440146694366, 0.006279562866488074),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _push_back() -> Scene:
    return scene(
        "block",
        Body(
            "object",
            pos=(0, 0.6, 0.02),
            joints=[Free("object")],
            geoms=[box(size=(0.02, 0.02, 0.02), friction=(2, 0.1, 0.002), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(0.75, diaginertia=(100000, 100000, 100000)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _reach_wall() -> Scene:
    return scene(
        "flat_puck_wall",
        Body(
            "object",
            pos=(0, 0.6, 0.02),
            joints=[Free("object")],
            geoms=[cylinder(size=(0.03, 0.015), friction=(1, 0.1, 0.002), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(0.75, diaginertia=(0.000880012, 0.000880012, 0.000880012)),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
            Box("fixture_34_0", size=(0.12, 0.01, 0.06), pos=(0.1, 0.75, 0.06)),
            box("fixture_34_1", size=(0.12, 0.01, 0.06), pos=(0.1, 0.75, 0.06), contype=0),
        ],
    )


def _shelf_place() -> Scene:
    return scene(
        "shelf",
        Body(
            "object",
            pos=(0, 0.6, 0.02),
            joints=[Free("object")],
            geoms=[box(size=(0.02, 0.02, 0.02), friction=(2, 0.1, 0.002), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(0.01, diaginertia=(100000, 100000, 100000)),
        ),
        Body(
            "shelf",
            pos=(0, 0.8, 0),
            geoms=[
                box(size=(0.01, 0.1, 0.32), pos=(-0.11, 0, 0.32), contype=0),
                box(size=(0.01, 0.1, 0.32), pos=(0.11, 0, 0.32), contype=0),
                box(size=(0.12, 0.1, 0.01), pos=(0, 0, 0.65), contype=0),
                box(size=(0.1, 0.095, 0.01), pos=(0, -0.015, 0.24), contype=0),
                box(size=(0.1, 0.095, 0.01), pos=(0, -0.015, 0.05), contype=0),
                box(size=(0.1, 0.01, 0.32), pos=(0, 0.09, 0.32), contype=0),
                box(size=(0.1, 0.088, 0.021), pos=(0, -0.008, 0.021), contype=0),
            ],
            mocap=True,
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _sweep() -> Scene:
    return scene(
        "sweep",
        Body(
            "object",
            pos=(0, 0.6, 0.02),
            joints=[Free("object")],
            geoms=[box(size=(0.02, 0.02, 0.02), pos=(0, 0, 0.02), condim=4)],
            sites=[Site("object")],
            inertial=Inertial(
                0.1, pos=(0, 0, 0.02), diaginertia=(2.666666666666667e-05, 2.666666666666667e-05, 2.666666666666667e-05)
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


def _window_open() -> Scene:
    return scene(
        "window",
        Body(
            "window",
            pos=(-0.1, 0.785, 0.202),
            geoms=[
                box(size=(0.015, 0.03, 0.181), pos=(-0.216, 0, 0)),
                box(size=(0.25, 0.06, 0.01), pos=(0, 0, -0.192)),
                box(size=(0.015, 0.03, 0.181), pos=(0.216, 0, 0)),
                box(size=(0.201, 0.03, 0.015), pos=(0, 0, -0.166)),
                box(size=(0.201, 0.03, 0.015), pos=(0, 0, 0.166)),
                box(size=(0.08, 0.012, 0.01), pos=(0.1, 0.013, -0.14)),
                box(size=(0.08, 0.012, 0.01), pos=(0.1, 0.013, 0.14)),
                box(size=(0.08, 0.001, 0.13), pos=(0.1, 0.008, 0)),
                box(size=(0.08, 0.003, 0.005), pos=(0.1, 0.004, 0)),
                box(size=(0.01, 0.012, 0.15), pos=(0.010000000000000009, 0.013, 0)),
                box(size=(0.01, 0.012, 0.15), pos=(0.19, 0.013, 0)),
            ],
            mocap=True,
        ),
        Body(
            "pane",
            "window",
            joints=[Slide("furniture", damping=2, armature=0.001, range=(0, 0.2), axis=(1, 0, 0))],
            geoms=[
                cylinder(
                    size=(0.012, 0.003), pos=(-0.014, -0.028, 0.045), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                cylinder(
                    size=(0.012, 0.003),
                    pos=(-0.014, -0.028, -0.045),
                    quat=(0.7073882691671998, 0.706825181105366, 0, 0),
                ),
                capsule(
                    size=(0.008, 0.035), pos=(-0.014, -0.06, 0.045), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                capsule(
                    size=(0.008, 0.035), pos=(-0.014, -0.06, -0.045), quat=(0.7073882691671998, 0.706825181105366, 0, 0)
                ),
                capsule(size=(0.008, 0.045), pos=(-0.014, -0.095, 0)),
                box(size=(0.014, 0.012, 0.15), pos=(-0.014, -0.013, 0)),
                box(size=(0.01, 0.012, 0.15), pos=(-0.19, -0.013, 0)),
                box(size=(0.076, 0.012, 0.01), pos=(-0.104, -0.013, 0.14)),
                box(size=(0.076, 0.012, 0.01), pos=(-0.104, -0.013, -0.14)),
                box(size=(0.076, 0.001, 0.13), pos=(-0.104, -0.018, 0)),
                box(size=(0.076, 0.003, 0.005), pos=(-0.104, -0.022, 0)),
            ],
            sites=[Site("object", pos=(-0.04, -0.095, 0)), Site("mark", pos=(0.01, -0.095, 0))],
            inertial=Inertial(
                0.6377868977207969,
                pos=(-0.08676913364927319, -0.018868723390703127, 0),
                quat=(0.7316985836136191, 7.969242673827062e-07, -8.554637923226394e-07, 0.6816283318176103),
                diaginertia=(0.009462011257172798, 0.006211904009130427, 0.003680364576014502),
            ),
        ),
        ground=[
            Box("table", size=(0.7, 0.4, 0.46), pos=(0, 0.6, -0.46), contype=0),
            Box("rail_2_0", size=(0.7, 0.01, 0.06), pos=(0, 0.20999999999999996, 0.06), contype=0),
            Box("rail_2_1", size=(0.7, 0.01, 0.06), pos=(0, 0.99, 0.06), contype=0),
            Box("rail_2_2", size=(0.01, 0.38, 0.06), pos=(-0.69, 0.6, 0.06), contype=0),
            Box("rail_2_3", size=(0.01, 0.38, 0.06), pos=(0.69, 0.6, 0.06), contype=0),
        ],
    )


ORIGINAL = {
    "assembly": _assembly,
    "basketball": _basketball,
    "bin-picking": _bin_picking,
    "box-close": _box_close,
    "button-press-topdown": _button_press_topdown,
    "button-press-topdown-wall": _button_press_topdown_wall,
    "button-press": _button_press,
    "button-press-wall": _button_press_wall,
    "coffee-button": _coffee_button,
    "coffee-pull": _coffee_button,
    "coffee-push": _coffee_button,
    "dial-turn": _dial_turn,
    "disassemble": _assembly,
    "door-close": _door_close,
    "door-lock": _door_lock,
    "door-open": _door_close,
    "door-unlock": _door_lock,
    "hand-insert": _hand_insert,
    "drawer-close": _drawer_close,
    "drawer-open": _drawer_close,
    "faucet-open": _faucet_open,
    "faucet-close": _faucet_open,
    "hammer": _hammer,
    "handle-press-side": _handle_press_side,
    "handle-press": _handle_press,
    "handle-pull-side": _handle_pull_side,
    "handle-pull": _handle_press,
    "lever-pull": _lever_pull,
    "pick-place-wall": _pick_place_wall,
    "pick-out-of-hole": _pick_out_of_hole,
    "pick-place": _pick_place,
    "plate-slide": _plate_slide,
    "plate-slide-side": _plate_slide_side,
    "plate-slide-back": _plate_slide,
    "plate-slide-back-side": _plate_slide_side,
    "peg-insert-side": _peg_insert_side,
    "peg-unplug-side": _peg_unplug_side,
    "soccer": _soccer,
    "stick-push": _stick_push,
    "stick-pull": _stick_push,
    "push": _pick_place,
    "push-wall": _pick_place_wall,
    "push-back": _push_back,
    "reach": _pick_place,
    "reach-wall": _reach_wall,
    "shelf-place": _shelf_place,
    "sweep-into": _hand_insert,
    "sweep": _sweep,
    "window-open": _window_open,
    "window-close": _window_open,
}
"""By task: functions that declare its scene."""
