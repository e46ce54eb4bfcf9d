"""A session is a single environment, whatever other sessions do."""

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import envsuite
from envsuite.core.batch import digest
from envsuite.serving.sessions import FullError, Job, Look, Reset, Step, Table


@pytest.fixture(scope="module")
def table():
    one = Table(envsuite.card("QuadHover"), 64)
    yield one
    one.shut()


def ask(table, *pairs):
    return table.advance([Job(session, request) for session, request in pairs])


def test_sessions_that_come_and_go_at_random_are_single_environments(table):
    rng = np.random.default_rng(0)
    mates = []
    for k in range(24):
        single = envsuite.make("QuadHover").unwrapped
        session = table.open()
        mates.append((single, session))
        (reply,) = ask(table, (session, Reset(seed=k)))
        assert np.array_equal(np.float32(reply["observation"]["observation"]), single.reset(seed=k)[0])
    for _ in range(60):
        chosen = [mates[k] for k in np.flatnonzero(rng.random(len(mates)) < rng.random())]
        actions = rng.uniform(-1, 1, (len(chosen), 4)).astype(np.float32)
        replies = ask(table, *((mate[1], Step(row.tolist())) for mate, row in zip(chosen, actions, strict=True)))
        for (single, _), action, reply in zip(chosen, actions, replies, strict=True):
            if isinstance(reply, ResetNeeded):
                with pytest.raises(ResetNeeded):
                    single.step(action)
                continue
            seen, reward, terminated, truncated, _ = single.step(action)
            assert np.float32(reply["observation"]["observation"]).tobytes() == seen.tobytes()
            assert reply["reward"] == reward
            assert reply["done"] == (terminated or truncated)
    for single, session in mates:
        assert digest(table._states[session.slot : session.slot + 1]) == digest(single.batch.states)
        table.sessions.pop(session.id)
        table._free.append(session.slot)


def test_a_fault_changes_nothing_and_hinders_nobody(table):
    good, bad = table.open(), table.open()
    ask(table, (good, Reset(1)), (bad, Reset(2)))
    before = digest(table._states[bad.slot : bad.slot + 1])
    for action in ([0.0] * 3, ["a"] * 4, [float("nan")] * 4, None, {}, [[0.0] * 4], [10**400, 0, 0, 0], "1 2 3"):
        first, second = ask(table, (good, Step([0.0] * 4)), (bad, Step(action)))
        assert isinstance(second, ValueError | TypeError), action
        assert isinstance(first, dict)
    assert digest(table._states[bad.slot : bad.slot + 1]) == before
    assert bad.steps == 0
    (refused,) = ask(table, (bad, Step(words="fly away")))
    assert "unreadable" in str(refused)
    assert bad.steps == 0


def test_episodes_follow_each_other_as_in_a_single_environment(table):
    single, session = envsuite.make("QuadHover").unwrapped, table.open()
    for seed in (7, None, None, 7, None):
        (reply,) = ask(table, (session, Reset(seed)))
        assert np.array_equal(np.float32(reply["observation"]["observation"]), single.reset(seed=seed)[0])
        assert session.state("")["seed"] == seed


def test_looks_take_no_step_and_need_an_episode(table):
    session = table.open()
    (nothing,) = ask(table, (session, Look()))
    assert isinstance(nothing, ResetNeeded)
    ask(table, (session, Reset(3)))
    (told,) = ask(table, (session, Look()))
    single = envsuite.make("QuadHover").unwrapped
    single.reset(seed=3)
    assert told["text"] == single.describe()
    assert session.steps == 0


def test_slots_run_out():
    small = Table(envsuite.card("IteratedPrisoners"), 2)
    small.open(), small.open()
    with pytest.raises(FullError, match="2 sessions are open"):
        small.open()
    small.shut()


def test_an_error_of_the_world_leaves_the_slots_as_they_were(table, monkeypatch):
    session = table.open()
    ask(table, (session, Reset(1)))
    before = digest(table._states[session.slot : session.slot + 1])
    monkeypatch.setattr(type(table._batch(1)), "step", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        ask(table, (session, Step([0.0] * 4)))
    monkeypatch.undo()
    assert digest(table._states[session.slot : session.slot + 1]) == before
    assert isinstance(ask(table, (session, Step([0.0] * 4)))[0], dict)
