"""Reference policies: scripted players of both sides, and one that searches."""

from envsuite.tower_defense.experts.attackers import ATTACKERS, Attacker, Contest
from envsuite.tower_defense.experts.players import BulwarkPlayers, BulwarkVersusPlayers
from envsuite.tower_defense.experts.scripted import STYLES, Scripted
from envsuite.tower_defense.experts.search import Searched

__all__ = [
    "ATTACKERS",
    "STYLES",
    "Attacker",
    "BulwarkPlayers",
    "BulwarkVersusPlayers",
    "Contest",
    "Scripted",
    "Searched",
]
