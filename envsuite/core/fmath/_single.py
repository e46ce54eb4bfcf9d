"""float32 elementary functions: no operation leaves float32, except in `pow`.

`envsuite.core.fmath` states ranges, errors and sources. There is no Python float in these functions on
purpose: a float literal would be float64 under Numba and float32 under NumPy.
"""

import numpy as np

from envsuite.core.fmath import _coefficients as c
from envsuite.core.fmath import _double
from envsuite.core.fmath._basics import polynomial, sqrt
from envsuite.core.jit import kernel


def _constants(*values):
    return tuple(np.float32(value) for value in values)


_ZERO, _HALF, _ONE, _TWO, _INF, _NAN = _constants(0.0, 0.5, 1.0, 2.0, np.inf, np.nan)
_MAGNITUDE = np.int32(0x7FFFFFFF)
_SIGN = np.int32(-0x80000000)

# Adding 1.5 * 2^23 rounds to an integer, which then stands in the low bits of the sum.
_MAGIC = np.float32(1.5 * 2.0**23)
_MAGIC_BITS = 0x4B400000

# pi/2 in pieces of 11 bits, so that k * piece is exact for k < 2^13.
_PIECE1, _PIECE2, _PIECE3, _PIECE4, _PIECE5 = _constants(
    1.5703125, 0.0004837512969970703, 7.549533620476723e-08, 2.5632829192545614e-12, 6.123234262925839e-17
)
_TWO_OVER_PI = np.float32(0.6366197723675814)
_LARGEST_ANGLE = np.float32(2.0**22)
_HALF_PI, _HALF_PI_LOW = _constants(1.5707963705062866, -4.371138828673793e-08)
_QUARTER_PI = _HALF * _HALF_PI
_PI, _PI_LOW = _constants(2 * 1.5707963705062866, 2 * -4.371138828673793e-08)
_LN2, _LN2_LOW = _constants(0.693145751953125, 1.428606765330187e-06)  # 16 bits, so that e * _LN2 is exact
_LOG2_E = np.float32(1.4426950408889634)
_SQRT_HALF_BITS = 0x3F3504F3
_SMALLEST_NORMAL, _TWO_TO_24 = _constants(2.0**-126, 2.0**24)
_EXP_LOWEST, _EXP_HIGHEST = _constants(-104.0, 89.0)
_TANH_SERIES, _TANH_ONE = _constants(0.625, 9.1)
_ASIN_EDGE = np.float32(0.96875)


@kernel
def _sign_of(x):
    return np.int32(np.float32(x).view(np.int32) & _SIGN)


@kernel
def _magnitude(x):
    return np.int32(np.float32(x).view(np.int32) & _MAGNITUDE).view(np.float32)


@kernel
def _with_sign(x, sign):
    """Flip the sign of `x` where `sign` (0 or the sign bit) says so."""
    return np.int32(np.float32(x).view(np.int32) ^ sign).view(np.float32)


@kernel
def _reduce(a):
    """Split a >= 0 into k pi/2 + r + low with |r| <= pi/4; also returns an integer that is k modulo 4."""
    a = a if a < _LARGEST_ANGLE else a - a
    shifted = a * _TWO_OVER_PI + _MAGIC
    k = shifted - _MAGIC
    coarse = (a - k * _PIECE1) - k * _PIECE2
    step = k * _PIECE3
    r = coarse - step
    low = (((coarse - r) - step) - k * _PIECE4) - k * _PIECE5
    return r, low, np.int32(np.float32(shifted).view(np.int32))


@kernel
def sincos(x):
    r, low, quadrant = _reduce(_magnitude(x))
    z = r * r
    sine = r + (r * z * polynomial(c.SIN_SINGLE, z) + low)
    cosine = _ONE - (_HALF * z - (z * z * polynomial(c.COS_SINGLE, z) - r * low))
    swap = (quadrant & 1) != 0
    first = cosine if swap else sine
    second = sine if swap else cosine
    sine_sign = np.int32((quadrant & 2) << 30) ^ _sign_of(x)
    cosine_sign = np.int32(((quadrant + 1) & 2) << 30)
    return _with_sign(first, sine_sign), _with_sign(second, cosine_sign)


@kernel
def sin(x):
    return sincos(x)[0]


@kernel
def cos(x):
    return sincos(x)[1]


@kernel
def sincos_quarters(x):
    """Sine and cosine of x quarter turns."""
    z = x * x
    return x * polynomial(c.QUARTER_SIN_SINGLE, z), _ONE + z * polynomial(c.QUARTER_COS_SINGLE, z)


