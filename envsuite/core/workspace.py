"""Room for intermediate results: a record that lives as long as one call of a batch loop, in its thread."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from envsuite.core.compiling import interpreted
from envsuite.core.jit import records


@intrinsic
def _on_stack(typingctx, dtype):
    """On the stack of the function that says so: an `overload` would be a function of its own, gone when it returns."""
    record = dtype.dtype
    if not isinstance(record, types.Record):
        return None

    def build(context, builder, signature, arguments):
        size = ir.Constant(ir.IntType(64), record.size)
        with builder.goto_entry_block():
            # not `alloca_once`: it writes its zeros as one value of this length, over which LLVM broods for minutes
            room = builder.alloca(ir.IntType(8), size, "workspace")
        room.align = 16
        cgutils.memset(builder, room, size, 0)
        return builder.bitcast(room, context.get_value_type(record))

    return record(dtype), build


def _on_heap(dtype: np.dtype) -> Any:
    return records(np.zeros(1, dtype))[0]


workspace = _on_heap if interpreted() else _on_stack
"""One record of zeros, ``workspace(dtype)``, where the type is a module's constant. Not to be returned or stored."""
