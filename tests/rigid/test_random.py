"""Random scenes on the kernels beside MuJoCo: one step from the same record, variations of the instance included."""

from dataclasses import replace

import numpy as np
import pytest

from envsuite.rigid import compile_scene, initial

from .engine import Engine
from .random_scenes import random_scene

pytest.importorskip("mujoco")

TIGHT = {"tolerance": 1e-13, "iterations": 200, "timestep": 0.001}


def closed(seed: int):
    """The scene in the largest class, so that all run on one compiled engine; None where contacts are not MuJoCo's."""
    scene = random_scene(seed)
    try:
        compiled = compile_scene(replace(scene, option=replace(scene.option, **TIGHT)), size="large")
    except ValueError:
        return None
    return compiled if compiled.model[0]["nv"] and not compiled.sizes["rims"] else None


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_a_step_is_mujocos(block):
    scenes = {seed: one for seed in range(50 * block, 50 * block + 50) if (one := closed(seed)) is not None}
    assert scenes
    for seed, compiled in scenes.items():
        same_steps(seed, compiled)


def same_steps(seed: int, compiled) -> None:
    from envsuite.rigid.mujoco import MujocoEngine

    own, theirs = Engine.of(compiled), MujocoEngine(compiled)
    theirs.model.opt.ls_iterations = 200
    (model,) = compiled.model
    nq, nv, nu = (int(model[name]) for name in ("nq", "nv", "nu"))
    rng = np.random.default_rng(seed)
    for trial in range(20):
        states = initial(compiled)
        state = states[0]
        state["qpos"][:nq] += rng.uniform(-0.3, 0.3, nq)
        state["qvel"][:nv], state["ctrl"][:nu] = rng.normal(size=nv), rng.normal(size=nu)
        if trial % 2:
            state["mass_scale"], state["gravity"] = (
                rng.uniform(0.5, 2, len(state["mass_scale"])),
                rng.normal(size=3) * 5,
            )
            state["damping"] *= 2
            state["sliding"] *= rng.uniform(0.5, 2, len(state["sliding"]))
            state["gear"] *= 0.5
        if trial % 4 == 3:
            state["pushed"], state["push"] = 1, (1, 2, 3)
        theirs.step(states, 3)
        own.physics[0] = states[0]
        theirs.forward(states[0])
        scale = max(1.0, np.abs(theirs.data.qacc).max())
        if scale > 1e6:
            continue  # a joint far beyond its limits, which no time step of a millisecond can hold
        theirs.step(states)
        own.seen_step()
        np.testing.assert_allclose(own.physics["qvel"], states["qvel"], rtol=0, atol=1e-11 * scale)
        np.testing.assert_allclose(own.physics["qacc_warmstart"], states["qacc_warmstart"], rtol=0, atol=1e-9 * scale)