@kernel
def tan(x):
    r, low, quadrant = _reduce(_magnitude(x))
    z = r * r
    series = r * z * polynomial(c.TAN_SINGLE, z)
    rough = r + series
    series = series + low * (_ONE + rough * rough)
    tangent = r + series
    rest = series - (tangent - r)
    cotangent = -_ONE / tangent
    cotangent = cotangent + cotangent * cotangent * rest
    return _with_sign(cotangent if (quadrant & 1) != 0 else tangent, _sign_of(x))


@kernel
def _asin_parts(a):
    """Whether a >= 1/2, and b and c with asin(a) = b + c if not and acos(a) = 2 (b + c) if so."""
    large = a >= _HALF
    z = _HALF * (_ONE - a) if large else a * a
    base = sqrt(z) if large else a
    return large, base, base * z * polynomial(c.ASIN_SINGLE, z)


@kernel
def asin(x):
    a = _magnitude(x)
    large, base, series = _asin_parts(a)
    far = _QUARTER_PI + ((_QUARTER_PI - _TWO * base) - (_TWO * series - _HALF_PI_LOW))
    edge = _HALF_PI - (_TWO * (base + series) - _HALF_PI_LOW)
    arc = far if a < _ASIN_EDGE else edge
    return _with_sign(arc if large else base + series, _sign_of(x))


@kernel
def acos(x):
    large, base, series = _asin_parts(_magnitude(x))
    sign = _sign_of(x)
    base, series = _with_sign(base, sign), _with_sign(series, sign)
    if large:
        arc = _TWO * (base + series)
        return arc if sign == 0 else _PI + (arc + _PI_LOW)
    return _HALF_PI - (base - (_HALF_PI_LOW - series))


@kernel
def _atan_rest(t):
    """Arctangent of t minus t, for 0 <= t <= 1."""
    z = t * t
    return t * z * polynomial(c.ATAN_SINGLE, z)


@kernel
def atan(x):
    a = _magnitude(x)
    large = a > _ONE
    t = _ONE / a if large else a
    rest = _atan_rest(t)
    arc = _HALF_PI - (t + (rest - _HALF_PI_LOW)) if large else t + rest
    return _with_sign(arc, _sign_of(x))


@kernel
def atan2(y, x):
    height, width = _magnitude(y), _magnitude(x)
    steep, behind = height > width, _sign_of(x) != 0
    small = width if steep else height
    large = height if steep else width
    t = small if large == _ZERO else (_ONE if small == large else small / large)
    base = _HALF_PI if steep else (_PI if behind else _ZERO)
    base_low = _HALF_PI_LOW if steep else (_PI_LOW if behind else _ZERO)
    back = steep != behind
    arc = t + (_atan_rest(t) + (-base_low if back else base_low))
    return _with_sign(base + (-arc if back else arc), _sign_of(y))


@kernel
def exp(x):
    x = _EXP_HIGHEST if x > _EXP_HIGHEST else (_EXP_LOWEST if x < _EXP_LOWEST else x)
    shifted = x * _LOG2_E + _MAGIC
    k = shifted - _MAGIC
    r = (x - k * _LN2) - k * _LN2_LOW
    power = _ONE + (r + r * r * polynomial(c.EXP_SINGLE, r))
    n = np.int32(np.float32(shifted).view(np.int32) - _MAGIC_BITS)
    half = n >> 1  # two factors, because 2^n itself may be subnormal or too large
    first = np.int32((half + 127) << 23).view(np.float32)
    return power * first * np.int32((n - half + 127) << 23).view(np.float32)


@kernel
def log_scaled(x, shift):
    """Logarithm of x 2^-shift for a positive, finite, normal x."""
    bits = np.float32(x).view(np.int32)
    exponent = np.int32(np.int32(bits - _SQRT_HALF_BITS) >> 23)
    f = np.int32(bits - (exponent << 23)).view(np.float32) - _ONE
    e = np.float32(exponent - shift)
    z = f * f
    tail = (f * z * polynomial(c.LOG_SINGLE, f) + e * _LN2_LOW) - _HALF * z
    return (f + tail) + e * _LN2


@kernel
def log(x):
    subnormal = x < _SMALLEST_NORMAL
    result = log_scaled(x * _TWO_TO_24 if subnormal else x, 24 if subnormal else 0)
    result = x if x == _INF else result
    return result if x > _ZERO else (-_INF if x == _ZERO else _NAN)


@kernel
def tanh(x):
    a = _magnitude(x)
    z = a * a
    series = a + a * z * polynomial(c.TANH_SINGLE, z)
    a = _TANH_ONE if a > _TANH_ONE else a
    far = _ONE - _TWO / (exp(a + a) + _ONE)
    return _with_sign(series if a < _TANH_SERIES else far, _sign_of(x))


@kernel
def pow(x, y):
    return np.float32(_double.pow(np.float64(x), np.float64(y)))
