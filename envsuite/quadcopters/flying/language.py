"""How a drone is to be answered."""

import numpy as np

from envsuite.core.companions import Words
from envsuite.core.jit import records
from envsuite.core.language import Refusal, parse_numbers, vector_text
from envsuite.quadcopters.flying import pilot
from envsuite.quadcopters.flying.settings import ACTS
from envsuite.quadcopters.flying.swarm_world import NAMED
from envsuite.quadcopters.language import find_set_point, situation

_ANSWERS = {
    "motor": "four motor commands front right, back right, back left, front left, from -1 (stopped) to 1 (full speed); "
    "about {hover:.3f} on all four carries the weight",
    "motor5": "four numbers from -1 to 1, one a motor: each changes its speed by up to 5 % of the hover speed",
    "one_d": "one number from -1 to 1: it changes the speed of all motors by up to 5 % of the hover speed",
    "ctbr": "thrust, roll rate, pitch rate, yaw rate, each from -1 to 1: the rates in units of 10, 10 and 6 rad/s, a "
    "thrust of {weight:.3f} carries the weight",
    "attitude": "roll, pitch, yaw rate, thrust, each from -1 to 1: the angles in units of 60 degrees, the rate of 6 "
    "rad/s, a thrust of {weight:.3f} carries the weight",
    "vel": "a direction (x, y, z) and a speed, each from -1 to 1, the speed in units of {speed:g} m/s",
    "pid": "three numbers from -1 to 1: the point to fly to, in m, relative to the drone",
}


def request(p) -> str:
    """What an answer should hold.

    Args:
        p: record of `settings.Flying`.
    """
    vehicle = p["physics"]["vehicle"]
    weight = float(vehicle["mass"] * vehicle["gravity"] / (4 * vehicle["max_rotor_thrust"]))
    answer = _ANSWERS[ACTS[int(p["act"])]].format(
        hover=2 * float(vehicle["command_hover"] / vehicle["command_high"]) - 1,
        weight=2 * weight - 1,
        speed=float(p["speed_limit"]),
    )
    return (
        f"You choose {1 / float(p['control_step']):.0f} times a second. Answer in brackets with {answer}; or with a "
        "point to fly to, m, world: go to [x, y, z]."
    )


class DroneWords(Words):
    """The task, the drone's situation, and how to answer."""

    def task(self, state) -> str:
        """A sentence or two on what is to be done, and how far it is done."""
        raise NotImplementedError

    def describe(self, state, agent=0):
        """The task, the drone's situation, and how to answer."""
        flying_record = self.world.params[0]["flying"]
        return f"{self.task(state)} {situation(state['craft'], self.world.goal(state))} " + request(flying_record)

    def parse(self, text, state, agent=0):
        """Read an action, or a point to fly to, which becomes the action that flies there."""
        place, layout = find_set_point(text), self.world.action
        if place is None:
            return parse_numbers(text, layout)
        if isinstance(place, Refusal):
            return place
        found = self.world.craft(state, agent), self.world.vehicle(state), self.world.params[0]["flying"]
        crafts, vehicles, flyings = (records(np.array([record])) for record in found)
        actions = np.zeros((1, *layout.shape), layout.dtype)
        pilot.head_for(crafts, vehicles, flyings, place.astype(crafts["position"].dtype), actions)
        return actions[0]


class SwarmWords(DroneWords):
    """What a drone is to do, who is near, its situation, and how to answer."""

    def duty(self, state, agent: int) -> str:
        """A sentence or two on what a drone is to do."""
        raise NotImplementedError

    def describe(self, state, agent=0):
        """What a drone is to do, who is near, its situation, and how to answer."""
        me = np.asarray(state["crafts"][agent]["position"], np.float64)
        others = [n for n in range(len(self.world.agents)) if n != agent and state["crafts"][n]["active"]]
        offsets = np.asarray(state["crafts"]["position"], np.float64) - me
        others = sorted(others, key=lambda n: float(np.linalg.norm(offsets[n])))[:NAMED]
        near = "; ".join(f"drone_{n} is {vector_text(offsets[n])} away" for n in others)
        status = "" if state["crafts"][agent]["active"] else "You are out of the air. "
        company = f"Of the others, {near}." if near else "No other drone is flying."
        return (
            f"You are drone_{agent}. {status}{self.duty(state, agent)} {company} "
            f"{situation(self.world.craft(state, agent), self.world.goals(state)[agent])} "
            f"{request(self.world.params[0]['flying'])}"
        )
