"""Keys for words and coins."""

from envsuite.core.companions import Controls
from envsuite.momarl.allocation import GOODS
from envsuite.momarl.letters import letter_of
from envsuite.momarl.trust_split.kernel import SPOKEN


class TrustSplitControls(Controls):
    """Keys for words and for coins."""

    def keys(self):
        """Digits keep so many coins, letters name hands."""
        keys = {(str(k),): SPOKEN + k for k in range(GOODS)}
        return keys | {("r",): 1, ("p",): 2, ("s",): 3}


class TalkingTrustSplitControls(TrustSplitControls):
    """Digits keep so many coins."""

    def keys(self):
        """Digits keep so many coins."""
        return {(str(k),): (k, *letter_of("").tolist()) for k in range(GOODS)}
