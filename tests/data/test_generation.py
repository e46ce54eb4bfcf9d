"""Generation: the same bytes for every number of slots, jobs and workers, and nothing lost when it is interrupted."""

import dataclasses
import itertools
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import envsuite
from envsuite.cards import datasets_with
from envsuite.core.world import lead_shape, make_world
from envsuite.data import generate, load, load_recipe, recipe_ids, verify
from envsuite.data.collect import Plan, collect
from envsuite.data.generation import Job
from envsuite.data.noise import DelayedPolicy, Noise, NoisyPolicy
from envsuite.data.recipes import Component, counterparts, find_counterpart
from envsuite.evaluation.executors import ProcessExecutor
from envsuite.evaluation.policies import policy_digest
from envsuite.evaluation.rollout import expert_policy, play, random_policy
from tests.data.conftest import MIXED, recipe

MULTI = "quad-multi-hover/mixed-v0"


@pytest.mark.parametrize("name", ["QuadHover", "QuadHoverGPD", "QuadMultiHover"])
def test_columns_are_what_the_single_environment_gives(name):
    """The oracle: one Gymnasium environment, stepped by hand with the recorded actions."""
    card = envsuite.card(name)
    world = make_world(card.world, **card.options)
    seeds = np.array([11, 400, 12, 13, 14])
    found = collect(world, random_policy, Plan(seeds, card.horizon, slots=2, infos=("distance",)))
    assert found["seeds"].tolist() == seeds.tolist()
    for k, seed in enumerate(seeds):
        env = envsuite.parallel_vec(card.id, 1) if world.agents else None
        rows = range(found["offsets"][k], found["offsets"][k + 1])
        if env is None:
            from envsuite.core.single import WorldEnv

            env = WorldEnv(card.world, **card.options)
            observation, _ = env.reset(seed=int(seed))
            for step, row in enumerate(rows, 1):
                np.testing.assert_array_equal(found["observations"][row], observation)
                observation, reward, terminated, _, info = env.step(found["actions"][row])
                assert found["rewards"][row] == reward
                assert found["terminated"][row] == terminated
                assert found["truncated"][row] == (not terminated and step == card.horizon)
                assert found["infos.distance"][row] == np.float32(info["distance"])
            assert terminated or len(rows) == card.horizon
        else:
            observation, _ = env.reset(seed=int(seed))
            for row in rows:
                np.testing.assert_array_equal(found["observations"][row], observation[0])
                observation, reward, terminated, truncated, _ = env.step(found["actions"][row][None])
                np.testing.assert_array_equal(found["rewards"][row], reward[0])
                np.testing.assert_array_equal(found["terminated"][row], terminated[0])
                np.testing.assert_array_equal(found["truncated"][row], truncated[0] & ~terminated[0])
            observation = observation[0]
        np.testing.assert_array_equal(found["final_observations"][k], observation)


def test_actions_are_those_that_the_protocol_records():
    card = envsuite.card("QuadHover")
    log = play(card, random_policy, 7, first_seed=30, record=True).log
    found = collect(make_world(card.world), random_policy, Plan(np.arange(30, 37), card.horizon, slots=3))
    np.testing.assert_array_equal(found["actions"], log.actions)
    np.testing.assert_array_equal(found["rewards"], log.rewards)
    np.testing.assert_array_equal(found["offsets"], log.offsets)


