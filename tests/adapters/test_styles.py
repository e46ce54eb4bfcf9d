"""The ways of EnvPool and PufferLib beside our own vectors."""

import os
import subprocess
import sys
from importlib.util import find_spec

import gymnasium
import numpy as np
import pytest

from envsuite.adapters import envpool
from envsuite.adapters.puffer3 import PufferEnv
from tests.baselines.worlds import small


def actions_of(count: int, steps: int = 40) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 2, (steps, count))


def test_envpool_steps_like_a_vector():
    env_id = small("Pole", 12)
    ours = envpool.make(env_id, num_envs=6, batch_size=2, seed=7)
    peer = gymnasium.make_vec(env_id, 6)
    assert ours.observation_space == peer.single_observation_space
    assert len(ours) == 6
    np.testing.assert_array_equal(ours.reset()[0], peer.reset(seed=7)[0])
    for actions in actions_of(6):
        (*found, infos), (*expected, _) = ours.step(actions), peer.step(actions)
        for left, right in zip(found, expected, strict=True):
            np.testing.assert_array_equal(left, right)
        assert infos["env_id"].tolist() == list(range(6))
        np.testing.assert_array_equal(infos["elapsed_step"], peer.batch.states["clock"]["step"])
    ours.close()


def test_envpool_groups_move_by_themselves():
    """However groups take turns, an instance's episode is its own."""
    env_id = small("Pendulum")
    ours = envpool.make(env_id, num_envs=4, batch_size=2, seed=0)
    peer = gymnasium.make_vec(env_id, 4)
    seen = peer.reset(seed=0)[0]
    alone = [seen]
    for _ in range(8):
        alone.append(peer.step(np.ones((4, 1), np.float32))[0])
    ours.async_reset()
    counts = np.zeros(4, int)
    for _ in range(10):
        observations, _, _, _, infos = ours.recv()
        ids = infos["env_id"]
        for row, i in zip(observations, ids, strict=True):
            np.testing.assert_array_equal(row, alone[counts[i]][i])
        counts[ids] += 1
        ours.send(np.ones((2, 1), np.float32), ids)
    assert counts.tolist() == [5] * 4
    with pytest.raises(ValueError, match=r"\[1, 2\] are no group"):
        ours.send(np.ones((2, 1), np.float32), [1, 2])
    with pytest.raises(ValueError, match="3 actions for 2 instances"):
        ours.send(np.ones((3, 1), np.float32), [0, 1])
    ours.close()
    with pytest.raises(ValueError, match="expected a divisor"):
        envpool.make(env_id, num_envs=4, batch_size=3)
    with pytest.raises(ValueError, match="'dm'"):
        envpool.make(env_id, "dm")
    with pytest.raises(RuntimeError, match="before recv"):
        envpool.make(env_id).recv()


@pytest.mark.parametrize("name", ["Pole", "Guess"])
def test_puffer_writes_into_its_buffers(name):
    agents = 2 if name == "Guess" else 1
    rows = 3 * agents
    env_id = small(name, 12)
    sizes = gymnasium.make_vec(env_id, 1).world.observation.shape
    buf = {
        "observations": np.zeros((rows, *sizes), np.float32),
        "rewards": np.zeros(rows, np.float32),
        "terminals": np.zeros(rows, np.bool_),
        "truncations": np.zeros(rows, np.bool_),
        "masks": np.zeros(rows, np.bool_),
        "actions": np.zeros(rows, np.int32),
    }
    env = PufferEnv(env_id, 3, buf=buf, seed=2)
    assert env.num_agents == rows
    import envsuite

    options = {"autoreset_mode": "SameStep"}
    peer = envsuite.parallel_vec(env_id, 3, **options) if agents > 1 else gymnasium.make_vec(env_id, 3, **options)
    observations, infos = env.reset()
    assert observations is buf["observations"]
    assert infos == []
    np.testing.assert_array_equal(observations.reshape(3, -1), peer.reset(seed=2 * 3)[0].reshape(3, -1))
    totals, lengths, told = np.zeros(3), np.zeros(3), []
    for actions in actions_of(rows):
        *found, infos = env.step(actions)
        expected = peer.step(actions.reshape(peer.action_space.shape))
        for left, right in zip(found, expected[:4], strict=True):
            np.testing.assert_array_equal(left.reshape(-1), right.reshape(-1).astype(left.dtype))
        assert [one is two for one, two in zip(found, buf.values(), strict=False)] == [True] * 4
        totals += expected[1].reshape(3, -1).sum(1)
        lengths += 1
        over = (expected[2] | expected[3]).reshape(3, -1).all(1)
        if over.any():
            assert infos[0]["episode_return"] == pytest.approx(totals[over].mean())
            assert infos[0]["episode_length"] == pytest.approx(lengths[over].mean())
            totals[over], lengths[over] = 0.0, 0.0
            told += infos
        else:
            assert infos == []
    assert told
    assert buf["masks"].all()
    with pytest.raises(ValueError, match="2 objectives"):
        PufferEnv(small("Trade"))


SCRIPT = """
import numpy as np
import pufferlib.vector
import envsuite
from envsuite.adapters.puffer3 import PufferEnv

def main():
    for backend, workers in (("Serial", {}), ("Multiprocessing", {"num_workers": 2})):
        vector = pufferlib.vector.make(PufferEnv, ["QuadMultiHover"], {"num_envs": 3}, backend, num_envs=2, **workers)
        peer = envsuite.parallel_vec("QuadMultiHover", 6, autoreset_mode="SameStep")
        rng = np.random.default_rng(0)
        assert np.array_equal(vector.reset(seed=0)[0], peer.reset(seed=0)[0].reshape(12, -1))
        for _ in range(60):
            actions = rng.uniform(-1, 1, (12, 4)).astype(np.float32)
            found, expected = vector.step(actions), peer.step(actions.reshape(6, 2, 4))
            for left, right in zip(found[:4], expected[:4], strict=True):
                assert np.array_equal(left.reshape(12, -1), right.reshape(12, -1))
        vector.close()
    native = pufferlib.vector.make(PufferEnv, ["QuadHover"], {"num_envs": 8})
    native.async_reset(0)
    assert native.recv()[0].shape == (8, 146)

if __name__ == "__main__":
    main()
"""


@pytest.mark.slow
def test_vectors_of_pufferlib_itself_take_it(tmp_path):
    """Copies in its workers are one long batch; it runs elsewhere, since PufferLib leaves a link where it starts."""
    if find_spec("pufferlib") is None:
        pytest.skip("pufferlib is not installed")
    (tmp_path / "vectors.py").write_text(SCRIPT, encoding="utf-8")
    paths = os.pathsep.join(filter(None, (os.getcwd(), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-W", "ignore", "vectors.py"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()[-3000:]
