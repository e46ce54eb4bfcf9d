"""Commands: masks, error codes, encodings."""

import numpy as np
import pytest

from envsuite.core.jit import kernel, records
from envsuite.tower_defense.kernel import commands
from envsuite.tower_defense.params import ERRORS, HALF, SITES
from envsuite.tower_defense.state import SITE_COMMANDS, site_names
from tests.tower_defense.common import batch_of, randomly

NAMES = {name: k for k, name in enumerate(site_names())}


@kernel
def errors_of_all(states, params, out):
    """The error of every command of the site encoding in every state."""
    for i in range(states.shape[0]):
        p = params[states[i].level]
        for number in range(out.shape[1]):
            kind, site, x, y = commands.of_number(p, number)
            out[i, number] = commands.error_of(states[i], p, kind, site, x, y)


def test_there_are_315_commands():
    assert len(NAMES) == SITE_COMMANDS == 315
    starts = ["wait", "build_ballista_S0", "upgrade_S0", "sell_S0", "rally_S0_0", "reinforce_P0_0", "hero_0_0", "blaze"]
    assert [NAMES[name] for name in starts] == [0, 1, 49, 65, 81, 209, 249, 313]


@pytest.mark.parametrize("n", [30, pytest.param(500, marks=pytest.mark.slow)])
def test_masks_are_exact(n):
    """In 200 states of each of n games."""
    batch = batch_of(n, level="multi")
    params = records(batch.world.params)
    errors = np.empty((n, SITE_COMMANDS), np.int64)
    found, luck = np.zeros(len(ERRORS), bool), np.random.default_rng(1)
    batch.states["hero"]["dead"][0] = 150
    for _, output in randomly(batch, 200, luck):
        errors_of_all(batch.states, params, errors)
        assert ((output.info["action_mask"] != 0) == (errors == 0)).all()
        at = batch.world.observation.offset("action_mask")
        assert (output.observations[:, at:] == output.info["action_mask"]).all()
        found[np.unique(errors)] = True
    assert {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15} <= set(np.flatnonzero(found).tolist())


def test_masked_commands_fail_when_tried():
    """The whole way through a step, for a sample of commands in a sample of states."""
    batch = batch_of(40, level=4)
    luck = np.random.default_rng(2)
    for _ in randomly(batch, 60, luck):
        pass
    snapshot = batch.get_state()
    mask = batch.last.info["action_mask"].copy()
    for number in range(0, SITE_COMMANDS, 3):
        batch.set_state(snapshot)
        info = batch.step(np.full(40, number)).info
        going = ~snapshot.done
        assert ((info["error"] == 0) == (mask[:, number] != 0))[going].all(), site_names()[number]


def error(batch, name):
    return int(batch.step(np.array([NAMES[name]])).info["error"][0])


def test_errors_in_their_order():
    batch = batch_of(1, level=1, decision_ticks=1)
    state = batch.states[0]
    assert error(batch, "upgrade_S0") == 3
    assert error(batch, "sell_S0") == 5
    assert error(batch, "build_ballista_S9") == 6, "there are seven sites"
    assert error(batch, "rally_S0_0") == 7
    assert error(batch, "reinforce_P1_0") == 15, "there is one path"
    state["gold"] = 119
    assert error(batch, "build_ballista_S0") == 2
    assert error(batch, "hero_health") == 10
    state["gold"] = 220
    assert error(batch, "build_ballista_S0") == 0
    assert error(batch, "build_mortar_S0") == 1, "occupied comes before gold"
    state["gold"] = 99
    assert error(batch, "upgrade_S0") == 4
    state["sites"][0]["level"] = 2
    assert error(batch, "upgrade_S0") == 12, "the level comes before gold"
    assert error(batch, "reinforce_P0_3") == 0
    assert error(batch, "reinforce_P0_3") == 8
    state["cooldown"] = 0
    state["guards"]["alive"][:23] = 1
    state["guards"]["life"][:23] = -1
    assert error(batch, "reinforce_P0_3") == 14
    state["hero"]["hp"] = 100
    assert error(batch, "blaze") == 13
    state["hero"]["dead"] = 50
    for name in ("blaze", "hero_0_0", "hero_health"):
        assert error(batch, name) == 9, "a dead hero comes first"
    assert state["faults"].sum() == state["decisions"]


def test_refunds_and_prices():
    batch = batch_of(1, level=1, decision_ticks=1)
    state = batch.states[0]
    state["gold"] = 1000
    error(batch, "build_barracks_S0")
    error(batch, "upgrade_S0")
    assert int(state["gold"]) == 1000 - 140 - 110
    assert int(state["guards"]["alive"].sum()) == 1
    error(batch, "sell_S0")
    assert int(state["gold"]) == 750 + 150, "60 percent of 250"
    assert int(state["guards"]["alive"].sum()) == 0


def test_encodings_agree():
    """The same command in all three encodings leads to the same state."""
    site, xyc = batch_of(64, level=3), batch_of(64, level=3, actions="xyc")
    p = records(site.world.params)[0]
    for actions, _ in randomly(site, 120, np.random.default_rng(3)):
        chosen = [commands.of_number(p, action) for action in actions]
        rows = np.array([[x / HALF, y / HALF, 2 * (kind + 0.5) / 12 - 1] for kind, _, x, y in chosen], np.float32)
        xyc.step(rows, xyc.done)
        for i, (kind, _, x, y) in enumerate(chosen):
            if kind == 7:  # places name the nearest barracks, numbers any in reach
                barracks = [k for k in range(SITES) if site.states[i]["sites"][k]["type"] == 2]
                gaps = {k: (int(p["sites"][k, 0]) - x) ** 2 + (int(p["sites"][k, 1]) - y) ** 2 for k in barracks}
                if gaps and min(gaps, key=gaps.__getitem__) != chosen[i][1]:
                    xyc.states[i] = site.states[i]
        mine, theirs = site.states.copy(), xyc.states.copy()
        for one in (mine, theirs):
            one["last"]["x"] = one["last"]["y"] = 0  # commands without a place report the one given
        assert (mine == theirs).all()


def test_grid_hits_sites_and_bins():
    batch = batch_of(1, level=1, actions="grid", bins=24, decision_ticks=1)
    # site 3 lies at (0.5, 0): the bin from 0.5 to 0.75, and from 0 to 0.25
    info = batch.step(np.array([[14, 12, 0]])).info
    assert info["error"][0] == 0
    assert int(batch.states[0]["sites"][3]["type"]) == 0
    assert batch.step(np.array([[0, 0, 0]])).info["error"][0] == 6
    assert batch.step(np.array([[14, 12, 5]])).info["error"][0] == 0, "show range"
    assert not batch.step(np.array([[14, 12, 5]])).info["effective"][0]


def test_only_what_changes_the_future_is_effective():
    batch = batch_of(1, level=1, decision_ticks=1)
    assert batch.step(np.array([NAMES["hero_4_4"]])).info["effective"][0]
    assert not batch.step(np.array([NAMES["hero_4_4"]])).info["effective"][0]
    assert not batch.step(np.array([0])).info["effective"][0]
    assert batch.step(np.array([NAMES["build_barracks_S0"]])).info["effective"][0]
    assert batch.step(np.array([NAMES["rally_S0_0"]])).info["effective"][0]
    assert not batch.step(np.array([NAMES["rally_S0_0"]])).info["effective"][0]
