"""Plain numbers in kernels take the precision of what they meet, as Python's numbers do in NumPy.

For Numba ``0.5`` is a double, and one double makes doubles of all that follows. NumPy lets a Python number adapt (NEP
50), and so do kernels: in ``0.5 * s.speed`` the number is a float32 where the speed is one. This holds where a number
meets a value in arithmetic, in a comparison, in ``min`` or ``max``, or in the other branch of a conditional
expression. A number is a literal, a module's constant that is a Python number, or arithmetic of these. A variable that
begins as a number, and an argument of a call, are not seen: write ``real(0.0, like)`` there.
"""

import ast
import copy
import linecache
import operator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import intrinsic, overload

_NARROW, _REAL, _MEETING = "__narrow__", "__real__", "__{}_{}__"
_CHOOSERS = {"min": min, "max": max}
_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def _adapted(number, value):
    """Type that a plain number takes beside a value: that of a floating-point value, otherwise its own."""
    wide = value in (types.float32, types.float64) and isinstance(number, types.Number)
    return value if wide else types.unliteral(number)


@intrinsic
def _narrow(typingctx, number, like):
    return _adapted(number, like)(number, like), _cast


def _meeting(operation: Any, side: int) -> Any:
    """An operation of two, of which the operand of this index is a plain number."""

    @intrinsic
    def meet(typingctx, left, right):
        kinds = [types.unliteral(left), types.unliteral(right)]
        kinds[side] = _adapted(kinds[side], kinds[1 - side])
        found = typingctx.resolve_value_type(operation)
        inner = found.get_call_type(typingctx, tuple(kinds), {})

        def build(context, builder, signature, arguments):
            given = zip(arguments, signature.args, kinds, inner.args, strict=True)
            arguments = [context.cast(builder, context.cast(builder, x, a, b), b, c) for x, a, b, c in given]
            return context.get_function(found, inner)(builder, arguments)

        return inner.return_type(left, right), build

    return meet


def real(value, like):
    """Return `value` in the floating-point type of `like`; a constant in compiled code.

    Args:
        value: a number.
        like: a scalar or an array; float32 gives float32 and anything else float64.
    """
    return np.float32(value) if getattr(like, "dtype", None) == np.float32 else np.float64(value)


@intrinsic
def _compiled_real(typingctx, value, like):
    kind = like.dtype if isinstance(like, types.Array | types.NestedArray) else like
    signature = (types.float32 if kind == types.float32 else types.float64)(value, like)
    return signature, _cast


def _cast(context, builder, signature, arguments):
    return context.cast(builder, arguments[0], signature.args[0], signature.return_type)


@overload(real)
def _real(value, like):
    return lambda value, like: _compiled_real(value, like)  # ty: ignore[missing-argument]


def _choosing(chooser: Any, side: int) -> Any:
    """The smaller or the greater of two, of which the one of this index is a plain number."""

    def choose(left, right):
        return chooser(left, right)

    narrow: Any = _narrow
    if side == 0:
        overload(choose)(lambda left, right: lambda left, right: chooser(narrow(left, right), right))
    else:
        overload(choose)(lambda left, right: lambda left, right: chooser(left, narrow(right, left)))
    return choose


_NAMES = {_NARROW: _narrow, _REAL: _compiled_real}
for _chooser in _CHOOSERS.values():
    for _side in (0, 1):
        _NAMES[_MEETING.format(_chooser.__name__, _side)] = _choosing(_chooser, _side)
for _operation in _OPERATORS.values():
    for _side in (0, 1):
        _NAMES[_MEETING.format(_operation.__name__, _side)] = _meeting(_operation, _side)


def _plain_narrow(number, like):
    """`_narrow` for Python."""
    return type(like)(number) if isinstance(like, np.floating) else number


def _plain_choosing(chooser: Any, side: int) -> Any:
    """`_choosing` for Python: the number that is chosen has the other's type too."""
    if side == 0:
        return lambda left, right: chooser(_plain_narrow(left, right), right)
    return lambda left, right: chooser(left, _plain_narrow(right, left))


_PLAIN_NARROW, _PLAIN_MEETING = "__plain_narrow__", "__plain_{}_{}__"
_PLAIN_NAMES = {_PLAIN_NARROW: _plain_narrow}
for _chooser in _CHOOSERS.values():
    for _side in (0, 1):
        _PLAIN_NAMES[_PLAIN_MEETING.format(_chooser.__name__, _side)] = _plain_choosing(_chooser, _side)


def narrowed(function: FunctionType, *, plain: bool = False) -> FunctionType:
    """The function with its plain numbers made to adapt; itself where it has none, or where its source is not at hand.

    Args:
        function: not compiled, without a closure.
        plain: for Python instead of Numba: arithmetic is NumPy's, and only choices need help.
    """
    code = function.__code__
    found = _definition(code, plain)
    if found is None or function.__closure__:
        return function
    rewriter = _Rewriter(function, plain)
    tree = rewriter.visit(found)
    if not rewriter.changed:
        return function
    tree.decorator_list = []
    made: dict[str, Any] = {}
    function.__globals__.update(_PLAIN_NAMES if plain else _NAMES)
    module = ast.fix_missing_locations(ast.Module([tree], type_ignores=[]))
    exec(compile(module, code.co_filename, "exec"), function.__globals__, made)
    result = made[function.__name__]
    result.__qualname__, result.__module__ = function.__qualname__, function.__module__
    result.__defaults__, result.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return result


