"""How these games are judged."""

from envsuite.core import Referee


class TurnReferee(Referee):
    """One wins what the other loses, and best answers to a player can be computed."""

    zero_sum = True

    def distance(self, policy):
        """By unfolding the game, see `envsuite.language_games.solving.measure`."""
        from envsuite.language_games.solving.measure import measure

        return measure(self.world, policy)
