"""Runs in an environment of its own with simglucose and prints, as JSON, what it does and how fast it is.

``python industrial_glucose_peer.py days`` or ``python industrial_glucose_peer.py speed``; nothing of this package is
imported.
"""

import json
import sys
import time
import warnings
from datetime import datetime

import numpy as np

warnings.simplefilter("ignore")
from simglucose.actuator.pump import InsulinPump  # noqa: E402
from simglucose.patient.t1dpatient import Action, T1DPatient  # noqa: E402
from simglucose.sensor.cgm import CGMSensor  # noqa: E402
from simglucose.simulation.env import T1DSimEnv  # noqa: E402
from simglucose.simulation.scenario import CustomScenario  # noqa: E402

PATIENTS = ("adolescent#001", "adolescent#009", "adult#003", "child#002")
MEALS = {60: 45.0, 210: 10.0, 360: 70.0, 540: 10.0, 720: 80.0, 930: 10.0}
"""g by the minute: NeoRL-2's day from 6:00 on."""


class Exact(CGMSensor):
    """A sensor without errors."""

    def measure(self, patient):
        """What simglucose's measures, without the noise."""
        if patient.t % self.sample_time == 0:
            self._last_CGM = min(max(patient.observation.Gsub, 10.0), 600.0)
        return self._last_CGM


def rates(draws: np.random.Generator) -> list[float]:
    """Insulin of a day, U/min, another rate every three minutes."""
    return np.repeat(draws.uniform(0.0, 0.04, 480), 3).tolist()


def day_of(name: str, insulin: list[float]) -> list[list[float]]:
    """The state after each minute."""
    patient, states = T1DPatient.withName(name), []
    for minute, rate in enumerate(insulin):
        patient.step(Action(CHO=MEALS.get(minute, 0.0), insulin=rate))
        states.append([float(one) for one in patient.state])
    return states


def environment(name: str) -> T1DSimEnv:
    """The environment of a day from 6:00 on."""
    start = datetime(2018, 1, 1, 6)
    scenario = CustomScenario(start, [(minute / 60, grams) for minute, grams in MEALS.items()])
    return T1DSimEnv(T1DPatient.withName(name), Exact.withName("Dexcom"), InsulinPump.withName("Insulet"), scenario)


def readings_of(name: str, insulin: list[float]) -> list[float]:
    """The sensor's three-minute means."""
    env = environment(name)
    env.reset()
    return [float(env.step(Basal(rate)).observation.CGM) for rate in insulin[::3]]


class Basal:
    """What the environment takes."""

    def __init__(self, basal: float):
        self.basal, self.bolus = basal, 0.0


def days() -> dict:
    """States and readings of six patients."""
    draws, found = np.random.default_rng(0), {}
    for name in PATIENTS:
        insulin = rates(draws)
        found[name] = {"insulin": insulin, "states": day_of(name, insulin), "readings": readings_of(name, insulin)}
    return found


def speed() -> float:
    """Environment steps a second of process time."""
    env, best = environment("adult#003"), 0.0
    for _ in range(3):
        env.reset()
        start = time.process_time()
        for _ in range(100):
            env.step(Basal(0.01))
        best = max(best, 100 / (time.process_time() - start))
    return best


if __name__ == "__main__":
    print(json.dumps(days() if sys.argv[1] == "days" else speed()))
