"""The engine against the rules written a second time, and what must hold whatever happens."""

import numpy as np
import pytest

from envsuite.tower_defense.kernel import commands
from envsuite.tower_defense.levels import Level, benchmark
from tests.tower_defense.common import batch_of, pick, randomly
from tests.tower_defense.reference import Game

CROWD = Level(
    "Crowd",
    (((-3, 0), (3, 0)), ((-3, 2), (2, 2), (2, 0), (3, 0))),
    ((-1, 0.5), (0, 0.5), (1, 0.5), (0, 1.5), (-1, 1.5)),
    (((5, 20), (6, 20), (4, 20), (1, 30)), ((8, 3), (7, 5), (2, 9))),
    gold=2000,
    gold_cap=2100,
    life=85,
    spawn=0.1,
    fog=120,
)
"""More enemies than there is room for, of all kinds."""


def assert_same(state, game):
    """Compare everything that matters."""
    for name in ("tick", "gold", "life", "wave", "kills", "coins", "cooldown", "outcome"):
        assert int(state[name]) == getattr(game, name), name
    assert int(state["coins_missed"]) == game.missed
    assert int(state["compensations"]) == game.paid
    assert state["leaks"].tolist() == game.leaks
    assert [int(state["fog"]["x"]), int(state["fog"]["y"])] == game.fog
    hero = state["hero"]
    assert (int(hero["x"]), int(hero["y"])) == (game.hero.x, game.hero.y)
    found = [int(hero[name]) for name in ("hp", "max_hp", "dead", "cooldown")]
    assert found == [game.hero.hp, game.hero.top, game.hero.dead, game.hero.wait]
    enemies = {
        i: (int(e["type"]), int(e["hp"]), int(e["path"]), int(e["progress"]), int(e["id"]), int(e["cooldown"]))
        for i, e in enumerate(state["enemies"])
        if e["alive"]
    }
    assert enemies == {i: (e.kind, e.hp, e.path, e.progress, e.number, e.wait) for i, e in sorted(game.enemies.items())}
    guards = {
        k: (int(g["hp"]), int(g["x"]), int(g["y"]), int(g["cooldown"]))
        for k, g in enumerate(state["guards"])
        if g["alive"]
    }
    assert guards == {k: (g.hp, *g.at, g.wait) for k, g in sorted(game.guards.items())}
    towers = {
        k: (int(t["type"]), int(t["level"]), int(t["cooldown"]), bool(t["frozen"]), bool(t["hidden"]), int(t["spent"]))
        for k, t in enumerate(state["sites"])
        if t["type"] >= 0
    }
    assert towers == {k: (t.kind, t.level, t.wait, t.frozen, t.hidden, t.spent) for k, t in sorted(game.towers.items())}
    assert [int(zone["left"]) for zone in state["zones"]] == [
        game.fires[k].left if k in game.fires else -1 for k in range(10)
    ]


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5, CROWD])
def test_engine_equals_the_plain_rules(level):
    batch = batch_of(1, first=11, level=level)
    game = Game(level if isinstance(level, Level) else benchmark(level), 11)
    luck = np.random.default_rng(5)
    p = batch.world.params[0]
    seen = set()
    while not batch.done[0]:
        action = pick(batch.last.info["action_mask"][0], luck)
        kind, site, x, y = commands.of_number(p, action)
        seen.add(kind)
        batch.step(np.array([action]))
        assert batch.last.info["error"][0] == 0
        game.command(kind, site=site if site >= 0 else None, place=(x, y))
        for _ in range(10):
            game.step()
            if game.outcome:
                break
        assert_same(batch.states[0], game)
    assert game.outcome in (1, 2)
    assert len(seen) >= 7
    assert game.kills > 5


def test_a_crowd_fills_all_slots():
    batch = batch_of(1, level=CROWD, decision_ticks=1)
    most = 0
    for _ in range(400):
        batch.step(np.zeros(1, np.int64))
        most = max(most, int(batch.states[0]["enemies"]["alive"].sum()))
    assert most == 50
    assert int(batch.states[0]["next_id"]) >= 50


@pytest.mark.parametrize("level", [3, 5])
def test_books_balance(level):
    batch = batch_of(12, level=level)
    p = batch.world.params[0]
    lives, gold = np.full(12, 20), batch.states["gold"].copy()
    for _, output in randomly(batch, 300, np.random.default_rng(level)):
        states = batch.states
        assert (states["life"] + states["leaks"].sum(axis=1) == p["life"]).all()
        assert (states["gold"] >= 0).all()
        assert (states["gold"] <= p["gold_cap"]).all()
        assert (output.rewards[~batch.done] <= 0).all()
        spawned = states["next_id"]
        alive = states["enemies"]["alive"].sum(axis=1)
        same_game = states["life"] > 0
        arrived = states["leaks"].sum(axis=1)
        assert (spawned == alive + states["kills"] + arrived)[same_game].all(), "an enemy was lost or made twice"
        assert (states["hero"]["hp"] <= states["hero"]["max_hp"]).all()
        assert np.abs(np.stack([states["hero"]["x"], states["hero"]["y"]])).max() <= 3072
        lives, gold = states["life"].copy(), states["gold"].copy()
    assert lives.min() < 20
    assert gold.max() > 0


def test_luck_does_not_depend_on_what_is_done():
    """Two plans on one seed meet the same fog, the same coins and the same paths."""
    idle, busy = batch_of(1, level=5), batch_of(1, level=5)
    luck = np.random.default_rng(0)
    paths: list[dict] = [{}, {}]
    for _ in range(150):
        idle.step(np.zeros(1, np.int64))
        action = pick(busy.last.info["action_mask"][0], luck)
        busy.step(np.array([action if action < 65 or action >= 313 else 0]))
        for batch, found in zip((idle, busy), paths, strict=True):
            enemies = batch.states[0]["enemies"]
            found.update({int(e["id"]): int(e["path"]) for e in enemies[enemies["alive"] > 0]})
        if idle.done[0] or busy.done[0]:
            break
        assert idle.states["fog"] == busy.states["fog"]
    assert len(paths[1]) > 10
    assert all(paths[1].get(key, path) == path for key, path in paths[0].items())


def test_long_levels_have_fifteen_growing_waves():
    (level,) = batch_of(1, level="long").world.levels
    sizes = [sum(count for _, count in wave) for wave in level.waves]
    assert len(sizes) == 15
    assert sizes[-1] > 2 * sizes[4]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": 6}, "level is 6"),
        ({"actions": "mouse"}, "actions is 'mouse'"),
        ({"senses": "ears"}, "senses is 'ears'"),
        ({"reward": "much"}, "reward is 'much'"),
        ({"decision_ticks": 0}, "decision_ticks is 0"),
        ({"bins": 1, "actions": "grid"}, "bins is 1"),
    ],
)
def test_bad_options_are_named(options, words):
    with pytest.raises(ValueError, match=words):
        batch_of(1, **options)
