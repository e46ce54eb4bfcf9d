"""Observations: the vector, TowerMind's vector, pictures; all from the same state, without what the fog hides."""

import numpy as np
import pytest

from envsuite.core.batch import Batch
from envsuite.core.companions import Pictures, companion
from envsuite.tower_defense.kernel import BulwarkWorld
from envsuite.tower_defense.state import PER_ENEMY, PER_SITE
from tests.tower_defense.common import batch_of, randomly


@pytest.fixture(scope="module")
def played():
    batch = batch_of(40, level=4)
    for _ in randomly(batch, 110, np.random.default_rng(6)):
        pass
    return batch


def block(batch, name):
    layout = batch.world.observation
    at = layout.offset(name)
    size = next(one.size for one in layout.blocks if one.name == name)
    return batch.last.observations[:, at : at + size]


def test_enemies_are_sorted_and_those_under_fog_absent(played):
    rows = block(played, "enemies").reshape(40, -1, PER_ENEMY)
    for state, row in zip(played.states, rows, strict=True):
        visible = [e for e in state["enemies"] if e["alive"] and not e["hidden"]]
        there = row[:, 4:13].sum(axis=1) > 0
        assert there.sum() == min(len(visible), 32)
        left = row[there, 2]
        assert (np.diff(left) >= 0).all()
        assert there[: there.sum()].all()
        lengths = played.world.params[0]["path_length"]
        expected = sorted((int(lengths[e["path"]]) - int(e["progress"])) / (20 * 1024 * 256) for e in visible)
        assert np.allclose(left, expected[:32], atol=1e-6)


def test_sites_show_what_stands_on_them(played):
    rows = block(played, "sites").reshape(40, -1, PER_SITE)
    for state, row in zip(played.states, rows, strict=True):
        for k, site in enumerate(state["sites"]):
            assert row[k, 2] == (k < 11)
            assert (row[k, 3:6].argmax() if row[k, 3:6].any() else -1) == site["type"]
    assert rows[:, :, 8].max() == 1, "own towers under fog stay listed"


def test_fog_bans_sight_and_fire_lifts_it():
    batch = batch_of(1, level=5, decision_ticks=1)
    for _ in range(400):
        batch.step(np.zeros(1, np.int64))
    state = batch.states[0]
    enemy = next(e for e in state["enemies"] if e["alive"])
    for name in ("x", "y"):
        state["fog"][name] = enemy[name]
        state["fog"]["to_" + name] = enemy[name] + 500
    batch.step(np.zeros(1, np.int64))
    assert enemy["hidden"] == 1
    zone = state["zones"][0]
    zone["left"], zone["x"], zone["y"] = 50, state["fog"]["x"], state["fog"]["y"]
    batch.step(np.zeros(1, np.int64))
    assert state["lit"] == 1
    assert enemy["hidden"] == 0


def test_towermind_vector(played):
    batch = Batch(BulwarkWorld(level=4, senses="compat"), 40, num_threads=1)
    batch.seed(range(40))
    batch.reset()
    batch.states[:] = played.states
    batch.step(np.zeros(40, np.int64), np.zeros(40, bool))
    for state, seen in zip(batch.states, batch.last.observations, strict=True):
        assert seen.shape == (759,)
        assert seen[:8].tolist() == [0, 0, 6, -3, 3, 3, -3, 0.5]
        assert seen[25] == state["gold"]
        assert seen[26] == state["life"]
        assert seen[44:46].tolist() == [-3, 2.5]
        enemies = seen[409:609].reshape(50, 4)
        visible = [e for e in state["enemies"] if e["alive"] and not e["hidden"]]
        assert enemies[enemies[:, 3] > -9999, 3].tolist() == [float(e["hp"]) for e in visible]
        towers = seen[289:409].reshape(15, 8)
        shown = [k for k, site in enumerate(state["sites"][:11]) if site["type"] >= 0 and not site["hidden"]]
        assert np.flatnonzero(towers[:, 3] == 1).tolist() == shown
        assert {float(towers[k, 7]) for k in shown} <= {1.0, 2.0, 3.0}
        assert (seen[11:15] != -9999).all()


def test_pictures_do_not_show_what_the_fog_hides():
    batch = batch_of(1, level=5, decision_ticks=1)
    for _ in range(500):
        batch.step(np.zeros(1, np.int64))
    state = batch.states[0]
    before = companion(batch.world, Pictures).draw(state, (200, 200))
    for enemy in state["enemies"]:
        enemy["hidden"] = 1
    hidden = companion(batch.world, Pictures).draw(state, (200, 200))
    state["enemies"]["alive"] = 0
    assert (hidden == companion(batch.world, Pictures).draw(state, (200, 200))).all()
    assert (hidden != before).any()
