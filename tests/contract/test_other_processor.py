"""Constants of worlds are the same on other processors, where NumPy, OpenBLAS and the C library take other paths."""

import json
import os
import subprocess
import sys
from hashlib import sha256

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

from envsuite import cards
from envsuite.core.batch import record_bytes
from envsuite.core.world import make_world

PLAIN = {
    "NPY_DISABLE_CPU_FEATURES": ",".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name)),
    "OPENBLAS_CORETYPE": "Prescott",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
}
"""Neither wide vectors nor fused multiply-add, as on a processor of 2006."""


def digests() -> dict[str, str]:
    """Of the parameters, observations and actions of all worlds that can be made here."""
    found = {}
    for card in cards().values():
        if card.playable:
            world = make_world(card.world, **card.options)
            told = record_bytes(world.params).tobytes() + repr((world.observation, world.action)).encode()
            found[card.id] = sha256(told).hexdigest()
    return found


def test_constants_are_those_of_other_processors():
    command = [sys.executable, "-W", "ignore", "-m", "tests.contract.test_other_processor"]
    told = subprocess.run(command, env=os.environ | PLAIN, capture_output=True, text=True, check=True).stdout
    here, there = digests(), json.loads(told)  # here with worlds that other tests have registered
    assert len(there) > 300
    assert [name for name, digest in there.items() if here[name] != digest] == []


if __name__ == "__main__":
    print(json.dumps(digests()))
