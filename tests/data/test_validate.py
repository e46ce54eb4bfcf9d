"""The validator: each kind of fault is found, and named where it is."""

import dataclasses

import numpy as np
import pytest

from envsuite.data import generate, verify
from envsuite.data.dataset import Dataset, in_memory
from envsuite.data.validate import CHECKS, can_replay
from tests.data.conftest import recipe

KINDS = [
    ("quad-hover/mixed-v0", "state"),
    ("quad-multi-hover/mixed-v0", "state"),
    ("quad-hover/mixed-v0", "text"),
    ("quad-multi-hover/mixed-v0", "text"),
    ("quad-hover/random-v0", "pixels"),
]


@pytest.mark.parametrize(("name", "observation"), KINDS)
def test_what_is_generated_is_right(tmp_path, name, observation):
    data = generate(recipe(name, observation=observation, episodes=4), tmp_path)
    assert can_replay(data)
    told = []
    assert verify(data, progress=told.append) == []
    assert told == list(CHECKS)
    # a changed final observation is found in each kind
    name = next(n for n in data.columns if n.startswith("final_observations"))
    column = data.columns[name].copy()
    column[2] = b"other" if observation == "text" else column[2] + 1
    (fault,) = verify(changed(data, **{name: column}), checks=("replay",))
    assert (fault.column, fault.episode, fault.step) == (name, 2, -1)


def changed(data, **columns):
    return in_memory(data.manifest, data.columns | columns)


def edit(data, name, row, value):
    column = data.columns[name].copy()
    column[row] = value
    return changed(data, **{name: column})


def test_hashes_are_compared(made):
    column = made.columns["rewards"].copy()
    column[7] += 1
    (fault,) = verify(Dataset(made.manifest, made.columns | {"rewards": column}), checks=("hash",))
    assert fault.column == "rewards"


@pytest.mark.parametrize(
    ("column", "value", "check"),
    [
        ("rewards", np.nan, "finite"),
        ("observations", np.inf, "finite"),
        ("actions", 1.5, "range"),
        ("terminated", True, "flags"),
        ("truncated", True, "flags"),
    ],
)
def test_impossible_numbers_are_found_where_they_are(made, column, value, check):
    start = int(made.columns["offsets"][2])
    faults = verify(edit(made, column, start + 3, value), checks=(check,))
    assert [(one.check, one.episode, one.step) for one in faults] == [(check, 2, 3)]
    assert "episode 2, step 3" in str(faults[0])


def test_episodes_without_an_end_are_found(made):
    row = int(made.columns["offsets"][4]) - 1
    data = changed(
        made,
        terminated=np.where(np.arange(len(made)) == row, False, made.columns["terminated"]),
        truncated=np.where(np.arange(len(made)) == row, False, made.columns["truncated"]),
    )
    (fault,) = verify(data, checks=("flags",))
    assert (fault.episode, fault.step) == (3, int(made.lengths[3]) - 1)
    assert "neither" in fault.message


def test_both_flags_at_once_are_found(made):
    row = int(np.flatnonzero(made.columns["terminated"])[0])
    (fault,) = verify(edit(made, "truncated", row, True), checks=("flags",))
    assert "at once" in fault.message


def test_too_long_episodes_are_found(made):
    source = dataclasses.replace(made.manifest.source, horizon=int(made.lengths.max()) - 1)
    data = in_memory(dataclasses.replace(made.manifest, source=source), made.columns)
    (fault,) = verify(data, checks=("flags",))
    assert fault.episode == int(made.lengths.argmax())


def test_duplicates_are_found(made):
    a, b = made.episode(1), made.episode(4)
    length = len(a)
    offsets = np.array([0, length, 2 * length, 2 * length + len(b)])
    rows = np.concatenate([np.arange(made.starts[k], made.starts[k] + made.lengths[k]) for k in (1, 1, 4)])
    columns = {name: column[rows] for name, column in made.columns.items() if made.manifest.per_step(name)}
    columns |= {name: made.columns[name][[1, 1, 4]] for name in ("seeds", "policies", "final_observations")}
    data = in_memory(dataclasses.replace(made.manifest, episodes=3, steps=len(rows)), columns | {"offsets": offsets})
    (fault,) = verify(data, checks=("duplicate",))
    assert (fault.episode, fault.message) == (1, "the same as episode 0")


def test_evaluation_seeds_are_found(made):
    (fault,) = verify(edit(made, "seeds", 3, 10**9), checks=("seed",))
    assert fault.episode == 3


@pytest.mark.parametrize("column", ["observations", "rewards"])
def test_the_replay_names_the_first_departure(made, column):
    data = edit(made, column, int(made.columns["offsets"][3]) + 5, 0.25)
    data = edit(data, column, int(made.columns["offsets"][3]) + 9, 0.25)
    data = edit(data, column, int(made.columns["offsets"][5]) + 1, 0.25)
    (fault,) = verify(data, checks=("replay",))
    assert (fault.column, fault.episode, fault.step) == (column, 3, 5)


def test_the_smallest_change_of_an_action_is_found(made):
    row = int(made.columns["offsets"][3]) + 5
    action = np.nextafter(made.columns["actions"][row], np.float32(0))
    (fault,) = verify(edit(made, "actions", row, action), checks=("replay",))
    assert fault.episode == 3
    assert fault.step >= 5
    (fault,) = verify(edit(made, "actions", row, 7.0), checks=("replay",))
    assert (fault.column, fault.episode, fault.step) == ("actions", 3, 5)


def test_negative_zeros_are_departures(made):
    rows = np.flatnonzero((made.columns["observations"] == 0).any(axis=1))
    if not rows.size:
        pytest.skip("no zero among the observations")
    column = made.columns["observations"].copy()
    spot = np.flatnonzero(column[rows[0]] == 0)[0]
    column[rows[0], spot] = -0.0
    assert verify(changed(made, observations=column), checks=("replay",))


def test_wrong_seeds_and_lengths_are_found(made):
    (fault,) = verify(edit(made, "seeds", 1, 12345), checks=("replay",))
    assert (fault.episode, fault.step) == (1, 0)
    cut = int(made.columns["offsets"][1])
    columns = {n: np.delete(c, cut - 1, axis=0) for n, c in made.columns.items() if made.manifest.per_step(n)}
    offsets = made.columns["offsets"] - (np.arange(7) > 0)
    manifest = dataclasses.replace(made.manifest, steps=made.manifest.steps - 1)
    data = in_memory(manifest, made.columns | columns | {"offsets": offsets})
    (fault,) = verify(data, checks=("replay",))
    assert (fault.column, fault.episode) == ("offsets", 0)


def test_a_share_of_the_episodes_may_be_replayed(made):
    bad = edit(made, "rewards", slice(None), -7.0)
    assert verify(bad, checks=("replay",), replay=0) == []
    found = {verify(bad, checks=("replay",), replay=0.2, seed=seed)[0].episode for seed in range(30)}
    assert len(found) > 3
    with pytest.raises(ValueError, match="share"):
        verify(made, replay=2)
    with pytest.raises(ValueError, match="no check 'x'"):
        verify(made, checks=("x",))


def test_data_from_elsewhere_are_not_replayed(made):
    source = dataclasses.replace(made.manifest.source, id="other/Env-v0")
    data = in_memory(dataclasses.replace(made.manifest, source=source), made.columns)
    assert not can_replay(data)
    assert verify(data) == []
