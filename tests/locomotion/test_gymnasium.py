"""Steps beside Gymnasium's own environments, from the same states."""

import gymnasium
import numpy as np
import pytest

from envsuite.core.single import WorldEnv
from envsuite.core.world import make_world

pytest.importorskip("mujoco")

PLANAR = "envsuite.locomotion.planar.world"
TASKS = {
    "Hopper-v5": f"{PLANAR}:HopperWorld",
    "Walker2d-v5": f"{PLANAR}:Walker2dWorld",
    "HalfCheetah-v5": f"{PLANAR}:HalfCheetahWorld",
    "Swimmer-v5": f"{PLANAR}:SwimmerWorld",
    "InvertedPendulum-v5": "envsuite.locomotion.pendulums.world:InvertedPendulumWorld",
    "InvertedDoublePendulum-v5": "envsuite.locomotion.pendulums.world:InvertedDoublePendulumWorld",
    "Reacher-v5": "envsuite.locomotion.reacher.world:ReacherWorld",
    "Ant-v5": "envsuite.locomotion.ant.world:AntWorld",
    "Humanoid-v5": "envsuite.locomotion.humanoid.world:HumanoidWorld",
    "HumanoidStandup-v5": "envsuite.locomotion.humanoid.world:HumanoidStandupWorld",
}
OPTIONS = [
    *((task, {}, {}) for task in TASKS),
    ("Hopper-v5", {"healthy_reward": 2.0, "healthy_z_range": (1.1, 1.3), "ctrl_cost_weight": 0.5}, {}),
    ("Walker2d-v5", {"exclude_current_positions_from_observation": False, "forward_reward_weight": 3.0}, {}),
    ("HalfCheetah-v5", {"frame_skip": 2, "exclude_current_positions_from_observation": False}, {}),
    ("Hopper-v4", {}, {"compat": "v4"}),
    ("Walker2d-v4", {"terminate_when_unhealthy": False}, {"compat": "v4"}),
    ("InvertedPendulum-v4", {}, {"compat": "v4"}),
    ("InvertedDoublePendulum-v4", {}, {"compat": "v4"}),
    ("Reacher-v4", {}, {"compat": "v4"}),
    ("HalfCheetah-v4", {}, {"compat": "v4"}),
    ("Swimmer-v4", {}, {"compat": "v4"}),
    ("Ant-v4", {}, {"compat": "v4"}),
    ("Ant-v4", {"use_contact_forces": True}, {"compat": "v4", "include_cfrc_ext_in_observation": True}),
    ("Humanoid-v4", {}, {"compat": "v4"}),
    ("HumanoidStandup-v4", {}, {"compat": "v4"}),
    ("Ant-v5", {"contact_force_range": (-5.0, 5.0), "exclude_current_positions_from_observation": False}, {}),
    ("Ant-v5", {"include_cfrc_ext_in_observation": False, "healthy_z_range": (0.3, 0.9)}, {}),
    ("Humanoid-v5", {"include_cinert_in_observation": False, "contact_cost_range": (0.0, 0.1)}, {}),
]


LATER = {"tendon_length", "tendon_velocity"}  # of the state itself; Gymnasium's are those of the pass before it
OTHER = {"x_position", "y_position", "distance_from_origin", "reward_ctrl"}  # in v4 of other things; ours are v5's


def solve_to_the_end(env) -> None:
    """Newton's method stops early in Gymnasium, which leaves up to 2e-11 in accelerations."""
    model = env.unwrapped.model
    if model.opt.solver == 2:
        model.opt.tolerance, model.opt.iterations = 1e-15, 200


def copy_state(theirs, ours) -> None:
    """Put ours into the state of theirs."""
    snapshot, data = ours.unwrapped.get_state(), theirs.unwrapped.data
    body = snapshot.states["body"]
    body["qpos"][0, : len(data.qpos)], body["qvel"][0, : len(data.qvel)] = data.qpos, data.qvel
    body["qacc_warmstart"][0, : len(data.qvel)] = data.qacc_warmstart
    older = {  # what the last pass left
        "torso": lambda: data.xpos[1, :2],
        "centre": lambda: data.subtree_com[0, :2],
        "away": lambda: data.body("fingertip").xpos - data.body("target").xpos,
    }
    for name in set(older) & set(snapshot.states.dtype.names):
        snapshot.states[name][0] = older[name]()
    ours.unwrapped.set_state(snapshot)


