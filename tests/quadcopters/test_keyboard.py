"""Keys move drones the way they say."""

import gymnasium
import numpy as np
import pytest

import envsuite  # noqa: F401

WAYS = {("up",): (0, 1), ("down",): (0, -1), ("left",): (1, 1), ("right",): (1, -1), ("w",): (2, 1), ("s",): (2, -1)}


@pytest.mark.parametrize("act", ["rpm", "pid", "vel", "one_d_rpm", "one_d_pid"])
@pytest.mark.parametrize("key", WAYS)
def test_keys_of_the_gpd_worlds(act, key):
    env = gymnasium.make("envsuite/QuadHoverGPD-v0", act=act).unwrapped
    keys = env.get_keys_to_action()
    if key not in keys:
        assert act.startswith("one_d") or (act, key) == ("pid", ("w",))
        return
    assert all(env.action_space.contains(action) for action in keys.values())
    env.reset(seed=0)
    drone = env.batch.states["drones"]
    drone["position"] = (0, 0, 1)
    drone["attitude"] = (1, 0, 0, 0)
    drone["previous_attitude"] = (1, 0, 0, 0)
    for _ in range(12):
        env.step(keys[key])
    axis, sign = WAYS[key]
    assert np.sign(env.batch.states["drones"]["velocity"][0, 0, axis]) == sign
