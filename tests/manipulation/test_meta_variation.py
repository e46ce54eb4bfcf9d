"""Objects, furniture and cameras that vary."""

import numpy as np
import pytest

from envsuite.core import rng
from envsuite.core.companions import Pictures, companion
from envsuite.manipulation.meta.tasks import NAMES, TASKS
from envsuite.manipulation.meta.variation import FIRST_BODY, TOLD, MetaRandom, scaled_task
from envsuite.manipulation.meta.world import MetaWorld
from tests.manipulation.play import begun, moved, played

RANGES = {name: one.default for name, one in MetaRandom.fields.items()}
BOUNDS = [RANGES[name.split()[0]] for name in TOLD]
TOUCHED = ("handle-press", "door-lock")
"""Tasks in which the hand begins on what is observed, or beside it."""
DOZEN = {
    "reach": 1.0,
    "push": 0.9,
    "pick-place": 0.9,
    "door-open": 0.8,
    "drawer-open": 0.9,
    "drawer-close": 0.9,
    "button-press-topdown": 0.9,
    "peg-insert-side": 0.8,
    "window-open": 0.9,
    "window-close": 0.9,
    "faucet-open": 0.9,
    "shelf-place": 0.8,
}
"""Tasks, and the least share of episodes that the original's players must succeed in under training dynamics."""


def drawn(mode: str, count: int = 2000, **options) -> np.ndarray:
    """What episodes are told of their variation, (count, 7)."""
    return begun("drawer-open", count, dynamics=mode, variants=64, **options).last.info["privileged"]


def test_training_and_held_out_ranges_do_not_meet():
    for mode in ("training", "held_out"):
        for values, (lowest, low, high, highest) in zip(drawn(mode).T.astype(np.float64), BOUNDS, strict=True):
            inside = (low - 1e-6 <= values) & (values <= high + 1e-6)
            assert inside.all() if mode == "training" else not inside[(values > low) & (values < high)].any()
            assert (lowest - 1e-6 <= values).all()
            assert (values <= highest + 1e-6).all()
            parts = [(low, high)] if mode == "training" else [(lowest, low), (high, highest)]
            for a, b in parts:  # both ends of all parts are reached
                near = 0.2 * (b - a)
                assert (np.abs(values - a) < near).any()
                assert (np.abs(values - b) < near).any()


def test_what_is_told_is_what_bodies_have():
    batch = begun("pick-place", 50, dynamics="training")
    told, body, params = batch.last.info["privileged"], batch.states["body"], batch.world.params
    start = MetaWorld(task="pick-place").params[0]
    model, levels = start["model"], batch.states["level"]
    assert len(set(levels)) > 15
    puck = batch.world.compiled.geom["puck"]
    sizes = params["model"]["geom_size"][levels, puck, 0] / model["geom_size"][puck, 0]
    np.testing.assert_allclose(told[:, 0], sizes, rtol=1e-6)
    np.testing.assert_allclose(told[:, 1], body["mass_scale"][:, FIRST_BODY], rtol=1e-6)
    assert (body["mass_scale"][:, :FIRST_BODY] == 1).all()
    geoms = slice(model["ngeom"])
    np.testing.assert_allclose(
        body["sliding"][:, geoms] / start["start"]["sliding"][geoms],
        np.broadcast_to(told[:, 2:3], (50, model["ngeom"])),
        rtol=1e-6,
    )
    np.testing.assert_array_equal(told[:, 4:], params["variation"]["eye"][levels].astype(np.float32))


def test_ranges_can_be_given():
    told = drawn("training", 200, ranges={"size": (1.05, 1.1), "friction": (1, 1), "mass": (1, 1), "damping": (1, 1)})
    assert ((told[:, 0] > 1.05) & (told[:, 0] < 1.1)).all()
    assert (told[:, 1:4] == 1).all()


