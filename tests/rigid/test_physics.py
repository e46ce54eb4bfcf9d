"""Conservation laws, closed forms, and what does not depend on how it is computed."""

import os
import subprocess
import sys

import numpy as np
import pytest

from envsuite.locomotion import models
from envsuite.rigid import Body, Box, Capsule, Free, Hinge, Option, Plane, Scene, Sphere, compile_scene
from envsuite.rigid.linear import factor_full, factor_tree, solve_full, solve_tree, solve_tree_fourfold
from tests.rigid.engine import Engine


def thrown(geom, height: float, *, gravity=(0, 0, -9.81), integrator="Euler", timestep=0.002, floor=None) -> Engine:
    """One free body, above a floor if there is gravity."""
    scene = Scene(
        "thrown",
        option=Option(timestep=timestep, gravity=gravity, integrator=integrator),
        geoms=[floor or Plane("floor", size=(5, 5, 0.1))] if any(gravity) else [],
        bodies=[Body("thing", pos=(0, 0, height), joints=[Free("root")], geoms=[geom])],
    )
    return Engine.of(compile_scene(scene))


def swinging(timestep: float) -> Engine:
    """Two capsules on hinges without friction."""
    rod = {"size": (0.05, 0.25), "pos": (0, 0, -0.25)}
    scene = Scene(
        "double pendulum",
        option=Option(timestep=timestep, integrator="RK4"),
        bodies=[
            Body("upper", joints=[Hinge("one", axis=(0, 1, 0))], geoms=[Capsule("a", **rod)]),
            Body(
                "lower", "upper", pos=(0, 0, -0.5), joints=[Hinge("two", axis=(0, 1, 0))], geoms=[Capsule("b", **rod)]
            ),
        ],
    )
    engine = Engine.of(compile_scene(scene))
    engine.put(qpos=(2, 1), qvel=(0, 0))
    return engine


def energy(engine: Engine) -> float:
    """Kinetic from spatial velocities and inertias, and potential of centres of mass."""
    engine.forward()
    work, model = engine.work[0], engine.compiled.model[0]
    total = 0.0
    for b in range(1, int(model["nbody"])):
        xx, yy, zz, xy, xz, yz, mx, my, mz, mass = work["cinert"][b]
        w, u = work["cvel"][b][:3], work["cvel"][b][3:]
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        total += 0.5 * (w @ inertia @ w + mass * u @ u) + u @ np.cross(w, (mx, my, mz))
        total -= mass * np.asarray(model["gravity"]) @ work["xipos"][b]
    return total


def drift(timestep: float) -> float:
    engine = swinging(timestep)
    start, worst = energy(engine), 0.0
    for _ in range(round(10 / timestep / 5)):
        engine.step(5)
        worst = max(worst, abs(energy(engine) - start))
    return worst


def test_a_double_pendulum_keeps_its_energy_to_the_fourth_order():
    coarse, fine = drift(0.005), drift(0.0025)
    assert coarse < 0.06  # J of 24; MuJoCo's own figure
    assert 10 < coarse / fine < 40


def test_kinetic_energy_follows_from_the_mass_matrix():
    engine = Engine.of(compile_scene(models.HUMANOID))
    rng = np.random.default_rng(0)
    v = rng.normal(size=23)
    engine.put(qpos=engine.qpos + rng.normal(size=24) * 0.2, qvel=v)
    engine.physics["gravity"] = 0
    engine.compiled.model["gravity"] = 0
    kinetic = energy(engine)
    matrix = mass_matrix(engine)
    armature = np.asarray(engine.compiled.model[0]["dof_armature"][:23])
    assert 0.5 * v @ (matrix - np.diag(armature)) @ v == pytest.approx(kinetic, rel=1e-12)
    assert np.linalg.eigvalsh(matrix).min() > 0


def mass_matrix(engine: Engine) -> np.ndarray:
    """The whole matrix of the last pass."""
    model, rows = engine.compiled.model[0], engine.work[0]["mass_matrix"]
    count = int(model["nv"])
    matrix = np.zeros((count, count))
    for i in range(count):
        chain = model["dof_chain"][i, : model["dof_count"][i]]
        matrix[i, chain] = matrix[chain, i] = rows[i, : len(chain)]
    return matrix


