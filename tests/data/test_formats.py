"""Files of other benchmarks, as those write them, with the defects that they are known for."""

import numpy as np
import pytest

from envsuite.data import generate, verify
from envsuite.data.formats.d4rl import MAZE2D, Repairs, export_d4rl, import_d4rl
from envsuite.data.formats.flat import Told
from envsuite.data.formats.neorl import import_neorl
from envsuite.data.formats.ogbench import export_ogbench, import_ogbench
from tests.data.conftest import recipe

TOLD = Told("other/data-v0", env_id="Other-v0")


def walk(lengths):
    """True trajectories: positions count on from 1000 times the episode; (position, final position) an episode."""
    return [(1000 * k + np.arange(n), 1000 * k + n) for k, n in enumerate(lengths)]


def write_d4rl(path, lengths, terminated, timeouts=None, next_observations=False, rewards=None):
    h5py = pytest.importorskip("h5py")
    parts = walk(lengths)
    position = np.concatenate([rows for rows, _ in parts]).astype(np.float32)
    following = np.concatenate([np.append(rows[1:], last) for rows, last in parts]).astype(np.float32)
    last = np.cumsum(lengths) - 1
    terminals = np.zeros(len(position), np.bool_)
    terminals[last[terminated]] = True
    with h5py.File(path, "w") as file:
        file["observations"] = np.stack([position, -position], axis=1)
        file["actions"] = np.full((len(position), 2), 0.5, np.float32)
        file["rewards"] = position if rewards is None else rewards
        file["terminals"] = terminals
        if timeouts is not None:
            flags = np.zeros(len(position), np.bool_)
            flags[last[timeouts]] = True
            file["timeouts"] = flags
        file["infos/qpos"] = position[:, None]
        if next_observations:
            file["next_observations"] = np.stack([following, -following], axis=1)
    return path


def test_steps_whose_successor_is_lost_are_given_up(tmp_path):
    path = write_d4rl(tmp_path / "x.hdf5", [4, 3, 1, 5], terminated=[1], timeouts=[0, 2])
    data = import_d4rl(path, TOLD, tmp_path)
    # episode 0 loses its last step, 1 ends by the task, 2 had one step only, 3 ends with the file
    assert data.lengths.tolist() == [3, 3, 4]
    assert data.columns["final_observations"][:, 0].tolist() == [3, 1002, 3004]
    assert data.columns["final_known"].tolist() == [True, False, True]
    assert data.columns["terminated"].nonzero()[0].tolist() == [5]
    assert data.columns["truncated"].nonzero()[0].tolist() == [2, 9]
    assert data.columns["rewards"].tolist() == [0, 1, 2, 1000, 1001, 1002, 3000, 3001, 3002, 3003]
    assert data.columns["infos.qpos"][:, 0].tolist() == data.columns["rewards"].tolist()
    batch = data.take(np.arange(10))
    known = batch.next_observations[~batch.terminated, 0] - batch.observations[~batch.terminated, 0]
    assert (known == 1).all()  # no transition leads from one episode into another
    assert verify(data) == []
    fixed = data.manifest.about.origin["repairs"]
    assert fixed == {
        "both_flags": 0,
        "unmarked_end": 1,
        "steps_given_up": 3,
        "episodes_given_up": 1,
        "final_observations_unknown": 1,
    }


def test_next_observations_make_everything_known(tmp_path):
    path = write_d4rl(tmp_path / "x.hdf5", [4, 3, 2], terminated=[1, 2], timeouts=[0, 2], next_observations=True)
    data = import_d4rl(path, TOLD, tmp_path)
    assert data.lengths.tolist() == [4, 3, 2]
    assert data.columns["final_observations"][:, 0].tolist() == [4, 1003, 2002]
    assert data.columns["final_known"].all()
    assert data.manifest.about.origin["repairs"]["both_flags"] == 1
    assert not (data.columns["terminated"] & data.columns["truncated"]).any()
    assert verify(data) == []


def test_goals_of_maze2d_are_no_ends_and_rewards_move_up(tmp_path):
    rewards = np.arange(20, dtype=np.float32) * 10  # the reward of row t is that of arriving at row t
    path = write_d4rl(tmp_path / "x.hdf5", [20], terminated=[], rewards=rewards)
    h5py = pytest.importorskip("h5py")
    with h5py.File(path, "a") as file:
        flags = np.zeros(20, np.bool_)
        flags[[3, 9]] = True
        file["timeouts"] = flags
    data = import_d4rl(path, TOLD, tmp_path, repairs=MAZE2D)
    assert data.lengths.tolist() == [19]
    assert data.columns["rewards"].tolist() == [10.0 * (k + 1) for k in range(19)]
    cut = import_d4rl(path, TOLD, tmp_path, repairs=Repairs("goals", 6, late_rewards=True))
    assert cut.lengths.tolist() == [6, 6, 6, 1]
    assert cut.columns["final_observations"][:, 0].tolist() == [6, 12, 18, 19]
    assert cut.columns["final_known"].all()
    batch = cut.take(np.arange(19))
    np.testing.assert_array_equal(batch.rewards, 10 * batch.next_observations[:, 0])
    assert verify(cut) == []


