import gymnasium
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import envsuite  # noqa: F401
from envsuite.cards import EnvCard
from envsuite.core.batch import Batch
from envsuite.core.language import Refusal
from envsuite.evaluation.rollout import expert_policy, play
from envsuite.quadcopters.hover_gpd.cards import CARDS
from envsuite.quadcopters.hover_gpd.kernel import QuadHoverGPD
from tests.quadcopters.reference import BulletReference, PidReference

ID = CARDS[0].id
SIZES = {"rpm": 4, "pid": 3, "vel": 4, "one_d_rpm": 1, "one_d_pid": 1}
HOVER = np.sqrt(0.027 * 9.8 / (4 * 3.16e-10))


def make(**options):
    return gymnasium.make(ID, **options).unwrapped


def still(env):
    return np.zeros(env.action_space.shape, np.float32)


def drone_of(env):
    return env.batch.states[0]["drones"][0]


class OriginalHover:
    """HoverAviary with physics mode PYB, written down independently, in double precision."""

    def __init__(self, act):
        self.act, self.pid = act, PidReference()
        self.actions = [np.zeros(SIZES[act], np.float32)] * 15
        self.reset()

    def reset(self):
        self.body, self.counter = BulletReference("pyb", "cf2x", [(0.0, 0.0, 0.1125)]), 0
        return self._observation()

    def _observation(self):
        body = self.body
        euler = body.rotation[0].as_euler("ZYX")[::-1]
        kinematics = np.concatenate([body.p[0], euler, body.v[0], body.w[0]])
        return np.concatenate([kinematics.astype(np.float32), *self.actions])

    def _rotor_speeds(self, action):
        if self.act in ("rpm", "one_d_rpm"):
            return HOVER * np.broadcast_to(np.float32(1) + np.float32(0.05) * action, 4).astype(float)
        p, rotation, v = self.body.p[0], self.body.rotation[0], self.body.v[0]
        goal, speed, yaw = p, np.zeros(3), 0.0
        if self.act == "pid":
            offset = action - p
            goal = p + offset / max(1.0, np.linalg.norm(offset))
        elif self.act == "vel":
            direction = action[:3] / max(np.linalg.norm(action[:3]), 1e-30)
            speed = 0.03 * 30 / 3.6 * abs(action[3]) * direction
            yaw = rotation.as_euler("ZYX")[0]
        else:
            goal = p + np.array([0, 0, 0.1 * action[0]])
        return self.pid(p, rotation, v, goal, speed, yaw, 1 / 30)

    def step(self, action):
        self.actions = [*self.actions[1:], action]
        rpm = self._rotor_speeds(action)
        for _ in range(8):
            self.body.step(rpm[np.newaxis])
        p = self.body.p[0]
        distance = np.linalg.norm(p - [0, 0, 1])
        _, pitch, roll = self.body.rotation[0].as_euler("ZYX")
        out = max(abs(p[0]), abs(p[1])) > 1.5 or p[2] > 2 or max(abs(roll), abs(pitch)) > 0.4
        late = self.counter / 240 > 8
        self.counter += 8
        return self._observation(), max(0.0, 2 - distance**4), distance < 1e-4, bool(out or late)


@pytest.mark.parametrize(
    ("act", "mean", "spread", "steps"),
    [
        ("rpm", [0.3] * 4, 0.02, 60),
        ("pid", [0, 0, 0.7], 0.05, 20),
        ("vel", [0, 0, 0.8, 0.4], 0.3, 12),  # 30 Hz is too slow for this controller: errors grow beyond
        ("one_d_rpm", [0.1], 0.3, 150),
        ("one_d_pid", [0.2], 0.8, 242),
    ],
)
def test_compat_is_the_original(act, mean, spread, steps):
    """Three episodes in a row, since the original carries memories from one to the next."""
    generator = np.random.default_rng(0)
    env, original = make(act=act, compat="gpd"), OriginalHover(act)
    env.reset(seed=0)
    for _ in range(3):
        ours, theirs = env.reset()[0], original.reset()
        np.testing.assert_allclose(ours[0], theirs, atol=1e-6)
        for _ in range(steps):
            action = np.clip(mean + spread * generator.uniform(-1, 1, SIZES[act]), -1, 1).astype(np.float32)
            ours = env.step(action[np.newaxis])[:4]
            theirs = original.step(action)
            np.testing.assert_allclose(ours[0][0], theirs[0], atol=2e-5)
            assert ours[1] == pytest.approx(theirs[1], abs=1e-6)
            assert ours[2:] == theirs[2:]
            if ours[2] or ours[3]:
                break


@pytest.mark.parametrize(
    ("act", "length"), [("rpm", 72), ("vel", 72), ("pid", 57), ("one_d_rpm", 27), ("one_d_pid", 27)]
)
def test_compat_spaces_of_the_original(act, length):
    env = make(act=act, compat="gpd")
    space = env.observation_space
    assert space.shape == (1, length)
    assert space.dtype == np.float32
    low = np.full(length, -1.0)
    low[:12] = -np.inf
    low[2] = 0
    np.testing.assert_array_equal(space.low[0], low)
    np.testing.assert_array_equal(space.high[0, :12], np.inf)
    np.testing.assert_array_equal(space.high[0, 12:], 1)
    assert env.action_space == gymnasium.spaces.Box(-1, 1, (1, SIZES[act]), np.float32)
    assert make(act=act).observation_space.shape == (length,)
    assert np.isfinite(make(act=act).observation_space.low).all()


