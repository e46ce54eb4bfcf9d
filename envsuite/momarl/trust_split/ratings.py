"""Whose turn it is."""

from envsuite.core.companions import Referee
from envsuite.momarl.trust_split.language import talker


class TrustSplitReferee(Referee):
    """Turns while agents speak."""

    def current_player(self, state):
        """The agent whose turn it is to speak; None where both split."""
        return talker(self.world, state)


class TalkingTrustSplitReferee(TrustSplitReferee):
    """No turns."""

    def current_player(self, state):
        """Both always answer; see `language.talker`."""
        return None
