"""Distances from an equilibrium: of the policy alone, computed anew, whatever a submission says."""

import contextlib
import dataclasses
import json
import shutil

import numpy as np
import pytest

import envsuite
from envsuite.agents.distance import Distance
from envsuite.agents.onnx import Action, Graph, Interface, OnnxPolicy, load, save
from envsuite.agents.onnx.program import Program
from envsuite.core.files import write_atomic
from envsuite.core.world import make_world
from envsuite.evaluation.protocol import distance_from_equilibrium
from envsuite.evaluation.records import RunFolder
from envsuite.evaluation.results import read_results
from envsuite.evaluation.rollout import expert_policy, random_policy
from envsuite.evaluation.tracks import load_track
from envsuite.language_games.solving.measure import measure, sampled
from envsuite.language_games.solving.tree import unfold
from envsuite.submissions.build import build_submission, seal
from envsuite.submissions.record import Verification
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.sandbox import Sandbox
from envsuite.submissions.season import Season, commitment
from envsuite.submissions.site import build
from envsuite.submissions.site.board import make_board
from envsuite.submissions.verify import Settings, verify

from .helpers import NOW, SECRET, change_results, change_text

META = {"authors": ["A. Author"], "date": "2026-11-01", "family": "model-free"}
GAMES = ("KuhnPoker", "LeducPoker")


def masked_network(env_id: str, seed: int, kind: str = "sample", mask: float = 1000.0):
    """Random logits; the legal moves' are larger by `mask`."""
    card = envsuite.card(env_id)
    world = make_world(card.world, **card.options)
    inputs, choices = world.observation.shape[0], len(world.action.names)
    weight = np.random.default_rng(seed).normal(size=(choices, inputs)).astype(np.float32)
    weight[:, -choices:] = mask * np.eye(choices)
    graph = Graph((inputs,))
    logits = graph.dense(graph.observation, weight, np.zeros(choices, np.float32))
    return graph.model(logits, (choices,)), Interface(card.id, Action(kind))


