"""Batch loops made from kernels equal the same loops written by hand."""

from dataclasses import replace

import numpy as np
import pytest

from envsuite.core import Block, Record, StateRecord, Vector, World, batch_loops, cut, field, kernel
from envsuite.core.batch import Batch
from envsuite.core.loops import Stages
from envsuite.core.world import Reward, ended_agents
from envsuite.core.world import observe as seen_of


class Params(Record):
    length = field(4, type=np.int64)


class State(StateRecord):
    level = field(type=np.int64)
    total = field()
    opened = field(type=np.int64)
    after = field(type=np.int64)


class Both(StateRecord):
    terminated = field(type=np.uint8, shape=2)
    truncated = field(type=np.uint8, shape=2)


class Info(Record):
    opened = field(type=np.int64)
    measured = field()


@kernel
def reset(s, p):
    s.total, s.opened, s.after = 0.0, 0, 0


@kernel
def step(s, p, action):
    s.total += action[0]
    if s.total > 100:
        cut(s.clock)
    return s.total, s.clock.step >= p.length


@kernel
def look(s, o):
    o.total = s.total
    o.pair[0], o.pair[1] = s.clock.step, s.after


@kernel
def measure(s, info):
    info.measured = s.total


@kernel
def open_info(s, info):
    s.opened += 1
    info.opened = s.opened


@kernel
def after_step(s):
    s.after += 1


@kernel
def draw_level(s, params):
    s.level = (s.level + 1) % len(params)


@kernel
def elapse(s, p, ticks):
    s.total += ticks
    return np.float64(ticks), s.total > 50


class Whole(World):
    state_dtype, info_dtype = State.dtype(), Info.dtype()
    observation = Vector((Block("total", 1, -1e3, 1e3), Block("pair", 2, 0, 1e3)))
    action = Vector((Block("push", 1, -1e3, 1e3),))
    reward = Reward(dtype=np.float64)
    loops = batch_loops(
        reset,
        step,
        look,
        measure,
        open_info=open_info,
        after_step=after_step,
        draw_level=draw_level,
        clock=(elapse, 5.0),
    )

    def __init__(self):
        self.params = np.concatenate([Params.make(length=length) for length in (2, 3)])


def pushed(batch, number):
    return batch.step(np.full((batch.num_envs, 1), number, np.float32))


def test_everything_a_loop_can_do():
    batch = Batch(Whole(), 3, horizon=0)
    batch.seed([1, 2, 3])
    output = batch.reset()
    assert (batch.states["level"] == 1).all()  # drawn before the reset, and the record that counts
    assert (output.info["opened"] == 1).all()
    output = pushed(batch, 2)
    assert (output.rewards == 2).all()
    assert (output.observations == [2, 1, 0]).all()  # observed before `after_step`
    assert (batch.states["after"] == 1).all()
    assert (output.info["measured"] == 2).all()
    assert not pushed(batch, 2).terminated.any()
    assert pushed(batch, 2).terminated.all()  # the second level's length
    restarted = batch.step(np.zeros((3, 1), np.float32), np.ones(3, bool))
    assert (restarted.rewards == 0).all()
    assert (batch.states["level"] == 0).all()
    assert (batch.states["after"] == 0).all()
    np.testing.assert_array_equal(seen_of(batch.world, batch.states[0]), [0, 0, 0])


def test_cutting_off_is_no_end_of_the_task():
    batch = Batch(Whole(), 1)
    batch.seed([1])
    batch.reset()
    output = pushed(batch, 200)
    assert output.truncated.all()
    assert not output.terminated.any()
    assert batch.done.all()


def test_the_clock_runs_without_actions():
    world = Whole()
    batch = Batch(world, 2)
    batch.seed([1, 2])
    batch.reset()
    assert world.loops.tick_rate == 5.0
    assert (batch.elapse(7).rewards == 7).all()
    assert not batch.done.any()
    assert batch.elapse(60).terminated.all()
    assert batch.done.all()


@kernel
def nothing(s):
    s.terminated[0] = s.terminated[1] = s.truncated[0] = s.truncated[1] = 0


@kernel
def one_ends(s, p, actions, rewards):
    rewards[0] += actions[0, 0]
    if s.clock.step == 2:
        s.terminated[0] = 1


