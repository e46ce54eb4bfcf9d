"""Formulas of numbers, signs and brackets: what they come to, exactly or as the original reckons.

Symbols are numbers from 1 on, and the constants from `ADD` on. Read are the fields ``formula`` (symbols), ``written``
(how many) of the state and ``target``, ``compat`` of the parameters. Values are fractions; under ``compat`` whole
numbers, which have the denominator 1, and doubles, which have the denominator 0.
"""

import numpy as np

from envsuite.core import Record, field, fmath, kernel

LONGEST = 21
"""Symbols of the longest formula."""
ADD, SUBTRACT, MULTIPLY, DIVIDE, OPEN, CLOSE, EQUALS, REFUSED = range(14, 22)
"""Symbols above the numbers 1 to 13; `REFUSED` is the blank in the place of a number that was not there."""
POWER, FLOOR_DIVIDE, NEGATE = range(22, 25)
"""Operations that are no symbols: two stars, two slashes, a sign before a value."""
LARGEST = 2**62
"""Whole numbers under ``compat`` stay below. Larger ones need three of four numbers, and with the last one nothing
comes to a target as small as 24 any more, so that such a formula is as wrong there as it is here."""


class Room(Record):
    """Values and operations that wait for more."""

    numerator = field(type=np.int64, shape=LONGEST)
    denominator = field(type=np.int64, shape=LONGEST)
    double = field(type=np.float64, shape=LONGEST)
    operations = field(type=np.int8, shape=LONGEST)
    values = field(type=np.int32, meaning="number of values")
    waiting = field(type=np.int32, meaning="number of operations")


@kernel
def push(w, numerator, denominator, double):
    """Put a value on top; whether there is one."""
    w.numerator[w.values] = numerator
    w.denominator[w.values] = denominator
    w.double[w.values] = double
    w.values += np.int32(1)
    return True


