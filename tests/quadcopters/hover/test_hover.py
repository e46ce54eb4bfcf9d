"""The hover task against the definitions of Learning to Fly in Seconds."""

import gymnasium
import numpy as np
import pytest
from scipy import stats
from scipy.spatial.transform import Rotation

import envsuite
from envsuite.core.batch import Batch
from envsuite.core.companions import Players, companion
from envsuite.core.language import Refusal, RefusalKind
from envsuite.core.loops import seen_by
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.quadcopters.hover.kernel import HoverWorld

HOVER_ACTION = 0.33405300


def started(n=2000, seed=0, **options) -> Batch:
    batch = Batch(HoverWorld(**options), n, num_threads=1)
    batch.seed(range(seed, seed + n))
    batch.reset()
    return batch


def rotations(body) -> Rotation:
    w, x, y, z = np.moveaxis(body["attitude"].astype(np.float64), -1, 0)
    return Rotation.from_quat(np.stack([x, y, z, w], axis=-1))


def test_initial_states_are_distributed_as_the_paper_has_them():
    body = started(20_000, precision="float64").states["body"]
    guided = (body["position"] == 0).all(axis=1)
    assert stats.binomtest(int(guided.sum()), len(guided), 0.1).pvalue > 1e-3
    np.testing.assert_array_equal(body["attitude"][guided], np.tile([1.0, 0, 0, 0], (guided.sum(), 1)))
    free = body[~guided]
    for name, array, low, high in (
        ("position", free["position"], -0.2, 0.2),
        ("velocity", body["velocity"], -1, 1),
        ("rates", body["rates"], -1, 1),
    ):
        for axis in range(3):
            found = stats.kstest(array[:, axis], stats.uniform(low, high - low).cdf).pvalue
            assert found > 1e-3, (name, axis)
    weight = 0.027 * 9.81
    for name, spread in (("force", weight / 20), ("torque", weight / 10_000)):
        for axis in range(3):
            assert stats.kstest(body[name][:, axis], stats.norm(0, spread).cdf).pvalue > 1e-3, name
    np.testing.assert_array_equal(body["rotor_speed"], 10851.0)


def test_initial_attitudes_are_uniform_rotations_of_at_most_90_degrees():
    body = started(20_000, precision="float64").states["body"]
    free = body[(body["position"] != 0).any(axis=1)]
    turns = rotations(free)
    angle = turns.magnitude()
    assert angle.max() <= np.pi / 2 + 1e-9

    def cdf(x):  # uniform rotations have the angle density (1 - cos x) / pi
        return (x - np.sin(x)) / (np.pi / 2 - 1)

    assert stats.kstest(angle, cdf).pvalue > 1e-3
    axes = turns.as_rotvec() / angle[:, np.newaxis]
    for axis in range(3):
        assert stats.kstest(axes[:, axis], stats.uniform(-1, 2).cdf).pvalue > 1e-3


def test_observation_is_the_noisy_state_and_the_history():
    batch = started(4000)
    history = np.zeros((4000, 32, 4), np.float32)
    generator = np.random.default_rng(3)
    for _ in range(37):  # more than the history holds
        actions = (HOVER_ACTION + 0.01 * generator.standard_normal((4000, 4))).astype(np.float32)
        output = batch.step(actions)
        history = np.concatenate([history[:, 1:], actions[:, np.newaxis]], axis=1)
    live = ~output.terminated
    body, observation = batch.states["body"][live], output.observations[live]
    np.testing.assert_array_equal(observation[:, 18:], history[live].reshape(live.sum(), -1))
    truth = np.concatenate(
        [body["position"], rotations(body).as_matrix().reshape(-1, 9), body["velocity"], body["rates"]], axis=1
    )
    noise = observation[:, :18] - truth
    for columns, spread in ((slice(0, 12), 0.001), (slice(12, 18), 0.002)):
        sample = noise[:, columns].reshape(-1)
        assert stats.kstest(sample[:4000], stats.norm(0, spread).cdf).pvalue > 1e-3
        assert sample.std() == pytest.approx(spread, rel=0.02)
    assert np.abs(np.corrcoef(noise.T) - np.eye(18)).max() < 0.1


def test_privileged_vector_is_the_critics_input():
    batch = started(50)
    output = batch.step(np.full((50, 4), 0.2, np.float32))
    body = batch.states["body"]
    found = output.info["privileged"]
    expected = np.concatenate(
        [
            body["position"],
            rotations(body).as_matrix().reshape(-1, 9),
            body["velocity"],
            body["rates"],
            body["force"],
            body["torque"],
            body["rotor_speed"] / (21702 / 2) - 1,
        ],
        axis=1,
    )
    np.testing.assert_allclose(found, expected, atol=2e-6)


