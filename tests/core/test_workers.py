"""Threads beside the caller."""

import gc
import threading
import time
import weakref

import numpy as np
import pytest

from envsuite.core.workers import Workers


def alive() -> int:
    return sum(one.name == "envsuite" for one in threading.enumerate())


def settle(count: int) -> None:
    for _ in range(200):
        if alive() == count:
            return
        time.sleep(0.01)
    raise AssertionError(f"{alive()} threads, expected {count}")


def test_all_parts_are_done_when_it_returns():
    workers, who, out = Workers(3), {}, np.zeros(4)

    def fill(k: int, pause: float) -> None:
        time.sleep(pause)
        out[k] += k
        who[k] = threading.current_thread().name

    for turn in range(1, 4):
        workers.run([(k, 0.02 * k) for k in range(4)], fill)
        np.testing.assert_array_equal(out, turn * np.arange(4))
    assert who[0] == "MainThread"
    assert {who[k] for k in (1, 2, 3)} == {"envsuite"}
    workers.run([(1, 0.0)], fill)
    assert out[1] == 4
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
    before = alive()
    workers, array = Workers(2), np.zeros(3)
    held = weakref.ref(array)
    workers.run([(array,)] * 3, len)
    del array
    gc.collect()
    assert held() is None
    del workers
    gc.collect()
    settle(before)
    other = Workers(1)
    other.close()
    other.close()
    settle(before)


def test_who_is_done_takes_over_what_others_have_left():
    workers, who = Workers(1), {}

    def work(k: int) -> None:
        time.sleep(0.2 if k == 4 else 0.01)
        who[k] = threading.current_thread().name

    workers.run([(k,) for k in range(8)], work)
    assert sorted(who) == [*range(8)]
    assert who[4] == "envsuite"  # the first of its share
    assert who[7] == "MainThread"  # the last of that share, while the other sleeps
    workers.close()