@kernel
def blind(s, o):
    o[0].step = o[1].step = s.clock.step


class Pair(World):
    state_dtype, info_dtype, params = Both.dtype(), np.dtype([("none", np.int8)]), Params.make()
    observation = Vector((Block("step", 1, 0, 10),))
    action = Vector((Block("push", 1, -1, 1),))
    agents = ("one", "two")
    loops = batch_loops(nothing, one_ends, blind, ends="apart")


def test_agents_end_one_by_one():
    batch = Batch(Pair(), 2, horizon=3)
    batch.seed([1, 2])
    batch.reset()
    flags = []
    for _ in range(3):
        output = batch.step(np.ones((2, 2, 1), np.float32))
        assert (output.rewards == [1, 0]).all()  # 0 where the step wrote nothing
        flags.append((output.terminated[0].tolist(), output.truncated[0].tolist(), bool(batch.done[0])))
    assert flags[0] == ([False, False], [False, False], False)
    assert flags[1] == ([True, False], [False, False], False)
    assert flags[2] == ([True, False], [False, True], True)
    assert ended_agents(batch.world, batch.states[0]).all()


@kernel
def wants_more(s, weather):
    return 0.0, False


def test_kernels_that_ask_for_what_there_is_not():
    with pytest.raises(ValueError, match="kernel step asks for 'weather', expected some of s, p"):
        batch_loops(reset, wants_more, look)


class Room(Record):
    pushed = field()


@kernel
def act(s, w, action):
    w.pushed = s.total
    s.total += action[0]


@kernel
def move(s, p):
    s.total = 1.5 * s.total + p.length


@kernel
def move_together(states, first, last, p, room):
    for i in range(first, last):
        room.moved += 1
        move(states[i], p)
    room.seen[0] = last - first


@kernel
def judge(s, p, w):
    return s.total - w.pushed, s.clock.step >= p.length


ROOM = np.dtype([("moved", np.int64), ("seen", np.int64, 1), ("one", Room.dtype(), 3)])


class Staged(World):
    state_dtype, info_dtype = State.dtype(), Info.dtype()
    observation, action, reward = Whole.observation, Whole.action, Reward(dtype=np.float64)
    params = Params.make(length=3)
    loops = batch_loops(
        reset,
        judge,
        look,
        measure,
        open_info=open_info,
        after_step=after_step,
        work=Room.dtype(),
        stages=Stages(act, move, move_together, ROOM),
    )


class OneByOne(Staged):
    loops = replace(Staged.loops, step_abreast=None)


@pytest.mark.parametrize("count", [3, 8, 18])
@pytest.mark.parametrize("threads", [1, 2])
def test_instances_that_go_together_get_what_each_gets_alone(count, threads):
    together, alone = Batch(Staged(), count, num_threads=threads, horizon=2), Batch(OneByOne(), count, horizon=2)
    rng, restart = np.random.default_rng(0), np.zeros(count, bool)
    for batch in (together, alone):
        batch.seed(range(count))
        batch.reset()
    for _ in range(9):
        actions = rng.normal(size=(count, 1)).astype(np.float32)
        ours, theirs = (batch.step(actions, restart) for batch in (together, alone))
        for name in ("observations", "rewards", "terminated", "truncated"):
            np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
        np.testing.assert_array_equal(ours.info["measured"], theirs.info["measured"])
        assert together.states.tobytes() == alone.states.tobytes()
        restart = ours.terminated | ours.truncated | (rng.random(count) < 0.2)
    together.close()


def test_the_loop_for_so_many_instances():
    loops = Staged.loops
    wide = [count for count in range(1, 14) if loops.step_for(count) is not loops.step]
    assert wide == [3, 5, 6, *range(8, 14)]  # of three, six or nine places not more than a fifth stands empty
    assert OneByOne.loops.step_for(300) is loops.step


def test_stages_that_are_refused():
    stages = Stages(act, move, move_together, ROOM)
    with pytest.raises(ValueError, match="one agent and one parameter record"):
        batch_loops(reset, judge, look, work=Room.dtype(), stages=stages, draw_level=draw_level)
    with pytest.raises(ValueError, match="kernel act asks for 'weather', expected some of s, p"):
        batch_loops(reset, judge, look, work=Room.dtype(), stages=Stages(wants_more, move, move_together, ROOM))
