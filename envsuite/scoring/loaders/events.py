"""Scalars of TensorBoard event files, for instance those of CleanRL."""

from pathlib import Path

import numpy as np

from envsuite.scoring.optional import need
from envsuite.scoring.runs import RunCurve


def load_events(path: str | Path, tag: str = "charts/episodic_return") -> RunCurve:
    """Read a scalar of one run; of several values at one step the mean counts, since those are episodes.

    Args:
        path: an event file, or the folder of one run that holds it.
        tag: name of the scalar.

    Raises:
        ValueError: no such scalar.
        ImportError: the extra ``tensorboard`` is not installed.
    """
    module = need("tensorboard.backend.event_processing.event_accumulator", "tensorboard")
    if not Path(path).exists():
        raise ValueError(f"{path} does not exist")
    events = module.EventAccumulator(str(path), size_guidance={module.SCALARS: 0, module.TENSORS: 0})
    events.Reload()
    tags = events.Tags()
    if tag in tags["scalars"]:
        points = [(event.step, event.value, event.wall_time) for event in events.Scalars(tag)]
    elif tag in tags["tensors"]:
        tensor = need("tensorboard.util.tensor_util", "tensorboard").make_ndarray
        points = [(event.step, float(tensor(event.tensor_proto)), event.wall_time) for event in events.Tensors(tag)]
    else:
        raise ValueError(f"{path} has no scalar {tag!r}; it has {', '.join(sorted(tags['scalars'])) or 'none'}")
    steps, values, wall = np.array(points, np.float64).T
    places, index, counts = np.unique(steps, return_inverse=True, return_counts=True)
    last = np.zeros(len(places))
    np.maximum.at(last, index, wall)
    return RunCurve(places, np.bincount(index, values) / counts, last - events.FirstEventTimestamp())
