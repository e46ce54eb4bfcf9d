"""Importing the package is cheap, and its names lie where they are said to."""

import json
import pkgutil
import subprocess
import sys

import pytest

import envsuite.scoring

HEAVY = {"pandas", "torch", "matplotlib", "scipy", "moocore", "tensorboard", "numba", "statsmodels", "seaborn"}


def loaded(code):
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, json\n{code}\nprint(json.dumps(sorted(sys.modules)))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout))


def test_import_loads_nothing():
    more = loaded("import envsuite.scoring") - loaded("import envsuite")
    assert more <= {"envsuite.scoring"}


def test_using_metrics_and_intervals_loads_no_plots_and_no_pandas():
    code = (
        "import numpy as np\n"
        "from envsuite.scoring import *\n"
        "interquartile_mean(np.eye(5)); performance_profile(np.eye(5), [0.5]); holm([0.1])"
    )
    assert not {name.partition(".")[0] for name in loaded(code)} & HEAVY
    found = loaded("import numpy as np\nfrom envsuite.scoring import mean, bootstrap_interval\n"
                   "bootstrap_interval(np.eye(5), mean, resamples=10)")  # fmt: skip
    assert {name.partition(".")[0] for name in found} & HEAVY <= {"numba", "scipy"}
    assert "scipy.stats" not in found


def test_names_are_there_and_hide_no_module():
    for name in envsuite.scoring.__all__:
        assert getattr(envsuite.scoring, name).__module__.startswith("envsuite.scoring.")
    modules = {module.name for module in pkgutil.iter_modules(envsuite.scoring.__path__)}
    assert not modules & set(envsuite.scoring.__all__), "a module would take the place of a function"
    assert set(envsuite.scoring.__all__) <= set(dir(envsuite.scoring))
    with pytest.raises(AttributeError, match="no attribute 'iqm'"):
        envsuite.scoring.iqm  # noqa: B018


def test_a_missing_library_names_its_extra(monkeypatch):
    from envsuite.scoring.optional import need

    monkeypatch.setitem(sys.modules, "moocore", None)
    with pytest.raises(ImportError, match=r"pip install 'envsuite\[scoring\]'"):
        envsuite.scoring.hypervolume([[1.0] * 5], [0.0] * 5)
    assert need("json", "scoring") is json