def reference_reward(body, after, action, weights) -> float:
    """The reward of the paper's code, from the state before the step."""
    names = ("position", "orientation", "velocity", "rates", "linear_acceleration", "angular_acceleration", "action")
    w = {name: weights.get(name, 0.0) for name in names}
    cost = (
        w["position"] * np.sum(body["position"] ** 2)
        + w["orientation"] * (1 - body["attitude"][0] ** 2)
        + w["velocity"] * np.sum(body["velocity"] ** 2)
        + w["rates"] * np.sum(body["rates"] ** 2)
        + w["linear_acceleration"] * np.sum(((after["velocity"] - body["velocity"]) / 0.01) ** 2)
        + w["angular_acceleration"] * np.sum(((after["rates"] - body["rates"]) / 0.01) ** 2)
        + w["action"] * np.sum((action.astype(np.float64) - 0.334) ** 2)
    )
    return 2 - 0.5 * cost


@pytest.mark.parametrize(
    "weights",
    [
        {"position": 40, "orientation": 5, "velocity": 1, "action": 1},
        {"position": 5, "orientation": 5, "velocity": 0.01, "action": 0.01},
        dict.fromkeys(("position", "orientation", "velocity", "action"), 0.0)
        | {"rates": 0.3, "linear_acceleration": 0.002, "angular_acceleration": 1e-5},
    ],
)
def test_reward(weights):
    batch = started(60, precision="float64", weights=weights)
    generator = np.random.default_rng(0)
    for _ in range(30):
        before = batch.states["body"].copy()
        actions = generator.uniform(-1, 1, (60, 4)).astype(np.float32)
        output = batch.step(actions)
        for i in range(60):
            expected = reference_reward(before[i], batch.states["body"][i], actions[i], weights)
            wanted = 0.0 if output.terminated[i] else expected
            assert output.rewards[i] == pytest.approx(wanted, rel=1e-5, abs=1e-5)
    assert output.terminated.any()


def test_named_weights_are_those_of_the_paper():
    target, initial = HoverWorld().params[0]["weights"], HoverWorld(weights="initial").params[0]["weights"]
    names = ("position", "orientation", "velocity", "rates", "action")
    np.testing.assert_allclose([target[name] for name in names], [40, 5, 1, 0, 1])
    np.testing.assert_allclose([initial[name] for name in names], [5, 5, 0.01, 0, 0.01])


def test_curriculum_changes_the_reward_at_once():
    env = gymnasium.make_vec("envsuite/QuadHover-v0", num_envs=4, weights="initial")
    env.reset(seed=0)
    snapshot = env.get_state()
    actions = np.zeros((4, 4), np.float32)
    mild = env.step(actions)[1]
    env.set_state(snapshot)
    env.world.set_reward_weights("target")
    assert (env.step(actions)[1] < mild).all()


def test_ends_exactly_when_an_axis_leaves_the_box():
    batch = started(500)
    ended = np.zeros(500, bool)
    for _ in range(200):
        output = batch.step(np.full((500, 4), 0.3, np.float32), ended)
        outside = (np.abs(batch.states["body"]["position"]) > np.float32(0.6)).any(axis=1)
        np.testing.assert_array_equal(output.terminated & ~ended, outside & ~ended)
        np.testing.assert_array_equal(output.info["crashed"] & ~ended, outside & ~ended)
        ended = output.terminated


def test_success_and_peaks_are_those_of_the_evaluation_protocol():
    world = HoverWorld()
    batch = Batch(world, 20, horizon=500)
    batch.seed(range(20))
    output = batch.reset()
    expert, log = companion(world, Players).expert(), []
    for _ in range(500):
        output = batch.step(expert.act(output.observations, batch.states), batch.done)
        names = ("distance", "angle", "speed", "rate", "angular_acceleration")
        log.append(np.stack([output.info[name] for name in names], axis=-1))
        if batch.done.any():
            assert output.terminated[batch.done].all() or len(log) == 500
    settled = output.info[output.truncated]
    assert len(settled) > 10
    np.testing.assert_array_equal(settled["is_success"], settled["distance"] < 0.2)
    whole = np.array(log)[:, output.truncated]
    np.testing.assert_array_equal(settled["peak_after_100"], whole[99:].max(axis=0))
    np.testing.assert_array_equal(settled["peak_after_200"], whole[199:].max(axis=0))


def test_angle_is_the_rotations():
    batch = started(100)
    output = batch.step(np.zeros((100, 4), np.float32))
    np.testing.assert_allclose(output.info["angle"], rotations(batch.states["body"]).magnitude(), atol=2e-6)


def test_hover_action_is_an_equilibrium():
    batch = started(1, precision="float64", noise=False)
    body = batch.states["body"]
    for name in ("position", "velocity", "rates", "force", "torque"):
        body[name] = 0
    body["attitude"] = [1, 0, 0, 0]
    body["rotor_speed"] = 14475.809
    for _ in range(100):
        output = batch.step(np.full((1, 4), HOVER_ACTION, np.float32))
    assert output.info["distance"][0] < 1e-5
    # noise-free observations are the state itself
    np.testing.assert_allclose(output.observations[0, :3], body["position"][0], atol=1e-7)


