"""The bodies of Gymnasium's MuJoCo tasks (1.4, ``gymnasium/envs/mujoco/assets``) as scenes.

Numbers, names and orders are those of the files there. Bodies that have no name there are called after their joint,
shapes without a name after what they are.
"""

from envsuite.locomotion.models.half_cheetah import HALF_CHEETAH
from envsuite.locomotion.models.hopper import HOPPER
from envsuite.locomotion.models.humanoid import HUMANOID, HUMANOID_STANDUP
from envsuite.locomotion.models.inverted_double_pendulum import INVERTED_DOUBLE_PENDULUM
from envsuite.locomotion.models.inverted_pendulum import INVERTED_PENDULUM
from envsuite.locomotion.models.pusher import PUSHER, PUSHER_CAPSULE, PUSHER_V4
from envsuite.locomotion.models.reacher import REACHER
from envsuite.locomotion.models.swimmer import SWIMMER
from envsuite.locomotion.models.walker2d import WALKER2D, WALKER2D_V4
from envsuite.rigid.models import ANT

__all__ = [
    "ANT",
    "HALF_CHEETAH",
    "HOPPER",
    "HUMANOID",
    "HUMANOID_STANDUP",
    "INVERTED_DOUBLE_PENDULUM",
    "INVERTED_PENDULUM",
    "PUSHER",
    "PUSHER_CAPSULE",
    "PUSHER_V4",
    "REACHER",
    "SWIMMER",
    "WALKER2D",
    "WALKER2D_V4",
]
