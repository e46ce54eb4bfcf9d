"""The arm of metaworld 3.1.1, a Sawyer, as it is compiled; written by ``benchmarks/meta_scenes.py``."""

from collections.abc import Sequence

from envsuite.rigid import Body, Box, Exclude, Geom, Hinge, Inertial, Option, Position, Scene, Site, Slide, Weld

SIZE = "arm-rims"
"""Size class of all scenes with the arm."""

ARM = (
    Body(
        "right_l0",
        pos=(0, 0, 0.08),
        joints=[Hinge("right_j0", damping=10, armature=0.001, range=(-3.0503, 3.0503))],
        inertial=Inertial(
            6.901,
            pos=(0.020005845739747865, 0.008452022251050571, 0.20199234444283437),
            fullinertia=(
                0.14447844435784904,
                0.14579942269526522,
                0.029214728994350857,
                0.00444970531420671,
                0.017697859574363647,
                0.011433167864835067,
            ),
        ),
    ),
    Body(
        "right_l1",
        "right_l0",
        pos=(0.081, 0.05, 0.237),
        quat=(0.5, -0.5, 0.5, 0.5),
        joints=[Hinge("right_j1", damping=10, armature=0.001, range=(-3.8, -0.5))],
        inertial=Inertial(
            4.50500001,
            pos=(-0.0030848999931522526, -0.026810999940486108, 0.092520999794626),
            fullinertia=(
                0.02239801549898489,
                0.014613002935289995,
                0.017295011751494727,
                -0.000239862041817707,
                -0.0002936241587685742,
                -0.006087500596775828,
            ),
        ),
    ),
    Body(
        "right_l2",
        "right_l1",
        pos=(0, -0.14, 0.1425),
        quat=(0.7071067811865475, 0.7071067811865475, 0, 0),
        joints=[Hinge("right_j2", damping=10, armature=0.001, range=(-3.0426, 3.0426))],
        inertial=Inertial(
            1.74500001,
            pos=(-0.00016043999908051576, -0.01496699991422917, 0.13581999922166196),
            fullinertia=(
                0.025506016014065026,
                0.02530004951077173,
                0.0034179148485853927,
                4.4100703305251774e-06,
                1.4952105576888302e-05,
                -0.0033204056490206933,
            ),
        ),
    ),
    Body(
        "right_l3",
        "right_l2",
        pos=(0, -0.042, 0.26),
        quat=(0.7071067811865475, -0.7071067811865475, 0, 0),
        joints=[Hinge("right_j3", damping=10, armature=0.001, range=(-3.0439, 3.0439))],
        inertial=Inertial(
            2.5097,
            pos=(-0.0048135, -0.0281, -0.084154),
            quat=(0.9029988484727379, 0.3853909353296703, -0.0880900852180881, 0.16824697176740255),
            diaginertia=(0.0102404, 0.0096997, 0.00369622),
        ),
    ),
    Body(
        "right_l4",
        "right_l3",
        pos=(0, -0.125, -0.1265),
        quat=(0.7071067811865475, 0.7071067811865475, 0, 0),
        joints=[Hinge("right_j4", damping=10, armature=0.001, range=(-2.9761, 2.9761))],
        inertial=Inertial(
            1.1137000099999999,
            pos=(-0.0018891692745875972, 0.0068994803726365244, 0.13409469216041411),
            fullinertia=(
                0.013557330342730645,
                0.013555625457385801,
                0.0013661067839591352,
                1.8078262745915664e-05,
                0.0001349169454951429,
                0.0010560568484017975,
            ),
        ),
    ),
    Body(
        "right_l5",
        "right_l4",
        pos=(0, 0.031, 0.275),
        quat=(0.7071067811865475, -0.7071067811865475, 0, 0),
        joints=[Hinge("right_j5", damping=10, armature=0.001, range=(-2.9761, 2.9761))],
        inertial=Inertial(
            1.5625,
            pos=(0.0061133, -0.023697, 0.076416),
            quat=(0.404075870002859, 0.9134997061137303, 0.04731248477887889, 0.0015833494906132184),
            diaginertia=(0.00474131, 0.00422857, 0.00190672),
        ),
    ),
    Body(
        "right_l6",
        "right_l5",
        pos=(0, -0.11, 0.1053),
        quat=(0.06162481001443177, 0.0616300100152768, -0.7044161144721925, 0.7044161144721925),
        joints=[Hinge("right_j6", damping=10, armature=0.001, range=(-4.7124, 4.7124))],
        inertial=Inertial(
            0.3292,
            pos=(-8.0726e-06, 0.0085838, -0.0049566),
            quat=(0.4790438215856708, 0.5156358079574088, -0.513068808913458, 0.4913218170128735),
            diaginertia=(0.000360258, 0.000311068, 0.000214974),
        ),
    ),
    Body(
        "right_hand",
        "right_l6",
        pos=(0, 0, 0.0245),
        quat=(0.7071067811865475, 0, 0, 0.7071067811865475),
        geoms=[Box("palm", size=(0.034, 0.049, 0.0245), pos=(0.007, 0, 0.052))],
        inertial=Inertial(
            1e-08,
            pos=(1e-08, 1e-08, 1e-08),
            quat=(0.8204732553337782, 0.33985110576270017, -0.17592005474685732, 0.4247081321704654),
            diaginertia=(1e-08, 1e-08, 1e-08),
        ),
    ),
    Body(
        "hand",
        "right_hand",
        pos=(0, 0, 0.12),
        quat=(-0.7071067811865475, 0, 0.7071067811865475, 0),
        inertial=Inertial(0, pos=(0, 0, 0.12), diaginertia=(0, 0, 0)),
    ),
    Body(
        "rightclaw",
        "hand",
        pos=(0, -0.05, 0),
        joints=[Slide("r_close", damping=1000, armature=100, range=(0, 0.04), axis=(0, 1, 0))],
        geoms=[Box("rightclaw", size=(0.045, 0.003, 0.015), condim=4, margin=0.001, solimp=(0.8, 0.9, 0.01, 0.5, 2))],
        sites=[Site("righttip", pos=(0.045, 0, 0))],
        inertial=Inertial(0.0162, diaginertia=(1.2635999999999999e-06, 1.2149999999999999e-05, 1.09836e-05)),
    ),
    Body(
        "rightpad",
        "rightclaw",
        pos=(0, 0.003, 0),
        geoms=[
            Box(
                "rightpad",
                size=(0.045, 0.003, 0.015),
                friction=(2, 0.1, 0.002),
                condim=4,
                margin=0.001,
                solref=(0.01, 1),
                solimp=(0.95, 0.99, 0.01, 0.5, 2),
            )
        ],
        sites=[Site("rightpad")],
        inertial=Inertial(0, pos=(0, 0.003, 0), diaginertia=(0, 0, 0)),
    ),
    Body(
        "leftclaw",
        "hand",
        pos=(0, 0.05, 0),
        joints=[Slide("l_close", damping=1000, armature=100, range=(-0.03, 0), axis=(0, 1, 0))],
        geoms=[Box("leftclaw", size=(0.045, 0.003, 0.015), condim=4, margin=0.001, solimp=(0.8, 0.9, 0.01, 0.5, 2))],
        sites=[Site("lefttip", pos=(0.045, 0, 0))],
        inertial=Inertial(0.0162, diaginertia=(1.2635999999999999e-06, 1.2149999999999999e-05, 1.09836e-05)),
    ),
    Body(
        "leftpad",
        "leftclaw",
        pos=(0, -0.003, 0),
        geoms=[
            Box(
                "leftpad",
                size=(0.045, 0.003, 0.015),
                friction=(2, 0.1, 0.002),
                condim=4,
                margin=0.001,
                solref=(0.01, 1),
                solimp=(0.95, 0.99, 0.01, 0.5, 2),
            )
        ],
        sites=[Site("leftpad")],
        inertial=Inertial(0, pos=(0, -0.003, 0), diaginertia=(0, 0, 0)),
    ),
)
"""Seven links, the hand with a box for the hull of its palm, two fingers with pads."""

MOCAP = Body("mocap", quat=(1, 0, 1, 0), mocap=True)


def scene(
    name: str,
    *bodies: Body,
    ground: Sequence[Geom] = (),
    before: Sequence[Body] = (),
    excludes: Sequence[Exclude] = (),
) -> Scene:
    """The arm and other bodies, stepped as the original.

    Args:
        name: of the scene.
        *bodies: beside the arm.
        ground: shapes that never move.
        before: bodies that are numbered before the arm.
        excludes: bodies that do not touch.
    """
    return Scene(
        name,
        option=Option(timestep=0.0025, cone="elliptic", iterations=50, tolerance=1e-10, multiccd=False),
        geoms=list(ground),
        bodies=[*before, *ARM, MOCAP, *bodies],
        actuators=[Position(side, kp=400, ctrlrange=(-1, 1)) for side in ("r_close", "l_close")],
        equalities=[Weld("mocap", "hand", relpose=(0, 0, 0, -1, 0, 0, 0), torquescale=5)],
        excludes=list(excludes),
    )
