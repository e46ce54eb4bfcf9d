"""Animations: what is written can be read back, keeps its pace, and never leaves half a file."""

import sys

import numpy as np
import pytest
from PIL import Image

from envsuite.core import video


def frames(count, height=48, width=64):
    """A square that walks over a gradient."""
    pictures = []
    for i in range(count):
        picture = np.zeros((height, width, 3), np.uint8)
        picture[..., 2] = np.linspace(40, 200, width)
        picture[10:30, i % (width - 20) : i % (width - 20) + 20] = (220, 60, 30)
        pictures.append(picture)
    return pictures


def delays(path):
    with Image.open(path) as picture:
        times = []
        for i in range(picture.n_frames):
            picture.seek(i)
            times.append(picture.info["duration"])
        return times


def test_gif_comes_back(tmp_path):
    path = tmp_path / "walk.gif"
    shown = frames(20)
    video.write_gif(path, shown, 25)
    with Image.open(path) as picture:
        assert picture.n_frames == 20
        assert picture.info["loop"] == 0
        for i, frame in enumerate(shown):
            picture.seek(i)
            error = np.abs(np.asarray(picture.convert("RGB")).astype(int) - frame)
            assert error.max() <= 12
    assert [p.name for p in tmp_path.iterdir()] == ["walk.gif"]


@pytest.mark.parametrize("fps", [7, 24, 30, 48.5, 50])
def test_gif_keeps_its_pace(tmp_path, fps):
    path = tmp_path / "pace.gif"
    video.write_gif(path, frames(40), fps)
    times = delays(path)
    assert len(times) == 40
    assert sum(times) == pytest.approx(40_000 / fps, abs=10)
    assert min(times) >= 20


@pytest.mark.parametrize("fps", [60, 100, 240])
def test_gif_leaves_out_frames_that_come_too_fast(tmp_path, fps):
    path = tmp_path / "fast.gif"
    video.write_gif(path, frames(42), fps)
    times = delays(path)
    assert min(times) >= 20
    assert sum(times) == pytest.approx(42_000 / fps, abs=1000 / 50 + 10)


def test_gif_of_one_frame(tmp_path):
    video.write_gif(tmp_path / "one.gif", frames(1), 10)
    with Image.open(tmp_path / "one.gif") as picture:
        assert picture.size == (64, 48)


# imageio-ffmpeg's reader leaves the pipes of the process that it kills to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(("height", "width"), [(48, 64), (47, 63)])
def test_mp4_comes_back(tmp_path, height, width):
    pytest.importorskip("imageio_ffmpeg")
    import imageio.v2 as imageio

    path = tmp_path / "walk.mp4"
    shown = frames(12, height, width)
    video.write_mp4(path, shown, 24)
    with imageio.get_reader(path) as reader:
        assert reader.get_meta_data()["fps"] == 24
        read = list(reader.iter_data())
    assert len(read) == 12
    assert read[0].shape == (48, 64, 3)
    assert np.abs(read[5][:height, :width].astype(int) - shown[5]).mean() < 12
    assert [p.name for p in tmp_path.iterdir()] == ["walk.mp4"]


@pytest.mark.parametrize("missing", ["imageio", "imageio_ffmpeg"])
def test_mp4_tells_what_to_install(tmp_path, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, "imageio.v2", raising=False)
    with pytest.raises(ModuleNotFoundError, match=r'pip install "envsuite\[video\]"'):
        video.write_video(tmp_path / "walk.mp4", frames(2), 10)
    assert not list(tmp_path.iterdir())


def test_suffix_picks_the_format(tmp_path):
    video.write_video(tmp_path / "UPPER.GIF", frames(3), 10)
    assert (tmp_path / "UPPER.GIF").read_bytes().startswith(b"GIF89a")
    for name in ("walk.avi", "walk"):
        with pytest.raises(ValueError, match=rf"{name}.*expected \.gif or \.mp4"):
            video.write_video(tmp_path / name, frames(2), 10)


@pytest.mark.parametrize(
    ("wrong", "fps", "message"),
    [
        ([], 10, "no frames"),
        (frames(2), 0, "fps is 0"),
        (frames(2), float("nan"), "fps is nan"),
        ([*frames(2), np.zeros((8, 8, 3), np.uint8)], 10, r"frame 2 has shape \(8, 8, 3\)"),
        ([np.zeros((8, 8, 3))], 10, "frame 0 is float64"),
        ([np.zeros((8, 8), np.uint8)], 10, r"frame 0 is uint8 \(8, 8\)"),
    ],
)
def test_refuses(tmp_path, wrong, fps, message):
    for name in ("a.gif", "a.mp4"):
        with pytest.raises(ValueError, match=message):
            video.write_video(tmp_path / name, wrong, fps)
    assert not list(tmp_path.iterdir())


def test_a_failure_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "walk.gif"
    video.write_gif(path, frames(3), 10)
    old = path.read_bytes()

    def fail(self, target, **_):
        target.write_bytes(b"half a file")
        raise OSError("disk full")

    monkeypatch.setattr(Image.Image, "save", fail)
    with pytest.raises(OSError, match="disk full"):
        video.write_gif(path, frames(5), 10)
    assert path.read_bytes() == old
    assert [p.name for p in tmp_path.iterdir()] == ["walk.gif"]
