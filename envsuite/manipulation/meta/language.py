"""Tasks on a table in words."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.language import Refusal, RefusalKind, parse_numbers, vector_text, wanted
from envsuite.manipulation.meta.answers import DIRECTIONS, HINT, Around, find_skill
from envsuite.manipulation.meta.scenery import standing
from envsuite.manipulation.meta.tasks import TASKS
from envsuite.manipulation.meta.wordings import NOUNS, WORDINGS

_OPEN, _CLOSED = 0.95, 0.32
"""Openings from which, and up to which, the fingers are said to be open, and closed."""

_HOLDS = {
    "box-close": (0, 0, 0.03),
    "disassemble": (-0.02, 0, 0),
    "assembly": (-0.02, 0, 0),
}
"""From the observed point to where the tips grasp the thing, m, where these are not the same."""


class MetaWords(Words):
    """The hand, what is observed, what stands there, the goal; in centimetres."""

    def describe(self, state, agent=0):
        """Places of hand, object and goal, furniture and walls, and the task."""
        look = state["look"]
        fingers = float(look["opening"])
        grip = "open" if fingers > _OPEN else "closed" if fingers < _CLOSED else f"{10 * fingers:.1f} cm apart"
        things = f"The {self.noun()} is at {_cm(look['obj'])}"
        if TASKS[self.world.task].site2:
            things += f", the {self.noun('site2')} at {_cm(look['obj2'])}"
        goal = f"The goal is at {_cm(look['goal'])}." if self._seen else "You are not told where the goal is."
        return (
            f"Step {int(state['clock']['step'])}. Your hand is at {_cm(look['hand'])}, the tips of its fingers at "
            f"{_cm(look['tcp'])}; they are {grip}. {things}.{standing(self.world, state)} {goal} "
            f"{self.instructions(state, agent)}"
        )

    def instructions(self, state, agent=0):
        """The task, and what an answer looks like."""
        nouns = " or the ".join(self._things(state))
        return (
            f"{self.wording(state)} x points to the right, y away from the robot, z up; all places are in cm. Answer "
            f"with {wanted(self.world.action)}: how far the hand moves, from -1 to 1 cm, and from -1 (open) to 1 "
            f"(close) for the fingers; {HINT}. A THING is the {nouns}; a PLACE, for the tips, is [x, y, z], a THING or "
            f"the goal; a WAY is {', '.join(DIRECTIONS)}. A skill takes many steps: repeat it until it is done."
        )

    def parse(self, text, state, agent=0):
        """Read four numbers, or a skill, which becomes the action of this step."""
        look = state["look"]
        around = Around(
            tips=_metres(look["tcp"]),
            opening=(float(state["sight"][3]), float(state["before"][3])),
            grip=float(look["grip"]),
            things=self._things(state),
            goal=_metres(look["goal"]) if self._seen else None,
            hold=_metres(_HOLDS.get(self.world.task, (0, 0, 0))),
        )
        found = find_skill(text, around)
        if found is not None:
            return found
        found = parse_numbers(text, self.world.action)
        if isinstance(found, Refusal) and found.kind == RefusalKind.UNREADABLE:
            return Refusal(found.kind, f"{found.reason}; {HINT}")
        return found

    def wording(self, state) -> str:
        """The task in a sentence: the one that the option ``wording`` says, or the episode's.

        Args:
            state: one record of the world's ``state_dtype``.
        """
        said, number = WORDINGS[self.world.task], self.world.wording
        if number == 0:
            number = 1 + (int(state["rng"]["key"][0]) + int(state["rng"]["episode"])) % len(said)
        return said[number - 1]

    def noun(self, site: str = "site") -> str:
        """What an observed point belongs to.

        Args:
            site: field of the task that names the point.
        """
        scene, name = TASKS[self.world.task].scene, getattr(TASKS[self.world.task], site)
        body = next(one for one in scene.bodies if any(point.name == name for point in one.sites))
        found = body.geoms[0].name if body.name == "object" else body.name
        return NOUNS.get((scene.name, found), found)

    @property
    def _seen(self) -> bool:
        return self.world.params[0]["goal_hidden"] == 0

    def _things(self, state) -> dict[str, np.ndarray]:
        """Points that skills may name, m."""
        found = {self.noun(): _metres(state["look"]["obj"])}
        if TASKS[self.world.task].site2:
            found[self.noun("site2")] = _metres(state["look"]["obj2"])
        return found


def _metres(place) -> np.ndarray:
    return np.asarray(place, np.float64)


def _cm(place) -> str:
    return vector_text(100 * np.asarray(place), 1)
