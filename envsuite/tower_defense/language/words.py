"""What players are told, and how their answers are read."""

import json

from envsuite.core import Words
from envsuite.core.jit import records
from envsuite.tower_defense.language.answers import parse
from envsuite.tower_defense.language.attack import attack_rules, describe_attack, parse_purchase
from envsuite.tower_defense.language.description import describe
from envsuite.tower_defense.language.towermind import describe_as_towermind


class TowerWords(Words):
    """The game as JSON, and commands from JSON or by name."""

    def _level(self, state):
        """Parameters of the level that is played, and the level."""
        number = int(state["level"])
        return self.world.params[number], self.world.levels[number]

    def describe(self, state, agent=0):
        """The situation as JSON."""
        say = describe if self.world.words == "own" else describe_as_towermind
        return say(state, *self._level(state), self.world)

    def instructions(self, state, agent=0):
        """The level, its rules and the forms of answers as JSON."""
        return describe(state, *self._level(state), self.world, now=False)

    def parse(self, text, state, agent=0):
        """Read a command."""
        return parse(text, self.world, records(self.world.params)[int(state["level"])])


class BulwarkVersusWords(TowerWords):
    """The same for the defender; prices and purchases for the attacker, who sees through the fog."""

    def describe(self, state, agent=0):
        """The situation as JSON."""
        return super().describe(state) if agent == 0 else describe_attack(state, *self._level(state))

    def instructions(self, state, agent=0):
        """The level, its rules and the forms of answers as JSON."""
        if agent == 0:
            return super().instructions(state)
        return json.dumps(attack_rules(*self._level(state)), separators=(",", ":"), sort_keys=True)

    def parse(self, text, state, agent=0):
        """Read a command, or a purchase."""
        return super().parse(text, state) if agent == 0 else parse_purchase(text)
