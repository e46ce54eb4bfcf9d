"""States and readings minute by minute beside simglucose, which runs in an environment of its own."""

import os
from pathlib import Path

import numpy as np
import pytest

from envsuite.industrial.glucose.kernel import SimglucoseWorld

from ..batches import begun, played
from ..scripts import loaded

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    ready = os.environ.get("SIMGLUCOSE_PEER")  # a folder that the benchmark has made
    return loaded("benchmarks/industrial_glucose.py").peer(
        Path(ready) if ready else tmp_path_factory.mktemp("peer"), "days"
    )


@pytest.mark.parametrize(("substeps", "relative", "absolute"), [(2, 1e-3, 0.02), (10, 1e-5, 0.01)])
def test_days(theirs, substeps, relative, absolute):
    for name, day in theirs.items():
        world = SimglucoseWorld(patients=name, start_hour=6, substeps=substeps, compat="neorl2")
        batch, states = begun(world), np.array(day["states"])
        scale = np.abs(states).max(axis=0)
        for k, reading in enumerate(day["readings"]):
            output = played(batch, [day["insulin"][3 * k] / 2.5 - 1])
            np.testing.assert_array_less(np.abs(batch.states[0]["x"] - states[3 * k + 2]) / scale, relative)
            assert batch.states[0]["reading"] == pytest.approx(reading, abs=absolute)
            if output.terminated[0]:
                break
        assert k > 200  # some do not live through the day
