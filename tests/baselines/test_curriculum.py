"""Levels of computer players by win rates."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from curriculum import Curriculum, CurriculumConfig, level_weights  # noqa: E402

from .worlds import small  # noqa: E402

SETTINGS = {"num_envs": 24, "num_steps": 4, "threads": 1, "hidden": (8,), "episodes": 2, "evaluations": 1}


def test_weights_are_the_formula():
    win_rates = torch.tensor([[0.5, 0.5, 0.5], [0.7, 0.6, 0.2], [1.0, 0.9, 1.0], [0.5, 0.9, 0.1]])
    raw = torch.tensor([[0.5, 0.05, 0.05], [0.3, 0.4, 0.8], [1e-6, 0.1, 1e-6], [0.5, 0.01, 0.9]])
    expected = raw / raw.sum(1, keepdim=True)
    torch.testing.assert_close(level_weights(win_rates, 0.6, 0.1), expected, rtol=1e-4, atol=1e-6)


def test_opponents_get_the_drawn_levels_and_results_count():
    # rounds of a second: many ends in few steps
    options = {"level": "random", "reward": "hp", "round_frames": 60}
    trainer = Curriculum(CurriculumConfig(env_id="Duel", env_options=options, closed=0.0, **SETTINGS))
    rows = trainer.rows
    fighters = rows.env.batch.states["fighters"]
    assert (fighters["level"][:, 1] == 1).all(), "before any game only the lowest level is open"
    assert (fighters["level"][:, 0] == 0).all()
    rows.points[:, 0] = rows.games[:, 0] = 1e9
    ended = 0
    for _ in range(40):
        ended += int(rows.step(torch.zeros(24, 2, dtype=torch.int64)).episode_start.sum())
    assert ended >= 48
    assert set(np.unique(fighters["level"][:, 1])) <= {1, 2, 3}
    assert (fighters["level"][:, 1] == 2).any(), "the second level opened where the first is beaten"
    assert rows.games[:, 1].sum() > 0
    assert (rows.points <= rows.games).all()
    assert rows.win_rates()[0, 7] == 0.5
    again = Curriculum(CurriculumConfig(env_id="Duel", env_options=options, closed=0.0, **SETTINGS))
    again.restore(trainer.state())
    assert torch.equal(again.rows.games, rows.games)
    assert np.array_equal(again.rows.env.batch.states["fighters"]["level"], fighters["level"])


def test_environments_without_levels_are_refused():
    with pytest.raises(ValueError, match="no computer players"):
        Curriculum(CurriculumConfig(env_id=small("Pole"), **SETTINGS))
    with pytest.raises(ValueError, match="autoreset is 'NextStep'"):
        Curriculum(CurriculumConfig(env_id="Duel", autoreset="NextStep", **SETTINGS))