@pytest.mark.filterwarnings("ignore:.*out of date.*:DeprecationWarning")
@pytest.mark.parametrize(("task", "options", "others"), OPTIONS)
def test_steps_equal_gymnasium_s(task, options, others):
    theirs = gymnasium.make(task, **options).unwrapped
    shared = {name: value for name, value in options.items() if name != "use_contact_forces"}
    ours = WorldEnv(TASKS[task.replace("v4", "v5")], **shared, **others)
    solve_to_the_end(theirs)
    assert ours.observation_space.shape == theirs.observation_space.shape
    assert ours.observation_space.dtype == theirs.observation_space.dtype
    assert ours.action_space == theirs.action_space
    rng = np.random.default_rng(0)
    theirs.reset(seed=0)
    ours.reset(seed=0)
    ends = 0
    for _ in range(1000):
        action = rng.uniform(theirs.action_space.low, theirs.action_space.high).astype(np.float32)
        copy_state(theirs, ours)
        seen, reward, over, _, info = ours.step(action)
        expected = theirs.step(action.astype(np.float64))
        np.testing.assert_allclose(seen, expected[0], rtol=0, atol=1e-9)
        assert reward == pytest.approx(expected[1], rel=1e-9, abs=1e-9)
        assert over == expected[2]
        for name in set(info) & set(expected[4]) - LATER - (OTHER if "v4" in task else set()):
            assert info[name] == pytest.approx(expected[4][name], rel=1e-9, abs=1e-9), name
        if "v5" in task:
            assert set(expected[4]) <= set(info)
        assert info.get("overflow", 0) == 0
        if over:
            ends += 1
            theirs.reset()
            ours.reset()
    theirs.close()
    endless = ("HalfCheetah", "Swimmer", "Reacher", "HumanoidStandup")
    assert ends > 0 or task.startswith(endless) or not options.get("terminate_when_unhealthy", True)


@pytest.mark.parametrize("task", TASKS)
def test_episodes_begin_as_gymnasium_s_do(task):
    """Bounds of the noise, and its spread to a few standard errors."""
    theirs = gymnasium.make(task).unwrapped
    world = make_world(TASKS[task])
    ours = WorldEnv(world)
    starts = [np.concatenate([_at_start(theirs, seed), _ours_at_start(ours, seed)]) for seed in range(400)]
    a, b = np.split(np.array(starts), 2, axis=1)
    np.testing.assert_allclose(a.mean(0), b.mean(0), atol=4 * a.std(0).max() * np.sqrt(2 / 400))
    np.testing.assert_allclose(a.std(0), b.std(0), rtol=0.2)
    theirs.close()


def _at_start(env, seed):
    env.reset(seed=seed)
    return np.concatenate([env.data.qpos, env.data.qvel])


def _ours_at_start(env, seed):
    env.reset(seed=seed)
    world = env.unwrapped.world
    body = env.unwrapped.get_state().states["body"][0]
    model = world.compiled.model[0]
    return np.concatenate([body["qpos"][: model["nq"]], body["qvel"][: model["nv"]]])


@pytest.mark.parametrize("bad", [(2, 1), (1,), 3, ("a", "b"), "ab", (0.7, float("nan")), None])
def test_ranges_are_checked(bad):
    with pytest.raises(ValueError, match=r"healthy_z_range is .*, expected two numbers, the smaller first"):
        make_world(TASKS["Hopper-v5"], healthy_z_range=bad)


@pytest.mark.parametrize("task", TASKS)
def test_v2_is_v4_without_contact_forces(task):
    """Gym's v2 on mujoco-py 2.0, which computed none: their numbers and costs are 0, all else is that of v4."""
    name = task.removesuffix("-v5")
    felt = {"include_cfrc_ext_in_observation": True} if name == "Ant" else {}
    v2, v4 = WorldEnv(TASKS[task], compat="v2"), WorldEnv(TASKS[task], compat="v4", **felt)
    sizes = {"Ant": 111, "Humanoid": 376, "HumanoidStandup": 376}
    assert v2.observation_space == v4.observation_space
    assert v2.observation_space.shape == (sizes.get(name, v4.observation_space.shape[0]),)
    forces = 84 if name in sizes else 0
    v2.reset(seed=3)
    v4.reset(seed=3)
    rng = np.random.default_rng(3)
    touched = 0
    for _ in range(200):
        action = rng.uniform(v2.action_space.low, v2.action_space.high).astype(np.float32)
        (seen, reward, over, *_, info), (other, paid, too, *_, costs) = v2.step(action), v4.step(action)
        kept = len(seen) - forces
        assert np.array_equal(seen[:kept], other[:kept])
        assert not seen[kept:].any()
        touched += bool(other[kept:].any())
        cost = costs.get("reward_contact", costs.get("reward_impact", 0.0)) if forces else 0.0
        assert reward == pytest.approx(paid - cost, abs=1e-9)
        assert info.get("reward_contact", 0.0) == info.get("reward_impact", 0.0) == 0
        assert over == too
        if over:
            v2.reset(seed=4)
            v4.reset(seed=4)
    assert touched > 0 or not forces
