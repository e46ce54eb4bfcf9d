"""float64 elementary functions; `envsuite.core.fmath` states ranges, errors and sources."""

import numpy as np

from envsuite.core.fmath import _coefficients as c
from envsuite.core.fmath._basics import polynomial, sqrt
from envsuite.core.jit import kernel

_MAGNITUDE = np.int64(0x7FFFFFFFFFFFFFFF)
_SIGN = np.int64(-0x8000000000000000)

# Adding 1.5 * 2^52 rounds to an integer, which then stands in the low bits of the sum.
_MAGIC = 1.5 * 2.0**52
_MAGIC_BITS = 0x4338000000000000

# pi/2 in pieces of 33 bits, so that k * piece is exact for k < 2^20.
_PIECE1, _PIECE2, _PIECE3, _PIECE4 = (
    1.5707963267341256,
    6.077100506303966e-11,
    2.0222662487111665e-21,
    8.4784276603689e-32,
)
_TWO_OVER_PI = 0.6366197723675814
_LARGEST_ANGLE = 2.0**51
_HALF_PI, _HALF_PI_LOW = 1.5707963267948966, 6.123233995736766e-17
_QUARTER_PI = 0.5 * _HALF_PI
_PI, _PI_LOW = 2 * _HALF_PI, 2 * _HALF_PI_LOW
_LN2, _LN2_LOW = 0.6931471805592082, 7.371002565167799e-13  # 40 bits, so that e * _LN2 is exact
_LOG2_E = 1.4426950408889634
_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
_SMALLEST_NORMAL, _TWO_TO_54 = 2.0**-1022, 2.0**54
_EXP_LOWEST, _EXP_HIGHEST = -746.0, 710.0
_THIRD, _THIRD_LOW = 0.3333333333333333, 1.850371707708594e-17
_TWO_TO_52, _TWO_TO_53 = 2.0**52, 2.0**53
_LARGEST_POWER = 2.0**65  # beyond it every power but that of 1 is 0 or infinity
_SPLITTER = 2.0**27 + 1


@kernel
def _sign_of(x):
    return np.float64(x).view(np.int64) & _SIGN


@kernel
def _magnitude(x):
    return np.int64(np.float64(x).view(np.int64) & _MAGNITUDE).view(np.float64)


@kernel
def _with_sign(x, sign):
    """Flip the sign of `x` where `sign` (0 or the sign bit) says so."""
    return np.int64(np.float64(x).view(np.int64) ^ sign).view(np.float64)


@kernel
def _reduce(a):
    """Split a >= 0 into k pi/2 + r + low with |r| <= pi/4; also returns an integer that is k modulo 4."""
    a = a if a < _LARGEST_ANGLE else a - a
    shifted = a * _TWO_OVER_PI + _MAGIC
    k = shifted - _MAGIC
    coarse = a - k * _PIECE1
    step = k * _PIECE2
    middle = coarse - step
    low = (coarse - middle) - step
    step = k * _PIECE3
    r = middle - step
    return r, (((middle - r) - step) + low) - k * _PIECE4, np.float64(shifted).view(np.int64)


@kernel
def sincos(x):
    r, low, quadrant = _reduce(_magnitude(x))
    z = r * r
    sine = r + (r * z * polynomial(c.SIN_DOUBLE, z) + low)
    cosine = 1.0 - (0.5 * z - (z * z * polynomial(c.COS_DOUBLE, z) - r * low))
    swap = (quadrant & 1) != 0
    first = cosine if swap else sine
    second = sine if swap else cosine
    sine_sign = ((quadrant & 2) << 62) ^ _sign_of(x)
    cosine_sign = ((quadrant + 1) & 2) << 62
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
    return x * polynomial(c.QUARTER_SIN_DOUBLE, z), 1.0 + z * polynomial(c.QUARTER_COS_DOUBLE, z)


