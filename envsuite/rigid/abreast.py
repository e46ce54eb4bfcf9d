"""Records of four instances abreast: the numbers of one field stand in fours, see `envsuite.rigid.fours`."""

import hashlib
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models, register_default
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array, populate_array

from envsuite.core.compiling import interpreted
from envsuite.rigid.fours import Four
from envsuite.rigid.lanes import LANES, Lanes, add_multiple


def abreast_dtype(dtype: np.dtype, names: tuple[str, ...]) -> np.dtype:
    """Room for fields of four records.

    Args:
        dtype: of one record.
        names: of fields that are arrays of numbers.
    """
    return np.dtype([(name, dtype[name].base, (*dtype[name].shape, LANES)) for name in names])


class Abreast(types.Type):
    """A record with room for four.

    Args:
        record: as NumPy has it, where the last axis of each field counts the four.
    """

    def __init__(self, record: types.Record):
        self.record = record
        super().__init__(f"Abreast({hashlib.blake2b(record.name.encode(), digest_size=12).hexdigest()})")

    def field(self, name: str) -> types.Array:
        """Type of a field."""
        inner: Any = self.record.typeof(name)
        return types.Array(Four(inner.dtype), inner.ndim - 1, "C", aligned=False)


@register_default(Abreast)
class _Model(models.PrimitiveModel):
    def __init__(self, dmm, kind):
        super().__init__(dmm, kind, dmm.lookup(kind.record).get_value_type())


@infer_getattr
class _Fields(AttributeTemplate):
    key = Abreast

    def generic_resolve(self, value, attr):
        return value.field(attr) if attr in value.record.fields else None


@lower_getattr_generic(Abreast)
def _field(context, builder, kind, value, attr):
    result, inner = kind.field(attr), kind.record.typeof(attr)
    array = make_array(result)(context, builder)
    start = cgutils.get_record_member(builder, value, kind.record.offset(attr), context.get_data_type(result.dtype))
    size = context.get_abi_sizeof(context.get_data_type(inner.dtype)) * LANES
    shape, strides = inner.shape[:-1], inner.strides[:-1]
    populate_array(
        array,
        data=start,
        shape=[context.get_constant(types.intp, one) for one in shape],
        strides=[context.get_constant(types.intp, one) for one in strides],
        itemsize=context.get_constant(types.intp, size),
        meminfo=None,
    )
    return array._getvalue()


@intrinsic
def _abreast(typingctx, record):
    return Abreast(record)(record), lambda context, builder, signature, arguments: arguments[0]


abreast: Any = _abreast
"""``abreast(record)``: a record of `abreast_dtype`, whose fields are arrays of fours."""


def width(x):
    """How many numbers an element of an array stands for."""
    return 1


@overload(width)
def _typed_width(x):
    count = LANES if isinstance(x.dtype, Four) else 1
    return lambda x: count


@intrinsic
def _flat(typingctx, x):
    if not isinstance(x.dtype, Four):
        return x(x), lambda context, builder, signature, arguments: arguments[0]
    result = types.Array(x.dtype.dtype, 1, "C")

    def build(context, builder, signature, arguments):
        given = make_array(x)(context, builder, arguments[0])
        array = make_array(result)(context, builder)
        size = context.get_abi_sizeof(context.get_data_type(result.dtype))
        count = builder.mul(given.nitems, ir.Constant(given.nitems.type, LANES))
        populate_array(
            array,
            data=builder.bitcast(given.data, context.get_data_type(result.dtype).as_pointer()),
            shape=[count],
            strides=[context.get_constant(types.intp, size)],
            itemsize=context.get_constant(types.intp, size),
            meminfo=None,
        )
        return array._getvalue()

    return result(x), build


def _plain_flat(x):
    return x


flat: Any = _plain_flat if interpreted() else _flat
"""``flat(x)``: the numbers of an array with one axis, those of each four one after another."""


def subtract_multiple(x, y, start, end, factor):
    """Subtract a multiple of a part of one array from the beginning of another; rows have room for three more."""
    for k in range(0, end - start, LANES):
        add_multiple(x, k, y, start + k, -factor)


@overload(subtract_multiple)
def _typed_subtract_multiple(x, y, start, end, factor):
    def each(x, y, start, end, factor):
        for k in range(end - start):
            x[k] -= factor * y[start + k]

    return each if isinstance(x.dtype, Four) else subtract_multiple


def _moved(inwards: bool) -> Any:
    """An intrinsic that copies numbers of a field from four records into the room for four, or back."""

    @intrinsic(prefer_literal=True)
    def move(typingctx, x, name, records, first, count):
        fits = isinstance(x, Abreast) and isinstance(name, types.StringLiteral) and isinstance(records, types.UniTuple)
        if not (fits and len(records) == LANES):
            return None
        field, inner = name.literal_value, records.dtype

        def build(context, builder, signature, arguments):
            number = x.record.typeof(field).dtype
            four = Lanes(context, builder, number)

            def start(record: Any, kind: Any, unit: Any) -> Any:
                place = cgutils.get_record_member(builder, record, kind.offset(field), unit)
                return builder.gep(place, [arguments[3]])

            room = start(arguments[0], x.record, four.type)
            own = cgutils.unpack_tuple(builder, arguments[2])
            starts = [start(record, inner, context.get_data_type(number)) for record in own]
            end = arguments[4]
            whole = builder.and_(end, ir.Constant(end.type, -LANES))
            zero, one, step = (ir.Constant(end.type, number) for number in (0, 1, LANES))
            with cgutils.for_range_slice(builder, zero, whole, step) as (k, _):
                places = [four.place(place, k) for place in starts]
                rows = [builder.gep(room, [builder.add(k, ir.Constant(k.type, lane))]) for lane in range(LANES)]
                come, go = (places, rows) if inwards else (rows, places)
                for numbers, place in zip(four.turned([four.load(one) for one in come]), go, strict=True):
                    four.store(numbers, place)
            with cgutils.for_range_slice(builder, whole, end, one) as (k, _):
                row, places = builder.gep(room, [k]), [builder.gep(place, [k]) for place in starts]
                if inwards:
                    four.store(four.joined([builder.load(place) for place in places]), row)
                else:
                    for number, place in zip(four.parted(four.load(row)), places, strict=True):
                        builder.store(number, place)
            return context.get_dummy_value()

        return types.none(x, name, records, types.intp, types.intp), build

    return move


gather = _moved(inwards=True)
"""``gather(x, name, records, first, count)``: numbers of a field of four records become fours of the same field of `x`.

All axes of the field are counted through, from `first` on. `x` is `abreast`, `records` a tuple.
"""

scatter = _moved(inwards=False)
"""``scatter(x, name, records, first, count)``: the way back."""
