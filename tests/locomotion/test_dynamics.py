"""Dynamics that vary: what is drawn, from which stream, and that bodies then move as MuJoCo's do."""

from pathlib import Path

import gymnasium
import numpy as np
import pytest

from envsuite.core import rng
from envsuite.core.single import WorldEnv
from envsuite.core.vector import WorldVectorEnv
from envsuite.core.world import make_world
from envsuite.rigid.sampler import PRIVILEGED, PUSH_EVERY, PUSH_LASTS, Ranges
from tests.locomotion.test_gymnasium import TASKS, copy_state, solve_to_the_end

HOPPER, SWIMMER, ANT = (TASKS[f"{name}-v5"] for name in ("Hopper", "Swimmer", "Ant"))
RANGES = {name: one.default for name, one in Ranges.fields.items()}


def drawn(world: str, count: int, **options) -> dict[str, np.ndarray]:
    """What the first episodes of many seeds have, computed from the records."""
    env = WorldVectorEnv(world, count, **options)
    env.reset(seed=0)
    body, start = env.unwrapped.batch.states["body"], env.unwrapped.world.params[0]["start"]
    model = env.unwrapped.world.compiled.model[0]
    geoms, dofs = start["sliding"] > 0, start["damping"] > 0
    ratios = {
        "mass": body["mass_scale"][:, 1 : model["nbody"]],
        "friction": body["sliding"][:, geoms] / start["sliding"][geoms],
        "damping": body["damping"][:, dofs] / start["damping"][dofs],
        "power": body["gear"][:, : model["nu"]] / start["gear"][: model["nu"]],
    }
    for name, values in ratios.items():  # one factor for all parts
        np.testing.assert_allclose(values, np.broadcast_to(values[:, :1], values.shape), rtol=1e-15, err_msg=name)
    gravity = body["gravity"]
    np.testing.assert_allclose(np.linalg.norm(gravity, axis=1), 9.81, rtol=1e-15)
    steep = np.arctan2(np.hypot(gravity[:, 0], gravity[:, 1]), -gravity[:, 2])
    ahead = (gravity[:, 0] < 0) | ((gravity[:, 0] == 0) & (gravity[:, 1] < 0))
    found = {name: values[:, 0] for name, values in ratios.items() if values.shape[1]}
    return {**found, "slope": np.where(ahead, steep, -steep), "gravity": gravity, "info": env.reset(seed=0)[1]}


def check_uniform(values: np.ndarray, parts: list[tuple[float, float]]) -> None:
    """Uniform over several intervals: bounds, and the share below each of 20 places, to 4.5 standard errors."""
    inside = np.zeros(len(values), bool)
    for low, high in parts:
        inside |= (low <= values) & (values <= high)
    assert inside.all()
    width = sum(high - low for low, high in parts)
    for place in np.linspace(parts[0][0], parts[-1][1], 20):
        expected = sum(np.clip(place - low, 0, high - low) for low, high in parts) / width
        error = 4.5 * np.sqrt(expected * (1 - expected) / len(values)) + 1e-12
        assert abs((values < place).mean() - expected) <= error


@pytest.mark.parametrize("world", [HOPPER, ANT])
def test_training_and_held_out_ranges(world):
    for mode in ("training", "held_out"):
        found = drawn(world, 4000, dynamics=mode)
        for name in ("mass", "friction", "damping", "power", "slope"):
            lowest, low, high, highest = RANGES[name]
            if name == "slope" and world == ANT:  # of any heading: the sign says whether it rises ahead
                spread = np.abs(found["slope"])
                check_uniform(spread, [(0, high)] if mode == "training" else [(high, highest)])
                continue
            check_uniform(found[name], [(low, high)] if mode == "training" else [(lowest, low), (high, highest)])


def test_slopes_and_pushes_have_any_heading_where_a_body_can_turn():
    gravity = drawn(ANT, 4000, dynamics="training")["gravity"]
    check_uniform(np.arctan2(gravity[:, 1], gravity[:, 0]), [(-np.pi, np.pi)])
    assert (drawn(HOPPER, 100, dynamics="training")["gravity"][:, 1] == 0).all()


