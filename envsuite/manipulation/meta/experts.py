"""Who plays Meta-World's tasks for reference, and who collects data."""

from envsuite.core.companions import Players
from envsuite.manipulation.meta.finish import ORIGINAL
from envsuite.manipulation.meta.playing import Play
from envsuite.manipulation.meta.scripts import Script
from envsuite.manipulation.meta.tasks import TASKS


class MetaPlayers(Players):
    """The original's scripted players, such as end their tasks better, and one that plays about."""

    def expert(self) -> Script:
        """The player of the task."""
        return Script(int(self.world.params[0]["sheet"]["task"]), TASKS[self.world.task].ending)

    def collector(self, name: str) -> Script | Play:
        """``"original"``: metaworld's player as it is; ``"play"``: the players of all tasks of the scene in turn.

        Raises:
            ValueError: another name; or no other task has the scene, see `Play`.
        """
        if name == "play":
            return Play(self.world)
        if name != "original":
            raise ValueError(f"collector is {name!r}, expected 'original' or 'play'")
        return Script(int(self.world.params[0]["sheet"]["task"]), ORIGINAL)