def write_track(folder, metric="exploitability", games=GAMES):
    lines = [
        f'schema = 1\nname = "probes"\nversion = 1\ntitle = "Probes"\nsummary = "For tests."\nmetric = "{metric}"\n'
    ]
    lines.append(f'direction = "{"minimize" if metric == "exploitability" else "maximize"}"\ndeterministic = false\n')
    for game in games:
        card = envsuite.card(game)
        low, high = (0.5, 0.0) if metric == "exploitability" else (0.0, 1.0)
        anchors = [f'{{ mean = {one}, standard_error = 0.0, episodes = 0, policy = "given" }}' for one in (low, high)]
        lines.append(
            f'[[tasks]]\nname = "{game.lower()}"\nenv_id = "{card.id}"\nepisodes = 20\nfirst_seed = 1_000_000_000\n'
            f'training_steps = 10_000\nbehaviour = "{card.behaviour}"\nlow = {anchors[0]}\nhigh = {anchors[1]}\n'
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_atomic(folder / "probes.toml", "".join(lines))
    return folder / "probes.toml"


def entered(place, metric="exploitability", method="Probe", sources=None, **given):
    """A submission of two training runs a game, and how to verify it."""
    track = write_track(place / "tracks", metric)
    if sources is None:
        for game in GAMES:
            for seed in (0, 1):
                card = envsuite.card(game)
                run = RunFolder(place / "runs", card.id, "ppo", {"seed": seed}, seed, card.behaviour)
                run.log(1000, mean_return=0.0)
                save(run.path / "policy.onnx", *masked_network(card.id, seed, **given))
                run.finish("finished")
        sources = [place / "runs"]
    meta = META if method == "Probe" else {**META, "family": "scripted"}
    folder = build_submission(sources, track, method, place / "submissions", meta=meta)
    season = Season("autumn", "2026-01-01", "2026-12-31", commitment(SECRET), 2)
    season.save(place / "seasons")
    return folder, Settings(place, 2, season=season, secret=SECRET, track=load_track(track), now=NOW)


@pytest.fixture(scope="module")
def box():
    with Sandbox() as sandbox:
        yield lambda: contextlib.nullcontext(sandbox)


@pytest.fixture(scope="module")
def probe(tmp_path_factory, box):
    folder, settings = entered(tmp_path_factory.mktemp("probe"))
    return folder, dataclasses.replace(settings, sandbox=box)


@pytest.fixture
def mine(probe, tmp_path):
    """A copy of the submission that a test may change, at level 1."""
    folder, settings = probe
    target = tmp_path / "submissions" / "probes" / folder.name
    shutil.copytree(folder, target)
    return target, dataclasses.replace(settings, leaderboard=tmp_path, level=1)


def test_scores_are_the_distances_of_the_policies(probe):
    """The same number from the file by itself, in the results, and out of the sandbox, at every level."""
    folder, settings = probe
    for level in (0, 1, 2):
        found = verify(folder, dataclasses.replace(settings, level=level))
        assert found.level == level
        for run, result in zip(found.runs, read_results(folder), strict=True):
            task = settings.track.task(run.task)
            card = task.card
            exact = measure(make_world(card.world, **card.options), load(folder / run.policy))
            assert exact.samples == 0
            assert run.distance.exploitability == pytest.approx(exact.exploitability, abs=1e-12)
            assert result.distance.exploitability == pytest.approx(exact.exploitability, abs=1e-12)
            assert run.score == run.distance.exploitability
            assert run.normalised == pytest.approx(1 - 2 * run.score)
            assert run.standard_error == 0
            assert exact.uniform == pytest.approx(11 / 24 if run.task == "kuhnpoker" else 2.373611111, abs=1e-9)
            assert run.score > 0
        assert found.flags == []
    assert all(run.hidden.score == run.score and run.hidden.z == 0 for run in found.runs)
    path = found.save(settings.leaderboard)
    assert Verification.load(path) == found


def better(result):
    claimed = dataclasses.replace(result.distance, exploitability=0.01, low=0.01, high=0.01)
    return {"distance": claimed, "score": 0.01, "normalised": 0.98}


def test_claimed_distances_that_policies_do_not_have_are_refused(mine):
    folder, settings = mine
    change_results(folder, better, which=1)
    with pytest.raises(RefusedError, match=r"distance.exploitability is 0\.01, the policy gives \d") as refused:
        verify(folder, settings)
    assert refused.value.kind == "arithmetic"


def test_the_scale_cannot_be_claimed_either(mine):
    folder, settings = mine
    change_results(folder, lambda one: {"distance": dataclasses.replace(one.distance, uniform=100.0)})
    with pytest.raises(RefusedError, match=r"distance.uniform is 100\.0, the policy gives 0\.4583"):
        verify(folder, settings)


def test_scores_that_do_not_follow_from_the_distance_are_refused(mine):
    folder, settings = mine
    change_results(folder, lambda one: {"score": 0.01})
    with pytest.raises(RefusedError, match=r"score is 0\.01, its parts give"):
        verify(folder, settings)


def test_a_distance_that_is_the_score_needs_to_be_there(mine):
    folder, settings = mine
    change_results(folder, lambda one: {"distance": None})
    with pytest.raises(RefusedError, match="the metric 'exploitability' is missing"):
        verify(folder, settings)


def test_without_a_policy_there_is_no_distance(mine):
    """On a track of distances it is refused; on others the claim is not recorded."""
    folder, settings = mine
    for which in range(4):
        change_results(folder, lambda one: {"policy": None, "policy_sha256": None}, which)
    shutil.rmtree(folder / "policy")
    parameters = next(
        line for line in (folder / "submission.toml").read_text().splitlines() if line.startswith("parameters")
    )
    change_text(folder, "submission.toml", (parameters, "parameters = 0"))
    seal(folder)
    with pytest.raises(RefusedError, match="no policy, whose exploitability is the score"):
        verify(folder, settings)


def test_beside_returns_distances_are_filled_in_and_never_taken_over(tmp_path, box):
    folder, settings = entered(tmp_path, metric="return")
    settings = dataclasses.replace(settings, sandbox=box, level=1)
    exact = [run.distance for run in verify(folder, settings).runs]
    assert all(one is not None and one.exploitability > 0 for one in exact)
    change_results(folder, lambda one: {"distance": None})
    assert verify(folder, settings).runs[0].distance == exact[0]
    change_results(folder, lambda one: {"distance": dataclasses.replace(exact[0], exploitability=0.0)})
    with pytest.raises(RefusedError, match=r"distance.exploitability is 0\.0, the policy gives"):
        verify(folder, settings)


@pytest.mark.parametrize("metric", ["return", "exploitability"])
def test_policies_whose_distance_cannot_be_told(tmp_path, box, metric):
    """One that may choose illegal moves has no distance, which counts only where that is the score."""
    if metric == "exploitability":
        with pytest.raises(ValueError, match="expected probabilities that add up to 1 over the legal moves"):
            entered(tmp_path, metric, mask=0.0)
        return
    folder, settings = entered(tmp_path, metric, mask=0.0)
    found = verify(folder, dataclasses.replace(settings, sandbox=box))
    assert found.level == 2
    assert [run.distance for run in found.runs] == [None] * 4


def test_reference_players_are_measured_by_the_registrys_own(tmp_path):
    for method, scores in (("random", (11 / 24, 2.3736111)), ("expert", (0.0, 0.0))):
        folder, settings = entered(tmp_path, method=method, sources=[method])
        found = verify(folder, settings)
        assert found.level == 2
        assert [run.hidden.score for run in found.runs] == pytest.approx(scores, abs=1e-4)
        change_results(folder, better)
        with pytest.raises(RefusedError, match="the policy gives"):
            verify(folder, settings)


def test_other_families_have_none():
    def never(world, slots):
        raise AssertionError("no policy is made")

    assert distance_from_equilibrium(envsuite.card("QuadHover"), never) is None


def test_the_track_and_its_anchors():
    """Uniform play has score 0 and an equilibrium 1, exactly."""
    track = load_track("language-equilibria")
    assert [task.low.mean for task in track.tasks][1:3] == pytest.approx([11 / 24, 2.3736111111], abs=1e-9)
    for task in track.tasks:
        uniform = distance_from_equilibrium(task.card, random_policy)
        assert uniform == Distance(*[uniform.exploitability] * 3, 0, uniform.uniform)
        assert task.low.mean == pytest.approx(uniform.exploitability, abs=1e-12)
        assert uniform.normalised == pytest.approx(0, abs=1e-12)
        assert task.high.mean == 0
        best = distance_from_equilibrium(task.card, expert_policy)
        assert task.normalise(best.exploitability) == pytest.approx(1, abs=1e-4)


def test_the_site_shows_distances_beside_scores(tmp_path, box):
    folder, settings = entered(tmp_path, metric="return")
    found = verify(folder, dataclasses.replace(settings, sandbox=box))
    found.save(tmp_path)
    row = make_board(settings.track, [found]).rows[0]
    known = [run.distance for run in found.runs if run.task == "kuhnpoker"]
    mean = np.mean([one.exploitability for one in known])
    assert row.distance("kuhnpoker") == pytest.approx((mean, 1 - mean / (11 / 24)))
    build(tmp_path, tmp_path / "site", [settings.track])
    data = json.loads((tmp_path / "site" / "data" / "probes.json").read_text())
    assert data["rows"][0]["distances"]["kuhnpoker"]["exploitability"] == pytest.approx(mean)
    page = (tmp_path / "site" / "probes.html").read_text()
    assert "Near equilibrium" in page
    assert f"{mean:.4f}" in page
    assert f"{mean:.4f}" in (tmp_path / "site" / "probes" / "task-kuhnpoker.html").read_text()


def test_networks_play_the_probabilities_that_they_tell():
    """Shares of many draws against the probabilities, which know nothing of the draws."""
    card = envsuite.card("KuhnPoker")
    world = make_world(card.world, **card.options)
    model, interface = masked_network(card.id, 3)
    policy, tree = OnnxPolicy(Program(model), interface), unfold(world)
    told = policy.probabilities(tree.seen)
    np.testing.assert_allclose(told.sum(axis=1), 1, atol=1e-12)
    error = np.sqrt(told * (1 - told) / 2000)
    shares = sampled(tree, policy, 2000)
    assert (np.abs(shares - told) <= 4.5 * error + 1e-12).all()
