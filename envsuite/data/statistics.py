"""Numbers that describe a dataset: returns, lengths, ends, and each dimension of observations and actions."""

from typing import Any

import numpy as np

from envsuite.data.columns import blocks
from envsuite.data.dataset import Dataset
from envsuite.data.sampling import moments

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def statistics(data: Dataset) -> dict[str, Any]:
    """Describe the chosen episodes of a dataset.

    Args:
        data: what to describe; columns are read once or twice, piece by piece.

    Returns:
        Plain data: ``episodes``, ``steps``, ``bytes``, ``returns`` (one summary, or a list, an objective each),
        ``lengths``, ``terminated`` and ``truncated`` (numbers of episodes), ``normalised`` (by name of the anchors),
        ``policies`` (by label), and ``columns`` (by name: mean, std, low and high of each dimension, where these are at
        most 1024; of all together otherwise).
    """
    rewards = data.returns
    found: dict[str, Any] = {
        "id": data.manifest.id,
        "hash": data.manifest.hash,
        "episodes": data.episodes_count,
        "steps": len(data),
        "bytes": data.manifest.nbytes,
        "returns": summary(rewards) if rewards.ndim == 1 else [summary(one) for one in rewards.T],
        "lengths": summary(data.lengths),
    }
    last = data.starts + data.lengths - 1
    terminated, truncated = data.columns["terminated"][last], data.columns["truncated"][last]
    if data.manifest.agents:
        terminated, truncated = terminated.all(axis=1), truncated.any(axis=1)
    found["terminated"], found["truncated"] = int(terminated.sum()), int(truncated.sum())
    if rewards.ndim == 1:
        anchors = data.manifest.about.anchors
        found["normalised"] = {name: summary(data.normalised_returns(name)) for name in anchors}
        if "policies" in data.columns:
            players = data.columns["policies"][data.chosen]
            found["policies"] = {
                label: {"episodes": int((players == k).sum()), "returns": summary(rewards[players == k])}
                for k, label in enumerate(data.manifest.policies)
                if (players == k).any()
            }
    found["columns"] = {
        name: _dimensions(data, column)
        for name, column in data.columns.items()
        if data.manifest.per_step(name) and column.dtype.kind in "fiu"
    }
    return found


def summary(values: np.ndarray) -> dict[str, Any]:
    """Mean, standard deviation, extremes and quantiles of some numbers."""
    quantiles = np.quantile(values, QUANTILES)
    return {
        "mean": float(values.mean()),
        "std": float(values.std()),
        "min": float(values.min()),
        "max": float(values.max()),
        "quantiles": {f"{q:g}": float(value) for q, value in zip(QUANTILES, quantiles, strict=True)},
    }


def returns_table(found: dict[str, Any]) -> dict[str, list[float]]:
    """The rows of a data card's table.

    Args:
        found: see `statistics`.

    Returns:
        By name of the row (``return``, ``return 0`` of the first objective, ``normalised (calibrated)``, ``length``,
        ``return, expert`` of one policy): number of episodes, mean, standard deviation, minimum, `QUANTILES`, maximum.
    """
    returns = found["returns"] if isinstance(found["returns"], list) else [found["returns"]]
    rows = {f"return {k}" if len(returns) > 1 else "return": one for k, one in enumerate(returns)}
    rows |= {f"normalised ({name})": one for name, one in found.get("normalised", {}).items()}
    rows["length"] = found["lengths"]
    counts = dict.fromkeys(rows, found["episodes"])
    if len(players := found.get("policies", {})) > 1:
        rows |= {f"return, {name}": one["returns"] for name, one in players.items()}
        counts |= {f"return, {name}": one["episodes"] for name, one in players.items()}
    return {
        name: [counts[name], one["mean"], one["std"], one["min"], *one["quantiles"].values(), one["max"]]
        for name, one in rows.items()
    }


def _dimensions(data: Dataset, column: np.ndarray) -> dict[str, Any]:
    mean, std = moments(data, column)
    row = column.dtype.itemsize * int(np.prod(column.shape[1:]))
    low: Any = None
    high: Any = None
    for piece in blocks(len(data), row):
        rows = column[data.rows(np.arange(piece.start, piece.stop))[0]]
        below, above = rows.min(axis=0), rows.max(axis=0)
        low = below if low is None else np.minimum(low, below)
        high = above if high is None else np.maximum(high, above)
    if mean.size > 1024:
        spread = np.sqrt((std**2 + mean**2).mean() - mean.mean() ** 2)
        mean, std, low, high = mean.mean(), spread, low.min(), high.max()
    return {
        name: np.asarray(one).tolist()
        for name, one in zip(("mean", "std", "low", "high"), (mean, std, low, high), strict=True)
    }
