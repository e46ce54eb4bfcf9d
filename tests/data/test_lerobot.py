"""LeRobot's format v3.0: what is written, read by Arrow, and by LeRobot where it is installed."""

import importlib
import io
import json
from importlib.util import find_spec

import numpy as np
import pytest

pq = pytest.importorskip("pyarrow.parquet")

from click.testing import CliRunner  # noqa: E402
from PIL import Image  # noqa: E402

import envsuite.data.formats.lerobot as form  # noqa: E402
from envsuite.cli import main  # noqa: E402
from envsuite.data import generate  # noqa: E402
from envsuite.data.formats.lerobot import export_lerobot  # noqa: E402
from tests.data.conftest import recipe  # noqa: E402

KINDS = [
    ("quad-hover/mixed-v0", "state", ("is_success",)),
    ("quad-multi-hover/mixed-v0", "state", ()),
    ("maze-point-umaze/random-v0", "state", ()),
    ("quad-hover/random-v0", "pixels", ()),
    ("quad-hover/random-v0", "text", ()),
]


def rows_of(column) -> np.ndarray:
    return np.array(column.to_pylist())


@pytest.mark.parametrize(("name", "observation", "infos"), KINDS)
def test_every_number_is_there(tmp_path, name, observation, infos):
    data = generate(recipe(name, observation=observation, infos=infos, episodes=4), tmp_path / "store")
    folder = export_lerobot(data, tmp_path / "out")
    info = json.loads((folder / "meta/info.json").read_text())
    assert (info["codebase_version"], info["total_episodes"], info["total_frames"]) == ("v3.0", 4, len(data))
    table = pq.read_table(folder / "data/chunk-000/file-000.parquet")
    assert set(table.column_names) == set(info["features"])
    episodes = pq.read_table(folder / "meta/episodes/chunk-000/file-000.parquet").to_pylist()
    timestamps = np.concatenate([np.arange(n) for n in data.lengths]).astype(np.float32)
    np.testing.assert_array_equal(rows_of(table["timestamp"]), (timestamps / info["fps"]).astype(np.float32))
    np.testing.assert_array_equal(rows_of(table["index"]), np.arange(len(data)))
    for k, episode in enumerate(data.episodes()):
        told = episodes[k]
        assert (told["episode_index"], told["length"], told["seed"]) == (k, len(episode), episode.seed)
        rows = table.slice(told["dataset_from_index"], told["length"])
        assert told["dataset_to_index"] - told["dataset_from_index"] == len(episode)
        assert rows_of(rows["episode_index"]).tolist() == [k] * len(episode)
        actions = episode.actions.reshape(len(episode), -1)
        np.testing.assert_array_equal(rows_of(rows["action"]), actions)
        np.testing.assert_allclose(told["stats/action/mean"], actions.mean(0, dtype=np.float64), atol=1e-12)
        rewards = episode.rewards.sum(1) if data.manifest.agents else episode.rewards
        np.testing.assert_array_equal(rows_of(rows["next.reward"]), rewards)
        assert rows_of(rows["next.done"]).tolist() == [False] * (len(episode) - 1) + [True]
        if infos:
            np.testing.assert_array_equal(rows_of(rows["next.success"]), episode.infos["is_success"])
        if observation == "state":
            seen = rows_of(rows["observation.state"])
            np.testing.assert_array_equal(seen, episode.observations.reshape(len(episode), -1))
        elif observation == "pixels":
            frames = [Image.open(io.BytesIO(one["bytes"])) for one in rows["observation.image"].to_pylist()]
            np.testing.assert_array_equal(np.stack([np.array(one) for one in frames]), episode.observations)
        else:
            assert rows["observation.text"].to_pylist() == [text.decode() for text in episode.observations]
    check_statistics(data, json.loads((folder / "meta/stats.json").read_text()), observation)
    if find_spec("lerobot") is not None:
        read_by_lerobot(data, folder, observation)


def check_statistics(data, stats, observation):
    actions = np.array(data.columns["actions"]).reshape(len(data), -1)
    assert stats["action"]["count"] == [len(data)]
    np.testing.assert_allclose(stats["action"]["std"], actions.std(0, dtype=np.float64), atol=1e-12)
    np.testing.assert_allclose(stats["action"]["q10"], np.quantile(actions, 0.1, axis=0))
    assert stats["next.done"]["mean"] == [data.episodes_count / len(data)]
    if observation == "pixels":
        frames = data.columns["observations"] / 255
        for name, expected in (("mean", frames.mean((0, 1, 2))), ("std", frames.std((0, 1, 2)))):
            np.testing.assert_allclose(np.array(stats["observation.image"][name])[:, 0, 0], expected, atol=1e-9)
        for name, share in (("q01", 0.01), ("q50", 0.5), ("q99", 0.99)):
            middle = np.quantile(frames, share, axis=(0, 1, 2), method="inverted_cdf")
            np.testing.assert_allclose(np.array(stats["observation.image"][name])[:, 0, 0], middle)


def read_by_lerobot(data, folder, observation):
    upstream = importlib.import_module("lerobot.datasets.lerobot_dataset")
    theirs = upstream.LeRobotDataset("envsuite/some", root=folder)
    assert (len(theirs), theirs.num_episodes) == (len(data), data.episodes_count)
    name = {"state": "observation.state", "pixels": "observation.image"}.get(observation)
    for k in (0, len(data) - 1):
        item = theirs[k]
        np.testing.assert_array_equal(item["action"], data.columns["actions"][k].reshape(-1))
        if observation == "state":
            expected = data.columns["observations"][k].reshape(-1).astype(np.float32)
            np.testing.assert_array_equal(item[name], expected)
        elif observation == "pixels":
            expected = data.columns["observations"][k].transpose(2, 0, 1) / np.float32(255)
            np.testing.assert_allclose(item[name], expected, atol=1e-7)
    assert item["task"] == pq.read_table(folder / "meta/tasks.parquet")["task"].to_pylist()[0]


def test_files_are_cut_at_their_size(tmp_path, monkeypatch, made):
    monkeypatch.setattr(form, "FILE_MB", 0)
    folder = export_lerobot(made, tmp_path / "out", fps=50, task="hover")
    files = sorted((folder / "data").rglob("*.parquet"))
    assert len(files) == made.episodes_count
    told = pq.read_table(folder / "meta/episodes/chunk-000/file-000.parquet").to_pylist()
    assert [one["data/file_index"] for one in told] == list(range(len(files)))
    assert {tuple(one["tasks"]) for one in told} == {("hover",)}


def test_mistakes_lose_nothing(tmp_path, made, monkeypatch):
    (tmp_path / "there").mkdir()
    with pytest.raises(FileExistsError, match="is there already"):
        export_lerobot(made, tmp_path / "there")
    with pytest.raises(ValueError, match="fps is 0"):
        export_lerobot(made, tmp_path / "out", fps=0)
    monkeypatch.setattr(form, "_write_tasks", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        export_lerobot(made, tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]
    asked = CliRunner().invoke(main, ["datasets", "convert", made.manifest.id, "--to", "lerobot"])
    assert asked.exit_code == 2
    assert "needs --out FOLDER" in asked.output
