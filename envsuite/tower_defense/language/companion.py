"""Words."""

from envsuite.core.companions import Words
from envsuite.core.jit import records


class BulwarkWords(Words):
    """What is said in `BulwarkWorld`."""

    def describe(self, state, agent=0):
        """The situation as JSON."""
        from envsuite.tower_defense.language import describe, describe_as_towermind

        say = describe if self.world.words == "own" else describe_as_towermind
        return say(state, self.world.params[int(state["level"])], self.world.levels[int(state["level"])], self.world)

    def instructions(self, state, agent=0):
        """The level, its rules and the forms of answers as JSON."""
        from envsuite.tower_defense.language import describe

        level = int(state["level"])
        return describe(state, self.world.params[level], self.world.levels[level], self.world, now=False)

    def parse(self, text, state, agent=0):
        """Read a command."""
        from envsuite.tower_defense.language import parse

        return parse(text, self.world, records(self.world.params)[int(state["level"])])


class BulwarkVersusWords(BulwarkWords):
    """What is said in `BulwarkVersusWorld`."""

    def describe(self, state, agent=0):
        """The situation as JSON; the attacker's is without the fog."""
        from envsuite.tower_defense.language.attack import describe_attack

        level = int(state["level"])
        if agent == 0:
            return super().describe(state)
        return describe_attack(state, self.world.params[level], self.world.levels[level])

    def instructions(self, state, agent=0):
        """The level, its rules and the forms of answers as JSON."""
        import json

        from envsuite.tower_defense.language.attack import attack_rules

        level = int(state["level"])
        if agent == 0:
            return super().instructions(state)
        return json.dumps(
            attack_rules(self.world.params[level], self.world.levels[level]), separators=(",", ":"), sort_keys=True
        )

    def parse(self, text, state, agent=0):
        """Read a command, or a purchase."""
        from envsuite.tower_defense.language.attack import parse_purchase

        return super().parse(text, state) if agent == 0 else parse_purchase(text)
