"""Four numbers at once, where a loop over them is too short for a compiler to find that out.

Each number is multiplied and added by itself, so results are the same bits as those of a loop.
"""

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from envsuite.core.compiling import interpreted

LANES = 4


def joined(builder: Any, kind: Any, numbers: list[Any]) -> Any:
    """Four numbers as one, of LLVM's type `kind`."""
    result: Any = ir.Constant(kind, ir.Undefined)
    for lane, number in enumerate(numbers):
        result = builder.insert_element(result, number, ir.Constant(ir.IntType(32), lane))
    return result


class Lanes:
    """How machine code handles four numbers that stand side by side.

    Args:
        context: of the compiler.
        builder: of the code.
        number: Numba's type of the numbers.
    """

    def __init__(self, context: Any, builder: Any, number: Any):
        self.context, self.builder = context, builder
        self.number = context.get_value_type(number)
        self.type = ir.VectorType(self.number, LANES)
        self.align = context.get_abi_sizeof(self.number)

    def start(self, kind: Any, array: Any) -> Any:
        """Where the numbers of an array begin."""
        return self.context.make_array(kind)(self.context, self.builder, array).data

    def place(self, start: Any, index: Any) -> Any:
        """Where four numbers begin."""
        return self.builder.bitcast(self.builder.gep(start, [index]), self.type.as_pointer())

    def load(self, place: Any) -> Any:
        """Four numbers."""
        return self.builder.load(place, align=self.align)

    def store(self, numbers: Any, place: Any) -> None:
        """Write four numbers."""
        self.builder.store(numbers, place, align=self.align)

    def spread(self, number: Any) -> Any:
        """Four times the same number."""
        return self.joined([number] * LANES)

    def joined(self, numbers: list[Any]) -> Any:
        """Four numbers as one."""
        return joined(self.builder, self.type, numbers)

    def parted(self, numbers: Any) -> list[Any]:
        """Four numbers one by one."""
        return [self.builder.extract_element(numbers, ir.Constant(ir.IntType(32), lane)) for lane in range(LANES)]

    def width(self, kind: Any, array: Any) -> Any:
        """How many numbers a row of an array with two axes has."""
        shape = self.context.make_array(kind)(self.context, self.builder, array).shape
        return self.builder.extract_value(shape, 1)

    def turned(self, rows: list[Any]) -> list[Any]:
        """The columns of four rows."""

        def mixed(one: Any, two: Any, order: tuple[int, ...]) -> Any:
            mask = ir.Constant(ir.VectorType(ir.IntType(32), LANES), order)
            return self.builder.shuffle_vector(one, two, mask)

        pairs = [mixed(rows[k], rows[k + 1], order) for k in (0, 2) for order in ((0, 4, 2, 6), (1, 5, 3, 7))]
        return [mixed(pairs[k], pairs[k + 2], order) for order in ((0, 1, 4, 5), (2, 3, 6, 7)) for k in (0, 1)]

    def one(self, numbers: Any, lane: int) -> Any:
        """Four times one of the numbers."""
        return self.spread(self.builder.extract_element(numbers, ir.Constant(ir.IntType(32), lane)))


@intrinsic
def _add_multiple(typingctx, x, i, y, j, factor):
    if not (isinstance(x, types.Buffer) and isinstance(y, types.Buffer) and x.dtype == y.dtype):
        return None

    def build(context, builder, signature, arguments):
        four = Lanes(context, builder, x.dtype)
        place = four.place(four.start(x, arguments[0]), arguments[1])
        more = four.load(four.place(four.start(y, arguments[2]), arguments[3]))
        old = four.load(place)
        four.store(builder.fadd(old, builder.fmul(four.spread(arguments[4]), more)), place)
        return context.get_dummy_value()

    return types.none(x, types.intp, y, types.intp, x.dtype), build


def _plain_add_multiple(x, i, y, j, factor):
    x[i : i + LANES] += factor * y[j : j + LANES]


@intrinsic
def _divide(typingctx, x, i, divisor):
    if not isinstance(x, types.Buffer):
        return None

    def build(context, builder, signature, arguments):
        four = Lanes(context, builder, x.dtype)
        place = four.place(four.start(x, arguments[0]), arguments[1])
        four.store(builder.fdiv(four.load(place), four.spread(arguments[2])), place)
        return context.get_dummy_value()

    return types.none(x, types.intp, x.dtype), build


def _plain_divide(x, i, divisor):
    x[i : i + LANES] /= divisor


@intrinsic
def _add_products(typingctx, tile, i, j, rows, weights, firsts, seconds, count):
    numbers = tile, rows, weights
    if not all(isinstance(one, types.Buffer) and one.dtype == tile.dtype for one in numbers):
        return None

    def build(context, builder, signature, arguments):
        four = Lanes(context, builder, tile.dtype)
        places = [
            four.start(kind, one)
            for kind, one in zip(signature.args, arguments, strict=True)
            if isinstance(kind, types.Buffer)
        ]
        tile_start, rows_start, weights_start, firsts_start, seconds_start = places
        across, down = arguments[2], arguments[1]
        widths = four.width(tile, arguments[0]), four.width(rows, arguments[3])
        sums, targets = [], []
        for lane in range(LANES):
            row = builder.add(down, ir.Constant(down.type, lane))
            targets.append(four.place(tile_start, builder.add(builder.mul(row, widths[0]), across)))
            sums.append(cgutils.alloca_once_value(builder, four.load(targets[lane])))
        with cgutils.for_range(builder, arguments[7]) as loop:
            both = []
            for start, column in ((firsts_start, down), (seconds_start, across)):
                row = builder.sext(builder.load(builder.gep(start, [loop.index])), down.type)
                both.append(four.load(four.place(rows_start, builder.add(builder.mul(row, widths[1]), column))))
            weight = builder.load(builder.gep(weights_start, [loop.index]))
            factors = builder.fmul(four.spread(weight), both[0])
            for lane in range(LANES):
                more = builder.fmul(four.one(factors, lane), both[1])
                builder.store(builder.fadd(builder.load(sums[lane]), more), sums[lane])
        for total, target in zip(sums, targets, strict=True):
            four.store(builder.load(total), target)
        return context.get_dummy_value()

    return types.none(tile, types.intp, types.intp, rows, weights, firsts, seconds, types.intp), build


