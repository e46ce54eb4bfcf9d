"""D4RL's HDF5 files (Fu et al., 2020, arXiv 2004.07219), with their flags repaired.

The files hold flat arrays without final observations: what followed the last action of an episode that was cut off is
lost. Such an episode gives up its last step, whose observation becomes the final one, so that every transition that is
kept is exact. Where the task ended an episode, its last step is kept, for its reward counts; the final observation,
whose value is 0 anyway, is then the last one seen, and the column ``final_known`` says so.
"""

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from envsuite.data.columns import blocks
from envsuite.data.dataset import Dataset
from envsuite.data.formats.flat import Flat, Told, check_lengths, keep_rows, store_flat

_NEEDED = ("observations", "actions", "rewards", "terminals")


@dataclass(frozen=True)
class Repairs:
    """How the file is to be understood.

    Attributes:
        timeouts: ``"ends"``: time-outs end episodes; ``"goals"``: they say that a goal was reached and the trajectory
            goes on, as in maze2d, so that the observation of the next row is exact.
        pieces: cut trajectories that go on into episodes of this length.
        late_rewards: the reward of a row belongs to the step before it, as in maze2d: the rewards move up by one row.
            This and the last are for trajectories that go on.
    """

    timeouts: Literal["ends", "goals"] = "ends"
    pieces: int | None = None
    late_rewards: bool = False

    def __post_init__(self):
        if self.timeouts == "ends" and (self.pieces or self.late_rewards):
            raise ValueError("pieces and late rewards are for trajectories that go on, where time-outs are goals")
        if self.pieces is not None and self.pieces < 1:
            raise ValueError(f"pieces have {self.pieces} steps, expected at least 1")


MAZE2D = Repairs(timeouts="goals", late_rewards=True)
"""What D4RL's maze2d files need."""


def import_d4rl(
    path: str | Path, told: Told, root: str | Path | None = None, *, repairs: Repairs | None = None
) -> Dataset:
    """Bring a D4RL file into the store.

    Args:
        path: the HDF5 file.
        told: what the dataset is to be called, and what is known of it.
        root: of the store.
        repairs: how to understand it; by default as the locomotion files.

    Returns:
        The dataset; its ``about.origin`` counts the repairs.

    Raises:
        ValueError: the file is no such thing.
    """
    path = Path(path)
    arrays, infos = _read(path)
    repairs = repairs or Repairs()
    count = check_lengths(path, arrays | infos)
    fixed: dict[str, int] = {}
    flags = {name: arrays.get(name, np.zeros(count)).reshape(-1).astype(np.bool_) for name in ("terminals", "timeouts")}
    arrays = {**arrays, **flags, "rewards": arrays["rewards"].reshape(count)}
    if repairs.timeouts == "goals":
        arrays, infos = _going_on(arrays, infos, repairs, fixed)
    terminals = arrays["terminals"]
    fixed["both_flags"] = int((terminals & arrays["timeouts"]).sum())
    ends = terminals | arrays["timeouts"]
    fixed["unmarked_end"] = int(not ends[-1])
    ends[-1] = True
    last = np.flatnonzero(ends)
    known = "next_observations" in arrays
    flat = Flat(
        arrays["observations"],
        arrays["actions"],
        arrays["rewards"],
        terminals,
        ends & ~terminals,
        np.concatenate([[0], last + 1]),
        arrays["next_observations" if known else "observations"][last],
        np.full(len(last), known),
        infos,
    )
    flat = flat if known else _without_lost_steps(flat, last, fixed)
    origin: dict[str, Any] = {"format": "d4rl", "file": path.name, "rows": count, "repairs": fixed}
    return store_flat(flat, told, origin, root)