def test_other_generations_keep_their_work(tmp_path):
    """The small form has the same episodes, and ends while another process is at the whole."""
    some = recipe()
    whole = dataclasses.replace(some, id=MIXED, episodes=9)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("envsuite.data.generation.write_into", lambda *a, **k: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            generate(whole, tmp_path)
    kept = list(tmp_path.glob(".work/*/*/*.json"))
    assert kept
    generate(some, tmp_path)
    assert all(path.is_file() for path in kept)


@pytest.mark.parametrize("observation", ["state", "pixels", "text"])
@pytest.mark.parametrize("name", ["quad-hover/mixed-v0", MULTI])
def test_hashes_do_not_depend_on_slots_and_jobs(tmp_path, name, observation):
    name = name if observation == "state" else name.replace("mixed", "random")  # frames take time, so short episodes
    some = recipe(name, observation=observation)
    hashes = set()
    for slots, size in ((256, None), (1, 2), (2, 5), (3, 1)):
        data = generate(some, tmp_path, slots=slots, episodes_a_job=size, force=True)
        hashes.add(data.manifest.hash)
        assert not any((tmp_path / ".work").iterdir())
    assert len(hashes) == 1
    load(some.id, tmp_path, check=True)


def test_hashes_do_not_depend_on_workers(tmp_path):
    some = recipe()
    serial = generate(some, tmp_path / "serial").manifest
    for workers in (1, 2):
        pool = generate(
            some, tmp_path / f"{workers}", executor=lambda w, n=workers: ProcessExecutor(w, n), episodes_a_job=2
        )
        assert pool.manifest == serial


def test_pixels_and_texts_are_the_worlds(tmp_path):
    state = generate(recipe(episodes=1), tmp_path / "s")
    card = envsuite.card("QuadHover")
    from envsuite.core.single import WorldEnv

    for kind in ("pixels", "text"):
        data = generate(recipe(episodes=1, observation=kind), tmp_path / kind)
        np.testing.assert_array_equal(data.columns["actions"], state.columns["actions"])
        env = WorldEnv(card.world)
        env.reset(seed=recipe().first_seed)
        for row in (*data.columns["observations"], data.columns["final_observations"][0]):
            if kind == "pixels":
                np.testing.assert_array_equal(row, env.frame(size=(84, 84)))
            else:
                assert row.decode() == env.describe()
            if not env.batch.done[0]:
                env.step(state.columns["actions"][int(env.batch.states[0]["clock"]["step"])])


def test_transitions_end_with_the_episode_that_reaches_them(tmp_path):
    whole = generate(recipe(episodes=9), tmp_path / "e")
    lengths = whole.lengths
    for wanted in (1, int(lengths[:3].sum()), int(lengths[:3].sum()) + 1, int(lengths[:5].sum()) - 1):
        count = next(k for k in range(1, 10) if lengths[:k].sum() >= wanted)
        some = recipe(episodes=None, transitions=wanted)
        for size in (1, 2, None):
            part = generate(some, tmp_path / "t", episodes_a_job=size, force=True)
            assert part.lengths.tolist() == lengths[:count].tolist()
            np.testing.assert_array_equal(part.columns["observations"], whole.columns["observations"][: len(part)])


def test_progress_reaches_its_end(tmp_path):
    for changes, total in (({}, 6), ({"episodes": None, "transitions": 500}, 500)):
        told = []
        generate(
            recipe(**changes), tmp_path, episodes_a_job=1, progress=lambda *one, told=told: told.append(one), force=True
        )
        assert told[-1] == (total, total)
        assert [done for done, _ in told] == sorted(done for done, _ in told)


def test_what_is_there_is_not_made_again(tmp_path, monkeypatch):
    some = recipe()
    first = generate(some, tmp_path)
    monkeypatch.setattr("envsuite.data.generation.play_episodes", None)
    assert generate(some, tmp_path).manifest == first.manifest
    with pytest.raises(RuntimeError, match="jobs failed"):
        generate(dataclasses.replace(some, first_seed=3), tmp_path)
    assert load(some.id, tmp_path).manifest == first.manifest


def test_memory_is_that_of_a_few_jobs_and_not_of_the_data(tmp_path):
    some = recipe(policies=(Component("expert"),), episodes=120)
    generate(some, tmp_path)  # compiles, imports
    tracemalloc.start()
    data = generate(some, tmp_path, episodes_a_job=4, slots=4, force=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert data.manifest.nbytes > 25e6
    assert peak < 8e6


KILLED = """
import sys
from pathlib import Path
from envsuite.data import generate as g
from envsuite.evaluation.executors import ProcessExecutor
from tests.data.conftest import MIXED, recipe
if __name__ == "__main__":
    executor = (lambda work: ProcessExecutor(work, 2)) if sys.argv[2] == "pool" else None
    arguments = {"executor": executor} if executor else {}
    g(recipe(episodes=200), Path(sys.argv[1]), episodes_a_job=2, **arguments)
"""


@pytest.mark.parametrize("executor", ["serial", "pool"])
def test_generation_goes_on_after_kill_9(tmp_path, executor):
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "store"), executor],
        env={**os.environ, "PYTHONPATH": str(root)},
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while len(shards := list(tmp_path.glob("store/.work/*/*/*.json"))) < 4:
        assert time.monotonic() < deadline
        assert process.poll() is None, "it was over before it could be killed"
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    if executor == "pool":
        time.sleep(1)  # workers notice, and stop
    kept = {path: path.stat().st_mtime_ns for path in shards}
    done = len(list(tmp_path.glob("store/.work/*/*/*.json")))
    made = []
    original = Job.run

    def counted(self, folder):
        made.append(self.first)
        assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
        original(self, folder)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Job, "run", counted)
        data = generate(recipe(episodes=200), tmp_path / "store", episodes_a_job=2)
    assert len(made) == 100 - done
    whole = generate(recipe(episodes=200), tmp_path / "other")
    assert data.manifest.hash == whole.manifest.hash
    assert not list((tmp_path / "store/.work").iterdir())


