"""Sentences of household tasks; see `envsuite.text_games.textworld.phrases`."""

from envsuite.text_games.household.state import VERBS


def _same(text: str) -> tuple[tuple[str, ...], ...]:
    return ((text,),) * 3


PHRASES: dict[str, tuple[tuple[str, ...], ...]] = {
    "room": (
        ("You are in the {0}.",),
        ("You are in the {0}.", "You stand in the middle of the {0}.", "This is the {0}."),
        ("Room: {0}.",),
    ),
    "spot": (
        ("You are in the {0}, at {1}.",),
        ("You are in the {0}, at {1}.", "You stand at {1} in the {0}.", "In the {0}, you are at {1}."),
        ("Room: {0}. At {1}:",),
    ),
    "shut": (("It is closed.",), ("It is closed.", "Its door is shut."), ("closed.",)),
    "open and empty": (
        ("It is open and empty.",),
        ("It is open and empty.", "It is open, with nothing inside."),
        ("open, empty.",),
    ),
    "open with": (
        ("It is open. In it you see",),
        ("It is open. In it you see", "Behind its door is"),
        ("open, with",),
    ),
    "nothing in": (("It is empty.",), ("It is empty.", "Nothing is in it."), ("empty.",)),
    "in it": (("In it you see",), ("In it you see", "It holds"), ("with",)),
    "nothing on": (("Nothing is on it.",), ("Nothing is on it.", "It is bare."), ("empty.",)),
    "on it": (("On it you see",), ("On it you see", "On it there is"), ("with",)),
    "around": (
        ("Here are",),
        ("Here are", "Around you there are", "You can also walk to"),
        ("Here:",),
    ),
    "rooms": (("You can go to the",), ("You can go to the", "From here one gets to the"), ("Exits:",)),
    "searched": (
        ("You have looked into",),
        ("You have looked into", "You know what is in or on"),
        ("Searched:",),
    ),
    "remembered": (("Elsewhere you have seen",), ("Elsewhere you have seen", "You remember"), ("Seen:",)),
    "at": _same("at {0}"),
    "carried": (("You carry",), ("You carry", "In your hand is"), ("Hand:",)),
    "empty hands": (("You carry nothing.",), ("You carry nothing.", "Your hands are empty."), ("Hand: nothing.",)),
    "score": _same("Score: {0} of {1}."),
    "won": _same("You have done it."),
    "refused": _same("That is not possible."),
    "look": (("You look around.",), ("You look around.", "You have a look around."), ("",)),
    "inventory": (("You check what you carry.",), ("You check what you carry.", "You look at your hands."), ("",)),
    "go": (("You go to {0}.",), ("You go to {0}.", "You walk to {0}."), ("Gone.",)),
    "enter": (("You go to the {0}.",), ("You go to the {0}.", "You walk over to the {0}."), ("Gone.",)),
    "examine": (
        ("You look at {0} and see nothing special.",),
        ("You look at {0} and see nothing special.", "There is nothing special about {0}."),
        ("Nothing special.",),
    ),
    "open": (("You open {0}.",), ("You open {0}.", "You pull {0} open."), ("Opened.",)),
    "close": (("You close {0}.",), ("You close {0}.", "You shut {0}."), ("Closed.",)),
    "take": (
        ("You take {0} from {1}.",),
        ("You take {0} from {1}.", "You pick {0} up from {1}."),
        ("Taken.",),
    ),
    "move": (("You move {0} to {1}.",), ("You move {0} to {1}.", "You leave {0} at {1}."), ("Done.",)),
    "clean": (("You clean {0} with {1}.",), ("You clean {0} with {1}.", "You wash {0} with {1}."), ("Cleaned.",)),
    "heat": (("You heat {0} with {1}.",), ("You heat {0} with {1}.", "You warm {0} up with {1}."), ("Heated.",)),
    "cool": (("You cool {0} with {1}.",), ("You cool {0} with {1}.", "You chill {0} with {1}."), ("Cooled.",)),
    "use": (("You switch on {0}.",), ("You switch on {0}.", "You turn {0} on."), ("On.",)),
    "slice": (("You slice {0} with {1}.",), ("You slice {0} with {1}.", "You cut {0} up with {1}."), ("Sliced.",)),
    "hot": _same("hot"),
    "cold": _same("cold"),
    "clean thing": _same("clean"),
    "sliced": _same("sliced"),
    "lit": _same("lit"),
    "a": _same("a"),
    "and": _same("and"),
    "comma": _same(","),
    "stop": _same("."),
    "line": _same("\n"),
    "task": (("Your task:",), ("Your task:", "What is wanted:"), ("Task:",)),
    "pick in": _same("put {a0} in {a1}."),
    "pick on": _same("put {a0} on {a1}."),
    "light": _same("hold {a0} and look at it by the light of a desklamp."),
    "clean in": _same("clean {a0} and put it in {a1}."),
    "clean on": _same("clean {a0} and put it on {a1}."),
    "heat in": _same("heat {a0} and put it in {a1}."),
    "heat on": _same("heat {a0} and put it on {a1}."),
    "cool in": _same("cool {a0} and put it in {a1}."),
    "cool on": _same("cool {a0} and put it on {a1}."),
    "two in": _same("put two {0} in the same {1}."),
    "two on": _same("put two {0} on the same {1}."),
}
"""For each key its variants in the styles plain, varied and terse. ``{0}`` and ``{1}`` stand for names, ``{a0}`` and
``{a1}`` for names with an indefinite article."""

_LINKS = {"take": "from", "move": "to"}
_GO = {"go": "go to"}
COMMANDS = tuple(
    verb if verb in ("look", "inventory") else f"{_GO.get(verb, verb)} {{0}}{rest}"
    for verb in VERBS
    for rest in ("", f" {_LINKS.get(verb, 'with')} {{1}}")
)
"""How a player writes what each verb does, to one object and to two; as ALFWorld has it."""
