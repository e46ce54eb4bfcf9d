"""Reference players, and the stages of their training: in order here, and as good in Gymnasium's environments."""

import gymnasium
import numpy as np
import pytest

import envsuite
from envsuite.core import Players, companion
from envsuite.core.world import make_world
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from envsuite.locomotion.experts import STAGES

TASKS = [card.id for card in envsuite.cards().values() if card.family == "locomotion"]
THEIRS = {one: one.removeprefix("envsuite/").replace("-v0", "-v5") for one in TASKS}
QUICK = "envsuite/InvertedPendulum-v0"
slow = [
    pytest.param(one, marks=() if one == QUICK else (pytest.mark.slow,))
    for one, theirs in THEIRS.items()
    if theirs in gymnasium.registry  # NeoRL-2's bodies are not
]
STAGED = ["Hopper", "Walker2d", "HalfCheetah", "Ant", "Swimmer"]


def stage(name):
    return lambda world, slots: companion(world, Players).collector(name)


@pytest.mark.parametrize("name", [STAGED[0], *(pytest.param(one, marks=pytest.mark.slow) for one in STAGED[1:])])
def test_later_stages_are_better(name):
    card = envsuite.card(name)
    players = [random_policy, *(stage(one) for one in STAGES), expert_policy]
    means = [play(card, one, 20).returns.mean() for one in players]
    assert means == sorted(means)
    shares = (np.array(means) - means[0]) / (means[-1] - means[0])
    assert shares[2:5] == pytest.approx([0.25, 0.5, 0.75], abs=0.15)


@pytest.mark.parametrize("env_id", slow)
def test_reference_players_are_as_good_in_gymnasium(env_id):
    pytest.importorskip("mujoco")
    card = envsuite.card(env_id)
    theirs = gymnasium.make_vec(THEIRS[env_id], 20, vectorization_mode="sync")
    player = expert_policy(make_world(card.world), 20)
    player.reset(np.ones(20, np.bool_), np.arange(20))
    seen, _ = theirs.reset(seed=0)
    total, over = np.zeros(20), np.zeros(20, np.bool_)
    while not over.all():
        seen, rewards, terminated, truncated, _ = theirs.step(player.act(seen, np.zeros(20)))
        total += np.where(over, 0, rewards)
        over |= terminated | truncated
    theirs.close()
    here = play(card, expert_policy, 100).returns
    error = np.hypot(total.std() / 20**0.5, here.std() / 10)
    assert abs(total.mean() - here.mean()) < 4 * error + 1e-3 * abs(here.mean())


def test_a_stage_that_is_none_is_refused():
    world = make_world(envsuite.card("Hopper").world)
    with pytest.raises(ValueError, match="collector is 'best', expected one of early, low, medium, high"):
        companion(world, Players).collector("best")


def test_players_refuse_bodies_that_are_seen_otherwise():
    world = make_world(envsuite.card("Hopper").world, exclude_current_positions_from_observation=False)
    with pytest.raises(ValueError, match="11"):
        companion(world, Players).expert()