def test_a_policy_file_has_to_be_the_one_that_is_meant(tmp_path):
    from envsuite.agents.onnx import Action, Interface, mlp, save

    weights = np.random.Generator(np.random.Philox(1)).normal(0, 0.05, (4, 146)).astype(np.float32)
    path = tmp_path / "policy.onnx"
    interface = Interface("envsuite/QuadHover-v0", Action("clip", (-1.0,) * 4, (1.0,) * 4))
    save(path, mlp([weights], [np.full(4, 0.1, np.float32)]), interface)
    one = Component("policy.onnx", sha256=policy_digest(path))
    some = recipe(policies=(one,), folder=str(tmp_path))
    data = generate(some, tmp_path / "store")
    expected = np.clip(data.columns["observations"] @ weights.T + np.float32(0.1), -1, 1)
    np.testing.assert_allclose(data.columns["actions"], expected, atol=1e-5)
    wrong = dataclasses.replace(some, policies=(dataclasses.replace(one, sha256="0" * 64),))
    with pytest.raises(RuntimeError, match="expected 0000"):
        generate(wrong, tmp_path / "other")
    path.unlink()
    with pytest.raises(RuntimeError, match="is missing"):
        generate(some, tmp_path / "other")


def test_another_hash_than_the_recipes_is_refused(tmp_path):
    with pytest.raises(ValueError, match="expected 1234"):
        generate(recipe(hash="1234"), tmp_path)
    assert not list(tmp_path.glob("**/manifest.json"))


def test_components_are_dealt_evenly_and_do_not_depend_on_the_range():
    some = recipe(policies=(Component("random", 1), Component("expert", 2), Component("random", 1)))
    whole = some.components(0, 4000)
    assert np.bincount(whole).tolist() == pytest.approx([1000, 2000, 1000], abs=3)
    for start in range(0, 4000, 100):
        part = some.components(start, 100)
        np.testing.assert_array_equal(part, whole[start : start + 100])
        assert np.bincount(part, minlength=3).tolist() == pytest.approx([25, 50, 25], abs=3)
    # exact integer arithmetic, by hand
    for i in (0, 1, 2, 999, 3999):
        place = ((i * 0x9E3779B97F4A7C15) % 2**64 >> 11) / 2**53 * 4
        assert whole[i] == (0 if place < 1 else 1 if place < 3 else 2)


class Zero:
    """Does nothing, so that all that is left is noise."""

    def __init__(self, world, slots):
        self._shape = lead_shape(world, slots) + world.action.shape

    def reset(self, mask, seeds):
        pass

    def act(self, observations, states):
        return np.zeros(self._shape, np.float32)


def noise_of(noise, slots=400, steps=60, card="QuadHover"):
    world = make_world(envsuite.card(card).world)
    policy = NoisyPolicy(Zero(world, slots), noise, world, slots)
    policy.reset(np.ones(slots, np.bool_), np.arange(slots))
    return np.stack([policy.act(np.zeros(slots), np.zeros(slots)) for _ in range(steps)])


def test_noise_has_the_moments_that_it_says():
    white = noise_of(Noise("gaussian", 0.1))
    assert white.std() == pytest.approx(0.1, rel=0.02)
    assert abs(white.mean()) < 0.002
    assert abs((white[1:] * white[:-1]).mean()) < 1e-4
    drift = noise_of(Noise("correlated", 0.1, 0.9))
    assert drift[0].std() == pytest.approx(0.1, rel=0.05)  # stationary from the first step on
    assert drift.std() == pytest.approx(0.1, rel=0.03)
    assert (drift[1:] * drift[:-1]).mean() / drift.var() == pytest.approx(0.9, abs=0.01)
    seldom = noise_of(Noise("gaussian", 0.1, share=0.2))
    steps = (seldom != 0).any(axis=-1)
    assert steps.mean() == pytest.approx(0.2, abs=0.01)
    assert seldom[steps].std() == pytest.approx(0.1, rel=0.03)
    clipped = noise_of(Noise("gaussian", 5.0))
    assert clipped.min() == -1
    assert clipped.max() == 1
    epsilon = noise_of(Noise("epsilon", 0.3), card="QuadMultiHover")
    moved = (epsilon != 0).any(axis=-1)
    assert moved.mean() == pytest.approx(0.3, abs=0.01)
    assert (moved[..., 0] & moved[..., 1]).mean() == pytest.approx(0.09, abs=0.01)  # agents err apart
    assert epsilon[moved].std() == pytest.approx(3**-0.5, rel=0.02)  # uniform on [-1, 1]


