"""Makes submissions small: what their policies play again, bit for bit, need not be stored, nor a policy twice."""

import contextlib
import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from envsuite.evaluation.tracks import Track
from envsuite.submissions.intake import take_in
from envsuite.submissions.reported import check_reported
from envsuite.submissions.rerun import make_log, player
from envsuite.submissions.sandbox import Sandbox


@dataclass
class Slimmed:
    """What became of a submission's action logs and policies.

    Attributes:
        removed: paths of logs that are gone.
        kept: paths of those that stay.
        bytes: of those that are gone.
        repeated: paths of files of policies that are gone, since another one is the same.
    """

    removed: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    bytes: int = 0


def make_small(folder: Path, track: Track | None = None, num_threads: int = 1) -> Slimmed:
    """Remove the action logs that a submission's policies make again, byte for byte, and repeated policies.

    Args:
        folder: of the submission.
        track: that it is for; by default the track that it names.
        num_threads: threads that step the simulator.

    Returns:
        What was removed and what was not.

    Raises:
        RefusedError: the submission does not pass level 0, or a policy fails.
    """
    found = Slimmed()
    with take_in(folder) as intake, contextlib.ExitStack() as stack:
        reported = check_reported(intake, track)
        networks = any(run.policy for run in reported.runs)
        sandbox = stack.enter_context(Sandbox()) if networks else None
        for run in reported.runs:
            name = run.result.actions
            if name is None or name in intake.absent:
                continue
            found.kept.append(name)
            if run.policy or reported.built_in:
                content = make_log(run, player(run, reported, sandbox), num_threads)
                if hashlib.sha256(content).hexdigest() == intake.sums[name]:
                    (folder / name).unlink()
                    found.removed.append(found.kept.pop())
                    found.bytes += len(content)
        there = [name for name in sorted(intake.sums) if name.startswith("policy/") and (folder / name).is_file()]
    first: dict[tuple[str, str], str] = {}
    for name in there:
        if first.setdefault((intake.sums[name], Path(name).suffix), name) != name:
            (folder / name).unlink()
            found.repeated.append(name)
    for place in [folder / "actions", *(folder / "policy").glob("*")]:
        if place.is_dir() and not any(place.iterdir()):
            place.rmdir()
    return found