def _plain_add_products(tile, i, j, rows, weights, firsts, seconds, count):
    for t in range(count):
        factors = weights[t] * rows[firsts[t], i : i + LANES]
        tile[i : i + LANES, j : j + LANES] += factors[:, None] * rows[seconds[t], j : j + LANES]


@intrinsic
def _add_rows(typingctx, x, i, rows, weights, first, count):
    numbers = x, rows, weights
    if not all(isinstance(one, types.Buffer) and one.dtype == x.dtype for one in numbers):
        return None

    def build(context, builder, signature, arguments):
        four = Lanes(context, builder, x.dtype)
        target, column, begin = four.place(four.start(x, arguments[0]), arguments[1]), arguments[1], arguments[4]
        rows_start, width = four.start(rows, arguments[2]), four.width(rows, arguments[2])
        weights_start = four.start(weights, arguments[3])
        total = cgutils.alloca_once_value(builder, four.load(target))
        with cgutils.for_range(builder, arguments[5]) as loop:
            row = builder.add(begin, loop.index)
            weight = builder.load(builder.gep(weights_start, [row]))
            more = four.load(four.place(rows_start, builder.add(builder.mul(row, width), column)))
            builder.store(builder.fadd(builder.load(total), builder.fmul(four.spread(weight), more)), total)
        four.store(builder.load(total), target)
        return context.get_dummy_value()

    return types.none(x, types.intp, rows, weights, types.intp, types.intp), build


def _plain_add_rows(x, i, rows, weights, first, count):
    for row in range(first, first + count):
        x[i : i + LANES] += weights[row] * rows[row, i : i + LANES]


@intrinsic
def _multiply_rows(typingctx, result, rows, first, x, count):
    numbers = result, rows, x
    if not all(isinstance(one, types.Buffer) and one.dtype == result.dtype for one in numbers):
        return None

    def build(context, builder, signature, arguments):
        four = Lanes(context, builder, result.dtype)
        begin, count_ = arguments[2], arguments[4]
        x_start, rows_start = four.start(x, arguments[3]), four.start(rows, arguments[1])
        width = four.width(rows, arguments[1])
        starts = []
        for lane in range(LANES):
            row = builder.add(begin, ir.Constant(begin.type, lane))
            starts.append(builder.gep(rows_start, [builder.mul(row, width)]))
        total = cgutils.alloca_once_value(builder, four.spread(ir.Constant(four.number, 0.0)))

        def add(column: Any, entries: Any) -> None:
            factor = four.spread(builder.load(builder.gep(x_start, [column])))
            builder.store(builder.fadd(builder.load(total), builder.fmul(entries, factor)), total)

        whole = builder.and_(count_, ir.Constant(count_.type, -LANES))
        zero, one, step = (ir.Constant(whole.type, number) for number in (0, 1, LANES))
        with cgutils.for_range_slice(builder, zero, whole, step) as (a, _):
            columns = four.turned([four.load(four.place(start, a)) for start in starts])
            for lane in range(LANES):
                add(builder.add(a, ir.Constant(a.type, lane)), columns[lane])
        with cgutils.for_range_slice(builder, whole, count_, one) as (a, _):
            add(a, four.joined([builder.load(builder.gep(start, [a])) for start in starts]))
        four.store(builder.load(total), four.place(four.start(result, arguments[0]), begin))
        return context.get_dummy_value()

    return types.none(result, rows, types.intp, x, types.intp), build


def _plain_multiply_rows(result, rows, first, x, count):
    for row in range(first, first + LANES):
        total = rows.dtype.type(0)
        for a in range(count):
            total += rows[row, a] * x[a]
        result[row] = total


add_multiple: Any = _plain_add_multiple if interpreted() else _add_multiple
"""``add_multiple(x, i, y, j, factor)``: ``x[i : i + 4] += factor * y[j : j + 4]``.

Both are contiguous, of one precision, and long enough.
"""

divide: Any = _plain_divide if interpreted() else _divide
"""``divide(x, i, divisor)``: ``x[i : i + 4] /= divisor``."""

add_products: Any = _plain_add_products if interpreted() else _add_products
"""``add_products(tile, i, j, rows, weights, firsts, seconds, count)``: for each ``t`` below `count`, one after another,
``tile[i + a, j + b] += weights[t] * rows[firsts[t], i + a] * rows[seconds[t], j + b]``, with a and b from 0 to 3.

All are contiguous, numbers of one precision; `tile` and `rows` have two axes, `firsts` and `seconds` are int32.
"""

add_rows: Any = _plain_add_rows if interpreted() else _add_rows
"""``add_rows(x, i, rows, weights, first, count)``: for each ``t`` from `first` on, one after another,
``x[i : i + 4] += weights[t] * rows[t, i : i + 4]``."""

multiply_rows: Any = _plain_multiply_rows if interpreted() else _multiply_rows
"""``multiply_rows(result, rows, first, x, count)``: the four ``result[t]`` from `first` on become the sums of
``rows[t, a] * x[a]`` over ``a`` below `count`, one after another."""
