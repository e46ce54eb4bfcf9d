"""What the worlds of several drones have in common."""

from typing import Any

import numpy as np

from envsuite.core.language import vector_text
from envsuite.quadcopters.flying import language, render
from envsuite.quadcopters.flying.swarm import CONTACTS
from envsuite.quadcopters.flying.world import DroneWorld
from envsuite.quadcopters.language import situation

HULL = 1.5  # arms: radius of the sphere in which a drone without a hull touches others; a Crazyflie's is 6 cm
_NAMED = 6  # nearest neighbours that a description names


def read_contact(contact: str) -> int:
    """The number of a way to collide.

    Raises:
        ValueError: an unknown one.
    """
    if contact not in CONTACTS:
        raise ValueError(f"contact is {contact!r}, expected one of {', '.join(CONTACTS)}")
    return CONTACTS.index(contact)


def hull_of(vehicle) -> float:
    """Radius of the sphere around a drone that touches others, m.

    Args:
        vehicle: record of `quadcopters.params.vehicle_dtype`.
    """
    arms = np.linalg.norm(np.asarray(vehicle["rotors"], np.float64), axis=1).max()
    return float(vehicle["hull"][0]) or float(HULL * arms)


class SwarmWorld(DroneWorld):
    """Several drones, each with a goal; subclasses add the task."""

    def muster(self, count: int) -> None:
        """Name the agents.

        Args:
            count: number of drones.
        """
        self.agents = tuple(f"drone_{n}" for n in range(count))

    def ended_agents(self, state):
        """Which drones' episodes have ended."""
        return (state["terminated"] | state["truncated"]).astype(np.bool_)

    def goals(self, state) -> np.ndarray:
        """Where the drones should be, m, world, shape (a, 3)."""
        raise NotImplementedError

    def duty(self, state, agent: int) -> str:
        """A sentence or two on what a drone is to do."""
        raise NotImplementedError

    def craft(self, state, agent=0):
        """The record of a drone."""
        return state["crafts"][agent]

    def describe(self, state, agent=0):
        """What a drone is to do, who is near, its situation, and how to answer."""
        me = np.asarray(state["crafts"][agent]["position"], np.float64)
        others = [n for n in range(len(self.agents)) if n != agent and state["crafts"][n]["active"]]
        offsets = np.asarray(state["crafts"]["position"], np.float64) - me
        others = sorted(others, key=lambda n: float(np.linalg.norm(offsets[n])))[:_NAMED]
        near = "; ".join(f"drone_{n} is {vector_text(offsets[n])} away" for n in others)
        status = "" if state["crafts"][agent]["active"] else "You are out of the air. "
        company = f"Of the others, {near}." if near else "No other drone is flying."
        return (
            f"You are drone_{agent}. {status}{self.duty(state, agent)} {company} "
            f"{situation(self.craft(state, agent), self.goals(state)[agent])} "
            f"{language.request(self.params[0]['flying'])}"
        )

    def picture(
        self,
        state: Any,
        size: tuple[int, int],
        *,
        caption: str,
        every: int,
        look_at: Any = None,
        distance: float | None = None,
        **options: Any,
    ) -> np.ndarray:
        """Draw the drones with their goals and trails.

        Args:
            state: the state record.
            size: (width, height) in pixels.
            caption: line of text.
            every: steps between points of the trail.
            look_at: m, the middle of the picture; by default that of drones and goals.
            distance: m, from the camera to there; by default so that all are seen.
            **options: of `flying.render.draw`.
        """
        crafts, goals = state["crafts"], self.goals(state)
        points = np.concatenate([np.asarray(crafts["position"], np.float64), goals])
        middle = points.mean(axis=0) if look_at is None else np.asarray(look_at, np.float64)
        reach = float(np.linalg.norm(points - middle, axis=1).max())
        return render.draw(
            crafts,
            self.params[0]["flying"]["physics"]["vehicle"],
            size,
            look_at=middle,
            distance=1.2 + 2.4 * reach if distance is None else distance,
            caption=caption,
            step=int(state["clock"]["step"]),
            every=every,
            view=self.view,
            **{"targets": goals, **options},
        )
