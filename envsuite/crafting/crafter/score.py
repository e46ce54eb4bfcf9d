"""The Crafter score: how often each achievement is unlocked, the rare ones weighing most."""

from collections.abc import Mapping, Sequence

import numpy as np

from envsuite.crafting.crafter.things import ACHIEVEMENTS


def crafter_score(success: Mapping[str, float] | Sequence[float] | np.ndarray) -> float:
    """Geometric mean of success rates, S = exp(mean(ln(1 + s_i))) - 1 (Hafner 2021, equation 1).

    Args:
        success: share of episodes, 0 to 1, in which each achievement was unlocked: by its name, or (..., 22) in the
            order of `envsuite.crafting.crafter.things.ACHIEVEMENTS`. The original counts all episodes of training.

    Returns:
        0 to 100, in percent.

    Raises:
        ValueError: names or a number that are not the achievements', or shares outside [0, 1].
    """
    if isinstance(success, Mapping):
        if set(success) != set(ACHIEVEMENTS):
            wrong = sorted(set(success) ^ set(ACHIEVEMENTS))[0]
            raise ValueError(f"success has or lacks {wrong!r}, expected the {len(ACHIEVEMENTS)} achievements")
        success = [success[name] for name in ACHIEVEMENTS]
    rates = np.asarray(success, np.float64)
    if rates.shape[-1:] != (len(ACHIEVEMENTS),):
        raise ValueError(f"success has the shape {rates.shape}, expected {len(ACHIEVEMENTS)} numbers")
    if not ((rates >= 0) & (rates <= 1)).all():
        raise ValueError(f"success holds {rates.flat[np.argmax(np.abs(rates - 0.5))]:g}, expected shares from 0 to 1")
    return float(np.exp(np.log1p(100 * rates).mean()) - 1)


def success_rates(counts: np.ndarray) -> dict[str, float]:
    """Share of episodes in which each achievement was unlocked.

    Args:
        counts: (episodes, 22), how often each was done in an episode.

    Returns:
        Shares by name.
    """
    return dict(zip(ACHIEVEMENTS, (np.asarray(counts) > 0).mean(axis=0).tolist(), strict=True))
