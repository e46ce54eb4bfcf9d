"""Wind and buffeting: constant parts drawn for an episode, and Ornstein-Uhlenbeck gusts around them."""

from envsuite.core import fmath, rng
from envsuite.core.fmath import real
from envsuite.core.jit import kernel


@kernel
def drift(g, gust, spread, keep):
    """One exact step of an Ornstein-Uhlenbeck process with mean 0.

    Args:
        g: random stream.
        gust: three numbers, updated.
        spread: their stationary standard deviation.
        keep: exp(-dt / correlation time).
    """
    kick = spread * fmath.sqrt(1.0 - keep * keep)
    for k in range(3):
        gust[k] = keep * gust[k] + rng.normal(g, rng.DYNAMICS, real(0.0, keep), kick)


@kernel
def begin(g, gust, spread):
    """Draw a gust from its stationary distribution."""
    for k in range(3):
        gust[k] = rng.normal(g, rng.RESET, real(0.0, spread), spread)


@kernel
def draw_breeze(g, breeze, speed):
    """Draw a horizontal wind of any direction and of a speed uniform in [0, `speed`], m/s."""
    strength = rng.uniform(g, rng.RESET, real(0.0, speed), speed)
    turn = rng.uniform(g, rng.RESET, real(-3.1415927410125732, speed), real(3.1415927410125732, speed))
    sine, cosine = fmath.sincos(turn)
    breeze[0], breeze[1], breeze[2] = strength * cosine, strength * sine, 0.0