def test_forces_of_inertia_are_derivatives_of_the_energy():
    """Christoffel's symbols of the mass matrix, and the slope of the potential, by finite differences."""
    rod = {"size": 0.05, "fromto": (0, 0, 0, 0.1, 0.2, -0.4)}
    axes = {"a": (1, 0, 0), "b": (0.3, 1, 0.2), "c": (0, 0.5, 1), "d": (1, 1, 0)}
    bodies = [
        Body(name, parent, pos=(0.1, 0.2, -0.4), joints=[Hinge(name, axis=axes[name])], geoms=[Capsule(name, **rod)])
        for name, parent in (("a", "world"), ("b", "a"), ("c", "a"), ("d", "c"))
    ]
    engine = Engine.of(compile_scene(Scene("branches", bodies=bodies)))
    rng, h, n = np.random.default_rng(0), 1e-5, 4
    mass, gravity = np.asarray(engine.compiled.model[0]["body_mass"]), np.array((0, 0, -9.81))
    for _ in range(5):
        q, v = rng.uniform(-2, 2, n), rng.normal(size=n)

        def at(pose: np.ndarray, speeds=v) -> tuple[np.ndarray, float]:
            engine.put(qpos=pose, qvel=speeds)
            engine.forward()
            return mass_matrix(engine), -float(mass @ np.asarray(engine.work[0]["xipos"]) @ gravity)

        slopes, pull = np.zeros((n, n, n)), np.zeros(n)  # of the matrix and of the potential along each coordinate
        for k in range(n):
            (more, up), (less, down) = at(q + h * np.eye(n)[k]), at(q - h * np.eye(n)[k])
            slopes[k], pull[k] = (more - less) / (2 * h), (up - down) / (2 * h)
        expected = np.einsum("kij,k,j->i", slopes, v, v) - 0.5 * np.einsum("ijk,j,k->i", slopes, v, v) + pull
        at(q)
        np.testing.assert_allclose(engine.work[0]["qfrc_bias"][:n], expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize(("integrator", "bound"), [("RK4", 1e-7), ("Euler", 1e-4)])
def test_a_spinning_box_keeps_its_momentum(integrator, bound):
    engine = thrown(Box("box", size=(0.1, 0.2, 0.3)), 0, gravity=(0, 0, 0), integrator=integrator)
    velocity = (0.1, -0.2, 0.3, 3, 0.1, 0.1)
    engine.put(qpos=(0, 0, 0, 1, 0, 0, 0), qvel=velocity)
    principal = np.asarray(engine.compiled.model[0]["body_tensor"][1][:3])

    def momentum() -> np.ndarray:
        engine.forward()
        turn = np.asarray(engine.work["xmat"][0, 1]).reshape(3, 3)
        return turn @ (principal * engine.qvel[3:])

    start = momentum()
    engine.step(2500)
    np.testing.assert_allclose(momentum(), start, rtol=0, atol=bound * np.linalg.norm(start))
    np.testing.assert_array_equal(engine.qvel[:3], velocity[:3])
    np.testing.assert_allclose(engine.qpos[:3], np.array(velocity[:3]) * 5, rtol=1e-12)


@pytest.mark.parametrize(
    ("geom", "height", "turn", "depth"),
    [
        (Sphere("ball", size=(0.1,)), 0.1, (1, 0, 0, 0), 3.6718e-4),
        (Capsule("rod", size=(0.1, 0.2)), 0.1, (0.5**0.5, 0.5**0.5, 0, 0), 2.0723e-4),
        (Box("cube", size=(0.1, 0.1, 0.1)), 0.1, (1, 0, 0, 0), 1.0776e-4),
    ],
)
def test_bodies_come_to_rest_as_deep_as_the_softness_of_contacts_says(geom, height, turn, depth):
    """Depths of MuJoCo 3.3.7 after six seconds, default solref and solimp."""
    engine = thrown(geom, height)
    engine.put(qpos=(0, 0, height, *turn), qvel=(0,) * 6)
    engine.step(3000)
    assert height - engine.qpos[2] == pytest.approx(depth, rel=1e-4)
    assert abs(engine.qvel).max() < 1e-12


def test_a_cube_on_a_cube_comes_to_rest_twice_as_deep():
    """MuJoCo 3.3.7 takes half the depth of two boxes for the whole."""
    cubes = [
        Body(f"cube{k}", pos=(0, 0, 0.1 + 0.2 * k), joints=[Free()], geoms=[Box(size=(0.1, 0.1, 0.1))]) for k in (0, 1)
    ]
    engine = Engine.of(compile_scene(Scene("stack", geoms=[Plane(size=(5, 5, 0.1))], bodies=cubes), size="large"))
    engine.step(3000)
    lower, upper = 0.1 - engine.qpos[2], 0.2 - (engine.qpos[9] - engine.qpos[2])
    assert lower == pytest.approx(2.0723e-4, rel=1e-4)
    assert upper == pytest.approx(4.1447e-4, rel=1e-4)
    assert abs(engine.qvel).max() < 1e-5  # the upper one rocks; in MuJoCo with 7e-5 rad/s


@pytest.mark.parametrize(("mu", "distance"), [(0.3, 0.67774), (0.5, 0.40602), (1.0, 0.20277)])
def test_a_sliding_box_stops_where_coulomb_stops_it(mu, distance):
    floor = Plane("floor", size=(5, 5, 0.1), friction=mu)
    engine = thrown(Box("box", size=(0.2, 0.2, 0.02), friction=mu), 0.02, floor=floor)
    engine.put(qpos=(0, 0, 0.02, 1, 0, 0, 0), qvel=(0,) * 6)
    engine.step(1000)
    engine.physics["qpos"][0, 0], engine.physics["qvel"][0, 0] = 0, 2
    engine.step(1500)
    assert engine.qpos[0] == pytest.approx(distance, rel=2e-3)  # MuJoCo's
    assert engine.qpos[0] == pytest.approx(4 / (2 * mu * 9.81), rel=1e-2)  # v^2 / (2 mu g)
    assert abs(engine.qvel).max() < 1e-10


def test_a_box_slides_where_the_slope_is_steeper_than_friction():
    # Pyramids hold less between their edges: the square root of one half.
    for slope, turn, slides in ((0.45, 0, False), (0.55, 0, True), (0.33, 1, False), (0.38, 1, True)):
        floor = Plane("floor", size=(5, 5, 0.1), friction=0.5)
        engine = thrown(Box("box", size=(0.2, 0.2, 0.02), friction=0.5), 0.02, floor=floor)
        engine.put(qpos=(0, 0, 0.02, 1, 0, 0, 0), qvel=(0,) * 6)
        angle = np.arctan(slope)
        along, across = np.sin(angle) * np.array((np.cos(turn * np.pi / 4), np.sin(turn * np.pi / 4)))
        engine.physics["gravity"] = 9.81 * along, 9.81 * across, -9.81 * np.cos(angle)
        engine.step(1500)
        assert (engine.qvel[0] > 0.1) == slides


@pytest.mark.parametrize("name", ["HOPPER", "ANT"])
def test_the_solver_s_result_does_not_depend_on_where_it_starts(name):
    engine = Engine.of(compile_scene(getattr(models, name)))
    rng = np.random.default_rng(0)
    count = int(engine.compiled.model["nv"][0])
    engine.physics["ctrl"][0, :3] = 1
    touched = 0
    for _ in range(60):
        engine.step(5)
        engine.forward()
        touched += int(engine.work["nrow"][0] > 0)
        found = engine.qacc.copy()
        kept = engine.physics["qacc_warmstart"][0, :count].copy()
        engine.physics["qacc_warmstart"][0, :count] = rng.normal(size=count) * 1e3
        engine.forward()
        np.testing.assert_allclose(engine.qacc, found, rtol=0, atol=1e-8 * max(1, abs(found).max()))
        engine.physics["qacc_warmstart"][0, :count] = kept
    assert touched > 20


def test_matrices_are_solved():
    """Both factors, on the mass matrix of a tree and on one that constraints between branches have filled."""
    engine = Engine.of(compile_scene(models.ANT))
    engine.forward()
    rng, n, model = np.random.default_rng(0), 14, engine.compiled.model[0]
    matrix = mass_matrix(engine)
    b = rng.normal(size=(4, n))
    chains = engine.work["mass_matrix"][0].copy()
    factor_tree(model, chains)
    alone, together = b.copy(), b.copy()
    for one in alone:
        solve_tree(model, chains, one)
    solve_tree_fourfold(model, chains, *together)
    np.testing.assert_allclose(alone @ matrix, b, atol=1e-12)
    np.testing.assert_array_equal(alone, together)
    wide = matrix + np.ones((n, n))
    room, x = np.zeros((n, n + 3)), b[0].copy()
    room[:, :n] = np.triu(wide)
    factor_full(room, n)
    solve_full(room, n, x)
    np.testing.assert_allclose(wide @ x, b[0], atol=1e-12)


def test_contacts_without_room_are_counted():
    many = [Sphere(f"ball{k}", size=(0.1,), pos=(0.3 * k, 0, 0)) for k in range(9)]
    flat = Capsule("rod", size=(0.1, 0.2), pos=(0, 1, 0), quat=(0.5**0.5, 0.5**0.5, 0, 0))
    boxes = [Box(f"box{k}", size=(0.1, 0.1, 0.1), pos=(0.3 * k, 2, 0)) for k in range(6)]
    scene = Scene(
        "crowd",
        geoms=[Plane("floor", size=(5, 5, 0.1))],
        bodies=[Body("raft", pos=(0, 0, 0.09), joints=[Free("root")], geoms=[*many, flat, *boxes])],
    )
    engine = Engine.of(compile_scene(scene))
    engine.forward()
    room = engine.work["con_dist"].shape[1]
    assert engine.work["ncon"][0] == min(room, 9 + 2 + 24)
    assert engine.physics["overflow"][0] == max(0, 9 + 2 + 24 - room) > 0


def test_instances_do_not_touch_each_other():
    """The same bits alone and beside others."""
    rng = np.random.default_rng(0)
    engine = Engine.of(compile_scene(models.HOPPER), 5)
    engine.physics["ctrl"][:, :3] = rng.uniform(-1, 1, (5, 3))
    alone = [Engine(engine.compiled, engine.physics[k : k + 1].copy(), engine.work.copy()) for k in range(5)]
    engine.step(200)
    for k, one in enumerate(alone):
        one.step(200)
        for name in one.physics.dtype.names:  # bytes between fields are anybody's
            np.testing.assert_array_equal(one.physics[name], engine.physics[name][k : k + 1])


@pytest.mark.slow
def test_compiled_equals_interpreted():
    digests = [
        subprocess.run(
            [sys.executable, "-c", _RUN], env={**os.environ, **extra}, capture_output=True, text=True, check=True
        ).stdout
        for extra in ({}, {"NUMBA_DISABLE_JIT": "1"})
    ]
    assert digests[0] == digests[1] != ""


_RUN = """
import hashlib
import numpy as np
from envsuite.locomotion import models
from envsuite.rigid import compile_scene
from tests.rigid.engine import Engine
from tests.rigid.scenes import SCENES

scenes = {name: getattr(models, name) for name in ("HOPPER", "HALF_CHEETAH", "ANT", "HUMANOID")}
for name, scene in {**scenes, **{name: SCENES[name] for name in ("cylinder_box", "box_stack")}}.items():
    engine = Engine.of(compile_scene(scene))
    engine.physics["ctrl"][0, :3] = (0.3, -0.2, 0.4)
    for _ in range(15):
        engine.step()
    print(name, hashlib.sha256(engine.qpos.tobytes() + engine.qvel.tobytes()).hexdigest())
"""
