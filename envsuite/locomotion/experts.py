"""Reference players: networks as they were at the end of their training, and on the way there to collect data.

`baselines/stages.py` made them; ``policies/README.md`` says from which runs.
"""

from pathlib import Path

from envsuite.agents.policy import Policy
from envsuite.core.companions import Players

FOLDER = Path(__file__).parent / "policies"
STAGES = ("early", "low", "medium", "high")
"""At about 10, 25, 50 and 75 % of the way from the random policy's return to the reference player's."""


class LocomotionPlayers(Players):
    """Networks trained on each task as it is by default."""

    def expert(self) -> Policy:
        """The network at the end of its training; its mean actions.

        Raises:
            ValueError: options other than the defaults have changed the sizes of observations or actions.
        """
        return self._network("expert")

    def collector(self, name: str) -> Policy:
        """The network at an earlier stage; its mean actions.

        Args:
            name: one of `STAGES`; not all tasks have them.

        Raises:
            ValueError: another name, or options that change the sizes of observations or actions.
        """
        there = [stage for stage in STAGES if self._file(stage)]
        if name not in there:
            raise ValueError(f"collector is {name!r}, expected {'one of ' + ', '.join(there) if there else 'none'}")
        return self._network(name)

    def _file(self, stage: str) -> Path | None:
        names = [kind.__name__.removesuffix("World") for kind in type(self.world).__mro__]  # engines have own classes
        paths = [FOLDER / f"{name}-{stage}.onnx" for name in names]
        return next((path for path in paths if path.is_file()), None)

    def _network(self, stage: str) -> Policy:
        from envsuite.agents import onnx

        path = self._file(stage)
        if path is None:
            raise ValueError(f"{type(self.world).__name__} has no player of the stage {stage!r}")
        network = onnx.load(path)
        network.check(self.world.observation, self.world.action)
        return network
