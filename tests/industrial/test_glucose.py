"""Patients: closed forms, a plain reference, and the figures of the originals."""

import numpy as np
import pytest

from envsuite.core.companions import Players, Words, companion
from envsuite.core.jit import records
from envsuite.core.language import Refusal, RefusalKind
from envsuite.industrial.glucose.kernel import SimglucoseWorld
from envsuite.industrial.glucose.meals import next_meal
from envsuite.industrial.glucose.params import MEAL_COUNT, SEEN, STATES
from envsuite.industrial.glucose.patients import SETS, params_of, table
from envsuite.industrial.glucose.physiology import WORK, digest, pass_minute, rates, rest
from envsuite.industrial.glucose.sensor import spline_weights

from ..batches import begun, played

PUBLISHED = {
    "Gpb": 250.621836,
    "Ipb": 4.697517762,
    "Gtb": 176.506559902,
    "Vm0": 5.92854753098,
    "m4": 0.103627130376,
    "m30": 0.228315,
    "Ilb": 3.19814917262,
    "kp1": 11.5048231338,
    "u2ss": 1.21697571391,
    "isc1": 57.951224472,
    "isc2": 93.2258828462,
}
"""Of adolescent#001 in simglucose's file."""


def action_for(rate):
    return np.float32(rate / 2.5 - 1)


def basal(name):
    p = table()[name]
    return p["u2ss"] * p["bw"] / 6000


def slope_of(x, p, carbs, insulin, meal):
    """The equations once more, in the symbols of their papers, as the sheet of facts has them."""
    q1, q2, gut, gp, gt, ip, act, i1, id_, il, s1, s2, gs = x
    kgut = p["kmax"]
    if meal > 0:
        alpha, beta = 5 / (2 * meal * (1 - p["b"])), 5 / (2 * meal * p["d"])
        up, down = np.tanh(alpha * (q1 + q2 - p["b"] * meal)), np.tanh(beta * (q1 + q2 - p["d"] * meal))
        kgut = p["kmin"] + (p["kmax"] - p["kmin"]) / 2 * (up - down + 2)
    egp = max(0.0, p["kp1"] - p["kp2"] * gp - p["kp3"] * id_)
    renal = p["ke1"] * (gp - p["ke2"]) if gp > p["ke2"] else 0.0
    use = (p["vm0"] + p["vmx"] * act) * gt / (p["km0"] + gt)
    it = ip / p["vi"]
    found = [
        -p["kmax"] * q1 + carbs,
        p["kmax"] * q1 - kgut * q2,
        kgut * q2 - p["kabs"] * gut,
        egp + p["f"] * p["kabs"] * gut / p["bw"] - p["fsnc"] - renal - p["k1"] * gp + p["k2"] * gt,
        -use + p["k1"] * gp - p["k2"] * gt,
        -(p["m2"] + p["m4"]) * ip + p["m1"] * il + p["ka1"] * s1 + p["ka2"] * s2,
        -p["p2u"] * act + p["p2u"] * (it - p["ib"]),
        -p["ki"] * (i1 - it),
        -p["ki"] * (id_ - i1),
        -(p["m1"] + p["m30"]) * il + p["m2"] * ip,
        insulin - (p["ka1"] + p["kd"]) * s1,
        p["kd"] * s1 - p["ka2"] * s2,
        -p["ksc"] * (gs - gp),
    ]
    for i in (3, 4, 5, 9, 10, 11, 12):
        found[i] = 0.0 if x[i] < 0 else found[i]
    return np.array(found)


def random_state(draws, p):
    one = np.abs(draws.normal(size=STATES)) * [2e4, 2e4, 5e3, 300, 200, 8, 60, 120, 120, 5, 90, 120, 300]
    one[6] *= draws.choice([-1, 1])
    return one


def test_constants_follow_from_the_table_as_published():
    p = table()["adolescent#001"]
    for name, value in PUBLISHED.items():
        assert p[name.lower()] == pytest.approx(value, rel=1e-11)
    assert len(table()) == 30
    assert len(set(SETS["train"]) & set(SETS["test"])) == 0