@kernel
def push_fraction(w, numerator, denominator):
    """Put a fraction on top, in lowest terms; whether there is one."""
    if denominator == 0:
        return False
    a, b = abs(numerator), abs(denominator)
    while b != 0:
        a, b = b, a % b
    a = -a if denominator < 0 else a
    return push(w, numerator // a, denominator // a, 0.0)


@kernel
def push_whole(w, value):
    """Put a whole number on top, where it is not too large."""
    return abs(value) < LARGEST and push(w, value, 1, 0.0)


@kernel
def push_double(w, value):
    """Put a double on top, where it is a number."""
    return value - value == 0.0 and push(w, 0, 0, value)


@kernel
def power_of_whole(w, a, b):
    """Push a to the power b, a whole number of at least 0."""
    if b > 64 and -1 <= a <= 1:
        b = b % 2 + 2
    found = np.int64(1)
    for _ in range(min(b, 64)):
        if abs(found) * np.float64(abs(a)) >= LARGEST:
            return False
        found *= a
    return push_whole(w, found)


@kernel
def combine_exactly(w, operation, k):
    """Push the result of two fractions, the first of which stands at k."""
    a, b, c, d = w.numerator[k], w.denominator[k], w.numerator[k + 1], w.denominator[k + 1]
    if operation == ADD:
        return push_fraction(w, a * d + c * b, b * d)
    if operation == SUBTRACT:
        return push_fraction(w, a * d - c * b, b * d)
    if operation == MULTIPLY:
        return push_fraction(w, a * c, b * d)
    return push_fraction(w, a * d, b * c)


@kernel
def combine_whole(w, operation, a, b):
    """Push the result of two whole numbers, as Python has it."""
    if operation == ADD:
        return push_whole(w, a + b)
    if operation == SUBTRACT:
        return push_whole(w, a - b)
    if operation == MULTIPLY:
        return np.float64(abs(a)) * abs(b) < LARGEST and push_whole(w, a * b)
    if operation == POWER:
        return power_of_whole(w, a, b) if b >= 0 else push_double(w, fmath.pow(np.float64(a), np.float64(b)))
    if b == 0:
        return False
    return push_whole(w, a // b) if operation == FLOOR_DIVIDE else push_double(w, np.float64(a) / np.float64(b))


@kernel
def combine_double(w, operation, a, b):
    """Push the result of two doubles, as Python has it; a complex number comes to no target."""
    if operation == ADD:
        return push_double(w, a + b)
    if operation == SUBTRACT:
        return push_double(w, a - b)
    if operation == MULTIPLY:
        return push_double(w, a * b)
    if operation == POWER:
        return push_double(w, fmath.pow(a, b))
    if b == 0.0:
        return False
    return push_double(w, a // b if operation == FLOOR_DIVIDE else a / b)


@kernel
def as_double(w, k):
    """The value at k as a double."""
    return w.double[k] if w.denominator[k] == 0 else np.float64(w.numerator[k])


@kernel
def settle(w, p):
    """Carry out the operation on top; whether it has a result."""
    w.waiting -= np.int32(1)
    operation = np.int64(w.operations[w.waiting])
    if operation == NEGATE:
        k = w.values - 1
        w.numerator[k], w.double[k] = -w.numerator[k], -w.double[k]
        return True
    w.values -= np.int32(2)
    k = np.int64(w.values)
    if not p.compat:
        return combine_exactly(w, operation, k)
    if w.denominator[k] != 0 and w.denominator[k + 1] != 0:
        return combine_whole(w, operation, w.numerator[k], w.numerator[k + 1])
    return combine_double(w, operation, as_double(w, k), as_double(w, k + 1))


@kernel
def strength(operation):
    """How tightly an operation binds."""
    if operation == OPEN:
        return 0
    if operation in (ADD, SUBTRACT):
        return 1
    if operation == NEGATE:
        return 3
    return 4 if operation == POWER else 2


@kernel
def settle_down_to(w, p, least):
    """Carry out all operations on top that bind at least as tightly; whether they have results."""
    while w.waiting > 0 and strength(np.int64(w.operations[w.waiting - 1])) >= least:
        if not settle(w, p):
            return False
    return True


@kernel
def wait(w, operation):
    """Put an operation on top."""
    w.operations[w.waiting] = operation
    w.waiting += np.int32(1)


@kernel
def take_operation(w, p, operation):
    """Read an operation between two values, or a closing bracket; whether the formula can go on."""
    if operation == CLOSE:
        if not settle_down_to(w, p, 1) or w.waiting == 0:
            return False
        w.waiting -= np.int32(1)
        return True
    if operation > DIVIDE and operation not in (POWER, FLOOR_DIVIDE):
        return False
    # powers are read from the right, all else from the left
    if not settle_down_to(w, p, strength(operation) + (operation == POWER)):
        return False
    wait(w, operation)
    return True


@kernel
def reaches_target(s, p, w):
    """Whether the formula is one, and comes to the target.

    Args:
        s: the state record.
        p: the parameter record.
        w: a `Room`.
    """
    w.values, w.waiting = 0, 0
    before_value, k = True, 0
    while k < s.written:
        symbol = np.int64(s.formula[k])
        following = np.int64(s.formula[k + 1]) if k + 1 < s.written else np.int64(REFUSED)
        k += 1
        if symbol == REFUSED:
            continue
        if p.compat and following == symbol and symbol in (MULTIPLY, DIVIDE):
            symbol = np.int64(POWER if symbol == MULTIPLY else FLOOR_DIVIDE)
            k += 1
        if symbol < ADD:
            if not before_value:
                return False
            while p.compat and following < ADD:  # numbers side by side are one number there
                symbol = symbol * (100 if following > 9 else 10) + following
                k += 1
                following = np.int64(s.formula[k]) if k < s.written else np.int64(REFUSED)
            push(w, symbol, 1, 0.0)
            before_value = False
        elif before_value:
            if symbol == SUBTRACT:
                wait(w, NEGATE)
            elif symbol == OPEN:
                wait(w, OPEN)
            elif symbol != ADD:
                return False
        else:
            before_value = symbol != CLOSE
            if not take_operation(w, p, symbol):
                return False
    if before_value or not settle_down_to(w, p, 1) or w.waiting > 0:
        return False
    if w.denominator[0] == 0:
        return w.double[0] == p.target
    return w.denominator[0] == 1 and w.numerator[0] == p.target