@pytest.mark.parametrize(
    "noise", [Noise("gaussian", 0.3), Noise("correlated", 0.2, 0.8), Noise("epsilon", 0.2)], ids=lambda n: n.kind
)
def test_noise_depends_on_the_seed_alone(noise):
    card = envsuite.card("QuadHover")
    world = make_world(card.world)

    def noisy(world, slots):
        return NoisyPolicy(expert_policy(world, slots), noise, world, slots)

    whole = collect(world, noisy, Plan(np.arange(8), card.horizon, slots=8))
    for slots in (1, 3):
        part = collect(world, noisy, Plan(np.arange(8), card.horizon, slots=slots))
        np.testing.assert_array_equal(part["actions"], whole["actions"])


@pytest.mark.parametrize("slots", [1, 3, 8])
def test_delayed_actions_are_those_of_some_steps_before(slots):
    """Of a policy that acts by the clock alone; in every episode the middle of the range comes first."""

    class Clock:
        def __init__(self, world, slots):
            self._time = np.zeros(slots)

        def reset(self, mask, seeds):
            self._time[mask] = 0

        def act(self, observations, states):
            self._time += 1
            return np.repeat(self._time[:, None] / 1000, 2, axis=1).astype(np.float32)

    card = envsuite.card("MazeLegacyUmaze")
    world = make_world(card.world)
    data = collect(world, lambda *some: DelayedPolicy(Clock(*some), 7, *some), Plan(np.arange(8), 40, slots=slots))
    wanted = np.concatenate([np.zeros(7), np.arange(1, 34) / 1000]).astype(np.float32)
    np.testing.assert_array_equal(data["actions"], np.tile(wanted[:, None], (8, 2)))


def test_delays_that_mean_nothing_are_refused():
    world = make_world(envsuite.card("QuadHover").world)
    with pytest.raises(ValueError, match="delay is 0"):
        DelayedPolicy(expert_policy(world, 1), 0, world, 1)
    choices = make_world(envsuite.card("MOItemGathering").world)
    with pytest.raises(ValueError, match="none of them means to do nothing"):
        DelayedPolicy(expert_policy(world, 1), 2, choices, 1)


@pytest.mark.parametrize(
    "wrong",
    [
        *(("gaussian", -1, 0), ("epsilon", 1.5, 0), ("correlated", 0.1, 0), ("gaussian", 0.1, 0.5)),
        *(("correlated", 0.1, 1), ("gaussian", 0.1, 0, 0.0), ("epsilon", 0.1, 0, 0.5)),
    ],
)
def test_noise_out_of_range_is_refused(wrong):
    with pytest.raises(ValueError, match="noise is"):
        Noise(*wrong)


def published() -> Iterator:
    """Datasets, marked slow where one of the same tier and world runs by default."""
    seen = set()
    for name in recipe_ids():
        one = load_recipe(name)
        kind = one.tier, one.card.world
        yield pytest.param(name, marks=(pytest.mark.slow,) if kind in seen else ())
        seen.add(kind)


@pytest.mark.parametrize("name", [*published()])
def test_published_recipes_give_their_hashes(tmp_path, name):
    """The small form; the full one is the same code and more episodes."""
    one = load_recipe(name)
    if not one.card.playable:
        pytest.skip(f"{one.card.engine} is not installed")
    small = one.small_form()
    assert generate(small, tmp_path).manifest.hash == small.hash


def test_published_recipes_have_hashes_and_the_anchors_of_their_cards():
    for one in map(load_recipe, recipe_ids()):
        assert len(one.hash) == len(one.small.hash) == 64
        calibrated = one.anchors["calibrated"]
        for score, anchor in ((one.card.random, calibrated.low), (one.card.expert, calibrated.high)):
            assert dataclasses.asdict(score) == dataclasses.asdict(anchor)


def test_environments_with_datasets_have_at_least_three_tiers():
    tiers, names = {}, {}
    for name in recipe_ids():
        found = load_recipe(name)
        tiers.setdefault(found.env_id, set()).add(found.tier)
        names.setdefault(found.env_id, set()).add(name)
    assert all(len(one) >= 3 for one in tiers.values())
    for card in envsuite.cards().values():
        if not card.id.startswith("envsuite/"):  # what other tests have registered
            continue
        assert set(datasets_with(card.id)) == names.get(card.id, set())
        without = f"n/a: {card.not_applicable.get('dataset')}"
        assert card.capability("dataset") == ("yes" if card.id in names else without)


