"""NeoRL-2's two bodies beside Gymnasium's, with NeoRL-2's rules written once more."""

import gymnasium
import numpy as np
import pytest

from envsuite.core.single import WorldEnv
from envsuite.locomotion.neorl.world import RandomFrictionHopperWorld, SafetyHalfCheetahWorld

from .test_gymnasium import copy_state, solve_to_the_end

pytest.importorskip("mujoco")


def test_a_hopper_on_a_foot_that_rubs():
    """Equal steps; no pay for staying healthy; ends by NeoRL-2's conditions on what is observed."""
    theirs = gymnasium.make("Hopper-v5", exclude_current_positions_from_observation=False).unwrapped
    ours = WorldEnv(RandomFrictionHopperWorld())
    solve_to_the_end(theirs)
    foot = theirs.model.geom("foot_geom")
    draws, ends, found = np.random.default_rng(0), 0, []
    for episode in range(60):
        seen, _ = ours.reset(seed=episode)
        theirs.reset(seed=episode)
        found.append(seen[-1])
        foot.friction[0] = seen[-1]
        for _ in range(100):
            action = draws.uniform(-1, 1, 3).astype(np.float32)
            copy_state(theirs, ours)
            seen, reward, over, _, info = ours.step(action)
            expected, _, _, _, told = theirs.step(action.astype(np.float64))
            np.testing.assert_allclose(seen, [*expected, found[-1]], rtol=0, atol=1e-9)
            assert info["friction"] == found[-1]
            square = float(np.square(action.astype(np.float64)).sum())
            assert reward == pytest.approx(told["x_velocity"] - 1e-3 * square, abs=1e-9)
            fallen = seen[1] <= 0.7 or abs(seen[2]) >= 0.2 or bool((np.abs(seen[3:]) >= 100).any())
            assert over == fallen
            if over:
                ends += 1
                break
    theirs.close()
    assert ends == 60
    assert np.allclose(np.round(found, 2), found)
    assert 1.5 <= min(found) < 1.6
    assert 2.4 < max(found) <= 2.5
    assert np.mean(found) == pytest.approx(2, abs=4 / np.sqrt(12 * 60))


def test_a_runner_with_a_limit():
    """Equal steps; a step that is too fast costs 100, and is told."""
    theirs = gymnasium.make("HalfCheetah-v5", exclude_current_positions_from_observation=False).unwrapped
    ours = WorldEnv(SafetyHalfCheetahWorld())
    solve_to_the_end(theirs)
    theirs.reset(seed=0)
    ours.reset(seed=0)
    draws, fast = np.random.default_rng(0), 0
    for step in range(400):
        if step % 20 == 0:  # pushed, since random play is slow
            speed = theirs.data.qvel.copy()
            speed[0] = draws.uniform(0, 6)
            theirs.set_state(theirs.data.qpos.copy(), speed)
        action = draws.uniform(-1, 1, 6).astype(np.float32)
        copy_state(theirs, ours)
        seen, reward, over, _, info = ours.step(action)
        expected, paid, _, _, told = theirs.step(action.astype(np.float64))
        np.testing.assert_allclose(seen, expected, rtol=0, atol=1e-9)
        above = told["x_velocity"] > 3.2096
        fast += above
        assert reward == pytest.approx(-100.0 if above else paid, abs=1e-8)
        assert info["cost"] == above
        assert not over
    theirs.close()
    assert 20 < fast < 380


@pytest.mark.parametrize("given", [(0.0, 1.0), (2.0, 1.0), (1.0,), "1"])
def test_bad_ranges_of_friction(given):
    with pytest.raises(ValueError, match="foot_friction_range is"):
        RandomFrictionHopperWorld(foot_friction_range=given)


def test_bad_limits():
    with pytest.raises(ValueError, match=r"speed_limit is -1\.0|speed_limit"):
        gymnasium.make("envsuite/SafetyHalfCheetah-v0", speed_limit=-1.0)