@kernel
def tan(x):
    r, low, quadrant = _reduce(_magnitude(x))
    z = r * r
    series = r * z * polynomial(c.TAN_DOUBLE, z)
    rough = r + series
    series = series + low * (1.0 + rough * rough)
    tangent = r + series
    rest = series - (tangent - r)
    cotangent = -1.0 / tangent
    cotangent = cotangent + cotangent * cotangent * rest
    return _with_sign(cotangent if (quadrant & 1) != 0 else tangent, _sign_of(x))


@kernel
def _asin_parts(a):
    """Whether a >= 1/2, and b and c with asin(a) = b + c if not and acos(a) = 2 (b + c) if so."""
    large = a >= 0.5
    z = 0.5 * (1.0 - a) if large else a * a
    base = sqrt(z) if large else a
    return large, base, base * z * polynomial(c.ASIN_DOUBLE, z)


@kernel
def asin(x):
    a = _magnitude(x)
    large, base, series = _asin_parts(a)
    far = _QUARTER_PI + ((_QUARTER_PI - 2.0 * base) - (2.0 * series - _HALF_PI_LOW))
    edge = _HALF_PI - (2.0 * (base + series) - _HALF_PI_LOW)
    arc = far if a < 0.96875 else edge
    return _with_sign(arc if large else base + series, _sign_of(x))


@kernel
def acos(x):
    large, base, series = _asin_parts(_magnitude(x))
    sign = _sign_of(x)
    base, series = _with_sign(base, sign), _with_sign(series, sign)
    if large:
        arc = 2.0 * (base + series)
        return arc if sign == 0 else _PI + (arc + _PI_LOW)
    return _HALF_PI - (base - (_HALF_PI_LOW - series))


@kernel
def _atan_rest(t):
    """Arctangent of t minus t, for 0 <= t <= 1."""
    z = t * t
    return t * z * polynomial(c.ATAN_DOUBLE, z)


@kernel
def atan(x):
    a = _magnitude(x)
    large = a > 1.0
    t = 1.0 / a if large else a
    rest = _atan_rest(t)
    arc = _HALF_PI - (t + (rest - _HALF_PI_LOW)) if large else t + rest
    return _with_sign(arc, _sign_of(x))


@kernel
def atan2(y, x):
    height, width = _magnitude(y), _magnitude(x)
    steep, behind = height > width, _sign_of(x) != 0
    small = width if steep else height
    large = height if steep else width
    t = small if large == 0.0 else (1.0 if small == large else small / large)
    base = _HALF_PI if steep else (_PI if behind else 0.0)
    base_low = _HALF_PI_LOW if steep else (_PI_LOW if behind else 0.0)
    back = steep != behind
    arc = t + (_atan_rest(t) + (-base_low if back else base_low))
    return _with_sign(base + (-arc if back else arc), _sign_of(y))


@kernel
def _exp_sum(x, low):
    """exp(x + low) for |low| much smaller than 1; `low` is ignored where the result is 0 or infinite."""
    low = low if _EXP_LOWEST < x < _EXP_HIGHEST else 0.0
    x = _EXP_HIGHEST if x > _EXP_HIGHEST else (_EXP_LOWEST if x < _EXP_LOWEST else x)
    shifted = x * _LOG2_E + _MAGIC
    k = shifted - _MAGIC
    r = (x - k * _LN2) + (low - k * _LN2_LOW)
    power = 1.0 + (r + r * r * polynomial(c.EXP_DOUBLE, r))
    n = np.float64(shifted).view(np.int64) - _MAGIC_BITS
    half = n >> 1  # two factors, because 2^n itself may be subnormal or too large
    first = np.int64((half + 1023) << 52).view(np.float64)
    return power * first * np.int64((n - half + 1023) << 52).view(np.float64)


@kernel
def exp(x):
    return _exp_sum(x, 0.0)


