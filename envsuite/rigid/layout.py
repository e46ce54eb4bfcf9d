"""The records of rigid bodies: constants of a model, the state of one instance, and the workspace of a thread.

Names are MuJoCo's where MuJoCo has one (https://mujoco.readthedocs.io/en/3.3.7/APIreference/APItypes.html). Arrays are
as long as the size class of a model wants, see `CLASSES`, so that all models of a class run on the same machine code.
Vectors are (x, y, z) in metres, quaternions (w, x, y, z), spatial vectors (angular, linear), symmetric matrices
(xx, yy, zz, xy, xz, yz).
"""

from dataclasses import asdict, dataclass, replace

import numpy as np

from envsuite.core import Record, field

FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3
PLANE, SPHERE, CAPSULE, CYLINDER, BOX = 0, 2, 3, 5, 6
EULER, RK4, IMPLICIT_FAST = 0, 1, 3
PGS, NEWTON = 0, 2
PYRAMIDAL, ELLIPTIC = 0, 1
CONNECT, WELD = 0, 1


@dataclass(frozen=True)
class SizeClass:
    """How much room the records of a model have.

    Attributes:
        bodies: the world included.
        joints: of all types.
        positions: joint coordinates.
        dofs: degrees of freedom.
        geoms: shapes.
        pairs: of geoms that may touch.
        actuators: motors and servos.
        equalities: welds and connects.
        sites: marked points.
        mocaps: bodies whose pose is given from outside.
        contacts: at once.
        rows: of constraints at once.
        groups: of rows at once: a contact, a limit, an equality.
        rims: 1 where cylinders may touch boxes, for which kernels are compiled then; 0 elsewhere.
    """

    bodies: int
    joints: int
    positions: int
    dofs: int
    geoms: int
    pairs: int
    actuators: int
    equalities: int
    sites: int
    mocaps: int
    contacts: int
    rows: int
    groups: int
    rims: int = 0

    @property
    def sizes(self) -> dict[str, int]:
        """By name, as `Record.dtype` takes them.

        ``columns`` is room for degrees of freedom, or joints, that are read four at once from any of them on;
        ``vectors`` for those that PGS solves for, four at once: one for each row, and two more.
        """
        return {**asdict(self), "columns": (self.dofs + 6) // 4 * 4, "vectors": (self.rows + 5) // 4 * 4}


CLASSES = {
    "small": SizeClass(8, 9, 9, 9, 10, 16, 8, 1, 2, 1, 16, 80, 32),
    "medium": SizeClass(16, 16, 18, 16, 24, 32, 16, 1, 4, 1, 32, 160, 64),
    "walled": SizeClass(20, 16, 18, 16, 24, 80, 16, 1, 4, 4, 40, 192, 64),
    "large": SizeClass(24, 32, 34, 32, 32, 256, 32, 2, 8, 1, 48, 256, 96),
    "tabletop": SizeClass(8, 8, 16, 16, 24, 176, 2, 1, 8, 2, 96, 384, 112),
    "arm": SizeClass(20, 12, 20, 18, 32, 320, 2, 1, 8, 2, 96, 384, 112),
}
RIMS = "-rims"  # what such a class is called beyond the one without
CLASSES |= {f"{name}{RIMS}": replace(one, rims=1) for name, one in CLASSES.items()}


class Model(Record):
    """Constants of a compiled model."""

    nbody = field(type=np.int32, meaning="bodies, the world included")
    njnt = field(type=np.int32, meaning="joints")
    nq = field(type=np.int32, meaning="joint coordinates")
    nv = field(type=np.int32, meaning="degrees of freedom")
    ngeom = field(type=np.int32, meaning="geoms")
    npair = field(type=np.int32, meaning="pairs of geoms that may touch")
    nu = field(type=np.int32, meaning="actuators")
    neq = field(type=np.int32, meaning="equality constraints")
    nsite = field(type=np.int32, meaning="sites")
    nmocap = field(type=np.int32, meaning="mocap bodies")
    integrator = field(type=np.int32, meaning="0 Euler, 1 RK4, 3 implicitfast")
    solver = field(type=np.int32, meaning="0 PGS, 2 Newton")
    cone = field(type=np.int32, meaning="0 pyramidal, 1 elliptic")
    iterations = field(type=np.int32, meaning="of the solver, at most")
    multiccd = field(type=np.int32, meaning="whether a cylinder and a box touch at several points")
    timestep = field(unit="s")
    tolerance = field(meaning="of the solver")
    impratio = field(meaning="frictional to normal impedance")
    density = field(unit="kg/m^3", meaning="of the medium")
    viscosity = field(unit="Pa s", meaning="of the medium")
    gravity = field(unit="m/s^2", shape=3)
    scale = field(unit="1/(kg m^2)", meaning="1 / (mean inertia x degrees of freedom), of the solver's stopping test")

    body_parentid = field(type=np.int32, shape="bodies")
    body_rootid = field(type=np.int32, shape="bodies", meaning="first body of the tree below the world")
    body_lastdof = field(type=np.int32, shape="bodies", meaning="last degree of freedom that moves it, -1 for none")
    body_jntadr = field(type=np.int32, shape="bodies", meaning="first joint, -1 for none")
    body_jntnum = field(type=np.int32, shape="bodies")
    body_mocapid = field(type=np.int32, shape="bodies", meaning="index of the mocap pose, -1 for none")
    body_pos = field(unit="m", shape=("bodies", 3))
    body_quat = field(shape=("bodies", 4))
    body_ipos = field(unit="m", shape=("bodies", 3), meaning="centre of mass, in the body")
    body_iquat = field(shape=("bodies", 4), meaning="principal axes of inertia, in the body")
    body_mass = field(unit="kg", shape="bodies")
    body_inertia = field(unit="kg m^2", shape=("bodies", 3), meaning="principal moments of inertia")
    body_tensor = field(unit="kg m^2", shape=("bodies", 6), meaning="inertia about the centre of mass, in body axes")
    body_invweight0 = field(shape=("bodies", 2), meaning="mean inverse inertia in the reference pose: shift, turn")

    jnt_type = field(type=np.int32, shape="joints", meaning="0 free, 1 ball, 2 slide, 3 hinge")
    jnt_qposadr = field(type=np.int32, shape="joints")
    jnt_dofadr = field(type=np.int32, shape="joints")
    jnt_bodyid = field(type=np.int32, shape="joints")
    jnt_limited = field(type=np.int32, shape="joints")
    jnt_actfrclimited = field(type=np.int32, shape="joints")
    jnt_pos = field(unit="m", shape=("joints", 3))
    jnt_axis = field(shape=("joints", 3), meaning="of unit length")
    jnt_range = field(unit="m or rad", shape=("joints", 2))
    jnt_actfrcrange = field(unit="N or N m", shape=("joints", 2))
    jnt_margin = field(unit="m or rad", shape="joints")
    jnt_solref = field(shape=("joints", 2))
    jnt_solimp = field(shape=("joints", 5))
    jnt_stiffness = field(unit="N/m or N m/rad", shape="joints")

    qpos0 = field(unit="m or rad", shape="positions", meaning="the pose in which the model was written")
    qpos_spring = field(unit="m or rad", shape="positions", meaning="rest positions of springs")

    dof_bodyid = field(type=np.int32, shape="dofs")
    dof_jntid = field(type=np.int32, shape="dofs")
    dof_parentid = field(type=np.int32, shape="dofs", meaning="the one before it towards the world, -1 for none")
    dof_count = field(type=np.int32, shape="dofs", meaning="degrees of freedom from it to the world, itself included")
    dof_chain = field(type=np.uint32, shape=("dofs", "dofs"), meaning="these, itself first, the world's last")
    dof_armature = field(unit="kg or kg m^2", shape="dofs")
    dof_damping = field(unit="N s/m or N m s/rad", shape="dofs")
    dof_frictionloss = field(unit="N or N m", shape="dofs")
    dof_solref = field(shape=("dofs", 2))
    dof_solimp = field(shape=("dofs", 5))
    dof_invweight0 = field(shape="dofs")

    geom_type = field(type=np.int32, shape="geoms", meaning="0 plane, 2 sphere, 3 capsule, 5 cylinder, 6 box")
    geom_bodyid = field(type=np.int32, shape="geoms")
    geom_pos = field(unit="m", shape=("geoms", 3))
    geom_quat = field(shape=("geoms", 4))
    geom_mat = field(shape=("geoms", 9), meaning="the same as a matrix, row by row")
    geom_touches = field(type=np.int32, shape="geoms", meaning="1 where it is in a pair")
    geom_size = field(unit="m", shape=("geoms", 3), meaning="radius; radius and half length; half sides")
    geom_rbound = field(unit="m", shape="geoms", meaning="radius of the bounding sphere, 0 for planes")
    geom_friction = field(shape=("geoms", 3), meaning="coefficients: sliding, spinning, rolling")

    pair_geom1 = field(type=np.int32, shape="pairs", meaning="the one of the smaller type")
    pair_geom2 = field(type=np.int32, shape="pairs")
    pair_reach = field(meaning="of the centre above a plane, m; of centres, squared, m^2", shape="pairs")
    pair_condim = field(type=np.int32, shape="pairs", meaning="1, 3, 4 or 6")
    pair_mixed = field(
        type=np.int32,
        shape="pairs",
        meaning="whose sliding friction counts: 0 its own, 1 the greater one, 2 the first geom's, 3 the second's",
    )
    pair_margin = field(unit="m", shape="pairs")
    pair_includemargin = field(unit="m", shape="pairs", meaning="margin - gap")
    pair_friction = field(shape=("pairs", 5), meaning="coefficients: sliding twice, spinning, rolling twice")
    pair_solref = field(shape=("pairs", 2))
    pair_solimp = field(shape=("pairs", 5))

    actuator_dof = field(type=np.int32, shape="actuators")
    actuator_qposadr = field(type=np.int32, shape="actuators")
    actuator_ctrllimited = field(type=np.int32, shape="actuators")
    actuator_forcelimited = field(type=np.int32, shape="actuators")
    actuator_gear = field(shape="actuators")
    actuator_gain = field(shape="actuators")
    actuator_bias = field(shape=("actuators", 3), meaning="constant, by length, by velocity")
    actuator_ctrlrange = field(shape=("actuators", 2))
    actuator_forcerange = field(unit="N or N m", shape=("actuators", 2))

    eq_type = field(type=np.int32, shape="equalities", meaning="0 connect, 1 weld")
    eq_obj1id = field(type=np.int32, shape="equalities", meaning="body")
    eq_obj2id = field(type=np.int32, shape="equalities", meaning="body")
    eq_data = field(shape=("equalities", 11), meaning="as mjModel.eq_data: anchor, relative pose, torque scale")
    eq_solref = field(shape=("equalities", 2))
    eq_solimp = field(shape=("equalities", 5))

    site_bodyid = field(type=np.int32, shape="sites")
    site_pos = field(unit="m", shape=("sites", 3))


class Physics(Record):
    """The state of one instance, and what may differ from instance to instance."""

    qpos = field(unit="m or rad", shape="positions")
    qvel = field(unit="m/s or rad/s", shape="dofs")
    ctrl = field(shape="actuators")
    qacc_warmstart = field(
        unit="m/s^2 or rad/s^2", shape="dofs", meaning="acceleration of the last pass, where the solver starts"
    )
    mocap_pos = field(unit="m", shape=("mocaps", 3))
    mocap_quat = field(shape=("mocaps", 4))
    overflow = field(type=np.int32, meaning="contacts that found no room since the beginning; 0 or results are wrong")
    gravity = field(unit="m/s^2", shape=3)
    mass_scale = field(shape="bodies", meaning="times the model's mass and inertia")
    damping = field(unit="N s/m or N m s/rad", shape="dofs")
    gear = field(shape="actuators")
    sliding = field(shape="geoms", meaning="coefficient of sliding friction")
    pushed = field(type=np.int32, meaning="body that is pushed, 0 for none")
    push = field(unit="N", shape=3, meaning="force on its centre of mass, in world axes")


class Clip(Record):
    """Room for the points of two boxes, in the frame of a face unless said otherwise."""

    turn = field(shape=9, meaning="axes of the second box in the first one's")
    ahead = field(unit="m", shape=3, meaning="from the first centre to the second, in the first box")
    back = field(unit="m", shape=3, meaning="from the second centre to the first, in the second box")
    trial = field(shape=3, meaning="an axis that is looked at, a vector that is turned")
    axis = field(shape=3, meaning="of least overlap, a product of edges, in the first box")
    flipped = field(type=np.uint8, meaning="whether it points away from the second box")
    edge1 = field(type=np.int32, meaning="signs of the first box's touching edge, as bits")
    edge2 = field(type=np.int32, meaning="signs of the second box's touching edge, as bits")
    face = field(type=np.int32, meaning="that clips")
    second = field(type=np.uint8, meaning="whether it is the second box's")
    height = field(unit="m", meaning="of the face above its box's centre")
    half = field(unit="m", shape=2, meaning="half sides of the face")
    centre = field(unit="m", shape=3, meaning="of the other box")
    axes = field(shape=9, meaning="of the other box, as columns")
    corner = field(unit="m", shape=3, meaning="the lowest")
    edges = field(unit="m", shape=(2, 3), meaning="at the lowest corner")
    lines = field(unit="m", shape=(4, 6), meaning="points and directions of edges that are clipped")
    true_lines = field(unit="m", shape=(4, 6), meaning="the same before they were slid onto the face")
    true = field(unit="m", shape=(4, 3), meaning="vertices of a face")
    slid = field(unit="m", shape=(4, 3), meaning="the same, slid along the normal")
    count = field(type=np.int32, meaning="points found")
    points = field(unit="m", shape=(32, 3))
    depth = field(unit="m", shape=32)
    place = field(unit="m", shape=(32, 3), meaning="the points in the world")
    kept = field(type=np.uint8, shape=32)
    out = field(shape=3, meaning="normal in the world, from the first box to the second")


class Edges(Record):
    """Room for up to 24 directions from edges of a box to rims of a cylinder, seen along the edges."""

    count = field(type=np.int32, meaning="how many")
    axis = field(type=np.int32, shape=24, meaning="of the box, along the edge")
    tilt = field(shape=(2, 24), meaning="way of the short half axis, in the two other axes of the box")
    long = field(unit="m", shape=24, meaning="place of the edge along the long half axis of the rim's ellipse")
    short = field(unit="m", shape=24, meaning="and along the short one")
    narrow = field(unit="m", shape=24, meaning="the short half axis")
    t = field(unit="m^2", shape=24, meaning="the unknown")
    moving = field(shape=24, meaning="1 while it is improved")
    none = field(shape=24, meaning="1 where there is no such direction")
    axial = field(shape=24, meaning="1 where the place lies on the long axis")
    nu = field(shape=24, meaning="normal of the ellipse")
    nv = field(shape=24)
    way = field(shape=(3, 24), meaning="the directions, of any length")
    gap = field(unit="m", shape=24, meaning="along them")
    twin = field(type=np.int32, shape=24, meaning="number of the same place among those of far points, -1 if none")


class Rim(Record):
    """Room for the points of a cylinder and a box, in axes of the box from its centre."""

    centre = field(unit="m", shape=3, meaning="of the cylinder")
    axis = field(shape=3, meaning="of the cylinder")
    normal = field(shape=3, meaning="the direction of the widest gap, from the cylinder to the box")
    out = field(unit="m", shape=3, meaning="from the axis to where the side is nearest to the box")
    end = field(unit="m", shape=3, meaning="from the cylinder's centre to that of the end that looks at the box")
    side = field(unit="m^2", shape=3, meaning="out x end")
    trial = field(shape=3, meaning="a point or direction that is looked at")
    shadow = field(unit="m", shape=3, meaning="of a point on the end, thrown along the normal, from the end's centre")
    edges = field(type=Edges, shape=2, meaning="to near and far points of the rims")
    count = field(type=np.int32, meaning="points found")
    points = field(unit="m", shape=(24, 3), meaning="in the middle of their gaps")
    gaps = field(unit="m", shape=24, meaning="negative where the shapes overlap")


class Work(Record):
    """The workspace: what one pass over a state computes. Frames and forces belong to the state before integration."""

    xpos = field(unit="m", shape=("bodies", 3), meaning="origins of bodies")
    xquat = field(shape=("bodies", 4))
    xmat = field(shape=("bodies", 9), meaning="their axes, row by row")
    xipos = field(unit="m", shape=("bodies", 3), meaning="centres of mass")
    xanchor = field(unit="m", shape=("joints", 3))
    xaxis = field(shape=("joints", 3))
    half_turn = field(unit="rad", shape="columns", meaning="half the angle of a hinge")
    half_sine = field(shape="columns")
    half_cosine = field(shape="columns")
    geom_xpos = field(unit="m", shape=("geoms", 3))
    geom_xmat = field(shape=("geoms", 9), meaning="of boxes and cylinders; of others the third column alone")
    mass = field(unit="kg", shape="bodies")
    subtree_mass = field(unit="kg", shape="bodies")
    subtree_com = field(
        unit="m", shape=("bodies", 3), meaning="centre of mass of the world's and of trees; of others, times mass"
    )
    cinert = field(shape=("bodies", 10), meaning="inertia about the tree's centre of mass, mass times offset, mass")
    crb = field(shape=("bodies", 10), meaning="the same of a body and all below it")
    cdof = field(shape=("dofs", 6), meaning="axes of motion about the tree's centre of mass")
    cvel = field(shape=("bodies", 6))
    cacc = field(shape=("bodies", 6))
    cfrc = field(shape=("bodies", 6))
    mass_matrix = field(shape=("dofs", "columns"), meaning="columns as in dof_chain")
    factor = field(shape=("dofs", "columns"), meaning="of the matrix that was factored last, columns likewise")
    qfrc_bias = field(shape="dofs")
    qfrc_passive = field(shape="dofs")
    qfrc_actuator = field(shape="dofs")
    qfrc_smooth = field(shape="dofs", meaning="all forces but those of constraints")
    qfrc_constraint = field(shape="dofs")
    qacc_smooth = field(shape="dofs", meaning="of PGS: acceleration without constraints")
    qacc = field(shape="dofs")

    new_pos = field(unit="m", shape=3, meaning="of the contact that is about to be added")
    new_normal = field(shape=3)
    new_tangent = field(shape=3, meaning="second axis of its frame, 0 to choose one")
    segment = field(unit="m", shape=(2, 3), meaning="points between which spheres touch")
    clipping = field(type=Clip, meaning="two boxes")
    rims = field(type=Rim, shape="rims", meaning="a cylinder and a box")
    ncon = field(type=np.int32, meaning="contacts")
    con_pair = field(type=np.int32, shape="contacts")
    con_row = field(type=np.int32, shape="contacts", meaning="first row, -1 for none")
    con_dist = field(unit="m", shape="contacts")
    con_pos = field(unit="m", shape=("contacts", 3))
    con_frame = field(shape=("contacts", 9), meaning="rows: normal from the first geom to the second, two tangents")
    con_mu = field(shape="contacts", meaning="friction that an elliptic cone is scaled by")
    con_sliding = field(shape="contacts", meaning="coefficient of sliding friction")

    nrow = field(type=np.int32, meaning="rows of constraints")
    ngroup = field(type=np.int32, meaning="groups of rows")
    coupled = field(type=np.int32, meaning="whether a group moves two branches of a tree, or two trees")
    grp_row = field(type=np.int32, shape="groups", meaning="first row")
    grp_rows = field(type=np.int32, shape="groups", meaning="number of rows")
    grp_dofs = field(type=np.int32, shape="groups", meaning="number of degrees of freedom that move it")
    grp_kind = field(
        type=np.int32, shape="groups", meaning="0 equality, 1 friction of a joint, 2 one-sided, 3 elliptic"
    )
    grp_con = field(type=np.int32, shape="groups", meaning="contact, -1 for none")
    grp_dof = field(type=np.uint32, shape=("groups", "dofs"), meaning="those degrees of freedom, greatest first")
    grp_alike = field(type=np.uint8, shape="groups", meaning="whether the same move it as the group before it")
    grp_middle = field(shape="groups", meaning="of a cone: the factor of its cost in the middle zone")
    grp_n = field(shape="groups", meaning="of a cone in a line search: scaled normal at the start")
    grp_n_step = field(shape="groups", meaning="change of it for a step of 1")
    grp_square = field(shape="groups", meaning="square of the scaled tangent's change")
    grp_curve = field(shape="groups", meaning="curvature along the line in the quadratic zone")
    jac = field(shape=("rows", "columns"), meaning="Jacobian, columns as in grp_dof")
    efc_aref = field(shape="rows", meaning="reference acceleration")
    efc_r = field(shape="rows", meaning="regularisation")
    efc_d = field(shape="rows", meaning="its inverse")
    efc_bound = field(shape="rows", meaning="of the friction of a joint")
    efc_jar = field(shape="rows", meaning="acceleration beyond the reference")
    efc_step = field(shape="rows", meaning="change of it along the direction of search")
    efc_scale = field(shape="rows", meaning="of a cone's row: what makes the cone round")
    efc_u = field(shape="rows", meaning="efc_jar so scaled, at the start of a line search")
    efc_v = field(shape="rows", meaning="efc_step so scaled")
    efc_force = field(shape="rows")
    efc_state = field(
        type=np.int32,
        shape="rows",
        meaning="0 satisfied, 1 quadratic, 2 middle of a cone, 3, 4 bounds; a cone's in its first row",
    )
    efc_b = field(shape="rows", meaning="of PGS")
    efc_weight = field(shape="rows", meaning="of PGS: acceleration of the row for its own force")
    efc_minv = field(
        shape=("vectors", "columns"), meaning="of PGS: accelerations for a force along each row, then two more"
    )
    hessian = field(shape=("dofs", "columns"), meaning="columns as in dof_chain; where coupled, the upper half")
    tile = field(shape=("columns", "columns"), meaning="a part of it, rows and columns as in grp_dof")
    product_weight = field(shape=128, meaning="of products of two rows of the Jacobian that the solver's matrix gets")
    product_first = field(type=np.int32, shape=128, meaning="their first rows")
    product_second = field(type=np.int32, shape=128, meaning="their second rows")
    grad = field(shape="dofs")
    search = field(shape="columns")
    ma = field(shape="dofs", meaning="mass matrix times acceleration")
    mv = field(shape="dofs", meaning="mass matrix times search")
    local = field(shape="columns", meaning="a vector's entries for the degrees of freedom of a group")
    chain = field(shape=("dofs", 6), meaning="Jacobian of a point, column by column")
    scratch = field(shape=64, meaning="of one kernel")

    before = field(shape="positions", meaning="coordinates before a step of the environment")
    square = field(meaning="of its action")
    qpos_0 = field(shape="positions", meaning="of the beginning of an RK4 step")
    qvel_0 = field(shape="dofs")
    qvel_stage = field(shape="dofs")
    qvel_sum = field(shape="dofs")
    qacc_sum = field(shape="dofs")
    cfrc_ext = field(shape=("bodies", 6), meaning="contact wrenches about the tree's centre of mass; where asked for")
