"""Games from files of the package ``textworld``."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from envsuite.core import batch_loops, kernel, rng
from envsuite.text_games.textworld.facts import Entities
from envsuite.text_games.textworld.load import GameFileError, LoadedGame, load_game
from envsuite.text_games.textworld.state import LOADED
from envsuite.text_games.textworld.world import TextWorld, begin, observe, step


@kernel
def draw_level(s, params):
    """Choose a game of the pool."""
    s.level = rng.integers(s.rng, rng.RESET, params.shape[0])


@kernel
def reset(s, p):
    """Begin the game as its file says."""
    s.game = p.game
    s.room = p.room
    for k in range(s.door_state.shape[0]):
        s.door_state[k] = p.door_state[k]
    for t in range(s.place.shape[0]):
        s.lid[t], s.place[t], s.traits[t] = p.lid[t], p.place[t], p.traits[t]
    begin(s)


class LoadedWorld(TextWorld):
    """Games that the package ``textworld`` has written as JSON; each episode draws one of them.

    Args:
        paths: files, or folders of them.

    Raises:
        GameFileError: a file holds no game, or one that is too large.
    """

    size = LOADED
    loops = batch_loops(reset, step, observe, draw_level=draw_level)

    def __init__(self, *, paths: Sequence[str]):
        self.paths = tuple(paths)
        self.games: tuple[LoadedGame, ...] = tuple(load_game(file, self.size) for file in files_of(paths))
        self.objectives = tuple(game.objective for game in self.games)
        self.names, starts = self._share_names()
        self.params = np.array(starts)

    def entities(self, state: np.void) -> Entities:
        """Who takes part in the game that is played, by the ids of its file."""
        return self.games[int(state["level"])].entities

    def _share_names(self) -> tuple[tuple[str, ...], list[np.void]]:
        """All names, and the games with indices into them."""
        number: dict[str, int] = {}
        starts = []
        for game in self.games:
            start = game.start.copy()
            for group in ("room_name", "door_name", "thing_name"):
                for k, name in enumerate(start["game"][group].tolist()):
                    if name >= 0:
                        start["game"][group][k] = number.setdefault(game.names[name], len(number))
            starts.append(start)
        return tuple(number), starts


def files_of(paths: Sequence[str]) -> list[Path]:
    """The files that are named, and those in folders that are named.

    Raises:
        GameFileError: there is none.
    """
    found: list[Path] = []
    for path in map(Path, paths):
        found += sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not found:
        raise GameFileError(f"no game files in {', '.join(map(str, paths)) or 'an empty list'}")
    return found