def test_quantities_are_independent():
    found = drawn(HOPPER, 4000, dynamics="training")
    table = np.corrcoef([found[name] for name in ("mass", "friction", "damping", "power", "slope")])
    assert np.abs(table - np.eye(5)).max() < 4.5 / np.sqrt(4000)


@pytest.mark.parametrize("mode", ["training", "held_out"])
def test_pushes_come_and_go(mode):
    """Lengths of pushes and pauses are geometric; forces are uniform shares of the weight, ahead as often as back."""
    env = WorldVectorEnv(SWIMMER, 400, dynamics=mode)
    env.reset(seed=0)
    world, states = env.unwrapped.world, env.unwrapped.batch.states
    model, pushes = world.compiled.model[0], []
    for _ in range(600):
        env.step(np.zeros((400, 2), np.float32))
        body = states["body"]
        assert (body["push"][:, 1:] == 0).all()
        assert ((body["pushed"] == 1) == (body["push"][:, 0] != 0)).all()
        pushes.append(body["push"][:, 0].copy())
    forces = np.array(pushes) / (9.81 * model["body_mass"].sum())
    on = forces != 0
    begins, ends = world.seconds_per_step / PUSH_EVERY, world.seconds_per_step / PUSH_LASTS
    quiet, active = ~on[:-1], on[:-1]
    for share, chance, count in (
        (on[1:][quiet].mean(), begins, quiet.sum()),
        (1 - on[1:][active].mean(), ends, active.sum()),
    ):
        assert abs(share - chance) < 4.5 * np.sqrt(chance * (1 - chance) / count)
    same = on[1:] & on[:-1]
    assert (forces[1:][same] == forces[:-1][same]).all()
    fresh = forces[1:][on[1:] & quiet]
    low, high = RANGES["push"][2:]
    check_uniform(np.abs(fresh), [(0, low)] if mode == "training" else [(low, high)])
    assert abs((fresh > 0).mean() - 0.5) < 4.5 * 0.5 / np.sqrt(len(fresh))


def test_fixed_dynamics_draw_nothing_and_others_shift_nothing():
    seen = {}
    for mode in ("fixed", "training", "held_out"):
        env = WorldEnv(HOPPER, dynamics=mode)
        env.reset(seed=3)
        for _ in range(5):
            env.step(np.zeros(3, np.float32))
        states = env.unwrapped.batch.states
        assert (states["rng"]["counter"][0, rng.DYNAMICS] == 0) == (mode == "fixed")
        seen[mode] = states["rng"]["counter"][0, rng.RESET]
        env.reset(seed=3)
        seen[mode, "start"] = np.concatenate([states["body"]["qpos"][0], states["body"]["qvel"][0]])
    assert seen["fixed"] == seen["training"] == seen["held_out"]
    assert (seen["fixed", "start"] == seen["training", "start"]).all()


@pytest.mark.parametrize("world", [HOPPER, ANT])
def test_draws_do_not_depend_on_batch_threads_and_slot(world):
    many = WorldVectorEnv(world, 6, dynamics="training", num_threads=2)
    few = WorldVectorEnv(world, 2, dynamics="training")
    one = WorldEnv(world, dynamics="training")
    many.reset(seed=10)
    few.reset(seed=14)
    one.reset(seed=15)
    noise, over = np.random.default_rng(0), False
    for _ in range(50):
        actions = noise.uniform(-1, 1, many.action_space.shape).astype(np.float32)
        many.step(actions)
        few.step(actions[4:])
        if over:
            one.reset()
        over = not over and any(one.step(actions[5])[2:4])
        batch = many.unwrapped.batch.states
        assert batch[4:].tobytes() == few.unwrapped.batch.states.tobytes()
        assert batch[5:].tobytes() == one.unwrapped.batch.states.tobytes()


def test_a_snapshot_keeps_dynamics_and_a_push():
    env = WorldEnv(HOPPER, dynamics="held_out", healthy_z_range=(-10, 10), terminate_when_unhealthy=False)
    env.reset(seed=0)
    states = env.unwrapped.batch.states
    for _ in range(2000):
        env.step(np.zeros(3, np.float32))
        if states["body"]["pushed"][0]:
            break
    snapshot = env.unwrapped.get_state()
    once = [env.step(np.full(3, 0.3, np.float32))[0] for _ in range(50)]
    env.reset(seed=1)
    env.unwrapped.set_state(snapshot)
    assert np.array_equal(once, [env.step(np.full(3, 0.3, np.float32))[0] for _ in range(50)])


