"""Kernels are compiled as wholes and parts, others as ever, and a word is said when it lasts."""

import os
import pickle
import subprocess
import sys
from types import SimpleNamespace

import numba
import numpy as np
import pytest
from click.testing import CliRunner

import envsuite
from envsuite.cli import main
from envsuite.core import notice, thrift
from envsuite.core.jit import kernel
from envsuite.core.world import make_world


@kernel
def cube(x):
    return x * x * x


@kernel
def shifted(x, n):
    return cube(x) + n


@kernel
def three(x):
    return shifted(x, 1) + shifted(x, 2) + shifted(x, 3)


def test_what_kernels_call_is_no_function_of_python_s():
    assert three(2.0) == 30.0
    assert len(three.overloads) == 1 or three.stats.cache_hits
    assert not cube.overloads  # nobody in Python has called it
    assert len(shifted.part.overloads) <= 1  # three whole numbers are one type
    assert cube(3.0) == 27.0  # but everybody may
    assert len(cube.overloads) == 1


def test_kernels_of_a_gpu_call_functions_whose_numbers_adapt():
    from numba.cuda.descriptor import cuda_target

    called = cuda_target.typing_context.resolve_value_type(shifted)
    assert called.dispatcher.py_func is shifted.adapted


def test_kernels_go_to_other_processes_by_name():
    assert pickle.loads(pickle.dumps(cube)) is cube
    loop = make_world("envsuite.momarl.coin_game.world:CoinGameWorld").loops.reset  # made, so it has no name of its own
    again = pickle.loads(pickle.dumps(loop))
    assert not again._inline
    assert again.py_func.__name__ == loop.py_func.__name__


def test_other_people_s_kernels_are_compiled_with_their_own_flags():
    three(np.float32(1))
    fast = numba.njit(fastmath=True)(lambda x, y: (x + y) - x)
    assert fast(1e30, 1.0) in (0.0, 1.0)
    assert "fadd fast" in next(iter(fast.inspect_llvm().values())) or fast(1e30, 1.0) == 1.0
    plain = numba.njit(lambda x, y: (x + y) - x)
    assert plain(1e30, 1.0) == 0.0
    assert thrift.Function.get_call_type is thrift._search


@kernel
def third_of_three(x):
    made = np.zeros(3)
    made[2] = x
    return made[2]


@kernel(arrays=True)
def second_of_two(x):
    made = np.zeros(2)
    made[1] = x
    return made[1]


@kernel
def rest_of(x):
    return x[1:]


def test_only_kernels_that_say_so_make_arrays():
    for one, argument in ((third_of_three, 1.0), (rest_of, np.zeros(3))):
        with pytest.raises(numba.core.errors.NumbaError) as caught:
            one(argument)
        assert "@kernel(arrays=True)" in caught.value.__notes__[-1]
    assert second_of_two(2.0) == 2.0


def test_a_start_from_the_cache_loads_no_compiler(tmp_path):
    script = (
        "import sys, envsuite\n"
        "env = envsuite.make('MazePointLarge')\n"
        "env.reset(seed=0)\n"
        "env.step(env.action_space.sample())\n"
        "print('numba.np.arraymath' in sys.modules)\n"
    )
    environment = {**os.environ, "ENVSUITE_CACHE_DIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    said = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
        for _ in range(2)
    ]
    assert [one.stdout.strip() for one in said] == ["True", "False"]


class Clock:
    """Time that passes when it is told to, and timers that go off by it."""

    def __init__(self):
        self.now, self.timers = 0.0, []

    def monotonic(self):
        return self.now

    def Timer(self, seconds, call, arguments):  # noqa: N802 (as in `threading`)
        timer = SimpleNamespace(at=self.now + seconds, go=lambda: call(*arguments), daemon=False, start=lambda: None)
        timer.cancel = lambda: self.timers.remove(timer) if timer in self.timers else None
        self.timers.append(timer)
        return timer

    def pass_by(self, seconds):
        self.now += seconds
        for timer in [one for one in self.timers if one.at <= self.now]:
            self.timers.remove(timer)
            timer.go()


@pytest.fixture
def clock(monkeypatch):
    made = Clock()
    monkeypatch.setattr(notice, "time", made)
    monkeypatch.setattr(notice, "threading", made)
    return made


@pytest.mark.parametrize(
    ("spells", "told"),
    [
        ([("short", 1.9)], []),
        ([("long", 2.1), ("long", 2.1)], ["long"]),
        ([("in parts", 0.9)] * 4, ["in parts"]),
        ([("one", 1.5), ("other", 1.5)], []),
        ([("", 9.0)], []),
    ],
)
def test_a_word_is_said_once_when_it_takes_long(clock, capsys, spells, told):
    made = notice.Notice()
    for subject, seconds in spells:
        made.subject = subject
        with made.watch():
            clock.pass_by(seconds)
    expected = "".join(f"compiling {subject}, once for this machine\n" for subject in told)
    assert capsys.readouterr().err == expected


def test_warming_leaves_nothing_to_compile(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVSUITE_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    few = {name: card for name, card in envsuite.cards().items() if name == "envsuite/CoinGame-v0"}
    monkeypatch.setattr(envsuite, "cards", lambda: few)
    done = CliRunner().invoke(main, ["warm", "momarl", "--jobs", "1"])
    assert done.exit_code == 0, done.output
    assert "1/1  CoinGame-v0" in done.output
    script = (
        "import envsuite\n"
        "envs = envsuite.parallel_vec('CoinGame', num_envs=2)\n"
        "envs.reset(seed=0)\n"
        "envs.step([[0, 0], [0, 0]])\n"
        "loops = envs.world.loops\n"
        "print([sum(one.stats.cache_misses.values()) for one in (loops.reset, loops.step)])\n"
    )
    found = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert found.stdout.strip() == "[0, 0]", found.stderr
    assert "compiling" not in found.stderr


def test_unknown_families_are_named():
    done = CliRunner().invoke(main, ["warm", "gardens"])
    assert done.exit_code == 2
    assert "'gardens' is not one of crafting, fighting" in done.output


@pytest.mark.parametrize("name", ["QuadHover", "envsuite/QuadHover-v0"])
def test_environments_can_be_made_by_short_names(name):
    assert envsuite.make(name).spec.id == "envsuite/QuadHover-v0"
    assert envsuite.make_vec(name, num_envs=3).num_envs == 3
