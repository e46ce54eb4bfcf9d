"""Gymnasium's own recorder works on every environment that can be drawn."""

import pytest

import envsuite


def test_record_video_writes_a_film(tmp_path):
    pytest.importorskip("moviepy")
    from gymnasium.wrappers import RecordVideo

    env = RecordVideo(envsuite.make("QuadHover", render_mode="rgb_array"), str(tmp_path / "films"), disable_logger=True)
    env.reset(seed=0)
    for _ in range(10):
        env.step(env.action_space.sample())
    env.close()
    (film,) = (tmp_path / "films").glob("*.mp4")
    assert film.stat().st_size > 1000
