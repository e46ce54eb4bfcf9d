"""Four numbers at once, where a loop over them is too short for a compiler to find that out.

Each number is multiplied and added by itself, so results are the same bits as those of a loop.
"""

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from envsuite.core.compiling import interpreted

LANES = 4


@intrinsic
def _compiled(typingctx, x, i, y, j, factor):
    if not (isinstance(x, types.Buffer) and isinstance(y, types.Buffer) and x.dtype == y.dtype):
        return None

    def build(context, builder, signature, arguments):
        number = context.get_value_type(x.dtype)
        lanes = ir.VectorType(number, LANES)
        places = []
        for kind, array, index in ((x, arguments[0], arguments[1]), (y, arguments[2], arguments[3])):
            start = context.make_array(kind)(context, builder, array).data
            places.append(builder.bitcast(builder.gep(start, [index]), lanes.as_pointer()))
        size = context.get_abi_sizeof(number)
        old, more = (builder.load(place, align=size) for place in places)
        factors: Any = ir.Constant(lanes, ir.Undefined)
        for lane in range(LANES):
            factors = builder.insert_element(factors, arguments[4], ir.Constant(ir.IntType(32), lane))
        builder.store(builder.fadd(old, builder.fmul(factors, more)), places[0], align=size)
        return context.get_dummy_value()

    return types.none(x, types.intp, y, types.intp, x.dtype), build


def _interpreted(x, i, y, j, factor):
    x[i : i + LANES] += factor * y[j : j + LANES]


add_multiple: Any = _interpreted if interpreted() else _compiled
"""``add_multiple(x, i, y, j, factor)``: ``x[i : i + 4] += factor * y[j : j + 4]``.

Both are contiguous, of one precision, and long enough.
"""
