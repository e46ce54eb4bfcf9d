"""The control environments on one record, and the world."""

from typing import Annotated, Literal

import numpy as np

from envsuite.core import fmath
from envsuite.core.declare import Between
from envsuite.core.fmath import real
from envsuite.core.jit import kernel
from envsuite.core.loops import batch_loops
from envsuite.core.world import World
from envsuite.quadcopters.attitude import from_euler, rotate, to_euler
from envsuite.quadcopters.control_gpd.params import FEWEST, MOST, PHYSICS_RATE, SPEED_SHARE, Params, starts
from envsuite.quadcopters.control_gpd.state import FAR, OBSERVATION, Info, State, action_layout
from envsuite.quadcopters.controllers import dsl_pid
from envsuite.quadcopters.dynamics import bullet, dyn, floor
from envsuite.quadcopters.dynamics.settings import physics as physics_of
from envsuite.quadcopters.flying.settings import Precision
from envsuite.quadcopters.gpd.flight import Mode
from envsuite.quadcopters.params import find_vehicle

REWARD = -1.0  # of every step, as the original's


@kernel
def reset(s, p):
    """Put the drones at their places, at rest, with the controllers' memory cleared."""
    zero = real(0.0, p.control_step)
    for n in range(s.drones.shape[0]):
        place = (p.spawn[n, 0], p.spawn[n, 1], p.spawn[n, 2])
        bullet.place(s.drones[n], place, from_euler(zero, zero, p.heading[n]))
        dsl_pid.clear(s.drones[n].pid)
        s.drones[n].impact_speed = 0.0
        s.truncated[n] = 0


@kernel
def command(drone, p, action):
    """Turn an action into rotor speeds."""
    one, zero = real(1.0, p.control_step), real(0.0, p.control_step)
    vehicle, x = p.physics.vehicle, drone.position
    if not p.velocity:
        for k in range(4):
            drone.command[k] = min(max(one * action[k], zero), vehicle.command_high)
        return
    vx, vy, vz = one * action[0], one * action[1], one * action[2]
    size = fmath.sqrt(vx * vx + vy * vy + vz * vz)
    scale = p.speed_limit * abs(one * action[3]) / size if size > 0.0 else zero
    velocity, place = (vx * scale, vy * scale, vz * scale), (x[0], x[1], x[2])
    yaw = to_euler(drone.attitude)[2]
    dsl_pid.control(drone, vehicle, p.gains, drone.pid, place, velocity, yaw, p.control_step)


@kernel
def step(s, p, actions, rewards):
    """Fly for one control step; nothing ends an episode."""
    count, physics = s.drones.shape[0], p.physics
    for n in range(count):
        command(s.drones[n], p, actions[n])
    for _ in range(p.substeps):
        if physics.downwash and count > 1:
            bullet.feel_downwash(s.drones, physics)
        for n in range(count):
            drone = s.drones[n]
            if physics.explicit:
                dyn.step(drone, physics.vehicle, physics)
            else:
                bullet.step(drone, physics.vehicle, physics)
            if physics.floor:
                drone.impact_speed = max(drone.impact_speed, floor.touch(drone, physics))
    for n in range(count):
        rewards[n] = REWARD
    return False


@kernel
def note_end(s):
    """Remember that time is up."""
    for n in range(s.drones.shape[0]):
        s.truncated[n] = s.clock.done


@kernel
def _bounded(value):
    return min(max(value, -FAR), FAR)


@kernel
def observe(s, p, o, info):
    """Write the original's state vector of each drone, and the metrics."""
    for n in range(s.drones.shape[0]):
        drone, out = s.drones[n], o[n]
        euler, w, q = to_euler(drone.attitude), rotate(drone.attitude, drone.rates), drone.attitude
        for k in range(3):
            out.position[k] = _bounded(np.float32(drone.position[k]))
            out.quaternion[k] = min(max(np.float32(q[k + 1]), -1.0), 1.0)
            out.roll_pitch_yaw[k] = min(max(np.float32(euler[k]), -np.pi), np.pi)
            out.velocity[k] = _bounded(np.float32(drone.velocity[k]))
            out.angular_velocity[k] = _bounded(np.float32(w[k]))
        out.position[2] = max(out.position[2], 0.0)  # the explicit dynamics fall through the floor
        out.quaternion[3] = min(max(np.float32(q[0]), -1.0), 1.0)
        for k in range(4):
            out.rotor_speeds[k] = drone.command[k]
        info[n].impact_speed = drone.impact_speed
        info[n].contact = p.physics.floor and drone.position[2] <= p.physics.floor_height


class ControlWorld(World):
    """Drones to control, without a task: the reward is -1, and nothing ends an episode.

    Args:
        control: ``"rpm"``: rotor speeds, 0 to the largest; ``"velocity"``: a direction and a share of the speed limit.
        num_drones: 1 to 16.
        physics: a key of `quadcopters.dynamics.settings.MODES`, exactly as the original has it.
        vehicle: ``"cf2x"``, ``"cf2p"``, or with rotor speeds also ``"racer"`` or ``"hb"``.
        control_rate: actions a second, a divisor of 240.
        start: ``"line"``, the original's default, or ``"helix"``, that of its PID example.
        speed_limit: m/s, of a full velocity action; by default the original's.
        precision: ``"float64"`` or ``"float32"``, of the physics.

    Raises:
        ValueError: an option's value is unknown or out of range.
    """

    info_dtype = Info.dtype()
    observation = OBSERVATION
    loops = batch_loops(reset, step, observe, after_step=note_end)

    def __init__(
        self,
        *,
        control: Literal["rpm", "velocity"] = "rpm",
        num_drones: Annotated[int, Between(FEWEST, MOST)] = 2,
        physics: Mode = "pyb",
        vehicle: str = "cf2x",
        control_rate: int = 48,
        start: Literal["line", "helix"] = "line",
        speed_limit: float | None = None,
        precision: Precision = "float64",
    ):
        scalar = np.dtype(precision).type
        constants = find_vehicle(vehicle)
        if control_rate not in [rate for rate in range(1, PHYSICS_RATE + 1) if PHYSICS_RATE % rate == 0]:
            raise ValueError(f"control_rate is {control_rate!r}, expected a divisor of {PHYSICS_RATE} Hz")
        fastest = SPEED_SHARE * constants.max_speed if speed_limit is None else speed_limit
        if control == "velocity" and not 0 < fastest < np.inf:
            raise ValueError(f"speed_limit is {fastest!r}, expected a positive number of m/s")
        settings = {"timestep": 1 / PHYSICS_RATE, "exact": True, "floor": physics != "dyn", "real": scalar}
        self.params = Params.make(
            scalar,
            {"drones": num_drones},
            physics=physics_of(physics, vehicle, **settings),
            gains=dsl_pid.gains(vehicle if control == "velocity" else "cf2x", scalar),
            control_step=1 / control_rate,
            speed_limit=fastest,
            substeps=PHYSICS_RATE // control_rate,
            velocity=control == "velocity",
            helix=start == "helix",
            **starts(start, num_drones, constants, scalar),
        )
        self.control_rate = control_rate
        self.agents = tuple(f"drone_{n}" for n in range(num_drones))
        self.state_dtype = State.dtype(scalar, drones=num_drones)
        self._fastest = float(np.float32(self.params[0]["physics"]["vehicle"]["command_high"]))
        self.action = action_layout(control == "velocity", self._fastest)
