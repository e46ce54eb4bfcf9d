"""The operators that a policy may use; importing this package declares them all."""

from envsuite.agents.onnx.operators import elementwise, linear, recurrent, reductions, shaping
from envsuite.agents.onnx.operators.common import OPERATORS, Call, Spec, Step, plan

__all__ = ["OPERATORS", "Call", "Spec", "Step", "elementwise", "linear", "plan", "recurrent", "reductions", "shaping"]
