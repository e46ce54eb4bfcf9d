"""Threads beside the caller."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

from envsuite.core.workers import Workers


def started(count: int) -> tuple[Workers, set[threading.Thread]]:
    """Workers and the threads that they have started."""
    before = set(threading.enumerate())
    workers = Workers(count)
    threads = set(threading.enumerate()) - before
    assert [one.name for one in threads] == ["envsuite"] * count
    return workers, threads


def assert_end(threads: set[threading.Thread]) -> None:
    for one in threads:
        one.join(60)
        assert not one.is_alive()


def test_all_parts_are_done_when_it_returns():
    workers, who, out = Workers(3), {}, np.zeros(4)
    all_began = threading.Barrier(4)  # nobody is free to take over what another has not begun

    def fill(k: int) -> None:
        all_began.wait(60)
        time.sleep(0.02 * k)
        out[k] += k
        who[k] = threading.current_thread().name

    for turn in range(1, 4):
        workers.run([(k,) for k in range(4)], fill)
        np.testing.assert_array_equal(out, turn * np.arange(4))
    assert who[0] == "MainThread"
    assert {who[k] for k in (1, 2, 3)} == {"envsuite"}
    workers.run([(1,)], who.pop)
    assert 1 not in who
    workers.close()


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_what_a_part_raises_comes_out_after_all_are_done(failing):
    workers, done = Workers(2), []

    def work(k: int) -> None:
        if k == failing:
            raise ZeroDivisionError(k)
        time.sleep(0.1)
        done.append(k)

    with pytest.raises(ZeroDivisionError):
        workers.run([(0,), (1,), (2,)], work)
    assert sorted(done) == [k for k in range(3) if k != failing]
    workers.run([(5,), (6,), (7,)], work)  # they go on
    assert sorted(done)[-3:] == [5, 6, 7]
    workers.close()


def test_threads_end_with_their_owner_and_hold_no_arguments():
    (workers, threads), array = started(2), np.zeros(3)
    held = weakref.ref(array)
    workers.run([(array,)] * 3, len)
    del array
    gc.collect()
    assert held() is None
    del workers
    gc.collect()
    assert_end(threads)
    other, threads = started(1)
    other.close()
    other.close()
    assert_end(threads)


def test_who_is_done_takes_over_what_others_have_left():
    workers, who = Workers(1), {}
    began, taken = threading.Event(), threading.Event()

    def work(k: int) -> None:
        who[k] = threading.current_thread().name
        if k == 0:
            assert began.wait(60)
        elif k == 4:
            began.set()
            assert taken.wait(60)
        elif k == 5:
            taken.set()

    workers.run([(k,) for k in range(8)], work)
    assert who == {k: "envsuite" if k == 4 else "MainThread" for k in range(8)}
    assert list(who)[-3:] == [7, 6, 5]  # from the end of the other's share
    workers.close()
