"""What the worlds of a single drone have in common."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from envsuite.core.world import World
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.flying.actions import action_layout
from envsuite.quadcopters.flying.settings import CHANGING, TERM_FIELDS, Terms, flying, read_terms
from envsuite.quadcopters.weights import read_weights


class DroneWorld(World):
    """One drone with a goal; subclasses add the task.

    Attributes:
        control_rate: actions a second.
        substeps: physics steps an action.
        act: kind of action.
        scalar: type of the physical quantities.
        reward_weights: weights of the reward's parts by name, as registered.
        terms: the optional physics at present, see `set_terms`; as a class has it, the task's own.
    """

    control_rate: int
    substeps = 1
    act: str
    scalar: type
    reward_weights: ClassVar[Mapping[str, float]]
    terms = Terms()

    def set_up(
        self,
        model: str,
        vehicle: str | Vehicle,
        act: str,
        terms: Mapping[str, Any] | None,
        precision: str,
        **settings: Any,
    ) -> np.record:
        """Read the options that all tasks have.

        Args:
            model: see `settings.flying`.
            vehicle: likewise.
            act: likewise.
            terms: changes to the task's terms, see `settings.Terms`.
            precision: ``"float32"`` or ``"float64"``.
            **settings: likewise of `settings.flying`.

        Returns:
            A `settings.Flying` record.

        Raises:
            ValueError: an option's value is unknown or out of range.
        """
        self.scalar = np.dtype(precision).type
        self.act = act
        self.terms = read_terms(self.terms, terms)
        rates = {"control_rate": self.control_rate, "substeps": self.substeps}
        self._settings = partial(flying, model, vehicle, act, scalar=self.scalar, **rates, **settings)
        self.action = action_layout(act)
        return self._settings(self.terms)

    def set_terms(self, **changes: Any) -> None:
        """Change the optional physics of all instances, for a curriculum.

        Gusts, noise, delay and the like change from the next step on; what is drawn for an episode (wind, constant
        wrench, weak motors, bias) from the next episode.

        Args:
            **changes: terms by name, of those in `settings.CHANGING`.

        Raises:
            ValueError: a term that does not exist, shapes the vehicle for good, or has an impossible value.
        """
        if fixed := sorted(set(changes) - set(CHANGING)):
            raise ValueError(f"term {fixed[0]!r} cannot change, expected some of {', '.join(CHANGING)}")
        terms = read_terms(self.terms, changes)
        found, record = self._settings(terms), self.params[0]["flying"]
        for name in TERM_FIELDS:
            # tasks that let motors fail keep that switched on
            record[name] = found[name] | record[name] if name == "losses" else found[name]
        self.terms = terms

    def set_reward_weights(self, weights: Mapping[str, float] | None) -> None:
        """Change the weights of the reward in all instances from the next step on; a curriculum's hook.

        Args:
            weights: by name, see `reward_weights`; those not named take their registered value.

        Raises:
            ValueError: an unknown name, or a number that is negative or not finite.
        """
        self.params[0]["weights"] = read_weights(self.reward_weights, weights)

    def goal(self, state) -> np.ndarray:
        """Where the drone should be, m, world, shape (3,)."""
        raise NotImplementedError

    def goals(self, state) -> np.ndarray:
        """Where several drones should be, m, world, shape (a, 3)."""
        raise NotImplementedError

    def craft(self, state, agent=0):
        """The record of a drone."""
        return state["craft"]

    def vehicle(self, state):
        """The record of the vehicle that flies: the world's, or one of the episode's own."""
        own = "vehicle" in state.dtype.names
        return state["vehicle"][0] if own else self.params[0]["flying"]["physics"]["vehicle"]
