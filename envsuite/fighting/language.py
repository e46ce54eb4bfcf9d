"""The fight in words."""

import json
import re
from typing import Any

import numpy as np

from envsuite.core import Choice, Choices, Words
from envsuite.core.jit import records
from envsuite.core.language import Refusal, RefusalKind, parse_choice, parse_choices
from envsuite.fighting.characters import CAST
from envsuite.fighting.params import (
    ATTACK,
    CROUCH,
    EVENT_NAMES,
    EVENTS,
    EX_COST,
    FRAMES,
    MACRO_NAMES,
    MOVE_NAMES,
    QUEUE_HEADS,
    SHOT,
    SHOTS,
    SPECIAL,
    STATE_NAMES,
    SUPER_COST,
    UNIT,
    X_EX,
    X_SPECIAL,
    X_SUPER,
)

_MACRO_MOVES = {
    "throw": 18, "jab": 0, "low_jab": 9, "poke": 4, "sweep": 11, "anti_air": 8, "jump_in": 17,
    "special_236": 19, "special_623": 20, "special_214": 21, "special_22": 22, "super": 23,
}  # fmt: skip
_PHASES = ("", "start-up", "active", "recovery")


def legal_macros(state: np.void, p: np.void, agent: int) -> np.ndarray:
    """Which macros can do what their name says, as far as meter, charges and projectiles go; (24,) bool.

    Args:
        state: record of the fight.
        p: the parameters.
        agent: index of the player.
    """
    from envsuite.fighting.kernel.acting import can_shoot
    from envsuite.fighting.kernel.inputs import ready

    fighter = records(state.reshape(1) if isinstance(state, np.ndarray) else np.array([state]))[0]["fighters"][agent]
    ch = records(np.array([p["characters"][fighter["character"]]]))[0]
    legal = np.ones(len(MACRO_NAMES), np.bool_)
    for k in range(4):
        if ch["charge"] and not ready(int(fighter["charge_back" if k % 2 == 0 else "charge_down"])):
            legal[X_SPECIAL + k] = False
        if ch["moves"][SPECIAL + k]["type"] == SHOT and not can_shoot(fighter, ch, SPECIAL + k):
            legal[X_SPECIAL + k] = False
    legal[X_SUPER] = fighter["meter"] >= SUPER_COST
    legal[X_EX] = fighter["meter"] >= EX_COST and legal[X_SPECIAL + int(ch["combos"])]
    return legal


class FightWords(Words):
    """The situation as one line of JSON, and actions by name."""

    def describe(self, state, agent=0):
        """The situation of one player; distances in px, times in frames."""
        p = self.world.params[0]
        own, other = state["fighters"][agent], state["fighters"][1 - agent]
        told: dict[str, Any] = {
            "you": _fighter(own),
            "other": _fighter(other),
            "distance": abs(int(own["x"]) - int(other["x"])) // UNIT,
            "wall_behind": _behind(own),
            "seconds": round(int(state["left"]) / FRAMES, 1),
            "rounds": [int(own["wins"]), int(other["wins"])],
        }
        if (ahead := _advantage(own, other)) is not None:
            told["you_act_earlier_by"] = ahead
        if threats := _threats(own, other, p):
            told["threats"] = threats
        told["events"] = _events(state, agent)
        told["answer"] = _answer(state, p, self.world, agent)
        return json.dumps(told, separators=(",", ":"))

    def parse(self, text, state, agent=0):
        """Read an action: names, numbers, or a JSON object with the names of the heads or ``action``.

        A macro that cannot do now what its name says is refused; of several, only the first: the others come later.
        """
        plain = text
        start, end = text.find("{"), text.rfind("}")
        if 0 <= start < end:
            try:
                data = json.loads(text[start : end + 1])
            except (ValueError, RecursionError):
                return Refusal(RefusalKind.UNREADABLE, "this is not JSON; give one object, or plain names")
            if set(data) == {"action"} and isinstance(data["action"], str):
                plain = data["action"]
            else:
                plain = ", ".join(f"{key}: {value}" for key, value in data.items())
        layout, form = self.world.action, self.world.form
        if form == "queue":
            action = _parse_queue(plain)
        else:
            action = parse_choice(plain, layout) if isinstance(layout, Choice) else parse_choices(plain, layout)
        if isinstance(action, Refusal) or form not in ("macro24", "queue"):
            return action
        first = int(np.reshape(action, -1)[0])
        legal = legal_macros(state, self.world.params[0], agent)
        return action if legal[first] else _impossible(first, state, agent)


def _fighter(fighter: np.void) -> dict[str, Any]:
    told: dict[str, Any] = {
        "name": CAST[int(fighter["character"])].name,
        "hp": int(fighter["hp"]),
        "meter": int(fighter["meter"]),
        "state": STATE_NAMES[int(fighter["state"])],
    }
    if fighter["y"] > 0:
        told["height"] = int(fighter["y"]) // UNIT
    if fighter["state"] == ATTACK:
        move = MOVE_NAMES[int(fighter["move"])]
        told["state"] = f"{move}, {_PHASES[_phase(fighter)]}"
        told["frames_left"] = min(int(fighter["total"]) - int(fighter["frame"]), 90)
    if fighter["stun"] > 0:
        told["stun"] = int(fighter["stun"])
    return told


