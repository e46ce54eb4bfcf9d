"""Optional physics that every dynamics model can be flown with, one module a term.

Terms that push or turn the body add to its external wrench: `force` (N, world) and `torque` (N m, body), which is set
to the constant disturbance before each physics step. All read the start of the step.
"""
