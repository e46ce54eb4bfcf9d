"""Elementary functions for kernels: the same bits on every CPU, compiled or interpreted.

`math.sin` and its relatives come from the platform's C library and differ between machines in the last bit,
which is enough to make a recorded episode diverge. The functions here use only operations that IEEE 754
rounds exactly (+ - * /, square root, comparisons, bit patterns), in a fixed order and without fused
multiply-add.

Each function has a float32 and a float64 implementation and the type of the argument picks one, so one kernel
source serves both precisions; of two arguments float64 wins. Compiled code refuses integers: convert them
with `real`. Called from Python, a NumPy float32 stays float32 and everything else is taken as float64; functions of one
result take arrays there too, number by number (some microseconds each).

Ranges, and the largest error found in them, in units in the last place (ulp):

========  =====================  =======  =====================  =======
function  float32: range         error    float64: range         error
========  =====================  =======  =====================  =======
sin       |x| <= 1e4             1.04     |x| <= 1e6             1.05
cos       |x| <= 1e4             1.03     |x| <= 1e6             1.00
tan       |x| <= 1e4             1.33     |x| <= 1e6             1.20
asin      |x| <= 1               1.34     |x| <= 1               1.40
acos      |x| <= 1               1.16     |x| <= 1               1.20
atan      all                    1.41     all                    1.50
atan2     all                    1.60     all                    1.60
exp       all                    1.01     all                    0.95
log       all                    0.84     all                    0.85
tanh      all                    1.34     all                    1.35
pow       all                    0.51     all                    1.25
========  =====================  =======  =====================  =======

One-argument float32 errors are over every number of the range, the others (rounded up) over random, evenly
spread and boundary arguments against mpmath (``tests/core/test_fmath.py``). Special values follow C99, annex
F; the sign and payload of a NaN are unspecified. Angles beyond the range lose accuracy as if `x` were off by
some units in its last place; beyond 2^22 (2^51 in float64), where neighbouring numbers lie half a radian
apart, `x` counts as 0.

Methods: reduction of angles after Cody and Waite (Software Manual for the Elementary Functions, 1980),
products with their error after Dekker (1971), minimax polynomials of our own
(``benchmarks/fmath_coefficients.py``).
"""

import numpy as np
from numba import types
from numba.extending import overload

from envsuite.core.fmath import _double, _single
from envsuite.core.fmath._basics import sqrt
from envsuite.core.literals import real

__all__ = [
    "acos",
    "asin",
    "atan",
    "atan2",
    "cos",
    "exp",
    "log",
    "log_scaled",
    "pow",
    "real",
    "sin",
    "sincos",
    "sincos_quarters",
    "sqrt",
    "tan",
    "tanh",
]


def _call(name, *arguments):
    """Evaluate a function from Python, where `overload` does not reach, without NumPy's warnings."""
    in_single = all(getattr(argument, "dtype", None) == np.float32 for argument in arguments)
    module, real_type = (_single, np.float32) if in_single else (_double, np.float64)
    function = getattr(module, name)
    with np.errstate(all="ignore"):
        if any(np.ndim(argument) for argument in arguments):
            numbers = np.broadcast(*(np.asarray(argument, real_type) for argument in arguments))
            return np.array([function(*row) for row in numbers], real_type).reshape(numbers.shape)
        result = function(*(real_type(argument) for argument in arguments))
    return tuple(map(real_type, result)) if isinstance(result, tuple) else real_type(result)


def sin(x):
    """Sine of `x` radians."""
    return _call("sin", x)


def cos(x):
    """Cosine of `x` radians."""
    return _call("cos", x)


def sincos(x):
    """Sine and cosine of `x` radians, for the price of one."""
    return _call("sincos", x)


def tan(x):
    """Tangent of `x` radians."""
    return _call("tan", x)


def asin(x):
    """Arcsine in [-pi/2, pi/2]; NaN outside [-1, 1]."""
    return _call("asin", x)


def acos(x):
    """Arccosine in [0, pi]; NaN outside [-1, 1]."""
    return _call("acos", x)


def atan(x):
    """Arctangent in [-pi/2, pi/2]."""
    return _call("atan", x)


def atan2(y, x):
    """Angle of the point (x, y) in [-pi, pi], with the signs of zeros as in C."""
    return _call("atan2", y, x)


def exp(x):
    """Exponential; infinite above and 0 below the range of the type."""
    return _call("exp", x)


def log(x):
    """Natural logarithm; -inf at 0 and NaN below."""
    return _call("log", x)


def tanh(x):
    """Hyperbolic tangent."""
    return _call("tanh", x)


def pow(x, y):
    """`x` to the power `y`; NaN for negative `x` unless `y` is a whole number."""
    return _call("pow", x, y)


def sincos_quarters(x):
    """Sine and cosine of `x` quarter turns (pi x / 2 radians), |x| <= 1/2."""
    return _call("sincos_quarters", x)


def log_scaled(x, shift):
    """Logarithm of x 2^-shift for positive, finite, normal `x` and an integer `shift`; unchecked and fast."""
    kind, module = (np.float32, _single) if isinstance(x, np.float32) else (np.float64, _double)
    return kind(module.log_scaled(kind(x), shift))


def _implementation(name, *kinds):
    """The implementation for the given Numba types; None, which makes a typing error, for other types."""
    if not all(isinstance(kind, types.Float) for kind in kinds):
        return None
    module = _single if all(kind == types.float32 for kind in kinds) else _double
    return getattr(module, name).adapted


def _register_unary(name, function):
    overload(function)(lambda x: _implementation(name, x))


for _function in (sin, cos, sincos, tan, asin, acos, atan, exp, log, tanh, sincos_quarters):
    _register_unary(_function.__name__, _function)
overload(atan2)(lambda y, x: _implementation("atan2", y, x))
overload(pow)(lambda x, y: _implementation("pow", x, y))
overload(log_scaled)(lambda x, shift: _implementation("log_scaled", x))
