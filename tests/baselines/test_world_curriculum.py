"""Worlds for practice in Crafter, by what the learner can do."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from launch import CHECKPOINT, run  # noqa: E402
from ppo import PPO, PPOConfig  # noqa: E402
from world_curriculum import Course, Practice, WorldCurriculum, WorldCurriculumConfig  # noqa: E402

from envsuite.crafting.crafter.goals import subgoals  # noqa: E402
from envsuite.crafting.crafter.things import ACHIEVEMENTS  # noqa: E402
from envsuite.crafting.crafter.world import CrafterWorld  # noqa: E402

from . import test_settings  # noqa: E402
from .test_checkpoints import StoppedError, events, stop_after  # noqa: E402
from .worlds import small  # noqa: E402

TINY = {"env_id": "Crafter", "num_envs": 8, "num_steps": 16, "threads": 1, "hidden": (8,), "episodes": 2}
GOALS = subgoals(CrafterWorld().params)


def course(**changes):
    torch.manual_seed(0)
    return Course(WorldCurriculumConfig(worlds=2, least=10, most=60, **changes), GOALS)


def played(made, k, reached, count):
    """Episodes of a practice, its goal reached or not."""
    row = np.zeros((count, len(ACHIEVEMENTS)), bool)
    row[:, ACHIEVEMENTS.index(made.now[k].goal)] = reached
    made.played(k, row)


def test_rare_goals_within_reach_are_worth_most():
    made = course(ready=0.1, early=0.02)
    made.now, made.rates = [Practice("eat_cow")], dict.fromkeys(ACHIEVEMENTS, 0.0)
    made.rates |= {"collect_wood": 0.75, "place_table": 0.1, "collect_sapling": 1.0}
    weights = dict(zip((one.name for one in GOALS), made.weights().tolist(), strict=True))
    assert weights["eat_cow"] == 0, "it is practised already"
    assert weights["wake_up"] == 1
    assert weights["collect_wood"] == pytest.approx(0.25)
    assert weights["place_table"] == pytest.approx(0.9)
    assert weights["make_wood_sword"] == 1
    assert weights["collect_stone"] == 0.02
    assert weights["collect_sapling"] == 1e-6
    made.hopes |= {"wake_up": 0.0, "collect_wood": 0.5}
    weights = dict(zip((one.name for one in GOALS), made.weights().tolist(), strict=True))
    assert weights["wake_up"] == pytest.approx(0.1)
    assert weights["collect_wood"] == pytest.approx(0.25 * 0.55)


def test_success_takes_gifts_away_and_failure_gives_them_back():
    made = course()
    made.now[0] = Practice("make_wood_pickaxe")
    assert made.config_of(0) == {"start": {"wood": 3}}
    played(made, 0, True, 9)
    assert made.changed() == []
    played(made, 0, True, 1)
    assert made.changed() == [0]
    assert made.now[0] == Practice("make_wood_pickaxe", own=2, total=10)
    played(made, 0, False, 10)
    assert made.changed() == [0]
    assert made.now[0] == Practice("make_wood_pickaxe", own=1, total=20)
    played(made, 0, True, 10)
    made.changed()
    played(made, 0, True, 10)
    made.changed()
    assert made.now[0].own == 3
    assert made.config_of(0) == {}
    played(made, 0, True, 10)
    assert made.changed() == [0]
    assert made.now[0].goal != "make_wood_pickaxe", "nothing more to take away"
    assert made.now[0].own == 1
    assert made.hopes["make_wood_pickaxe"] == 1


def test_a_goal_that_gets_nowhere_is_left():
    made = course()
    made.now[0] = Practice("collect_diamond")
    played(made, 0, False, 10)
    assert made.changed() == [0]
    assert made.now[0].goal != "collect_diamond"
    assert made.hopes["collect_diamond"] == 0
    made.now[1] = Practice("eat_plant")
    for k in range(60):
        played(made, 1, k % 3 == 0, 1)
        assert made.changed() == ([1] if k == 59 else [])
    assert made.now[1].goal not in ("eat_plant", made.now[0].goal)
    assert made.hopes["eat_plant"] == pytest.approx(1 / 3, abs=0.1)


def test_rates_are_weighted_means():
    made = course(memory=0.75)
    made.now[0] = Practice("wake_up")
    for one in (True, False, True, True, True):
        played(made, 0, one, 1)
    rate = 0.0
    for k, one in enumerate((1, 0, 1, 1, 1), 1):
        rate += max(0.25, 1 / k) * (one - rate)
    assert made.now[0].rate == pytest.approx(rate)
    made.played(None, np.ones((2, len(ACHIEVEMENTS)), bool))
    assert made.rates["eat_plant"] == pytest.approx(1 - 0.75**2)


def test_rows_are_the_original_world_and_those_of_practice():
    rows = WorldCurriculum(WorldCurriculumConfig(worlds=2, practice=0.5, **TINY)).rows
    assert [part.count for part in rows.parts] == [4, 2, 2]
    assert rows.obs.shape == (8, rows.shape[0])
    plain, *practising = (part.env.world.config for part in rows.parts)
    assert plain == {}
    assert practising == [rows.course.config_of(0), rows.course.config_of(1)]
    ended = 0
    draw = np.random.default_rng(0)
    while rows.episodes < 4:
        step = rows.step(torch.from_numpy(draw.integers(17, size=(8, 1))))
        ended += int(step.episode_start[:4].sum())
        assert step.reward.shape == step.done.shape == (8,)
        assert step.next_obs.shape == rows.obs.shape
    assert rows.episodes == ended
    rates = rows.counts.numpy() / rows.episodes
    assert rows.score() == pytest.approx(np.exp(np.log1p(100 * rates).mean()) - 1)
    for part in rows.parts:
        assert part.env.world.params.tobytes() == CrafterWorld(config=part.env.world.config).params.tobytes()


def test_without_practice_it_is_ppo():
    shared = {**TINY, "total_steps": 256, "evaluations": 1}
    plain, first = PPO(PPOConfig(**shared)).train()
    none, second = WorldCurriculum(WorldCurriculumConfig(practice=0.0, **shared)).train()
    assert np.array_equal(first.returns, second.returns)
    known = none.program.model.constants
    assert plain.program.model.constants.keys() == known.keys()
    assert all(np.array_equal(one, known[name]) for name, one in plain.program.model.constants.items())


def test_a_stopped_run_ends_with_the_same_bits(tmp_path):
    config = WorldCurriculumConfig(
        **TINY, worlds=2, least=1, total_steps=8192, evaluations=4, kinds=("map",), beaten=0.01
    )
    whole = run(WorldCurriculum, config, tmp_path / "whole")
    with pytest.raises(StoppedError):
        run(WorldCurriculum, config, tmp_path / "parts", stop_after(5000))
    assert list((tmp_path / "parts").rglob(CHECKPOINT))
    resumed = run(WorldCurriculum, config, tmp_path / "parts")
    assert events(resumed) == events(whole)
    assert (resumed / "policy.onnx").read_bytes() == (whole / "policy.onnx").read_bytes()
    assert (resumed / "worlds.json").read_bytes() == (whole / "worlds.json").read_bytes()
    worlds = json.loads((whole / "worlds.json").read_text())
    assert len(worlds) > 4
    assert worlds[0]["step"] == 0
    for one in worlds:
        CrafterWorld(config=one["config"])


@pytest.mark.slow
def test_every_setting_counts(monkeypatch):
    """Those of the course have tests above, as they need more episodes than are played here."""
    own = {"memory", "beaten", "lost", "least", "most", "ready", "early", "hopeless"}
    monkeypatch.setattr(test_settings, "NOT_HERE", test_settings.NOT_HERE | own)
    monkeypatch.setitem(test_settings.OTHERS, "practice", 0.25)
    monkeypatch.setitem(test_settings.OTHERS, "practice_steps", 20)
    settings = {**TINY, "total_steps": 2048, "evaluations": 1, "learning_rate": 0.03, "practice_steps": 40, "worlds": 2}
    ignored = test_settings.ignored
    assert ignored(WorldCurriculum, lambda **changes: WorldCurriculumConfig(**settings | changes)) == []


def test_what_cannot_practise_is_refused():
    for changes, message in (
        ({"env_id": small("Pole")}, "expected Crafter for one player"),
        ({"env_id": "CrafterCoop"}, "expected Crafter for one player"),
        ({"env_options": {"config": {"start": {"wood": 1}}}}, "without a config"),
        ({"worlds": 9}, "num_envs is 8, practice 0.5 and worlds 9"),
        ({"worlds": 22}, "worlds is 22, expected a whole number from 1 to 21"),
        ({"worlds": 0}, "worlds is 0, expected a whole number from 1 to 21"),
        ({"env_options": {"rules": "craftax-classic", "compat": "craftax-1.6.1"}}, "env_options have compat 'craftax"),
        ({"practice": 1.0}, "num_envs is 8, practice 1.0 and worlds 4"),
        ({"practice": -0.5}, "practice is -0.5, expected a number from 0 to 1"),
        ({"memory": 30.0}, "memory is 30.0, expected a number from 0 to 1"),
        ({"least": 50, "most": 40}, "least is 50 and most 40"),
        ({"autoreset": "NextStep"}, "autoreset is 'NextStep'"),
        ({"stages": ({"step": 1},)}, "stages is"),
    ):
        with pytest.raises(ValueError, match=message):
            WorldCurriculum(WorldCurriculumConfig(**TINY | changes))
