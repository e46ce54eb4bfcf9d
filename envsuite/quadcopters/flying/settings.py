"""How drones fly: dynamics model, terms, kind of action, rates; and the record that kernels read it from."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

import numpy as np

from envsuite.core import fmath
from envsuite.core.declare import Record, field
from envsuite.quadcopters.airframe import Vehicle
from envsuite.quadcopters.controllers import dsl_pid, geometric, rates
from envsuite.quadcopters.dynamics.rpy import FORMS
from envsuite.quadcopters.dynamics.settings import MODES, Physics, physics
from envsuite.quadcopters.params import VEHICLES, find_vehicle
from envsuite.quadcopters.terms import delay

Model = Literal["bullet", "dyn", "l2f", "fp", "rpy", "pyb", "pyb_gnd", "pyb_drag", "pyb_dw", "pyb_gnd_drag_dw"]
"""Dynamics models, and the physics modes of gym-pybullet-drones, which are the model ``"bullet"`` with terms."""

Act = Literal["motor", "motor5", "one_d", "ctbr", "attitude", "vel", "pid"]
Precision = Literal["float32", "float64"]

MODELS = ("bullet", "dyn", "l2f", "fp", "rpy")
BULLET, DYN, L2F, FP, RPY = range(len(MODELS))

ACTS = get_args(Act)
MOTOR, MOTOR5, ONE_D, CTBR, ATTITUDE, VEL, PID = range(len(ACTS))

RATE_LIMITS = (10.0, 10.0, 6.0)  # rad/s, of a full ctbr action
TILT_LIMIT = np.pi / 3  # rad, of a full attitude action

CHANGING = (
    "ground_effect", "downwash", "wind", "gust", "push_force", "push_torque", "buffet", "gust_time", "motor_loss",
    "battery", "battery_sag", "delay", "noise", "bias",
)  # fmt: skip
"""Terms that can change while a world is in use; the others are part of the vehicle or of the physics."""

TERM_FIELDS = (
    "wind_speed", "gust_speed", "push_force", "push_torque", "buffet_force", "gust_keep", "motor_loss", "endurance",
    "battery_sag", "noise", "bias", "delay", "ground_effect", "downwash", "losses", "battery", "noisy", "gusty",
)  # fmt: skip
"""Fields of `Flying` that hold them."""


@dataclass(frozen=True)
class Terms:
    """Optional physics, off by default; see `quadcopters.terms`.

    Attributes:
        motor_lag: time constant, s, of all motors; None for the vehicle's own, which `bullet` and `dyn` leave out.
        drag: drag per speed along the body axes, N s/m; True for the vehicle's own.
        ground_effect: more thrust near the floor.
        downwash: drones push down those below.
        wind: largest speed of the episode's horizontal wind, m/s.
        gust: standard deviation of gusts around it, m/s.
        push_force: standard deviation of the episode's constant force, per weight.
        push_torque: likewise of the constant torque, N m per N of weight.
        buffet: standard deviation of gusts of force, per weight.
        gust_time: correlation time of gusts, s.
        motor_loss: largest share of its thrust that each motor lacks in an episode.
        battery: hovering time that a full battery lasts, s; 0 for a battery that does not empty.
        battery_sag: share of the voltage lost when it is empty.
        delay: control steps until an action takes effect, 0 to 3.
        noise: standard deviations of sensor noise on position (m), velocity (m/s), rates (rad/s), attitude (rad).
        bias: standard deviations of the episode's sensor bias, likewise.
        damping: PyBullet's default damping, of the model `bullet`.
        floor: a floor at z = 0 that stops drones.
    """

    motor_lag: float | None = None
    drag: bool | float | tuple[float, float, float] = False
    ground_effect: bool = False
    downwash: bool = False
    wind: float = 0.0
    gust: float = 0.0
    push_force: float = 0.0
    push_torque: float = 0.0
    buffet: float = 0.0
    gust_time: float = 0.5
    motor_loss: float = 0.0
    battery: float = 0.0
    battery_sag: float = 0.2
    delay: int = 0
    noise: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    bias: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    damping: bool = True
    floor: bool = False

    def __post_init__(self):
        for name in ("wind", "gust", "push_force", "push_torque", "buffet", "battery"):
            if not 0 <= getattr(self, name) < np.inf:
                raise ValueError(f"term {name} is {getattr(self, name)!r}, expected a number >= 0")
        if not 0 < self.gust_time < np.inf:
            raise ValueError(f"term gust_time is {self.gust_time!r}, expected a positive number of s")
        for name in ("motor_loss", "battery_sag"):
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"term {name} is {getattr(self, name)!r}, expected a number in [0, 1)")
        if self.motor_lag is not None and not 0 < self.motor_lag < np.inf:
            raise ValueError(f"term motor_lag is {self.motor_lag!r}, expected a positive number of s")
        if self.delay not in range(delay.LONGEST + 1):
            raise ValueError(f"term delay is {self.delay!r}, expected 0 to {delay.LONGEST} control steps")
        for name in ("noise", "bias"):
            spread = np.asarray(getattr(self, name), float)
            if spread.shape != (4,) or not ((spread >= 0) & (spread < np.inf)).all():
                raise ValueError(f"term {name} is {getattr(self, name)!r}, expected four numbers >= 0")


def read_terms(defaults: Terms, changes: Mapping[str, Any] | None) -> Terms:
    """Terms with changes by name.

    Args:
        defaults: what a task has by itself.
        changes: by name of the attributes of `Terms`, or None.

    Raises:
        ValueError: an unknown name or an impossible value.
    """
    known = [one.name for one in fields(Terms)]
    if unknown := sorted(set(changes or {}) - set(known)):
        raise ValueError(f"unknown term {unknown[0]!r}, expected one of {', '.join(known)}")
    return dataclasses.replace(defaults, **(changes or {}))


class Flying(Record):
    """How drones fly."""

    physics = field(type=Physics, meaning="with the vehicle")
    dsl = field(type=dsl_pid.Gains)
    inner = field(type=rates.Gains)
    outer = field(type=geometric.Gains)
    pilot = field(type=geometric.Gains, meaning="at the control rate")
    dt = field(unit="s", meaning="of physics")
    control_step = field(unit="s", meaning="of actions")
    speed_limit = field(1.0, "m/s", "of a full vel action")
    reach = field(1.0, "m", "of a full pid action")
    wind_speed = field(unit="m/s", meaning="these are the numbers of `Terms`")
    gust_speed = field(unit="m/s")
    push_force = field()
    push_torque = field(unit="m")
    buffet_force = field()
    gust_keep = field(meaning="share of a gust that is left after a control step")
    motor_loss = field()
    endurance = field(unit="s")
    battery_sag = field()
    noise = field(shape=4)
    bias = field(shape=4)
    model = field(type=np.uint8, meaning="index in `MODELS`")
    form = field(type=np.uint8, meaning="of the rpy model")
    act = field(type=np.uint8, meaning="index in `ACTS`")
    substeps = field(type=np.uint8, meaning="physics steps an action")
    delay = field(type=np.uint8, meaning="control steps")
    angles = field(type=np.bool_, meaning="no rotors, the model rpy")
    through_dsl = field(type=np.bool_, meaning="vel and pid actions go through the DSL PID controller")
    lag = field(type=np.bool_)
    drag = field(type=np.bool_)
    ground_effect = field(type=np.bool_)
    downwash = field(type=np.bool_)
    losses = field(type=np.bool_)
    battery = field(type=np.bool_)
    noisy = field(type=np.bool_)
    gusty = field(type=np.bool_)


def flying(
    model: str,
    vehicle: str | Vehicle,
    act: str,
    terms: Terms,
    *,
    control_rate: int,
    substeps: int,
    preset: str = "robust",
    speed_limit: float = 1.0,
    scalar: type = np.float32,
) -> np.record:
    """The record of a way to fly.

    Args:
        model: one of `MODELS`, or a physics mode of gym-pybullet-drones (a key of `dynamics.settings.MODES`).
        vehicle: a key of `params.VEHICLES`, or constants of a vehicle.
        act: one of `ACTS`.
        terms: optional physics.
        control_rate: actions a second.
        substeps: physics steps an action.
        preset: of the geometric controller, see `controllers.geometric.PRESETS`.
        speed_limit: m/s, of a full vel action.
        scalar: type of the numbers, float32 or float64.

    Returns:
        A `Flying` record.

    Raises:
        ValueError: unknown names, or things that do not go together.
    """
    mode, name = _mode(model)
    if act not in ACTS:
        raise ValueError(f"act is {act!r}, expected one of {', '.join(ACTS)}")
    if not 0 < speed_limit < np.inf:
        raise ValueError(f"speed_limit is {speed_limit!r}, expected a positive number of m/s")
    constants = _fitted(find_vehicle(vehicle), vehicle, name, act, terms)
    dt = 1 / (control_rate * substeps)
    body = physics(mode, constants, timestep=dt, exact=False, floor=terms.floor, real=scalar)
    if not terms.damping:
        body["damping"] = 0.0
    lagging = constants.motor_rise > 0 and (name in ("l2f", "fp") or terms.motor_lag is not None)
    timed = constants if lagging else dataclasses.replace(constants, motor_rise=0.0, motor_fall=0.0)
    through_dsl = vehicle in ("cf2x", "cf2p") and name in ("bullet", "dyn") and not lagging
    values: dict[str, Any] = {
        "physics": body,
        "dsl": dsl_pid.gains("cf2p" if vehicle == "cf2p" else "cf2x", scalar),
        "inner": rates.gains(timed, dt, scalar),
        "outer": geometric.gains(preset, timed, timestep=dt, scalar=scalar),
        "pilot": geometric.gains(preset, timed, timestep=1 / control_rate, scalar=scalar),
        "dt": dt,
        "control_step": 1 / control_rate,
        "speed_limit": speed_limit,
        "wind_speed": terms.wind,
        "gust_speed": terms.gust,
        "push_force": terms.push_force,
        "push_torque": terms.push_torque,
        "buffet_force": terms.buffet,
        "gust_keep": fmath.exp(-1 / (control_rate * terms.gust_time)),
        "motor_loss": terms.motor_loss,
        "endurance": terms.battery or 1.0,
        "battery_sag": terms.battery_sag,
        "noise": terms.noise,
        "bias": terms.bias,
        "model": MODELS.index(name),
        "form": FORMS.index("rotor_drag" if terms.drag else "rotor"),
        "act": ACTS.index(act),
        "substeps": substeps,
        "delay": terms.delay,
        "angles": name == "rpy",
        "through_dsl": through_dsl,
        "lag": lagging and name in ("bullet", "dyn"),
        # the models fp and rpy have drag of their own
        "drag": bool(terms.drag) and name not in ("fp", "rpy"),
        "ground_effect": terms.ground_effect,
        "downwash": terms.downwash,
        "losses": terms.motor_loss > 0,
        "battery": terms.battery > 0,
        "noisy": any(terms.noise) or any(terms.bias),
        "gusty": terms.gust > 0 or terms.buffet > 0,
    }
    return Flying.make(scalar, **values).view(np.recarray)[0]


def _mode(model: str) -> tuple[str, str]:
    """The physics mode and the member of `MODELS` that a name stands for."""
    mode = model if model in MODES else "pyb"
    name = "bullet" if model in MODES and model != "dyn" else model
    if name not in MODELS:
        raise ValueError(f"model is {model!r}, expected one of {', '.join(dict.fromkeys((*MODELS, *MODES)))}")
    return mode, name


def _fitted(constants: Vehicle, vehicle: str | Vehicle, model: str, act: str, terms: Terms) -> Vehicle:
    """The vehicle with what the terms change of it; refuses what does not go together."""
    if terms.motor_lag is not None:
        response = (1 / terms.motor_lag, 0.0, 1 / terms.motor_lag, 0.0) if any(constants.rotor_response) else (0.0,) * 4
        constants = dataclasses.replace(
            constants, motor_rise=terms.motor_lag, motor_fall=terms.motor_lag, rotor_response=response
        )
    if model in ("l2f", "fp") and constants.motor_rise <= 0:
        lagging = sorted(name for name, one in VEHICLES.items() if one.motor_rise > 0)
        raise ValueError(
            f"vehicle {vehicle!r} has no motor time constant, which the model {model!r} needs; expected the term "
            f"motor_lag or one of {lagging}"
        )
    if model == "rpy":
        _refuse_rotors(constants, vehicle, act, terms)
    constants = _with_drag(constants, vehicle, model, terms)
    if terms.ground_effect and not constants.ground_effect:
        raise ValueError(f"vehicle {vehicle!r} has no coefficient of the ground effect")
    return constants


def _refuse_rotors(constants: Vehicle, vehicle: str | Vehicle, act: str, terms: Terms) -> None:
    """Refuse what the model ``"rpy"``, which has no rotors, cannot do."""
    if not np.any(constants.attitude_response):
        known = sorted(name for name, one in VEHICLES.items() if np.any(one.attitude_response))
        raise ValueError(f"the model 'rpy' knows no response of vehicle {vehicle!r}; expected one of {known}")
    if act not in ("attitude", "vel", "pid"):
        raise ValueError(f"act is {act!r}, but the model 'rpy' has no rotors; expected attitude, vel or pid")
    if unfit := [name for name in ("motor_lag", "motor_loss", "battery", "ground_effect") if getattr(terms, name)]:
        raise ValueError(f"the model 'rpy' has no rotors, so it cannot have the term {unfit[0]}")


def _with_drag(constants: Vehicle, vehicle: str | Vehicle, model: str, terms: Terms) -> Vehicle:
    """The vehicle with the drag that the terms give it; refuses wind that nothing would feel."""
    if terms.drag is not False and terms.drag is not True:
        drag = np.broadcast_to(np.asarray(terms.drag, float), 3)
        if not ((drag >= 0) & (drag < np.inf)).all():
            raise ValueError(f"term drag is {terms.drag!r}, expected one number >= 0 or three, N s/m")
        constants = dataclasses.replace(constants, body_drag=tuple(float(value) for value in drag))
    if terms.drag is True and not any(constants.body_drag):
        raise ValueError(f"vehicle {vehicle!r} has no drag of its own; give the term drag as N s/m")
    windy = terms.wind > 0 or terms.gust > 0
    if windy and not (terms.drag or model == "fp"):
        raise ValueError("wind acts through drag; give the term drag too")
    return constants