@pytest.mark.parametrize("name", ["adolescent#001", "adult#010", "child#008"])
def test_derivatives_are_those_of_a_second_transcription(name):
    draws, p, params = np.random.default_rng(0), table()[name], params_of([name])
    for k in range(50):
        x, out = random_state(draws, p), np.zeros(STATES)
        if k % 5 == 0:
            x[draws.integers(3, STATES)] *= -1
        meal, carbs, insulin = draws.choice([0.0, 4e4]), draws.choice([0.0, 5e3]), draws.uniform(0, 90)
        rates(x, params[0], carbs, insulin, meal, out)
        np.testing.assert_allclose(out, slope_of(x, p, carbs, insulin, meal), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", list(table()))
def test_every_patient_rests_at_the_basal_rate(name):
    params, x, w = params_of([name]), np.zeros(STATES), records(np.zeros(1, WORK))
    rest(x, params[0])
    start = x.copy()
    for _ in range(1440):
        digest(x, params[0], w[0], 0.0, params[0]["u2ss"], 0.0)
    np.testing.assert_allclose(x, start, rtol=1e-9, atol=1e-9)


def test_a_day_of_the_first_adolescent_has_the_known_glucose():
    world = SimglucoseWorld(patients="adolescent#001", start_hour=6)
    batch, vg, found = begun(world), table()["adolescent#001"]["vg"], []
    for _ in range(480):
        played(batch, [action_for(basal("adolescent#001"))])
        found.append(batch.states[0]["x"][12] / vg)
    known = {20: 149.02, 40: 164.76, 80: 191.91, 160: 219.36, 240: 192.85, 480: 150.73}
    for steps, glucose in known.items():
        assert found[steps - 1] == pytest.approx(glucose, abs=0.006)
    assert max(found) == pytest.approx(230.02, abs=0.006)


@pytest.mark.parametrize("name", ["adolescent#009", "adult#003", "child#002"])
def test_two_substeps_are_near_to_sixty_for_everyone(name):
    worst, draws = 0.0, np.random.default_rng(1)
    rough, fine = (begun(SimglucoseWorld(patients=name, start_hour=6, substeps=n)) for n in (2, 60))
    for k in range(480):
        rate = action_for(0.04 * draws.uniform() if k % 20 else 1.0)
        if played(rough, [rate]).terminated[0] | played(fine, [rate]).terminated[0]:
            break
        worst = max(worst, abs(rough.states[0]["glucose"] - fine.states[0]["glucose"]))
    assert k > 60
    assert worst < 0.02  # mg/dL; bursts of insulin are harsher than the day for which 0.004 is stated


@pytest.mark.parametrize(("substeps", "most", "usual"), [(2, 0.1, 0.004), (4, 0.01, 0.0005)])
def test_how_exact_a_day_of_basal_insulin_is(substeps, most, usual):
    found = []
    for name in SETS["all"]:
        worst = 0.0
        rough, fine = (begun(SimglucoseWorld(patients=name, start_hour=6, substeps=n)) for n in (substeps, 20))
        for _ in range(480):
            over = [played(one, [action_for(basal(name))]).terminated[0] for one in (rough, fine)]
            worst = max(worst, abs(rough.states[0]["glucose"] - fine.states[0]["glucose"]))
            if any(over):
                break
        found.append(worst)
    assert max(found) < most
    assert np.median(found) < usual


def test_carbohydrates_are_conserved():
    """What was eaten is in stomach and intestine, or was absorbed at the rate kabs of the intestine's content."""
    name = "adult#005"
    p, batch = table()[name], begun(SimglucoseWorld(patients=name, start_hour=6, substeps=10))
    s, params, w = batch.states, records(batch.world.params), records(np.zeros(1, WORK))
    s[0]["planned"], eaten, absorbed, minutes = 62.0, 0.0, 0.0, []
    for _ in range(400):
        before = s[0]["x"][2]
        pass_minute(s[0], params[0], w[0])
        eaten += s[0]["eating"]
        minutes.append(s[0]["eating"])
        absorbed += p["kabs"] * (before + s[0]["x"][2]) / 2  # trapezium rule
    assert minutes[:14] == [5.0] * 12 + [2.0, 0.0]
    assert eaten == 62.0
    assert s[0]["x"][:3].sum() + absorbed == pytest.approx(62000.0, rel=2e-4)


def test_injected_insulin_follows_its_closed_form():
    """Two compartments in a row with a constant inflow, from empty."""
    params, x, w = params_of(["child#004"], substeps=20), np.zeros(STATES), records(np.zeros(1, WORK))
    p = params[0]
    rest(x, p)
    x[10] = x[11] = 0.0
    u, a, b = 12.0, p["ka1"] + p["kd"], p["ka2"]
    for minute in range(1, 181):
        digest(x, p, w[0], 0.0, u, 0.0)
        first = u / a * (1 - np.exp(-a * minute))
        second = (
            p["kd"] * u / a * ((1 - np.exp(-b * minute)) / b - (np.exp(-a * minute) - np.exp(-b * minute)) / (b - a))
        )
        np.testing.assert_allclose(x[10:12], [first, second], rtol=1e-9)


def test_readings_are_held_for_two_minutes():
    batch = begun(SimglucoseWorld(start_hour=6))
    shown = [batch.states[0]["reading"]]
    held = [batch.states[0]["held"]]
    for _ in range(60):
        output = played(batch, [-0.99])
        held.append(batch.states[0]["held"])
        shown.append(float(output.observations[0, 0]))
    np.testing.assert_allclose(shown[1:], (2 * np.array(held[:-1]) + held[1:]) / 3, rtol=1e-6)


def risk(glucose):
    return 10 * (1.509 * (np.log(glucose) ** 1.084 - 5.381)) ** 2


@pytest.mark.parametrize(("rate", "steps"), [(0.0, 142), (0.02, 480), (5.0, 20)])
def test_rewards_and_ends(rate, steps):
    batch = begun(SimglucoseWorld(patients="adult#003", start_hour=6))
    before = batch.states[0]["glucose"]
    for k in range(480):
        output = played(batch, [action_for(rate)])
        assert batch.states[0]["minute"] == 3 * (k + 1)
        after = batch.states[0]["glucose"]
        low, high = after <= 40, after >= 600
        wanted = -15.0 if low else 0.0 if high else 1 + (risk(before) - risk(after)) / 100
        assert output.rewards[0] == pytest.approx(wanted, rel=1e-5)
        assert bool(output.terminated[0]) == (low or high)
        before = after
        if output.terminated[0]:
            break
    assert abs(k + 1 - steps) <= 3


def test_the_original_ends_before_it_punishes():
    """With much insulin glucose falls so fast that the sensor's mean is still above 40 mg/dL in the end."""
    missed = 0
    for compat in (None, "neorl2"):
        batch = begun(SimglucoseWorld(compat=compat), 64)
        last = np.zeros(64)
        over = np.zeros(64, bool)
        for _ in range(200):
            output = played(batch, [0.5])
            fresh = output.terminated & ~over
            last[fresh] = output.rewards[fresh]
            over |= output.terminated
        assert over.all()
        if compat is None:
            assert (last == -15).all()
        missed = (last > -15).mean()
    assert 0.2 < missed < 0.6


def test_exponential_actions_and_rewards_for_the_range():
    batch = begun(SimglucoseWorld(mapping="exponential", reward="range"))
    for action in (-1.0, -0.3, 0.1):
        output = played(batch, [action])
        assert output.info["insulin"][0] == pytest.approx(5 * np.exp(4 * (np.float32(action) - 1)))
        glucose = batch.states[0]["glucose"]
        assert output.rewards[0] == pytest.approx(max(0, 1 - risk(glucose) / 7.75), rel=1e-5)
    assert risk(180.0) == pytest.approx(7.75, abs=0.03)
    assert risk(70.0) == pytest.approx(7.75, abs=0.03)


def test_random_meals_have_the_stated_distribution():
    batch = begun(SimglucoseWorld(meals="random"), 4000)
    times, grams = batch.states["meal_times"], batch.states["meal_grams"]
    taken = times >= 0
    np.testing.assert_allclose(taken.mean(axis=0), [0.95, 0.3] * 3, atol=0.03)
    means = [np.mean(times[taken[:, k], k]) for k in range(MEAL_COUNT)]
    np.testing.assert_allclose(means, [420, 570, 720, 900, 1080, 1290], atol=3)
    np.testing.assert_allclose(grams.mean(axis=0), [45, 10, 70, 10, 80, 10], atol=0.6)
    spreads = [np.std(times[taken[:, k], k]) for k in range(MEAL_COUNT)]
    # of normal numbers cut at one, two or three standard deviations
    cut = [0.8796, 0.5396, 0.8796, 0.8796, 0.8796, 0.9866]
    np.testing.assert_allclose(spreads, np.array([60, 30] * 3) * cut, rtol=0.06)
    assert (times == np.round(times)).all()
    assert (grams == np.round(grams)).all()


def test_meals_are_planned_anew_at_midnight_only():
    batch = begun(SimglucoseWorld(meals="random", start_hour=22), 8)
    first = batch.states["meal_times"].copy()
    for _ in range(40):
        played(batch, [-0.992])
    np.testing.assert_array_equal(batch.states["meal_times"], first)
    played(batch, [-0.992])
    assert (batch.states["meal_times"] != first).any(axis=1).all()


def test_next_meal_is_told():
    batch = begun(SimglucoseWorld(start_hour=6))
    assert next_meal(batch.states[0]) == (60.0, 45.0)
    output = played(batch, [-0.992])
    assert output.info["next_meal"][0] == 57
    late = begun(SimglucoseWorld(start_hour=23))
    assert next_meal(late.states[0]) == (-1.0, 0.0)
    assert next_meal(begun(SimglucoseWorld(meals="none")).states[0]) == (-1.0, 0.0)


def test_the_spline_is_cubic_and_goes_through_the_knots():
    weights, at = spline_weights(), (np.arange(50) + 1) / 5
    for power in range(4):  # a not-a-knot spline reproduces cubics
        np.testing.assert_allclose(weights @ np.arange(11.0) ** power, at**power, rtol=1e-9)
    knots = np.random.default_rng(0).normal(size=11)
    np.testing.assert_allclose((weights @ knots)[4::5], knots[1:], rtol=1e-9)
    spline = pytest.importorskip("scipy.interpolate").CubicSpline(np.arange(11), knots)
    np.testing.assert_allclose(weights @ knots, spline(at), rtol=1e-9)


def test_the_sensor_errs_as_an_independent_simulation_says():
    draws = np.random.default_rng(0)
    drift = draws.normal(size=200_000)
    for _ in range(30):
        drift = 0.7 * (drift + draws.normal(size=drift.size))
    expected = -5.47 + 15.9574 * np.sinh((drift + 0.5444) / 1.6898)
    batch = begun(SimglucoseWorld(noise=True, meals="none"), 3000)
    for _ in range(101):  # past the second spline's beginning
        played(batch, [-0.992])
    errors = batch.states["knots"][:, 5:].ravel()
    np.testing.assert_allclose(np.quantile(errors, [0.1, 0.5, 0.9]), np.quantile(expected, [0.1, 0.5, 0.9]), atol=0.6)
    assert np.std(errors) == pytest.approx(np.std(expected), rel=0.06)


def test_errors_of_the_sensor_change_what_is_seen_and_nothing_else():
    plain, noisy = (begun(SimglucoseWorld(noise=noise), 16) for noise in (False, True))
    for _ in range(60):
        a, b = played(plain, [-0.99]), played(noisy, [-0.99])
        np.testing.assert_array_equal(a.rewards, b.rewards)
    np.testing.assert_array_equal(plain.states["x"], noisy.states["x"])
    assert (a.observations[:, 0] != b.observations[:, 0]).all()
    assert np.abs(a.observations[:, 0] - b.observations[:, 0]).mean() > 2


def test_patients_and_hours_are_drawn_evenly():
    batch = begun(SimglucoseWorld(), 6000)
    numbers = [int(one) for one in batch.world.params["number"][batch.states["level"]]]
    names = [list(table())[one] for one in numbers]
    assert set(names) == set(SETS["train"])
    assert max(map(names.count, set(names))) < 1.25 * min(map(names.count, set(names)))
    assert np.bincount(batch.states["start"] // 60, minlength=24).min() > 180
    assert set(SimglucoseWorld(patients="test").patients) == {n for n in table() if int(n[-3:]) > 5}


def test_observations_are_the_reading_and_the_constants_in_order():
    batch = begun(SimglucoseWorld(patients="child#009"))
    seen, p = played(batch, [-0.99]).observations[0], table()["child#009"]
    np.testing.assert_allclose(seen[1:], [p[name.lower()] for name in SEEN], rtol=1e-6)
    assert seen[0] == np.float32(batch.states[0]["reading"])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"patients": "adult#011"}, "'adult#011'"),
        ({"patients": ["adult#001", 3]}, "no 3"),
        ({"patients": ()}, "at least one"),
        ({"start_hour": 24}, "start_hour is 24"),
        ({"substeps": 0}, "substeps is 0"),
        ({"meals": "often"}, "meals is 'often'"),
        ({"mapping": "log"}, "mapping is 'log'"),
    ],
)
def test_bad_options_are_named(options, told):
    with pytest.raises(ValueError, match=told):
        SimglucoseWorld(**options)