def test_what_is_exported_comes_back_whole(tmp_path):
    pytest.importorskip("h5py")
    made = generate(recipe(infos=("distance",)), tmp_path)
    export_d4rl(made, tmp_path / "x.hdf5")
    data = import_d4rl(tmp_path / "x.hdf5", TOLD, tmp_path)
    for name in ("observations", "actions", "rewards", "terminated", "truncated", "offsets", "infos.distance"):
        assert data.manifest.columns[name] == made.manifest.columns[name]
    assert data.manifest.columns["final_observations"] == made.manifest.columns["final_observations"]
    assert not any(data.manifest.about.origin["repairs"].values())
    with pytest.raises(FileExistsError, match="there already"):
        export_d4rl(made, tmp_path / "x.hdf5")
    texts = generate(recipe(observation="text", episodes=1), tmp_path)
    with pytest.raises(ValueError, match="no plain arrays"):
        export_d4rl(texts, tmp_path / "y.hdf5")


def test_repairs_that_make_no_sense_are_refused(tmp_path):
    with pytest.raises(ValueError, match="trajectories that go on"):
        Repairs("ends", 6)
    with pytest.raises(ValueError, match="at least 1"):
        Repairs("goals", -1)
    path = write_d4rl(tmp_path / "x.hdf5", [4, 3], terminated=[0])
    with pytest.raises(ValueError, match="only where nothing terminates"):
        import_d4rl(path, TOLD, tmp_path, repairs=MAZE2D)


def test_misplaced_files_are_refused(tmp_path):
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "x.hdf5"
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="cannot be read"):
        import_d4rl(path, TOLD, tmp_path)
    with h5py.File(path, "w") as file:
        file["observations"] = np.zeros((3, 1))
    with pytest.raises(ValueError, match="has no array 'actions'"):
        import_d4rl(path, TOLD, tmp_path)
    with h5py.File(path, "w") as file:
        for name, rows in (("observations", 3), ("actions", 3), ("rewards", 2), ("terminals", 3)):
            file[name] = np.zeros((rows, 1))
    with pytest.raises(ValueError, match="expected the same number"):
        import_d4rl(path, TOLD, tmp_path)
    np.savez(tmp_path / "evil.npz", observations=np.array([{}], object), actions=np.zeros(1), terminals=np.zeros(1))
    with pytest.raises(ValueError, match="cannot be read"):
        import_ogbench(tmp_path / "evil.npz", TOLD, tmp_path)


def test_ogbench_rows_of_ends_are_final_observations(tmp_path):
    position = np.concatenate([rows for n in (4, 2) for rows in [np.arange(n + 1)]]).astype(np.float32)
    terminals = np.array([0, 0, 0, 0, 1, 0, 0, 1], np.float32)
    np.savez(
        tmp_path / "x.npz",
        observations=position[:, None],
        actions=np.ones((8, 2), np.float32),
        terminals=terminals,
        qpos=position[:, None].astype(np.float64),
    )
    data = import_ogbench(tmp_path / "x.npz", TOLD, tmp_path)
    assert data.lengths.tolist() == [4, 2]
    assert data.columns["final_observations"].ravel().tolist() == [4, 2]
    assert not data.columns["terminated"].any()
    batch = data.take(np.arange(6))
    np.testing.assert_array_equal(batch.next_observations, batch.observations + 1)
    assert (batch.discounts == 1).all()
    assert "infos.qpos" in data.columns
    assert verify(data, checks=("flags", "finite", "range", "hash")) == []
    export_ogbench(data, tmp_path / "back.npz")
    with np.load(tmp_path / "back.npz") as back:
        np.testing.assert_array_equal(back["observations"].ravel(), position)
        np.testing.assert_array_equal(back["terminals"], terminals)
    np.savez(tmp_path / "y.npz", observations=np.zeros((2, 1)), actions=np.zeros((2, 1)), terminals=np.ones(2))
    with pytest.raises(ValueError, match="has one row"):
        import_ogbench(tmp_path / "y.npz", TOLD, tmp_path)


def neorl_arrays(lengths, done):
    parts = walk(lengths)
    flags = np.zeros((sum(lengths), 1), np.float32)
    flags[(np.cumsum(lengths) - 1)[done]] = 1
    return {
        "obs": np.concatenate([rows for rows, _ in parts])[:, None].astype(np.float32),
        "next_obs": np.concatenate([np.append(rows[1:], last) for rows, last in parts])[:, None].astype(np.float32),
        "action": np.zeros((sum(lengths), 1), np.float32),
        "reward": np.ones((sum(lengths), 1), np.float32),
        "done": flags,
        "index": np.concatenate([[0], np.cumsum(lengths)[:-1]]),
    }


def test_neorl_tells_ends_from_limits_by_length(tmp_path):
    arrays = neorl_arrays([5, 3, 5], [0, 1])
    np.savez(tmp_path / "x.npz", **arrays)
    data = import_neorl(tmp_path / "x.npz", Told("other/data-v0", horizon=5), tmp_path)
    assert data.lengths.tolist() == [5, 3, 5]
    assert data.columns["terminated"].nonzero()[0].tolist() == [7]
    assert data.columns["truncated"].nonzero()[0].tolist() == [4, 12]
    assert data.columns["final_observations"].ravel().tolist() == [5, 1003, 2005]
    assert data.manifest.about.origin["repairs"] == {"done_inside": 0, "done_at_the_limit": 1}
    assert verify(data) == []
    arrays["next_obs"][1] += 1
    np.savez(tmp_path / "y.npz", **arrays)
    with pytest.raises(ValueError, match="next_obs at row 1"):
        import_neorl(tmp_path / "y.npz", TOLD, tmp_path)
    arrays["index"] = np.array([1, 2])
    np.savez(tmp_path / "z.npz", **arrays)
    with pytest.raises(ValueError, match="index does not rise from 0"):
        import_neorl(tmp_path / "z.npz", TOLD, tmp_path)
