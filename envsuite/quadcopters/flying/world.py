"""What the worlds of a single drone have in common."""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np

from envsuite.core.world import World
from envsuite.quadcopters import telemetry
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.flying import language
from envsuite.quadcopters.flying.actions import action_layout
from envsuite.quadcopters.flying.keyboard import keys
from envsuite.quadcopters.flying.settings import CHANGING, TERM_FIELDS, Terms, flying, read_terms
from envsuite.quadcopters.language import situation
from envsuite.quadcopters.render import VIEWS
from envsuite.quadcopters.weights import read_weights


def read_precision(precision: str) -> type:
    """The scalar type of ``"float32"`` or ``"float64"``.

    Raises:
        ValueError: anything else.
    """
    if precision not in ("float32", "float64"):
        raise ValueError(f"precision is {precision!r}, expected 'float32' or 'float64'")
    return np.dtype(precision).type


class DroneWorld(World):
    """One drone with a goal; subclasses add the task.

    Attributes:
        act: kind of action.
        scalar: type of the physical quantities.
        reward_weights: weights of the reward's parts by name, as registered.
        terms: the optional physics at present, see `set_terms`.
    """

    out_of_range = "clip"
    views = VIEWS
    act: str
    scalar: type
    reward_weights: ClassVar[Mapping[str, float]]
    terms: Terms

    def set_up(
        self,
        model: str,
        vehicle: str | Vehicle,
        act: str,
        terms: Mapping[str, Any] | None,
        precision: str,
        *,
        defaults: Terms,
        control_rate: int,
        substeps: int,
        preset: str = "robust",
        speed_limit: float = 1.0,
    ) -> np.record:
        """Read the options that all tasks have.

        Args:
            model: see `settings.flying`.
            vehicle: likewise.
            act: likewise.
            terms: changes to the task's terms, see `settings.Terms`.
            precision: ``"float32"`` or ``"float64"``.
            defaults: the task's terms.
            control_rate: actions a second.
            substeps: physics steps an action.
            preset: of the geometric controller.
            speed_limit: m/s, of a full vel action.

        Returns:
            A record of `settings.flying_dtype`.

        Raises:
            ValueError: an option's value is unknown or out of range.
        """
        self.scalar = read_precision(precision)
        self.act, self.fps = act, control_rate
        self.terms = read_terms(defaults, terms)
        self._settings = partial(
            flying,
            model,
            vehicle,
            act,
            control_rate=control_rate,
            substeps=substeps,
            preset=preset,
            speed_limit=speed_limit,
            scalar=self.scalar,
        )
        found = self._settings(self.terms)
        self.action = action_layout(act)
        return found

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

    def task(self, state) -> str:
        """A sentence or two on what is to be done, and how far it is done."""
        raise NotImplementedError

    def describe(self, state, agent=0):
        """The task, the drone's situation, and how to answer."""
        flying_record = self.params[0]["flying"]
        return f"{self.task(state)} {situation(state['craft'], self.goal(state))} " + language.request(flying_record)

    def craft(self, state, agent=0):
        """The record of a drone."""
        return state["craft"]

    def vehicle(self, state):
        """The record of the vehicle that flies: the world's, or one of the episode's own."""
        own = "vehicle" in state.dtype.names
        return state["vehicle"][0] if own else self.params[0]["flying"]["physics"]["vehicle"]

    def parse(self, text, state, agent=0):
        """Read an action, or a point to fly to."""
        flying_record = self.params[0]["flying"]
        craft, vehicle = self.craft(state, agent), self.vehicle(state)
        return language.parse(text, self.action, craft, vehicle, flying_record)  # ty: ignore[invalid-argument-type]

    def telemetry(self, state):
        """See `quadcopters.telemetry.drones`."""
        rotors = not self.params[0]["flying"]["angles"]
        if self.agents:
            return telemetry.drones(state["crafts"], self.goals(state), rotors=rotors)
        return telemetry.drones(state["craft"], self.goal(state), rotors=rotors)

    def figure(self, columns, state):
        """Position against goal, and the error over time."""
        from envsuite.quadcopters.figures import tracking

        return tracking(columns)

    def keys_to_action(self):
        """W and S: climb and sink; arrows: go there."""
        vehicle = self.params[0]["flying"]["physics"]["vehicle"]
        weight = float(vehicle["mass"] * vehicle["gravity"] / (4 * vehicle["max_rotor_thrust"]))
        hover = float(vehicle["command_hover"] / vehicle["command_high"])
        return keys(self.act, 2 * weight - 1, 2 * hover - 1)