def test_what_was_drawn_is_told_to_critics():
    assert "privileged" not in WorldEnv(ANT).reset(seed=0)[1]  # first, so that its kernels are there
    env = WorldVectorEnv(ANT, 50, dynamics="training")
    _, info = env.reset(seed=0)
    assert info["privileged"].shape == (50, len(PRIVILEGED))
    assert info["privileged"].dtype == np.float32
    states = env.unwrapped.batch.states
    weight = float(env.unwrapped.world.params[0]["dynamics"]["weight"])
    for _ in range(100):
        info = env.step(np.zeros(env.action_space.shape, np.float32))[4]
        told = dict(zip(PRIVILEGED, info["privileged"].T, strict=True))
        body = states["body"]
        for k, axis in enumerate("xy"):
            np.testing.assert_allclose(told[f"push {axis}"], body["push"][:, k] / weight, rtol=1e-6)
            np.testing.assert_allclose(told[f"slope {axis}"], body["gravity"][:, k] / -9.81, rtol=1e-6)
        np.testing.assert_allclose(told["mass"], body["mass_scale"][:, 1], rtol=1e-6)
        np.testing.assert_allclose(told["friction"], body["sliding"][:, 0], rtol=1e-6)
        np.testing.assert_allclose(told["damping"], body["damping"][:, 6], rtol=1e-6)
        np.testing.assert_allclose(told["power"], body["gear"][:, 0] / 150, rtol=1e-6)
    assert np.count_nonzero(told["push x"]) > 0
    single = WorldEnv(ANT, dynamics="training").reset(seed=0)[1]["privileged"]
    np.testing.assert_array_equal(single, env.reset(seed=0)[1]["privileged"][0])


def vary_theirs(env, told: dict[str, float]) -> None:
    """The same changes in MuJoCo's own model. Constants from the mass matrix stay, as where one writes `body_mass`."""
    model = env.unwrapped.model
    before = model.dof_M0 - model.dof_armature
    model.body_mass[:] *= told["mass"]
    model.body_inertia[:] *= told["mass"]
    model.body_subtreemass[:] *= told["mass"]
    simple = model.dof_simplenum > 0
    model.dof_M0[simple] = (model.dof_armature + told["mass"] * before)[simple]
    model.geom_friction[:, 0] *= told["friction"]
    model.dof_damping[:] *= told["damping"]
    model.actuator_gear[:] *= told["power"]
    x, y = told["slope x"], told["slope y"]
    model.opt.gravity[:] = -9.81 * np.array([x, y, np.sqrt(1 - x * x - y * y)])


def push(env, share: np.ndarray) -> None:
    """Push the first body horizontally by a share of its tree's weight."""
    snapshot = env.unwrapped.get_state()
    body = snapshot.states["body"]
    body["pushed"][0], body["push"][0, :2] = 1, share * env.unwrapped.world.params[0]["dynamics"]["weight"]
    env.unwrapped.set_state(snapshot)