def _going_on(
    arrays: dict[str, np.ndarray], infos: dict[str, np.ndarray], repairs: Repairs, fixed: dict[str, int]
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """One trajectory, in which every row is followed by the next one; the last row, which is not, goes."""
    if arrays["terminals"].any():
        raise ValueError("time-outs can be goals only where nothing terminates, but there are terminal steps")
    count = len(arrays["rewards"]) - 1
    if count < 1:
        raise ValueError("a trajectory of one row holds no transition")
    fixed["timeouts_that_are_goals"] = int(arrays["timeouts"].sum())
    cut = {name: array[:count] for name, array in arrays.items()}
    cut["next_observations"] = arrays["observations"][1:]
    cut["timeouts"] = np.zeros(count, np.bool_)
    if repairs.pieces:
        cut["timeouts"][repairs.pieces - 1 :: repairs.pieces] = True
    if repairs.late_rewards:
        cut["rewards"] = arrays["rewards"][1:]
        fixed["rewards_moved"] = count
    return cut, {name: array[:count] for name, array in infos.items()}


def _without_lost_steps(flat: Flat, last: np.ndarray, fixed: dict[str, int]) -> Flat:
    """Give up the last step of episodes that were cut off where what followed is lost."""
    lost = flat.truncated[last] & ~flat.final_known
    keep = np.ones(len(flat.rewards), np.bool_)
    keep[last[lost]] = False
    before = last[lost] - 1
    truncated = flat.truncated.copy()
    truncated[before[before >= flat.offsets[:-1][lost]]] = True
    known = flat.final_known | lost
    fixed["steps_given_up"] = int(lost.sum())
    fixed["final_observations_unknown"] = int((~known).sum())
    cut = keep_rows(replace(flat, truncated=truncated, final_known=known), keep)
    fixed["episodes_given_up"] = len(last) - len(cut.final_known)
    return cut


def export_d4rl(data: Dataset, path: str | Path) -> None:
    """Write a dataset as D4RL does, with ``next_observations`` beside, so that nothing is lost.

    Args:
        data: what to write; observations and actions must be plain arrays of numbers, rewards of one agent.
        path: of the HDF5 file.

    Raises:
        FileExistsError: the file is there already.
        ValueError: data that such a file cannot hold.
    """
    h5py = _h5py()
    data = Dataset(data.manifest, data.columns, data.chosen)  # files hold what was measured, not normalised
    manifest, columns = data.manifest, data.columns
    plain = all(name in columns and columns[name].dtype.kind != "S" for name in ("observations", "actions"))
    if not plain or manifest.agents or manifest.objectives:
        raise ValueError(f"{manifest.id} has no plain arrays of one agent and one objective, which D4RL files need")
    path = Path(path)
    if path.exists():
        raise FileExistsError(f"{path} is there already")
    names = {"observations": "observations", "actions": "actions", "rewards": "rewards"}
    names |= {"terminated": "terminals", "truncated": "timeouts"}
    names |= {name: name.replace(".", "/", 1) for name in columns if name.startswith("infos.")}
    partial = path.with_name(path.name + ".partial")
    try:
        with h5py.File(partial, "w") as file:
            for name, theirs in (*names.items(), ("observations", "next_observations")):
                file.create_dataset(theirs, (len(data), *columns[name].shape[1:]), columns[name].dtype)
            for piece in blocks(len(data), columns["observations"][0].nbytes):
                index = np.arange(piece.start, piece.stop)
                rows = data.rows(index)[0]
                for name, theirs in names.items():
                    file[theirs][piece] = columns[name][rows]
                file["next_observations"][piece] = data.take(index).next_observations
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _h5py() -> Any:
    try:
        import h5py
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('h5py is not installed: pip install "envsuite[datasets]"', name="h5py") from error
    return h5py


def _read(path: Path) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    h5py = _h5py()
    try:
        with h5py.File(path, "r") as file:
            names = (*_NEEDED, "timeouts", "next_observations")
            arrays = {name: np.asarray(file[name]) for name in names if name in file}
            group = file.get("infos", {})
            infos = {name: np.asarray(group[name]) for name in group if isinstance(group[name], h5py.Dataset)}
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error}") from error
    if missing := sorted(set(_NEEDED) - set(arrays)):
        raise ValueError(f"{path} has no array {missing[0]!r}, but {sorted(arrays)}")
    return arrays, {name: one for name, one in infos.items() if one.ndim and one.dtype.kind in "biuf"}