_TREES: dict[tuple[str, bool], dict[tuple[str, int], ast.FunctionDef]] = {}


def _definition(code: CodeType, plain: bool) -> ast.FunctionDef | None:
    """The tree of a function, which nobody else holds; None where the source is not at hand."""
    file, place = (code.co_filename, plain), (code.co_name, code.co_firstlineno)
    if place not in _TREES.get(file, {}):  # a file that is imported a second time is read a second time
        _TREES[file] = _definitions(code.co_filename)
    return _TREES[file].pop(place, None)


def _definitions(filename: str) -> dict[tuple[str, int], ast.FunctionDef]:
    """Functions of a source file by name and first line, decorators included."""
    lines = linecache.getlines(filename)
    found: dict[tuple[str, int], ast.FunctionDef] = {}
    for node in ast.walk(ast.parse("".join(lines))) if lines else ():
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            found[node.name, first] = node
    return found


class _Rewriter(ast.NodeTransformer):
    """Marks where the numbers of one function meet values."""

    def __init__(self, function: FunctionType, plain: bool):
        self._plain = plain
        self._globals = function.__globals__
        self._locals = {*function.__code__.co_varnames}
        self.changed = False

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Arithmetic."""
        return self._met(node, _OPERATORS.get(type(node.op)), node.left, node.right)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Comparisons of two."""
        sides = node.left, node.comparators[0]
        # whole numbers compare alike in both precisions, and Numba prunes branches by them
        broken = any(self._number(side) and self._broken(side) for side in sides)
        operation = _OPERATORS.get(type(node.ops[0])) if broken and len(node.ops) == 1 else None
        return self._met(node, operation, *sides)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The smaller or the greater of two; and `real`, which needs no function of its own in compiled code."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in _CHOOSERS and len(node.args) == 2 and not node.keywords:
            return self._met(node, _CHOOSERS[name], *node.args)
        if name and not self._plain and self._globals.get(name) is real:
            node.func = ast.Name(_REAL, ast.Load())
            self.changed = True
        return self.generic_visit(node)

    def _met(self, node: Any, operation: Any, left: ast.expr, right: ast.expr) -> ast.AST:
        numbers = self._number(left), self._number(right)
        left_to_numpy = self._plain and operation not in _CHOOSERS.values()
        if operation is None or left_to_numpy or numbers[0] == numbers[1]:
            return node if all(numbers) else self.generic_visit(node)
        self.changed = True
        name = (_PLAIN_MEETING if self._plain else _MEETING).format(operation.__name__, int(numbers[1]))
        return ast.Call(ast.Name(name, ast.Load()), [self.visit(left), self.visit(right)], [])

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Arithmetic in place: the number meets the target."""
        if type(node.op) in _OPERATORS and self._number(node.value) and _simple(node.target) and not self._plain:
            like = copy.deepcopy(node.target)
            for part in ast.walk(like):
                if hasattr(part, "ctx"):
                    part.ctx = ast.Load()  # ty: ignore[invalid-assignment]
            node.value = self._narrow(node.value, like)
            return node
        node.value = self.visit(node.value)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Conditional expressions: only one branch is computed, so the other must be readable at no cost."""
        node.test = self.visit(node.test)
        for one, other in (("body", "orelse"), ("orelse", "body")):
            number, value = getattr(node, one), getattr(node, other)
            if self._number(number) and not self._number(value) and _simple(value):
                setattr(node, one, self._narrow(number, copy.deepcopy(value)))
                return node
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Indices are whole numbers; what is indexed may hold others."""
        node.value = self.visit(node.value)
        return node

    def _broken(self, node: ast.expr) -> bool:
        """Whether a number is no whole one."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, float)
        if isinstance(node, ast.Name):
            return isinstance(self._globals[node.id], float)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, ast.Div) or self._broken(node.left) or self._broken(node.right)
        return self._broken(node.operand) if isinstance(node, ast.UnaryOp) else True

    def _narrow(self, number: ast.expr, like: ast.expr) -> ast.Call:
        self.changed = True
        return ast.Call(ast.Name(_PLAIN_NARROW if self._plain else _NARROW, ast.Load()), [number, like], [])

    def _number(self, node: ast.expr) -> bool:
        """Whether an expression is made of plain numbers alone."""
        if isinstance(node, ast.Constant):
            return type(node.value) in (int, float)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            return self._number(node.operand)
        if isinstance(node, ast.BinOp):
            return self._number(node.left) and self._number(node.right)
        if isinstance(node, ast.Name) and node.id not in self._locals:
            return type(self._globals.get(node.id)) in (int, float)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in self._locals:
            module = self._globals.get(node.value.id)
            return isinstance(module, ModuleType) and type(getattr(module, node.attr, None)) in (int, float)
        return False


def _simple(node: ast.expr) -> bool:
    """Whether an expression may be written twice: names, fields, and elements at names and numbers."""
    if isinstance(node, ast.Attribute):
        return _simple(node.value)
    if isinstance(node, ast.Subscript):
        index = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return _simple(node.value) and all(isinstance(one, ast.Name | ast.Constant) for one in index)
    return isinstance(node, ast.Name)