@pytest.mark.filterwarnings("ignore:.*out of date.*:DeprecationWarning")
@pytest.mark.parametrize("task", TASKS)
def test_bodies_move_as_mujoco_s(task):
    pytest.importorskip("mujoco")
    ours = WorldEnv(TASKS[task], dynamics="held_out")
    noise, pushed = np.random.default_rng(0), 0
    for seed in range(4):
        theirs = gymnasium.make(task).unwrapped
        solve_to_the_end(theirs)
        theirs.reset(seed=seed)
        ours.reset(seed=seed)
        body = ours.unwrapped.get_state().states["body"][0]
        start = ours.unwrapped.world.params[0]["start"]
        dofs, geoms = np.flatnonzero(start["damping"]), np.flatnonzero(start["sliding"])
        told = {
            "mass": body["mass_scale"][1],
            "friction": body["sliding"][geoms[0]] / start["sliding"][geoms[0]],
            "damping": body["damping"][dofs[0]] / start["damping"][dofs[0]] if len(dofs) else 1.0,
            "power": body["gear"][0] / start["gear"][0],
            "slope x": body["gravity"][0] / -9.81,
            "slope y": body["gravity"][1] / -9.81,
        }
        vary_theirs(theirs, told)
        for k in range(60):
            action = noise.uniform(theirs.action_space.low, theirs.action_space.high).astype(np.float32)
            copy_state(theirs, ours)
            if k % 2:
                push(ours, noise.uniform(-0.4, 0.4, 2))
            seen, reward, over, _, _ = ours.step(action)
            body = ours.unwrapped.get_state().states["body"][0]
            theirs.data.xfrc_applied[1, :3] = body["push"]
            pushed += int(body["pushed"])
            expected = theirs.step(action.astype(np.float64))
            np.testing.assert_allclose(seen, expected[0], rtol=1e-9, atol=1e-9)
            assert reward == pytest.approx(expected[1], rel=1e-9, abs=1e-9)
            assert over == expected[2]
            if over:
                break
        theirs.close()
    assert pushed > 10


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dynamics": "wild"}, "dynamics is 'wild', expected one of 'fixed', 'training', 'held_out'"),
        ({"ranges": {"mass": (1, 2)}}, r"ranges is {'mass': \(1, 2\)}, expected none where dynamics is 'fixed'"),
        ({"dynamics": "training", "ranges": {"wind": (1, 2)}}, "unknown range 'wind', expected one of mass, friction"),
        ({"dynamics": "training", "ranges": {"mass": (2, 1)}}, r"range mass is \(2, 1\), expected .* ascending order"),
        ({"dynamics": "training", "ranges": {"mass": (0, 1)}}, r"range mass is \(0, 1\), expected numbers from 0.001"),
        ({"dynamics": "training", "ranges": {"push": (0, float("nan"))}}, r"range push is \(0, nan\), expected"),
        ({"dynamics": "training", "ranges": {"slope": (-2, 2)}}, r"range slope is \(-2, 2\), expected numbers from"),
        ({"dynamics": "training", "ranges": {"power": 2}}, "range power is 2, expected two numbers"),
        ({"dynamics": "training", "ranges": {"power": "ab"}}, "range power is 'ab', expected two numbers"),
        ({"dynamics": "training", "ranges": {"power": (1, 2, 3)}}, r"range power is \(1, 2, 3\), expected two numbers"),
        ({"dynamics": "held_out", "ranges": {"mass": (0.5, 2)}}, r"range mass is \(0.5, 2\), expected four numbers"),
        ({"dynamics": "held_out", "ranges": {"mass": (1, 1, 2, 2)}}, r"range mass is .*, expected an outer part"),
        ({"dynamics": "training", "ranges": [1, 2]}, r"ranges is \[1, 2\], expected ranges by name"),
    ],
)
def test_wrong_options_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        make_world(HOPPER, **options)


def test_ranges_of_one_s_own():
    found = drawn(HOPPER, 2000, dynamics="training", ranges={"mass": (0.2, 3.0), "slope": [0, 0]})
    check_uniform(found["mass"], [(0.2, 3.0)])
    assert (found["slope"] == 0).all()
    found = drawn(HOPPER, 2000, dynamics="held_out", ranges={"mass": (1.0, 1.0, 2.0, 3.0), "friction": (1, 1)})
    check_uniform(found["mass"], [(2.0, 3.0)])
    assert (found["friction"] == 1).all()


def test_what_cannot_matter_does_not_vary():
    for task, names in (("Reacher-v5", "mass, damping, power"), ("Swimmer-v5", "mass, power, push")):
        with pytest.raises(ValueError, match=f"unknown range 'slope', expected one of {names}$"):
            make_world(TASKS[task], dynamics="training", ranges={"slope": (0, 0.1)})


def test_the_page_has_the_ranges():
    page = (Path(__file__).parents[2] / "docs/locomotion.md").read_text(encoding="utf-8")
    for name, (lowest, low, high, highest) in RANGES.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        below = f"{lowest:g} to {low:g}" if lowest < low else ""
        assert [part.strip() for part in row.split("|")[3:6]] == [
            below,
            f"{low:g} to {high:g}",
            f"{high:g} to {highest:g}",
        ]