def test_costs_are_apart_from_rewards():
    batch = begun(SimglucoseWorld(patients="adult#003", start_hour=0))
    seen = set()
    for _ in range(80):
        output = played(batch, [action_for(0.2)])
        glucose = output.info["glucose"][0]
        assert output.info["cost"][0] == (glucose < 70)
        assert output.info["below_54"][0] == (glucose < 54)
        assert output.info["above_180"][0] == (glucose > 180)
        seen.add(float(output.info["cost"][0]))
        if output.terminated[0]:
            break
    assert seen == {0.0, 1.0}


def test_answers_may_be_rates():
    world = SimglucoseWorld()
    words, state = companion(world, Words), begun(world).states[0]
    assert words.parse("I give 1.2 U/h.", state)[0] == action_for(0.02)
    assert words.parse("[-0.5]", state)[0] == -0.5
    refused = words.parse("400 U/h", state)
    assert isinstance(refused, Refusal)
    assert refused.kind is RefusalKind.OUT_OF_RANGE
    assert "#" not in words.describe(state)
    assert "mg/dL" in words.describe(state)


def returns_of(world, player, slots):
    batch = begun(world, slots, 10**9)
    output, total, over = batch.last, np.zeros(slots), np.zeros(slots, bool)
    player.reset(np.ones(slots, bool), np.arange(slots))
    length = np.zeros(slots)
    observations = np.zeros((slots, 31), np.float32)
    for _ in range(480):
        output = batch.step(player.act(observations, batch.states))
        observations = output.observations
        total += np.where(over, 0, output.rewards)
        length += ~over
        over |= output.terminated
    return total, length


