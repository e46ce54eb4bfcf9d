"""What buyers say: a few ways for every act, each with the manner of a personality."""

from envsuite.text_games.car_dealer.catalogue import BRANDS, FEATURES, PERSONALITIES, TYPES
from envsuite.text_games.car_dealer.rules import (
    ACCEPT,
    ASK_FEATURE,
    ASK_PRICE,
    BUDGET,
    COMPLAIN,
    COUNTER,
    HELLO,
    NEEDS,
    REJECT,
    SECRET,
    THREATEN,
    WISH,
)
from envsuite.text_games.oracle.chance import hashed

ACTS = {
    HELLO: ("hello", "good day", "hi there", "I am here for a car", "I would like to buy a car"),
    WISH: (
        "I want {brand}, {type}",
        "I am looking for {brand}, {type}",
        "it has to be {brand}, {type}",
        "show me {brand}, {type}",
        "{brand}, {type}, that is what I came for",
    ),
    NEEDS: (
        "I want {brand}, {type}, with {features}",
        "what I need is {brand}, {type}, and it should have {features}",
        "{brand}, {type}, with {features}",
        "my wish is {brand}, {type}; {features} matter to me",
        "look for {brand}, {type}, that has {features}",
    ),
    BUDGET: (
        "I can spend {amount}",
        "{amount} is all I have",
        "my budget is {amount}",
        "I will not go above {amount}",
        "I have set aside {amount}",
    ),
    SECRET: (
        "what I can spend is none of your business",
        "I keep my budget to myself",
        "I will not tell you how much I have",
        "do not ask me about my money",
        "make an offer instead of asking for my budget",
    ),
    ASK_FEATURE: (
        "does it have {feature}?",
        "what about {feature}?",
        "you have said nothing of {feature}",
        "I want to hear about {feature} first",
        "tell me about {feature} before we talk about money",
    ),
    ASK_PRICE: (
        "what does it cost?",
        "how much is it?",
        "name a price",
        "what is your price?",
        "which price can you make me?",
    ),
    COUNTER: (
        "I would pay {amount}",
        "my offer is {amount}",
        "make it {amount}",
        "I was thinking of {amount}",
        "for {amount} we can talk",
    ),
    COMPLAIN: (
        "without a real discount there is no deal, I would pay {amount}",
        "that is too much, give me a discount; {amount}",
        "take something off the price; I say {amount}",
        "you can surely lower the price, {amount} is fair",
        "I expect a discount, so {amount}",
    ),
    THREATEN: (
        "one more offer like that and I leave{amount}",
        "I am about to go{amount}",
        "this is your last chance{amount}",
        "my patience is at its end{amount}",
        "I will not stay much longer{amount}",
    ),
    ACCEPT: ("it is a deal", "I take it", "agreed", "we have a deal", "done, I buy it"),
    REJECT: (
        "no deal, I am leaving",
        "I will look elsewhere",
        "that is it, goodbye",
        "we are done here",
        "I do not buy it",
    ),
}
"""Ways to say each act of the buyer."""

MANNERS = {
    "abusive": (
        "You are useless. {}",
        "Are you deaf? {}",
        "What a pathetic dealer. {}",
        "Stop wasting my time, you fool. {}",
        "{} And hurry up, idiot.",
    ),
    "angry": (
        "I have had enough! {}!",
        "This makes me furious! {}!",
        "Listen now! {}!",
        "{}! How hard can it be!",
        "For the last time! {}!",
    ),
    "insulting": (
        "Even you should understand this. {}",
        "You do not look clever. {}",
        "A child could sell better. {}",
        "{} If you can follow that.",
        "They must be desperate to employ you. {}",
    ),
    "polite": (
        "Thank you for your time. {}, please",
        "If I may: {}",
        "That is kind of you. {}",
        "{} Thank you very much.",
        "Excuse me, {}",
    ),
    "respectful": (
        "Sir or madam, {}",
        "I appreciate your work. {}",
        "With respect, {}",
        "{} I trust your judgement.",
        "I value your advice. {}",
    ),
    "rude": ("Whatever. {}", "Just listen. {}", "Get to the point. {}", "{} Got it?", "Yeah, yeah. {}"),
    "sarcastic": (
        "Oh, how wonderful. {}",
        "What a surprise. {}",
        "Brilliant, just brilliant. {}",
        "{} As if you did not know.",
        "I am so impressed. {}",
    ),
    "talkative": (
        "You know, my neighbour told me all about cars yesterday, and so did my aunt. {}",
        "Where was I? Ah yes. {}",
        "I could talk about cars all day, and often do. {}",
        "{} By the way, what lovely weather we have!",
        "It is a long story, but in short: {}",
    ),
    "toxic": (
        "Nobody likes dealers like you. {}",
        "Your kind ruins everything. {}",
        "I bet you lie all day. {}",
        "{} Not that I believe a word of yours.",
        "People like you should be ashamed. {}",
    ),
    "uncommunicative": ("{}.", "Hm. {}.", "Well. {}.", "... {}.", "{}. That is all."),
}
"""How each personality speaks."""


def dollars(amount: int) -> str:
    """An amount of money in digits.

    Args:
        amount: dollars.
    """
    return f"${amount:,}"


def listed(features: int) -> str:
    """Features in words.

    Args:
        features: bits.
    """
    names = [name for k, name in enumerate(FEATURES) if features >> k & 1]
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else "".join(names)


def spoken(buyer: dict[str, int], act: int, amount: int, turn: int) -> str:
    """A reply in words: the same buyer says the same in the same turn.

    Args:
        buyer: ``personality``, ``brand``, ``kind`` and ``wanted`` (bits).
        act: of the buyer, see `envsuite.text_games.car_dealer.rules`.
        amount: dollars, or the index of a feature.
        turn: of the seller, from 1 on.
    """
    salt = buyer["personality"] + 16 * (buyer["brand"] + 16 * (buyer["kind"] + 8 * buyer["wanted"]))
    ways, manners = ACTS[act], MANNERS[PERSONALITIES[buyer["personality"]]]
    price = f"; {dollars(amount)}" if amount else ""
    text = ways[int(hashed(act, turn, salt)) % len(ways)].format(
        brand=article(BRANDS[buyer["brand"]]),
        type=_TYPES[buyer["kind"]],
        features=listed(buyer["wanted"]),
        feature=FEATURES[amount] if act == ASK_FEATURE else "",
        amount=price if act == THREATEN else dollars(amount),
    )
    manner = manners[int(hashed(act, turn, salt + 1)) % len(manners)]
    begins = manner.startswith("{}") or manner.split("{}")[0].rstrip().endswith((".", "!", "?"))
    text = text[0].upper() + text[1:] if begins else text
    if text.endswith("?") and manner[manner.index("}") + 1 :][:1] in (".", "!", ","):
        text = text[:-1]
    after = manner.split("{}")[1]
    if after.startswith(" ") and not text.endswith(("?", "!", ".")):
        text += "."
    said = manner.format(text)
    return said if said.endswith((".", "!", "?")) else said + "."


_TYPES = tuple(
    {"luxury": "a luxury car", "electric": "an electric one", "SUV": "an SUV"}.get(one, f"a {one}") for one in TYPES
)


def article(brand: str) -> str:
    """A brand with its article.

    Args:
        brand: name.
    """
    return f"{'an' if brand[0] in 'AH' and brand != 'Honda' and brand != 'Hyundai' else 'a'} {brand}"
