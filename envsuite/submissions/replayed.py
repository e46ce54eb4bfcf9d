"""Level 1: the recorded actions, played again from the stated seeds, give every reward, flag and state bit for bit."""

import dataclasses

from envsuite.evaluation.protocol import measured
from envsuite.evaluation.replay import replayed
from envsuite.evaluation.tracks import Track
from envsuite.submissions.record import RunScore
from envsuite.submissions.refusal import RefusedError
from envsuite.submissions.reported import Run, load_log


def check_replayed(run: Run, track: Track, num_threads: int = 1) -> RunScore:
    """Check a run at level 1.

    Args:
        run: one with a log that passed level 0.
        track: that it is for.
        num_threads: threads that step the simulator.

    Returns:
        Its score, now at level 1.

    Raises:
        RefusedError: with the first step at which the log departs, or the number that does not follow from it.
    """
    where = f"{run.task.name}, train seed {run.result.train_seed}"
    assert run.log is not None
    log = load_log(run.log)
    try:
        departure, episodes = replayed(log, run.task.card, num_threads)
    except ValueError as error:
        raise RefusedError("schema", f"{where}: {error}") from error
    if departure is not None:
        raise RefusedError("replay", f"{where}: {departure}")
    found = measured(run.task, track.metric, episodes, run.score.distance)
    for name in ("returns", "lengths", "terminated", "metrics"):
        mine, theirs = found[name], getattr(run.result, name)
        if mine != theirs:
            raise RefusedError("replay", f"{where}: {_first_difference(name, theirs, mine)}")
    return dataclasses.replace(run.score, level=1, steps=int(log.offsets[-1]))


def _first_difference(name: str, theirs, mine) -> str:
    if isinstance(mine, dict):
        if set(mine) != set(theirs):
            return f"metrics are {sorted(theirs)[:9]}, the replay gives {sorted(mine)[:9]}"
        name = next(key for key in mine if mine[key] != theirs[key])
        theirs, mine = theirs[name], mine[name]
    episode = next(k for k, (one, other) in enumerate(zip(theirs, mine, strict=True)) if one != other)
    return f"episode {episode}: {name} is {theirs[episode]}, the replay gives {mine[episode]}"
