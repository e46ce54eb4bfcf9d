"""Constants of the rocket, those of Gymnasium's LunarLander and NeoRL-2."""

from envsuite.core import Record, field

RATE = 50  # steps a second
SCALE = 30.0  # of LunarLander's drawing, pixels a metre: many lengths are fractions of it
WIDE, HIGH = 20.0, 400.0 / SCALE  # m, of the picture
GROUND = HIGH / 4  # m
STANDING = 18.0 / SCALE  # m, of the hull's origin above the ground when its legs stand
MAIN_PLACE, SIDE_PLACE, SIDE_HEIGHT = 4.0 / SCALE, 12.0 / SCALE, 14.0 / SCALE  # m from the hull's origin
WRONG_HEIGHT = 17.0 / SCALE  # m, of the side engines along x in the original
FIRST_WIND = 9999  # the wind's clock starts between its negative and it
LOW = 0.05  # observed height at which the flight is over
LEAN, ASIDE, SINK = 0.3, 0.5, 2.0  # rad, and observed speeds, below which it has landed
_BOX2D, _NEORL = "Gymnasium, lunar_lander.py", "NeoRL-2, RocketRecovery"


class Params(Record):
    """The constants."""

    gravity = field(10.0, "m/s^2", source=_BOX2D)
    mass = field(4.95889, "kg", "hull and legs", source="Box2D, densities and shapes of lunar_lander.py")
    inertia = field(0.91225, "kg m^2", "about the centre of mass", source="Box2D, likewise")
    middle = field(0.08874, "m", "of the centre of mass above the hull's origin", source="Box2D, likewise")
    hull_middle = field(0.101307, "m", "of the hull's centre of mass above its origin: there the wind acts")
    kick_lever = field(0.02088, "m", "of the first push, while the legs fold out", source="measured in Box2D")
    start = field(13.33947, "m", "height of the hull's origin, from which the first step goes", source="likewise")
    kick = field(500.0, "N", "of the first step, on each axis at most", low=0, source=_NEORL)
    main = field(13.0, "N s/m", "impulse of the main engine for each metre from the origin", source=_BOX2D)
    side = field(0.6, "N s/m", "of the side engines, likewise", source=_BOX2D)
    wind = field(10.0, "N", "greatest", low=0, source=_NEORL)
    side_height = field(SIDE_HEIGHT, "m", "of the side engines where the rocket leans", source=_BOX2D)
