"""Compiled kernels and plain Python give the same bits."""

import os
import subprocess
import sys
from pathlib import Path

FLIGHT = """
import hashlib
import numpy as np
from envsuite.quadcopters import params, state
from envsuite.quadcopters.attitude import from_euler
from envsuite.quadcopters.controllers import dsl_pid, geometric
from envsuite.quadcopters.dynamics import bullet, dyn, l2f, settings

digest = hashlib.sha256()
for real in (np.float32, np.float64):
    for mode in ("pyb", "pyb_drag", "pyb_gnd_drag_dw", "dyn"):
        physics = settings.physics(mode, real=real)
        gain = dsl_pid.gains("cf2x", real)
        memory = np.zeros(2, dsl_pid.Memory.dtype(real)).view(np.recarray)
        bodies = np.zeros(2, state.BulletBody.dtype(real)).view(np.recarray)
        goals = np.array([[0.3, -0.2, 0.5], [-0.1, 0.1, 1.0]], real)
        for n in range(2):
            attitude = np.array(from_euler(real(0.1), real(-0.2), real(0.3 * n)), real)
            bullet.place(bodies[n], np.array([0, 0.1 * n, 0.05 + 0.5 * n], real), attitude)
        for k in range(40):
            bullet.feel_downwash(bodies, physics)
            for n in range(2):
                if k % 5 == 0:
                    dsl_pid.control(bodies[n], physics.vehicle, gain, memory[n], goals[n], np.zeros(3, real),
                                    real(0), real(1 / 48))
                (dyn if mode == "dyn" else bullet).step(bodies[n], physics.vehicle, physics)
        digest.update(bodies.tobytes() + memory.tobytes())
    for name in ("l2f_cf2023", "arpl"):
        vehicle, gain = params.vehicle(name, real), geometric.gains("robust", name, scalar=real)
        body = np.zeros(1, state.DisturbedBody.dtype(real)).view(np.recarray)[0]
        body.attitude[:] = from_euler(real(0.7), real(-0.5), real(2.0))
        body.rates[:] = (1, 2, -3)
        body.velocity[:] = (1, -1, 0.5)
        body.force[:] = (0.01, 0.02, -0.01)
        body.rotor_speed[:] = vehicle.command_hover
        zero = np.zeros(3, real)
        for _ in range(40):
            geometric.control(body, vehicle, gain, zero, zero, zero, real(0))
            l2f.step(body, vehicle, real(0.01))
        digest.update(body.tobytes())
        assert np.isfinite(body.position).all()
print(digest.hexdigest())
"""


def flight(**environment):
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(root), **environment}
    command = [sys.executable, "-W", "error", "-c", FLIGHT]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_plain_python_flies_the_same_way():
    compiled, plain = flight(NUMBA_DISABLE_JIT="0"), flight(NUMBA_DISABLE_JIT="1")
    assert compiled.returncode == 0, compiled.stderr
    assert plain.returncode == 0, plain.stderr
    assert len(compiled.stdout.strip()) == 64
    assert plain.stdout == compiled.stdout