@kernel
def _split_exponent(x):
    """For a positive, finite, normal x: e and f with x = 2^e (1 + f) and sqrt(1/2) <= 1 + f < sqrt(2)."""
    bits = np.float64(x).view(np.int64)
    exponent = (bits - _SQRT_HALF_BITS) >> 52
    return exponent, np.int64(bits - (exponent << 52)).view(np.float64) - 1.0


@kernel
def log_scaled(x, shift):
    """Logarithm of x 2^-shift for a positive, finite, normal x."""
    exponent, f = _split_exponent(x)
    e = np.float64(exponent - shift)
    s = f / (2.0 + f)
    z = s * s
    half = 0.5 * f * f
    return e * _LN2 - ((half - (s * (half + z * polynomial(c.LOG_DOUBLE, z)) + e * _LN2_LOW)) - f)


@kernel
def log(x):
    subnormal = x < _SMALLEST_NORMAL
    result = log_scaled(x * _TWO_TO_54 if subnormal else x, 54 if subnormal else 0)
    result = x if x == np.inf else result
    return result if x > 0.0 else (-np.inf if x == 0.0 else np.nan)


@kernel
def tanh(x):
    a = _magnitude(x)
    z = a * a
    series = a + a * z * polynomial(c.TANH_DOUBLE, z)
    a = 20.0 if a > 20.0 else a
    far = 1.0 - 2.0 / (exp(a + a) + 1.0)
    return _with_sign(series if a < 0.625 else far, _sign_of(x))


@kernel
def _product(a, b):
    """Product and its rounding error (Dekker 1971), without a fused operation."""
    split = _SPLITTER * a
    a_high = split - (split - a)
    a_low = a - a_high
    split = _SPLITTER * b
    b_high = split - (split - b)
    b_low = b - b_high
    product = a * b
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@kernel
def _log_sum(x):
    """Logarithm of a positive finite x as an unevaluated sum of two numbers, with some 66 correct bits."""
    subnormal = x < _SMALLEST_NORMAL
    exponent, f = _split_exponent(x * _TWO_TO_54 if subnormal else x)
    e = np.float64(exponent - 54 if subnormal else exponent)
    divisor = 2.0 + f
    s = f / divisor
    back, back_low = _product(s, divisor)
    s_low = (((f - back) - back_low) - s * (f - (divisor - 2.0))) / divisor
    z, z_low = _product(s, s)
    z_low += 2.0 * s * s_low
    third, third_low = _product(z, _THIRD)
    third_low += z * _THIRD_LOW + z_low * _THIRD
    rest = z * z * polynomial(c.POW_DOUBLE, z)
    series = third + rest
    series_low = (rest - (series - third)) + third_low
    factor, factor_low = _product(s, series)
    factor_low += s * series_low + s_low * series
    half = s + factor
    half_low = (factor - (half - s)) + (factor_low + s_low)
    whole = e * _LN2
    result = whole + 2.0 * half
    part = result - whole
    error = (whole - (result - part)) + (2.0 * half - part)
    return result, error + (2.0 * half_low + e * _LN2_LOW)


@kernel
def pow(x, y):
    a = _magnitude(x)
    high, low = _log_sum(a)
    high = -np.inf if a == 0.0 else (high if a < np.inf else a)
    bounded = _LARGEST_POWER if y > _LARGEST_POWER else (-_LARGEST_POWER if y < -_LARGEST_POWER else y)
    exponent, exponent_low = _product(high, bounded)
    result = _exp_sum(exponent, exponent_low + low * bounded)
    size = _magnitude(y)
    whole = size >= _TWO_TO_52 or (size + _TWO_TO_52) - _TWO_TO_52 == size
    half = 0.5 * size
    odd = whole and size < _TWO_TO_53 and (half + _TWO_TO_52) - _TWO_TO_52 != half
    result = np.nan if x < 0.0 and a != np.inf and not whole else result
    result = -result if odd and _sign_of(x) != 0 else result
    return 1.0 if y == 0.0 or x == 1.0 or (x == -1.0 and size == np.inf) else result