def _phase(fighter: np.void) -> int:
    if fighter["frame"] < fighter["first"]:
        return 1
    return 2 if fighter["frame"] <= fighter["last"] else 3


def _behind(fighter: np.void) -> int:
    x = int(fighter["x"]) // UNIT
    return x if fighter["facing"] > 0 else 384 - x


def _until_free(fighter: np.void) -> int | None:
    """Frames until a fighter may act, 0 now; None where that is open."""
    if fighter["state"] <= CROUCH:
        return 0
    if fighter["state"] == ATTACK and fighter["total"] < 1000:
        return int(fighter["total"]) - int(fighter["frame"]) + int(fighter["stop"])
    return int(fighter["stun"]) + int(fighter["stop"]) if fighter["stun"] > 0 else None


def _advantage(own: np.void, other: np.void) -> int | None:
    mine, theirs = _until_free(own), _until_free(other)
    if mine is None or theirs is None or mine == theirs == 0:
        return None
    return theirs - mine


def _threats(own: np.void, other: np.void, p: np.void) -> list[str]:
    found = []
    if other["state"] == ATTACK and _phase(other) < 3:
        row = p["characters"]["moves"][int(other["character"]), int(other["move"])]
        height = ("mid", "overhead: block standing", "low: block crouching", "throw: jump or press throw")
        if row["damage"]:
            comes = max(0, int(other["first"]) - int(other["frame"]))
            found.append(
                f"{MOVE_NAMES[int(other['move'])]} in {comes}, reach {int(row['x1'])}, {height[row['height']]}"
            )
    for k in range(SHOTS):
        shot = other["shots"][k]
        if shot["on"]:
            gap = abs(int(shot["x"]) - int(own["x"])) // UNIT
            found.append(f"mine at {gap}" if shot["mine"] else f"projectile at {gap}")
    return found


def _events(state: np.void, agent: int) -> list[str]:
    happened = int(state["happened"])
    told = []
    for k in range(max(0, happened - EVENTS), happened):
        event = state["events"][k % EVENTS]
        who = "you" if event["who"] == agent else "other"
        amount = f" {int(event['amount'])}" if event["amount"] else ""
        told.append(
            f"{int(state['frames']) - int(event['frame'])} ago, {who}: {EVENT_NAMES[int(event['kind'])]}{amount}"
        )
    return told


def _answer(state: np.void, p: np.void, world, agent: int) -> str:
    if world.form != "queue" and isinstance(world.action, Choices):
        parts = (f"{name}: {'|'.join(names)}" for name, names in world.action.heads)
        return ", ".join(parts)
    if world.form == "ladder22":
        return "|".join(world.action.names)
    moves = p["characters"]["moves"][int(state["fighters"][agent]["character"])]
    legal = legal_macros(state, p, agent)
    told = []
    for k, name in enumerate(MACRO_NAMES):
        if legal[k]:
            row = moves[_MACRO_MOVES[name]] if name in _MACRO_MOVES else None
            far = "" if row is None else f"({int(row['startup'])},{int(row['x1']) or 'far'})"
            told.append(name + far)
    count = "one to three, in order" if world.form == "queue" else "one of"
    return f"{count}, with start-up and reach: " + " ".join(told)


def _impossible(macro: int, state: np.void, agent: int) -> Refusal:
    """Why a macro cannot be done now."""
    meter = int(state["fighters"][agent]["meter"])
    why = {
        X_SUPER: f"it costs {SUPER_COST} meter, you have {meter}",
        X_EX: f"it costs {EX_COST} meter, you have {meter}, or its special is not ready",
    }.get(macro, "its charge is not ready, or your projectile is still on its way")
    return Refusal(RefusalKind.ILLEGAL, f"{MACRO_NAMES[macro]} is not possible now: {why}")


def _parse_queue(text: str) -> Any:
    """Read one to three names of macros, with or without the names of the heads."""
    words = [word for word in re.findall(r"[\w-]+", text) if word.lower() not in (*QUEUE_HEADS, "actions", "none")]
    if not words:
        return Refusal(RefusalKind.EMPTY, "the answer names no macro")
    if len(words) > len(QUEUE_HEADS):
        return Refusal(RefusalKind.WRONG_COUNT, f"{len(words)} macros, expected 1 to {len(QUEUE_HEADS)}")
    picked = [len(MACRO_NAMES)] * len(QUEUE_HEADS)
    for k, word in enumerate(words):
        choice = parse_choice(word, Choice(MACRO_NAMES))
        if isinstance(choice, Refusal):
            return choice
        picked[k] = int(choice)
    return np.array(picked, np.int64)
