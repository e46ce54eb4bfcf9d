"""A small track, for tests."""

import pytest

import envsuite

TRACK = """schema = 1
name = "small"
version = 1
title = "Small"
summary = "For tests."
metric = "{metric}"
direction = "{direction}"

[[tasks]]
name = "hover"
env_id = "envsuite/QuadHover-v0"
episodes = {episodes}
first_seed = 1_000_000_000
training_steps = 1000
behaviour = "{hover}"
low = {{ mean = {low}, standard_error = 2.0, episodes = 1000, policy = "uniformly random" }}
high = {{ mean = {high}, standard_error = 8, episodes = 1000, policy = "geometric controller" }}
return_bounds = [-inf, 1000]

[[tasks]]
name = "climb"
env_id = "envsuite/QuadHoverGPD-v0"
options = {{ physics = "dyn" }}
episodes = {episodes}
first_seed = 1_000_000_000
training_steps = 1000
behaviour = "{climb}"
low = {{ mean = {low}, standard_error = 0.2, episodes = 1000, policy = "uniformly random" }}
high = {{ mean = {high}, standard_error = 0.1, episodes = 1000, policy = "pilot" }}
"""


@pytest.fixture
def track_file(tmp_path):
    """Writes the track, with changes, and gives its path."""

    def write(**changes):
        behaviours = {
            "hover": envsuite.card("QuadHover").behaviour,
            "climb": envsuite.card("QuadHoverGPD").behaviour,
        }
        plain = {"metric": "return", "direction": "maximize", "low": -100.0, "high": 500.0, "episodes": 6}
        path = tmp_path / "small.toml"
        path.write_text(TRACK.format(**{**behaviours, **plain, **changes}))
        return path

    return write