def test_action_noise_has_its_spread_and_stays_in_range():
    batch = started(5000, action_noise=0.1)
    batch.step(np.zeros((5000, 4), np.float32))
    commands = batch.states["history"][:, :4]
    assert stats.kstest(commands.reshape(-1), stats.norm(0, 0.1).cdf).pvalue > 1e-3
    batch.step(np.ones((5000, 4), np.float32))
    assert batch.states["history"].max() == 1.0


@pytest.mark.parametrize("name", ["l2f_cf2024", "mrs", "x500_sim", "x500_real", "flightmare", "fs"])
def test_expert_holds_other_vehicles(name):
    world = HoverWorld(vehicle=name)
    batch = Batch(world, 50, horizon=500)
    batch.seed(range(50))
    output = batch.reset()
    expert, settled, over = companion(world, Players).expert(), np.zeros(50, bool), np.zeros(50, bool)
    for _ in range(500):
        output = batch.step(expert.act(output.observations, batch.states), over)
        settled |= output.truncated & output.info["is_success"] & ~over
        over |= batch.done
    assert settled.mean() > 0.5


def test_single_and_double_precision_fly_the_same_way():
    single, double = started(20, noise=False), started(20, noise=False, precision="float64")
    actions = np.full((20, 4), HOVER_ACTION, np.float32)
    for _ in range(20):
        one, two = single.step(actions), double.step(actions)
    np.testing.assert_allclose(one.observations, two.observations, rtol=2e-3, atol=2e-4)


def test_float32_kernel_does_no_double_arithmetic():
    from numba import njit

    batch = started(1)
    fresh = njit(nogil=True, error_model="numpy")(HoverWorld.loops.step.py_func)  # cached code cannot be inspected
    output = batch.last
    observations = seen_by(batch.world.loops, batch.world.observation, output.observations)
    outputs = (observations, output.rewards, output.terminated, output.truncated, output.info)
    fresh(batch.states, batch._params, np.zeros((1, 4), np.float32), batch.done, 0, *outputs, 0, 1)
    code = "".join(fresh.inspect_llvm().values())
    assert code.count("fmul float") > 200, "the kernels it calls are not in the inspected code"
    for operation in ("fadd double", "fmul double", "fsub double", "fdiv double", "fpext float"):
        assert operation not in code, operation


@pytest.mark.parametrize(
    ("options", "mention"),
    [
        ({"vehicle": "cf9"}, "unknown vehicle 'cf9'"),
        ({"vehicle": "cf2x"}, "'cf2x' has no motor time constant, expected one of .*l2f_cf2023"),
        ({"weights": "heavy"}, "weights is 'heavy', expected one of"),
        ({"weights": {"colour": 1}}, "unknown weight 'colour'"),
        ({"weights": {"position": -1}}, "weight position is -1"),
        ({"weights": {"position": np.nan}}, "weight position is nan"),
        ({"action_noise": 2}, "action_noise is 2"),
        ({"precision": "float16"}, "precision is 'float16'"),
    ],
)
def test_bad_options_are_named(options, mention):
    with pytest.raises(ValueError, match=mention):
        gymnasium.make("envsuite/QuadHover-v0", **options)


def test_description_is_true_and_answers_are_read():
    env = gymnasium.make("envsuite/QuadHover-v0").unwrapped
    env.reset(seed=1)
    body = env.batch.states[0]["body"]
    text = env.describe()
    for value in body["position"]:
        assert f"{value + 0.0:.2f}" in text
    tilt = np.degrees(np.arccos(rotations(body[np.newaxis]).as_matrix()[0, 2, 2]))
    assert f"Tilt {tilt:.1f} degrees" in text
    np.testing.assert_allclose(env.parse("I climb: [0.5, 0.5, 0.5, 0.5]"), 0.5)
    refusal = env.parse("[2, 0, 0, 0]")
    assert isinstance(refusal, Refusal)
    assert refusal.kind is RefusalKind.OUT_OF_RANGE


def test_keys_tilt_the_way_they_say():
    env = gymnasium.make("envsuite/QuadHover-v0", noise=False).unwrapped
    keys = env.get_keys_to_action()
    for held, axis, sign in ((("up",), 0, 1), (("down",), 0, -1), (("left",), 1, 1), (("right",), 1, -1)):
        env.reset(seed=0)
        body = env.batch.states["body"]
        for name in ("position", "velocity", "rates", "force", "torque"):
            body[name] = 0
        body["attitude"] = [1, 0, 0, 0]
        body["rotor_speed"] = 14475.8
        for _ in range(20):
            env.step(keys[held])
        assert np.sign(env.batch.states["body"]["velocity"][0, axis]) == sign, held


@pytest.mark.slow
def test_expert_settles_as_often_as_in_an_independent_simulation():
    episodes = play(envsuite.card("QuadHover"), expert_policy, 1000, first_seed=0)
    alive = (episodes.lengths == 500).mean()
    assert alive == pytest.approx(0.957, abs=0.025)
    assert episodes.metrics["is_success"].mean() == pytest.approx(0.953, abs=0.025)
    assert np.median(episodes.metrics["distance"]) == pytest.approx(0.086, abs=0.01)
