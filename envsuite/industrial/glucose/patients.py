"""Constants of the thirty virtual patients with diabetes of type 1, of the UVA/Padova simulator's version of 2008.

The numbers in ``patients.csv`` are those of ``vpatient_params.csv`` in the project simglucose (Jinyu Xie, 2018, MIT
licence, https://github.com/jxx123/simglucose), named as in the papers: kg, mg/dL, mg/kg, pmol/L, 1/min and what follows
from these. Those that follow from others are computed by `constants_of`.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from envsuite.core.jit import records
from envsuite.industrial.glucose.params import SEEN, Params

GROUPS = ("adolescent", "adult", "child")
SETS = {
    "train": tuple(f"{group}#{k:03d}" for group in GROUPS for k in range(1, 6)),
    "test": tuple(f"{group}#{k:03d}" for group in GROUPS for k in range(6, 11)),
}
"""Patients 1 to 5 of each group, whom NeoRL-2's data are of, and its unused test mode, patients 6 to 10."""
SETS["all"] = SETS["train"] + SETS["test"]


@lru_cache(maxsize=1)
def table() -> dict[str, dict[str, float]]:
    """All constants of all patients by name, in the order of the table, with those that follow."""
    rows = files("envsuite.industrial.glucose").joinpath("patients.csv").read_text(encoding="ascii").split()
    head, *lines = (row.split(",") for row in rows)
    return {name: constants_of(dict(zip(head[1:], map(float, line), strict=True))) for name, *line in lines}


def constants_of(given: dict[str, float]) -> dict[str, float]:
    """The constants of a patient in a steady state at the basal glucose, without meals.

    Args:
        given: a row of the table.

    Returns:
        The row, and the constants that follow from it: of Dalla Man, Rizza and Cobelli (2007), IEEE Trans. Biomed.
        Eng. 54, with a hepatic extraction of 0.6.
    """
    p = {**given, "f": 0.9, "ke1": 0.0005, "ke2": 339.0, "fsnc": 1.0}
    p["gpb"], p["ipb"] = p["gb"] * p["vg"], p["ib"] * p["vi"]
    p["m4"], p["m30"] = 0.4 * p["m2"], 1.5 * p["m1"]
    p["kp1"] = p["egpb"] + p["kp2"] * p["gpb"] + p["kp3"] * p["ib"]
    p["gtb"] = (p["fsnc"] - p["egpb"] + p["k1"] * p["gpb"]) / p["k2"]
    p["vm0"] = (p["egpb"] - p["fsnc"]) * (p["km0"] + p["gtb"]) / p["gtb"]
    p["ilb"] = p["ipb"] * p["m2"] / (p["m1"] + p["m30"])
    p["u2ss"] = p["ipb"] * (p["m2"] + p["m4"]) - p["m1"] * p["ilb"]
    p["isc1"] = p["u2ss"] / (p["ka1"] + p["kd"])
    p["isc2"] = p["kd"] * p["isc1"] / p["ka2"]
    return p


def names_of(patients: str | Sequence[str]) -> tuple[str, ...]:
    """The patients that an option means.

    Args:
        patients: a name in `SETS`, of a patient, or several of these.

    Raises:
        ValueError: there is no such patient, or none is named.
    """
    known = table()
    found: list[str] = []
    for one in (patients,) if isinstance(patients, str) else tuple(patients):
        if not isinstance(one, str) or (one not in SETS and one not in known):
            raise ValueError(
                f"patients is {patients!r}, expected some of {', '.join(map(repr, SETS))} and of names from "
                f"'adolescent#001' to 'child#010', but there is no {one!r}"
            )
        found += SETS.get(one, (one,))
    if not found:
        raise ValueError(f"patients is {patients!r}, expected at least one patient")
    return tuple(found)


def params_of(names: Sequence[str], **values: Any) -> np.ndarray:
    """Parameter records.

    Args:
        names: of patients.
        **values: fields of `Params` that are the same for all.

    Returns:
        (patients,) records.
    """
    made: list[np.ndarray] = []
    for name in names:
        constants = table()[name]
        own: dict[str, Any] = {key: value for key, value in constants.items() if key in Params.fields}
        seen = [constants[key.lower()] for key in SEEN]
        number = list(table()).index(name)
        made.append(Params.make(**own, constants=seen, number=number, count=len(names), **values))
    return records(np.concatenate(made))
