"""A deck: ranks 1 (ace) to 13 (king), suits 0 to 3."""

RANKS, SUITS = 13, 4
RANK_NAMES = ("ace", *(str(k) for k in range(2, 11)), "jack", "queen", "king")
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")


def card_name(rank: int, suit: int) -> str:
    """A card in words.

    Args:
        rank: 1 to 13.
        suit: 0 to 3.
    """
    return f"{RANK_NAMES[rank - 1]} of {SUIT_NAMES[suit]}"
