"""Room for intermediate results: a record that lives as long as one call of a batch loop, in the thread that runs it."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload

from envsuite.core.jit import records


def workspace(dtype: np.dtype) -> Any:
    """One record of zeros; on the stack in compiled code, where the type is a constant.

    Args:
        dtype: structured.
    """
    return records(np.zeros(1, dtype))[0]


@intrinsic
def _on_stack(typingctx, dtype):
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


@overload(workspace)
def _workspace(dtype):
    return lambda dtype: _on_stack(dtype)  # ty: ignore[missing-argument]
