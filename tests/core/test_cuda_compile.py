"""Every world compiles for a GPU, which needs NVIDIA's compiler but no GPU."""

import ast
import importlib
import re
import types
from pathlib import Path

import numpy as np
import pytest

import envsuite
from envsuite.core.batch import Output
from envsuite.core.jit import records
from envsuite.core.loops import seen_by
from envsuite.core.world import allocate, lead_shape, make_world


@pytest.fixture
def hopper(monkeypatch):
    """Pretend that a device of compute capability 9.0 is present."""
    pytest.importorskip("numba_cuda", reason='NVIDIA\'s compiler comes with the extra "cuda"')
    dispatcher = importlib.import_module("numba.cuda.dispatcher")
    monkeypatch.setattr(dispatcher, "get_current_device", lambda: types.SimpleNamespace(compute_capability=(9, 0)))


MOST_TABLES = 1 << 16
"""Bytes of constant memory."""

COMPILED: dict[tuple, str] = {}
"""PTX by kernel and types of its arguments: many ids differ in numbers alone."""

WORLDS = {card.id: (card.world, card.options) for card in envsuite.cards().values() if not card.engine}


@pytest.mark.usefixtures("hopper")
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", WORLDS)
def test_compiles_to_ptx(name):
    from numba import cuda, typeof, void

    from envsuite.core import cuda as front_end

    place, options = WORLDS[name]
    world = make_world(place, **options)
    _, advance = front_end.launchers(world.loops.reset, world.loops.step)
    output = Output.empty(world, 2)
    actions = np.zeros(lead_shape(world, 2) + world.action.shape, world.action.dtype)
    rows, bounds = actions.reshape(2, -1), world.action.low.reshape(-1)
    mask, observation_rows = np.zeros(2, bool), output.observations.reshape(2, -1)
    info_rows = output.info.reshape(2, -1)
    arguments = [allocate(world, 2), world.params, rows, actions, rows, bounds, bounds, True, True, mask, 1]
    seen = records(seen_by(world.loops, world.observation, output.observations))
    arguments += [seen, observation_rows, output.rewards, output.terminated, output.truncated]
    arguments += [output.info, info_rows, observation_rows, info_rows, True, np.zeros(1, np.int64)]
    signature = void(*map(typeof, arguments))
    key = (world.loops.step, signature)
    if key not in COMPILED:
        COMPILED[key], _ = cuda.compile_ptx(advance.py_func, signature, device=False, cc=(9, 0))
    ptx = COMPILED[key]
    assert "sm_90" in ptx
    tables = sum(int(size) for size in re.findall(r"\.const .*?\[(\d+)\]", ptx))
    assert tables < MOST_TABLES, "a table is kept once for each place that names it: let one kernel read it for all"
    doubles = "f8" in f"{world.params.dtype} {world.state_dtype}" or world.reward.dtype is not np.float32
    assert doubles or ptx.count(".f64") < 20, "double arithmetic in a float32 kernel"


ON_THE_PROCESSOR = {"data/noise.py", "language_games/search.py", "momarl/multiwalker"}
"""Kernels that no world on a GPU calls: noise on data, players that search, an engine."""


def test_kernels_use_no_function_of_numpy_that_a_gpu_lacks():
    found = []
    for path in Path(envsuite.__file__).parent.rglob("*.py"):
        place = str(path.relative_to(Path(envsuite.__file__).parent).as_posix())
        if not any(place.startswith(name) for name in ON_THE_PROCESSOR):
            found += [
                f"{place}: np.{name} in {function}" for function, name in numpy_functions(path.read_text("utf-8"))
            ]
    assert not found


def test_functions_of_numpy_are_found_in_kernels():
    text = "@kernel(inline=True)\ndef f(x):\n    return np.int64(np.floor(x))\ndef g(x):\n    return np.sqrt(x)\n"
    assert numpy_functions(text) == [("f", "floor")]


def numpy_functions(text: str) -> list[tuple[str, str]]:
    """The element-wise functions of NumPy that kernels of a file name, with the kernels."""
    found = []
    for one in ast.walk(ast.parse(text)):
        if isinstance(one, ast.FunctionDef) and any("kernel" in ast.unparse(mark) for mark in one.decorator_list):
            named = [
                part for part in ast.walk(one) if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "np"
            ]
            found += [(one.name, part.attr) for part in named if isinstance(getattr(np, part.attr, None), np.ufunc)]
    return found