def test_compat_flies_for_242_steps_at_most():
    env = make(compat="gpd")
    env.reset(seed=0)
    for k in range(1, 243):
        observation, _, terminated, truncated, _ = env.step(still(env))
        assert (terminated, truncated) == (False, k == 242)
    np.testing.assert_allclose(observation[0, :3], (0, 0, 0.1125), atol=1e-7)  # the hover speed holds it


def test_compat_keeps_past_actions_and_controller_memory_over_resets():
    for compat, kept in (("gpd", True), (None, False)):
        env = make(act="pid", compat=compat)
        env.reset(seed=0)
        for _ in range(20):
            env.step(np.broadcast_to(np.float32([0.1, 0.2, 0.9]), env.action_space.shape))
        observation = env.reset()[0].reshape(-1)
        assert observation[12:].any() == kept
        assert drone_of(env)["pid"]["position_integral"].any() == kept
        assert not env.reset(seed=0)[0].reshape(-1)[12:].any()  # a seed begins everything anew


def test_compat_does_not_clip_actions():
    """An action of 2 changes the rotor speed by a tenth."""
    env = make(act="one_d_rpm", compat="gpd")
    env.reset(seed=0)
    env.step(np.full((1, 1), 2.0, np.float32))
    np.testing.assert_allclose(drone_of(env)["command"], 1.1 * HOVER, rtol=1e-6)
    env = make(act="one_d_rpm")
    env.reset(seed=0)
    env.step(np.full(1, 2.0, np.float32))
    np.testing.assert_allclose(drone_of(env)["command"], 1.05 * HOVER, rtol=1e-6)


def test_compat_uses_the_x_mixer_for_the_plus_layout():
    gains = {
        (vehicle, compat): QuadHoverGPD(act="pid", vehicle=vehicle, compat=compat).params[0]["flight"]["gains"]["mixer"]
        for vehicle in ("cf2x", "cf2p")
        for compat in (None, "gpd")
    }
    np.testing.assert_array_equal(gains["cf2p", "gpd"], gains["cf2x", "gpd"])
    assert not np.array_equal(gains["cf2p", None], gains["cf2x", None])


@pytest.mark.parametrize("physics", ["dyn", "pyb"])
def test_angular_velocity_is_observed_in_the_world_frame(physics):
    env = make(compat="gpd", physics=physics)
    env.reset(seed=0)
    for _ in range(20):
        observation = env.step(np.float32([[0.30, 0.31, 0.30, 0.29]]))[0]
    drone = drone_of(env)
    rotation = Rotation.from_quat(drone["attitude"][[1, 2, 3, 0]])
    np.testing.assert_allclose(observation[0, 9:12], rotation.apply(drone["rates"]), rtol=1e-6, atol=1e-9)


def test_compat_falls_through_the_floor_only_under_the_explicit_dynamics():
    for compat, physics, sinks in (("gpd", "dyn", True), ("gpd", "pyb", False), (None, "dyn", False)):
        env = make(act="one_d_rpm", compat=compat, physics=physics)
        env.reset(seed=0)
        for _ in range(60):
            env.step(-np.ones(env.action_space.shape, np.float32))
        assert (drone_of(env)["position"][2] < 0) == sinks


def test_every_start_is_the_same_in_compat_and_random_otherwise():
    same = [make(compat="gpd").reset(seed=seed)[0] for seed in (0, 1)]
    np.testing.assert_array_equal(same[0], same[1])
    batch = Batch(QuadHoverGPD(), 4000)
    batch.seed(range(4000))
    starts = batch.reset().observations
    x, y, z, roll, pitch, yaw = starts[:, :6].T
    for values, low, high in ((x, -0.05, 0.05), (y, -0.05, 0.05), (z, 0.05, 0.15), (yaw, -np.pi, np.pi)):
        assert low <= values.min() < low + 0.01 * (high - low)
        assert high >= values.max() > high - 0.01 * (high - low)
        assert values.mean() == pytest.approx((low + high) / 2, abs=0.02 * (high - low))
    np.testing.assert_allclose((roll, pitch), 0, atol=1e-6)
    np.testing.assert_array_equal(starts[:, 6:], 0)


def put(env, position, euler=(0, 0, 0)):
    """Move the drone and take a hovering step."""
    env.reset(seed=3)
    drone = drone_of(env)
    drone["position"] = position
    attitude = Rotation.from_euler("ZYX", euler[::-1]).as_quat()[[3, 0, 1, 2]]
    drone["attitude"] = drone["previous_attitude"] = attitude
    return env.step(still(env))


