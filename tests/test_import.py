"""Importing the package is cheap and imports nothing heavy."""

import json
import subprocess
import sys

import pytest

HEAVY = (
    "numba",
    "llvmlite",
    "torch",
    "pybullet",
    "Box2D",
    "mujoco",
    "textworld",
    "ray",
    "pygame",
    "matplotlib",
    "pandas",
    "scipy",
    "PIL",
    "click",
    "stable_baselines3",
)


def python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_nothing_heavy_is_imported():
    loaded = json.loads(python("import sys, json, envsuite; print(json.dumps(sorted(sys.modules)))"))
    found = [name for name in loaded if name.split(".")[0] in HEAVY]
    assert found == []
    own = [name for name in loaded if name.startswith("envsuite.") and not name.endswith((".cards", ".registry"))]
    unexpected = [name for name in own if name.count(".") > 2 or name.startswith(("envsuite.core", "envsuite.cli"))]
    assert unexpected == [], "only the packages on the way to the cards may be loaded"


def test_import_registers_every_card():
    code = (
        "import envsuite, gymnasium, pettingzoo\n"
        "for card in envsuite.cards().values():\n"
        "    assert card.id in gymnasium.registry, card.id\n"
        "    assert card.agents == 1 or card.id in pettingzoo.parallel_registry, card.id\n"
        "    assert card.agents == 1 or card.id in pettingzoo.aec_registry, card.id\n"
        "print(len(envsuite.cards()))"
    )
    assert int(python(code)) >= 3


def test_module_prefix_imports_the_package():
    code = "import gymnasium; print(gymnasium.make('envsuite:envsuite/QuadHover-v0').spec.id)"
    assert python(code).strip() == "envsuite/QuadHover-v0"


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("envsuite/QuadHoover-v0", "envsuite/QuadHover-v0"), ("quadhovergpd", "envsuite/QuadHoverGPD-v0")],
)
def test_unknown_id_names_the_nearest(wrong, right):
    import envsuite

    with pytest.raises(KeyError, match=f"did you mean '{right}'"):
        envsuite.card(wrong)


def test_short_names_find_their_card():
    import envsuite

    assert envsuite.card("QuadHover").id == "envsuite/QuadHover-v0"
    assert envsuite.card("QuadHover-v0").id == "envsuite/QuadHover-v0"
