"""Which tasks Meta-World's suites hold (metaworld 3.1.1, `env_dict.py`), in the order of their numbers."""

from envsuite.manipulation.meta.cards import INSTRUCTIONS

MT10 = (
    *("reach", "push", "pick-place", "door-open", "drawer-open", "drawer-close", "button-press-topdown"),
    *("peg-insert-side", "window-open", "window-close"),
)
MT25 = (
    *MT10,
    *("coffee-pull", "pick-out-of-hole", "disassemble", "pick-place-wall", "basketball", "stick-pull"),
    *("button-press-wall", "faucet-open", "door-lock", "lever-pull", "sweep-into", "faucet-close", "coffee-button"),
    *("button-press-topdown-wall", "dial-turn"),
)
MT50 = tuple(INSTRUCTIONS)
ML10 = (
    *("reach", "push", "pick-place", "door-open", "drawer-close", "button-press-topdown", "peg-insert-side"),
    *("window-open", "sweep", "basketball"),
)
ML10_TEST = ("drawer-open", "door-close", "shelf-place", "sweep-into", "lever-pull")
ML25_TEST = ("door-close", "shelf-place", "sweep", "button-press")
"""The original's has basketball too, which is one of the tasks to train on."""
ML45_TEST = ("bin-picking", "box-close", "hand-insert", "door-lock", "door-unlock")
ML45 = tuple(task for task in MT50 if task not in ML45_TEST)

SUITES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "MT1": (("reach",), ("reach",)),
    "MT10": (MT10, MT10),
    "MT25": (MT25, MT25),
    "MT50": (MT50, MT50),
    "ML1": (("reach",), ("reach",)),
    "ML10": (ML10, ML10_TEST),
    "ML25": (MT25, ML25_TEST),
    "ML45": (ML45, ML45_TEST),
}
"""Tasks to train on and to test on; of ``MT`` and ``ML1`` they are the same, with other goals."""