def test_fixed_dynamics_draw_nothing_and_others_shift_nothing():
    fixed, varied = begun("push", 8), begun("push", 8, dynamics="training")
    assert (fixed.states["rng"]["counter"][:, rng.DYNAMICS] == 0).all()
    np.testing.assert_array_equal(fixed.states["drawn"][:, :, :2], varied.states["drawn"][:, :, :2])
    again = begun("push", 8, dynamics="training")
    np.testing.assert_array_equal(moved(varied, 0.2, 5), moved(again, 0.2, 5))


def test_a_factor_of_one_is_the_task_itself():
    for name in NAMES:
        same, task = scaled_task(name, 1.0), TASKS[name]
        assert same.scene.bodies == task.scene.bodies, name
        assert (same.first, same.starts) == (task.first, task.starts)
        assert {body: where.offset for body, where in same.puts.items()} == {
            body: tuple(map(float, where.offset)) for body, where in task.puts.items()
        }


@pytest.mark.parametrize("task", NAMES)
def test_objects_of_all_sizes_begin_at_rest(task):
    """Nothing jumps where it is put: what is observed moves less than 1 cm in 10 steps, as far as it does anyway."""
    way = {}
    for mode in ("fixed", "held_out"):
        options = {} if mode == "fixed" else {"variants": 4, "ranges": {"damping": (1, 1)}}  # handles sink by it
        batch = begun(task, 8, dynamics=mode, **options)
        start = batch.last.observations[:, 4:7].copy()
        way[mode] = np.abs(moved(batch, (0, 0, 0, -1), 10)[:, 4:7] - start).max()
        assert (batch.last.info["overflow"] == 0).all()
        assert np.isfinite(batch.last.rewards).all()
    assert way["held_out"] < max(0.04 if task in TOUCHED else 0.01, 1.3 * way["fixed"])


@pytest.mark.slow
@pytest.mark.parametrize("task", DOZEN)
def test_players_mostly_succeed_when_dynamics_vary(task):
    share = played(task, 20, dynamics="training").last.info["success_once"].mean()
    assert share >= DOZEN[task]


def test_pictures_show_the_size_and_the_camera_of_the_episode():
    batch = begun("push", 2, dynamics="training")
    pictures = companion(batch.world, Pictures)
    frames = [pictures.draw(state, (96, 96)) for state in batch.states]
    assert frames[0].shape == (96, 96, 3)
    plain = begun("push", 1)
    assert not np.array_equal(frames[0], companion(plain.world, Pictures).draw(plain.states[0], (96, 96)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"ranges": {"weight": (0.9, 1.1)}},
            "unknown range 'weight', expected one of size, mass, friction",
        ),
        ({"ranges": {"size": (1.1, 0.9)}}, "range size is .*, expected numbers from 0.5 to 2 in ascending order"),
        ({"ranges": {"size": (0, 1)}}, "range size is .*, expected numbers from 0.5 to 2 in ascending order"),
        ({"ranges": {"camera": 0.1}}, "range camera is 0.1, expected two numbers"),
        ({"ranges": (0.9, 1.1)}, "ranges is .*, expected ranges by name"),
        (
            {"dynamics": "held_out", "ranges": {"mass": (0.9, 1.1)}},
            "expected four numbers",
        ),
        ({"dynamics": "fixed", "ranges": {"mass": (0.9, 1.1)}}, "expected none where dynamics is 'fixed'"),
        ({"dynamics": "random"}, "dynamics is 'random', expected"),
        ({"variants": 0}, "variants is 0, expected"),
    ],
)
def test_wrong_ranges_are_refused(options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        MetaWorld(**{"dynamics": "training", **options})


def test_a_batch_of_variants_is_the_same_whatever_its_size():
    one, many = begun("reach", 1, seed=3, dynamics="training"), begun("reach", 4, dynamics="training")
    np.testing.assert_array_equal(one.last.observations[0], many.last.observations[3])
