"""The rope against closed forms and conservation laws."""

import numpy as np
import pytest

from envsuite.core.jit import records
from envsuite.manipulation.rope.params import DT, MOST, Rope
from envsuite.manipulation.rope.physics import WORK, RopeState, advance

L = 7.9


def scene(points=MOST, **values):
    """A straight rope at rest along x, its constants, and the workspace."""
    rope = Rope.make(**values)[0]
    s = records(np.zeros(1, RopeState.dtype(points=MOST)))[0]
    s["points"] = points
    s["position"][:points, 0] = float(rope["spacing"]) * (np.arange(points) - (points - 1) / 2)
    return s, rope, records(np.zeros(1, WORK))[0]


def run(s, rope, w, steps):
    for _ in range(steps):
        advance(s, rope, w)


def lengths(s):
    return np.linalg.norm(np.diff(s["position"][: s["points"]], axis=0), axis=1)


def hang(span, **values):
    """Let a rope hang from its grippers, which have come nearer to each other by then."""
    s, rope, w = scene(bending=0.0, gravity=(0.0, -9.81), **values)
    way = (L - span) / 2
    s["commands"][:, 0] = (0.5, -0.5)
    run(s, rope, w, round(way / (0.5 * 5.0 * 2 * DT)))
    s["commands"][:] = 0.0
    run(s, rope, w, 500)
    return s


def energy(s, rope):
    """Of motion, height, bending and stretch, J."""
    x, v, n = s["position"][: s["points"]], s["velocity"][: s["points"]], int(s["points"])
    inner = slice(1, -1) if rope["held"] else slice(None)
    mass = float(rope["mass"]) / n
    moving = 0.5 * mass * (v[inner] ** 2).sum()
    height = -mass * (x[inner] @ rope["gravity"]).sum()
    bent = 0.5 * float(rope["bending"]) / float(rope["spacing"]) ** 3 * (np.diff(x, 2, axis=0) ** 2).sum()
    stretched = 0.5 * float(rope["stretch"]) * ((lengths(s) - float(rope["spacing"])) ** 2).sum()
    return moving + height + bent + stretched


def catenary(span, length):
    """Parameter a and depth of a chain that hangs from two points of equal height."""
    low, high = 1e-3 * span, 1e3 * span
    for _ in range(200):
        a = np.sqrt(low * high)
        low, high = (a, high) if 2 * a * np.sinh(span / (2 * a)) > length else (low, a)
    return a, a * (np.cosh(span / (2 * a)) - 1)


def test_a_hanging_rope_is_a_catenary():
    s = hang(5.0)
    x = s["position"]
    span = x[-1, 0] - x[0, 0]
    assert abs(span - 5.0) < 0.05
    a, depth = catenary(span, L)
    middle, top = (x[0, 0] + x[-1, 0]) / 2, x[0, 1]
    expected = top - depth + a * (np.cosh((x[:, 0] - middle) / a) - 1)
    assert depth > 2.5
    assert np.abs(x[:, 1] - expected).max() < 0.01 * depth
    assert np.abs(s["velocity"][1:-1]).max() < 1e-3
    assert np.abs(lengths(s) / 0.1 - 1).max() < 0.01


def test_substeps_beyond_ten_do_not_change_how_low_it_hangs():
    depths = [np.ptp(hang(5.0, substeps=count)["position"][:, 1]) for count in (10, 20, 40)]
    assert np.ptp(depths) < 0.01 * depths[0]


def test_energy_does_not_rise_while_grippers_stand_still():
    s, rope, w = scene(drag=0.0, gravity=(0.0, -9.81))
    s["commands"][:, 0] = (0.5, -0.5)
    run(s, rope, w, 20)
    s["commands"][:] = 0.0
    run(s, rope, w, 3)
    found = [energy(s, rope)]
    for _ in range(400):
        advance(s, rope, w)
        found.append(energy(s, rope))
    assert np.abs(s["velocity"][1:-1]).max() > 0.1, "it still swings"
    scale = np.ptp(found)
    assert (np.diff(found) < 1e-3 * scale).all()
    assert found[-1] < found[0]