def test_published_datasets_have_one_counterpart_each():
    listed = {name: [one.name for one in load_recipe(name).counterparts] for name in recipe_ids()}
    names = [*itertools.chain.from_iterable(listed.values())]
    assert len(names) == len(set(names)) == len(counterparts())
    known = counterparts()
    for name in [*known][:: len(known) // 5]:
        published, found = find_counterpart(name.partition("/")[2].upper())
        assert (published.name, found.id) == (name, known[name])
    for name, own in known.items():
        assert name in listed[own]


def test_seeds_of_tiers_do_not_meet():
    spans = {}
    for name in recipe_ids():
        one = load_recipe(name)
        spans.setdefault(one.env_id, []).append((one.first_seed, one.first_seed + (one.transitions or one.episodes)))
    for some in spans.values():
        some.sort()
        assert all(after[0] >= before[1] for before, after in itertools.pairwise(some))


RECIPE = f"""schema = 1
id = "mine/random-v0"
title = ""
summary = ""
tier = "random"
env_id = "envsuite/QuadHover-v0"
behaviour = "{envsuite.card("QuadHover").behaviour}"
first_seed = 100_000_000
transitions = 1_000_000
policies = [{{ policy = "random" }}]
small = {{ episodes = 12 }}
licence = ""
citation = ""
"""


def test_files_without_hashes_are_recipes(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(RECIPE)
    found = load_recipe(path)
    assert (found.hash, found.small.hash) == ("", "")
    published = load_recipe("quad-hover/random-v0")
    assert found.digest == published.digest  # the same columns
    assert generate(found.small_form(), tmp_path).manifest.hash == published.small.hash


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('env_id = "envsuite/Nothing-v0"', "unknown environment"),
        ('behaviour = "0"', "is for behaviour 0"),
        ("first_seed = 999_999_999", "kept for evaluation"),
        ("horizon = 0", "at least 1 step"),
        ("episodes = 5", "either episodes or transitions"),
        ("unknown = 1", "unknown key 'unknown'"),
        ("policies = []", "no policy"),
        ('policies = [{ policy = "x.onnx" }]', "needs its sha256"),
        ('policies = [{ policy = "random", wght = 2.0 }]', "unknown key 'wght'"),
        ('policies = [{ policy = "random", noise = { kind = "pink", scale = 0.1 } }]', "pink"),
        ('policies = [{ policy = "random", weight = 0.0 }]', "weight"),
        ('policies = [{ policy = "random", delay = -1 }]', "delay"),
        ('folder = "/"', "unknown key 'folder'"),
        ('id = "../x-v0"', "no id"),
        ('small = { episodes = 0, hash = "" }', "at least 1"),
        ("first_seed = [1", "cannot be read"),
    ],
)
def test_wrong_recipes_are_refused(tmp_path, change, message):
    key = change.split(" =")[0]
    lines = [line for line in RECIPE.splitlines() if not line.startswith(f"{key} =")]
    path = tmp_path / "wrong.toml"
    path.write_text("\n".join([change, *lines]))
    with pytest.raises(ValueError, match=message):
        assert load_recipe(path).card


def test_unknown_ids_get_a_hint():
    with pytest.raises(ValueError, match="did you mean 'quad-hover/random-v0'"):
        load_recipe("quad-hover/randm-v0")


def test_collectors_are_named_and_horizons_kept(tmp_path):
    some = recipe("maze-legacy-umaze/controller-v0", episodes=2, horizon=700)
    data = generate(some, tmp_path)
    assert data.lengths.tolist() == [700, 700]
    assert data.columns["truncated"][[699, 1399]].all()
    assert data.manifest.source.horizon == 700
    assert verify(data, replay=1.0) == []
    for slots, size in ((1, 1), (2, 2)):
        again = generate(some, tmp_path, slots=slots, episodes_a_job=size, force=True)
        assert again.manifest.hash == data.manifest.hash
    with pytest.raises(RuntimeError, match="has no collector 'fly'"):
        generate(recipe(policies=(Component("collector:fly"),)), tmp_path)


def test_infos_have_to_exist(tmp_path):
    data = generate(recipe(infos=("distance", "is_success")), tmp_path)
    assert data.columns["infos.is_success"].dtype == np.bool_
    with pytest.raises(ValueError, match="has no info 'nothing'"):
        generate(recipe(infos=("nothing",)), tmp_path)