def test_the_therapist_keeps_everyone_alive():
    for patients in ("train", "test"):
        world = SimglucoseWorld(patients=patients)
        total, length = returns_of(world, companion(world, Players).expert(), 300)
        assert (length == 480).all()
        assert total.mean() > 479


def test_followers_live_as_long_as_the_published_behaviour():
    world = SimglucoseWorld()
    players = companion(world, Players)
    found = [returns_of(world, players.collector(f"follower-{k}"), 300) for k in (1, 2, 3)]
    assert np.mean([total for total, _ in found]) == pytest.approx(353.45, abs=20)
    assert np.mean([length for _, length in found]) == pytest.approx(358, abs=20)
    assert np.mean([length < 480 for _, length in found]) == pytest.approx(111 / 280, abs=0.06)
    with pytest.raises(ValueError, match="follower-9"):
        players.collector("follower-9")


def test_followers_vary_by_their_seed_alone():
    world = SimglucoseWorld(patients="adult#003", start_hour=6)
    player, seen = companion(world, Players).collector("follower-1"), np.full((4, 31), 140, np.float32)
    states = begun(world, 4).states
    player.reset(np.ones(4, bool), np.array([1, 2, 3, 1]))
    first = player.act(seen, states).ravel()
    assert len(set(first.tolist())) == 3
    assert first[0] == first[3]
    player.reset(np.array([False, True, False, False]), np.array([0, 3, 0, 0]))
    second = player.act(seen, states).ravel()
    np.testing.assert_array_equal(second, first[[0, 2, 2, 3]])
    np.testing.assert_allclose(2.5 * (first + 1), 0.021, rtol=0.15)
