"""A world whose numbers can be worked out by hand: two agents, two objectives, ends at different times."""

import dataclasses

import numpy as np
import pytest

import envsuite
from envsuite import registry
from envsuite.cards import EnvCard
from envsuite.data import generate, verify
from envsuite.data.edit import merge
from envsuite.data.recipes import Component
from tests.data.conftest import recipe


def count_card(two, horizon=4):
    return EnvCard(
        id="test/Count-v0",
        world="tests.core.worlds:CountWorld",
        family="test",
        summary="",
        source="",
        horizon=horizon,
        options={"base": 3, "two": two},
        agents=2 if two else 1,
        objectives=("number", "time") if two else (),
        behaviour="test",
    )


@pytest.fixture(params=[False, True], ids=["one agent", "two agents, two objectives"])
def data(request, tmp_path, monkeypatch):
    card = count_card(request.param)
    known = {**envsuite.cards(), card.id: card}
    for module in (registry, envsuite):
        monkeypatch.setattr(module, "cards", lambda: known)
    some = recipe(
        id="test/count-v0",
        env_id=card.id,
        behaviour="test",
        episodes=40,
        policies=(Component("random"),),
        infos=("sum", "pair"),
        anchors={},
    )
    return generate(some, tmp_path)


def test_every_number_is_right(data):
    """Episodes of one agent end by the task after 3 or 4 steps, or by the limit of 4 where they would last 5."""
    two = bool(data.manifest.agents)
    ends = set()
    for episode in data.episodes():
        length = len(episode)
        goal = int(episode.infos["pair"][0].reshape(-1)[1])
        steps = np.arange(1, length + 1)
        numbers = np.cumsum(episode.actions[..., 0].astype(np.float64), axis=0)
        if not two:
            np.testing.assert_array_equal(episode.observations[:, 0], steps - 1)
            np.testing.assert_array_equal(episode.rewards, episode.actions[:, 0])
            assert length == min(goal, 4)
            assert episode.terminated.tolist() == (steps >= goal).tolist()
            assert episode.truncated.tolist() == ((steps >= 4) & (goal > 4)).tolist()
            np.testing.assert_array_equal(episode.infos["sum"], numbers)
            assert episode.final_observation[0] == length
            ends.add((bool(episode.terminated[-1]), bool(episode.truncated[-1])))
            continue
        assert episode.rewards.shape == (length, 2, 2)
        for agent in range(2):
            last = max(1, min(goal - 2 * agent, 4))
            played = steps <= last
            np.testing.assert_array_equal(episode.rewards[:, agent, 1], played.astype(float))
            np.testing.assert_array_equal(
                episode.rewards[:, agent, 0], np.where(played, episode.actions[:, agent, 0].astype(np.float64), 0)
            )
            gone = goal - 2 * agent <= 4
            assert episode.terminated[:, agent].tolist() == ((steps >= last) & gone).tolist()
            assert episode.truncated[:, agent].tolist() == ((steps >= last) & (not gone)).tolist()
        ends.add(tuple(map(tuple, np.stack([episode.terminated[-1], episode.truncated[-1]]).tolist())))
    assert len(ends) == 2
    assert data.returns.shape == ((40, 2) if two else (40,))


def test_they_verify_and_replay(data, tmp_path):
    assert verify(data) == []
    row = int(data.columns["offsets"][7]) + 1
    rewards = data.columns["rewards"].copy()
    rewards[row] += 1e-9
    (fault,) = verify(type(data)(data.manifest, data.columns | {"rewards": rewards}), checks=("replay",))
    assert (fault.column, fault.episode, fault.step) == ("rewards", 7, 1)
    assert merge([data, data.choose(np.array([3]))], "test/more-v0", tmp_path).manifest.episodes == 41


def test_samplers_take_them(data):
    rng = np.random.Generator(np.random.Philox(0))
    batch = data.nstep(64, 3, 0.9, rng)
    lead = (64, 2) if data.manifest.agents else (64,)
    assert batch.discounts.shape == batch.terminated.shape == lead
    assert batch.rewards.shape == (*lead, *([2] if data.manifest.agents else []))
    assert batch.rewards.dtype == np.float64
    assert data.to_torch().batch(8).rewards.shape[1:] == batch.rewards.shape[1:]


def test_they_come_back_from_minari(data, tmp_path):
    pytest.importorskip("minari")
    from envsuite.data.formats.minari import export_minari, import_minari

    export_minari(data, tmp_path / "minari")
    back = import_minari(data.manifest.id, tmp_path / "back", minari_root=tmp_path / "minari")
    assert back.manifest == data.manifest
    assert dataclasses.asdict(back.manifest)["objectives"] == (["number", "time"] if data.manifest.agents else [])