@pytest.mark.parametrize(
    ("position", "euler"),
    [((1.51, 0, 1), (0, 0, 0)), ((0, -1.51, 1), (0, 0, 0)), ((0, 0, 2.01), (0, 0, 0)), ((0, 0, 1), (0.41, 0, 2)),
     ((0, 0, 1), (0, -0.41, 2))],
)  # fmt: skip
def test_beyond_the_limits_ends_the_flight(position, euler):
    _, reward, terminated, truncated, info = put(make(), position, euler)
    assert (reward, terminated, truncated, info["crashed"]) == (0, True, False, True)
    _, reward, terminated, truncated, _ = put(make(compat="gpd"), position, euler)
    assert (terminated, truncated) == (False, True)
    assert reward == pytest.approx(max(0, 2 - np.linalg.norm(np.subtract(position, (0, 0, 1))) ** 4), abs=1e-3)


@pytest.mark.parametrize(("position", "euler"), [((1.49, -1.49, 1.99), (0, 0, 3)), ((0, 0, 1), (0.38, -0.38, 0))])
def test_within_the_limits_the_flight_goes_on(position, euler):
    for compat in (None, "gpd"):
        assert put(make(compat=compat), position, euler)[2:4] == (False, False)


def test_the_goal_ends_the_original_only():
    _, reward, terminated, _, info = put(make(compat="gpd"), (0, 0, 1))
    assert terminated
    assert reward == pytest.approx(2, abs=1e-12)
    _, reward, terminated, _, info = put(make(precision="float64"), (0, 0, 1))
    assert not terminated
    assert reward == pytest.approx(2, abs=1e-12)
    assert info["is_success"]


def test_metrics_count_the_last_two_seconds():
    env = make(precision="float64")
    env.reset(seed=0)
    drone_of(env)["position"] = (0, 0, 1)
    total = 0.0
    for k in range(1, 91):
        if k == 71:
            drone_of(env)["position"] = (0.2, 0, 1)
        _, reward, _, _, info = env.step(still(env))
        total += reward
        assert info["near_share"] == pytest.approx((min(k, 60) if k <= 70 else 60 - (k - 70)) / 60)
    assert info["normalised_return"] == pytest.approx(total / 484, rel=1e-6)
    assert info["distance"] == pytest.approx(0.2, abs=1e-6)


def test_a_hard_landing_is_reported():
    env = make(act="one_d_rpm", precision="float64")
    env.reset(seed=0)
    drone_of(env)["velocity"][2] = -0.8
    for _ in range(10):
        _, _, terminated, _, info = env.step(np.float32([-1.0]))
    assert info["contact"]
    assert info["impact_speed"] > 0.8
    assert not terminated
    assert drone_of(env)["position"][2] == pytest.approx(0.0125)


@pytest.mark.parametrize(
    ("options", "least"),
    [
        ({"act": "one_d_rpm", "compat": "gpd"}, 474.0),  # the return at which the original stops training
        ({"act": "rpm", "compat": "gpd"}, 467.0),
        ({"act": "pid", "compat": "gpd"}, 467.0),
        ({"act": "one_d_pid", "compat": "gpd"}, 467.0),
        ({"act": "rpm"}, 467.0),
        ({"act": "rpm", "vehicle": "racer"}, 467.0),
        ({"act": "rpm", "physics": "pyb_gnd_drag_dw"}, 467.0),
        ({"act": "pid"}, 467.0),
        ({"act": "vel"}, 467.0),
        ({"act": "one_d_rpm"}, 467.0),
        ({"act": "one_d_pid"}, 460.0),
    ],
)
def test_the_expert_reaches_what_the_original_trains_for(options, least):
    card = EnvCard(**{**CARDS[0].__dict__, "options": options})
    episodes = play(card, expert_policy, 20)
    assert episodes.returns.min() > least
    assert not episodes.metrics["crashed"].any()
    assert (episodes.lengths == 242).all()


def test_says_what_it_sees_and_reads_answers():
    for act, size in SIZES.items():
        env = make(act=act)
        env.reset(seed=0)
        text = env.describe()
        assert "(0, 0, 1)" in text
        assert "brackets" in text
        action = env.parse("I answer [" + ", ".join(["0.25"] * size) + "]")
        np.testing.assert_array_equal(action, np.full(size, 0.25, np.float32))
        assert isinstance(env.parse("up, please"), Refusal)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"act": "thrust"}, r"act is 'thrust', expected one of 'rpm', 'pid'"),
        ({"physics": "mujoco"}, r"'mujoco'.*pyb_gnd_drag_dw"),
        ({"vehicle": "arpl"}, r"vehicle is 'arpl', expected one of 'cf2x', 'cf2p', 'racer', 'hb'"),
        ({"vehicle": "racer", "act": "vel"}, r"act 'vel' needs the DSL PID controller, which does not fly 'racer'"),
        ({"compat": "2021"}, r"compat is '2021'"),
        ({"precision": "float16"}, r"precision is 'float16'"),
        ({"speed_limit": -1.0}, r"speed_limit is -1.0"),
    ],
)
def test_bad_options_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        QuadHoverGPD(**options)
