"""Numbers of four instances as one: arithmetic on them is that of each, by the processor's instructions for vectors.

Physics that asks nothing of its numbers but sums, products and quotients is the same for all instances of a model.
Kernels of it take arrays of such fours (`envsuite.rigid.abreast`) as they take arrays of numbers, and each instance
gets the bits that it would get alone. Where a comparison decides, kernels ask `choose` and `anywhere`, which take both.
"""

import operator
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.core.datamodel import models, register_default
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, overload

from envsuite.core import fmath
from envsuite.rigid.lanes import LANES, joined


class Four(types.Type):
    """Four numbers.

    Args:
        dtype: their type.
    """

    def __init__(self, dtype: Any):
        self.dtype = dtype
        super().__init__(f"Four({dtype})")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        """A number stands for four times itself."""
        return Conversion.safe if isinstance(other, types.Number) else None


class Mask(types.Type):
    """Four answers."""

    def __init__(self):
        super().__init__("Mask")


MASK = Mask()


@register_default(Four)
class _FourModel(models.PrimitiveModel):
    def __init__(self, dmm, kind):
        super().__init__(dmm, kind, ir.VectorType(dmm.lookup(kind.dtype).get_value_type(), LANES))


@register_default(Mask)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, dmm, kind):
        super().__init__(dmm, kind, ir.VectorType(ir.IntType(1), LANES))


@lower_cast(types.Number, Four)
def _spread(context, builder, kind, four, number):
    number = context.cast(builder, number, kind, four.dtype)
    return joined(builder, context.get_value_type(four), [number] * LANES)


def _common(kinds: Any) -> Any:
    """The fours among some types, if all others are numbers."""
    fours = [one for one in kinds if isinstance(one, Four)]
    fits = fours and all(one == fours[0] or isinstance(one, types.Number) for one in kinds)
    return fours[0] if fits else None


def _define(operation: Any, result: Any, count: int, build: Any) -> None:
    """An operation on fours, or on fours and numbers.

    Args:
        operation: Python's.
        result: type of the result, None for fours.
        count: number of operands.
        build: writes LLVM code from a builder and operands.
    """

    class Template(AbstractTemplate):
        def generic(self, args, kws):
            four = _common(args)
            return signature(result or four, *[four] * count) if four and len(args) == count else None

    infer_global(operation)(Template)
    lower_builtin(operation, *[Four] * count)(lambda context, builder, sig, args: build(builder, *args))


for _names, _build in (
    (("add", "iadd"), lambda builder, x, y: builder.fadd(x, y)),
    (("sub", "isub"), lambda builder, x, y: builder.fsub(x, y)),
    (("mul", "imul"), lambda builder, x, y: builder.fmul(x, y)),
    (("truediv", "itruediv"), lambda builder, x, y: builder.fdiv(x, y)),
):
    for _name in _names:
        _define(getattr(operator, _name), None, 2, _build)
_define(operator.neg, None, 1, lambda builder, x: builder.fneg(x))
for _name, _sign in (("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    _define(getattr(operator, _name), MASK, 2, lambda builder, x, y, sign=_sign: builder.fcmp_ordered(sign, x, y))


def _by_llvm(name: str) -> Any:
    def build(builder: Any, x: Any) -> Any:
        width = 64 if isinstance(x.type.element, ir.DoubleType) else 32
        form = ir.FunctionType(x.type, [x.type])
        return builder.call(builder.module.declare_intrinsic(f"llvm.{name}.v{LANES}f{width}", (), form), [x])

    return build


_define(abs, None, 1, _by_llvm("fabs"))


@intrinsic
def _sqrt(typingctx, x):
    return x(x), lambda context, builder, sig, args: _by_llvm("sqrt")(builder, args[0])


@overload(fmath.sqrt)
def _typed_sqrt(x):
    return (lambda x: _sqrt(x)) if isinstance(x, Four) else None  # ty: ignore[missing-argument]


@intrinsic
def _number_of(typingctx, x, lane):
    return x.dtype(x, types.intp), lambda context, builder, sig, args: builder.extract_element(*args)


@intrinsic
def _four_of(typingctx, a, b, c, d):
    def build(context, builder, signature, arguments):
        return joined(builder, context.get_value_type(signature.return_type), arguments)

    return Four(a)(a, a, a, a), build


@overload(fmath.sincos)
def _typed_sincos(x):
    if not isinstance(x, Four):
        return None
    number: Any = _number_of
    four: Any = _four_of

    def each(x):
        (a, e), (b, f) = fmath.sincos(number(x, 0)), fmath.sincos(number(x, 1))
        (c, g), (d, h) = fmath.sincos(number(x, 2)), fmath.sincos(number(x, 3))
        return four(a, b, c, d), four(e, f, g, h)

    return each


def choose(condition, x, y):
    """`x` where a condition holds, `y` elsewhere; for fours one by one. Both are computed."""
    return x if condition else y


@intrinsic
def _select(typingctx, condition, x, y):
    four = _common((x, y))

    def build(context, builder, signature, arguments):
        pair = [context.cast(builder, arguments[k], signature.args[k], four) for k in (1, 2)]
        return builder.select(arguments[0], *pair)

    return four(condition, x, y), build


@overload(choose)
def _typed_choose(condition, x, y):
    if condition == MASK:
        return lambda condition, x, y: _select(condition, x, y)  # ty: ignore[missing-argument]
    return lambda condition, x, y: x if condition else y


def _chosen(chooser: Any, first: bool) -> None:
    def typed(x, y):
        if _common((x, y)) is None:
            return None
        # the order of Python, which a NaN shows
        return (lambda x, y: choose(y < x, y, x)) if first else (lambda x, y: choose(y > x, y, x))

    overload(chooser)(typed)


_chosen(min, True)
_chosen(max, False)


def anywhere(condition):
    """Whether a condition holds; of fours, whether it does for one of them."""
    return condition


@intrinsic
def _any(typingctx, condition):
    def build(context, builder, signature, arguments):
        bits = builder.bitcast(arguments[0], ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))

    return types.boolean(condition), build


@overload(anywhere)
def _typed_anywhere(condition):
    return (lambda condition: _any(condition)) if condition == MASK else (lambda condition: condition)  # ty: ignore[missing-argument]