def test_momentum_in_free_flight():
    s, rope, w = scene(points=30, held=False, drag=0.0, gravity=(0.3, -9.81))
    rng = np.random.default_rng(0)
    s["velocity"][:30] = rng.normal(0, 0.5, (30, 2))
    mass = 1.0 / 30

    def spin():
        x, v = s["position"][:30], s["velocity"][:30]
        about, drift = x - x.mean(axis=0), v - v.mean(axis=0)
        return mass * (about[:, 0] * drift[:, 1] - about[:, 1] * drift[:, 0]).sum()

    run(s, rope, w, 1)
    before, turning = mass * s["velocity"][:30].sum(axis=0), spin()
    run(s, rope, w, 50)
    after = mass * s["velocity"][:30].sum(axis=0)
    assert np.allclose(after - before, 50 * 2 * DT * np.array([0.3, -9.81]), rtol=0, atol=1e-10)
    assert abs(spin() - turning) < 0.02 * abs(turning)


def test_a_free_rod_bends_at_its_natural_frequency():
    rigidity, spacing = 1.0, 0.1
    s, rope, w = scene(held=False, drag=0.0, bending=rigidity, decimation=1, substeps=40)
    second = np.diff(np.eye(MOST), 2, axis=0)
    squares, modes = np.linalg.eigh(rigidity / spacing**3 * second.T @ second * MOST)
    frequency = np.sqrt(squares[2])  # after shift and turn
    length, density = spacing * (MOST - 1), 1.0 / (spacing * MOST)
    assert frequency == pytest.approx(4.730041**2 / length**2 * np.sqrt(rigidity / density), rel=0.05)
    s["position"][:, 1] = 1e-2 * modes[:, 2]
    part = []
    for _ in range(1200):
        advance(s, rope, w)
        part.append(s["position"][:, 1] @ modes[:, 2])
    signs = np.sign(part)
    crossings = np.flatnonzero(signs[1:] != signs[:-1])
    assert len(crossings) > 2
    assert np.pi / (np.diff(crossings).mean() * DT) == pytest.approx(frequency, rel=0.02)


def test_drag_slows_a_free_rope_exponentially():
    s, rope, w = scene(points=10, held=False, drag=3.0)
    s["velocity"][:10] = (1.0, -2.0)
    run(s, rope, w, 25)
    assert np.allclose(s["velocity"][:10], np.exp(-3.0 * 0.5) * np.array([1.0, -2.0]), atol=1e-9)


@pytest.mark.parametrize(
    "way", [(-1.0, 0.0, 1.0, 0.0), (1.0, 0.0, 1.0, 0.0), (0.0, 1.0, 0.0, 1.0), (-1.0, 1.0, 1.0, 1.0)]
)
def test_a_taut_rope_holds_its_grippers_back(way):
    """Around a cylinder too: grippers pull as hard as they can, and links keep their length."""
    s, rope, w = scene(points=40)
    s["center"], s["radius"] = (0.0, 0.5), 0.4
    s["commands"][:, :2] = np.reshape(way, (2, 2))
    worst = 0.0
    for _ in range(200):
        advance(s, rope, w)
        worst = max(worst, np.abs(lengths(s)[:39] / 0.1 - 1).max())
        away = np.linalg.norm(s["position"][1:39] - s["center"], axis=1)
        assert away.min() > 0.4 + 0.025 - 1e-3
    assert worst < 0.03


def test_grippers_follow_commands():
    s, rope, w = scene(points=40)
    s["commands"][:, 1] = 0.4
    run(s, rope, w, 25)
    assert np.allclose(s["velocity"][[0, 39], 1], 2.0, rtol=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("task", ["closing:RopeClosingWorld", "shaping:RopeShapingWorld"])
def test_no_nan_in_a_million_random_steps(task):
    from envsuite.core.batch import Batch
    from envsuite.core.world import make_world

    world = make_world(f"envsuite.manipulation.rope.{task}")
    batch = Batch(world, 500, horizon=200)
    batch.seed(range(500))
    batch.reset()
    rng = np.random.default_rng(0)
    for step in range(2000):
        hard = np.sign if step % 400 < 200 else np.asarray
        output = batch.step(hard(rng.uniform(-1, 1, (500, 6))).astype(np.float32), batch.done)
        assert np.isfinite(output.observations).all()
        assert np.isfinite(output.rewards).all()
    assert np.abs(lengths(batch.states[0]) / 0.1 - 1).max() < 0.05
