"""Rules looked at from outside, frame by frame: what a record shows before a frame and after it."""

import numpy as np

from envsuite.fighting.params import (
    AIR_HIT,
    ATTACK,
    BACKDASH_FRAMES,
    BLOCK_CROUCH,
    BLOCK_STAND,
    CROUCH,
    DASH_B,
    DASH_F,
    DASH_FRAMES,
    DOWN,
    DOWN_FRAMES,
    GETUP,
    GETUP_FRAMES,
    GRAB,
    HIT,
    JUGGLES,
    KO,
    LANDING,
    LANDING_FRAMES,
    METER,
    PREJUMP,
    PREJUMP_FRAMES,
    PUSH_HEIGHT,
    REPLY,
    SHIFT,
    SHOT,
    STAGE,
    STAND_HEIGHT,
    STRIKE,
    THROW_FRAMES,
    THROW_HURTS,
    THROWING,
    THROWN,
    UNIT,
)

LASTING = {
    PREJUMP: PREJUMP_FRAMES,
    LANDING: LANDING_FRAMES,
    DOWN: DOWN_FRAMES,
    GETUP: GETUP_FRAMES,
    THROWING: THROW_FRAMES,
    THROWN: THROW_FRAMES,
    DASH_B: BACKDASH_FRAMES,
}
BLOCKS = (BLOCK_STAND, BLOCK_CROUCH)
GROUNDED = (*range(CROUCH + 1), HIT, *BLOCKS, *LASTING)
HURT, BLOCKED, ABSORBED, CAUGHT, SEIZED, ESCAPED = range(1, 7)
FIELDS = (
    *("x", "y", "vx", "facing", "hp", "meter", "character", "state", "age", "move", "frame", "first", "last", "total"),
    *("hit", "stop", "stun", "combo", "juggle", "serial", "dashing", "jump_to"),
)


class Referee:
    """Looks at all fights of a batch after every frame, and says which rule was broken where.

    Args:
        batch: of a fighting world with one frame a step.
    """

    def __init__(self, batch):
        self._batch, self._cast = batch, batch.world.params[0]["characters"]
        self.seen: set[tuple[str, int]] = set()
        self._before = self._picture()

    def _picture(self):
        fighters = self._batch.states["fighters"]
        found = {name: fighters[name].copy() for name in FIELDS}
        found |= {name: self._batch.states[name].copy() for name in ("side", "pause", "happened")}
        shots = fighters["shots"]
        found |= {f"shot_{name}": shots[name].copy() for name in ("on", "x", "mine")}
        found["done"] = self._batch.states["clock"]["done"].copy() != 0
        return found

    def look(self, asleep=False):
        """Broken rules since the last look: names, with the fight and the fighter of the first case of each.

        Args:
            asleep: only remember what is there, as at the beginning.
        """
        b, a = self._before, self._picture()
        self._before = a
        going = (b["pause"] == 0) & (a["pause"] == 0) & ~b["done"] & ~a["done"]
        if asleep or not going.any():
            return {}
        blows = self._blows(b, a, going)
        self.seen |= {("state", int(state)) for state in np.unique(a["state"][going])}
        self.seen |= {("event", kind) for kind in range(1, 7) if (blows == kind).any()}
        rules = {
            **self._bounds(b, a),
            **self._clocks(b, a, blows.any(axis=2) | (blows == ESCAPED).any(axis=(1, 2))[:, None]),
            **self._beginnings(b, a, blows.any(axis=2)),
            **self._contacts(b, a, blows),
        }
        broken = {}
        for name, cases in rules.items():
            cases = cases & (going[:, None] if cases.ndim == 2 else going)
            if cases.any():
                broken[name] = tuple(int(k) for k in np.argwhere(cases)[0])
        return broken

    def _blows(self, b, a, going):
        """(n, 2, 2) kinds of events of this frame by fighter, 0 for none."""
        kinds, events = np.zeros((len(going), 2, 2), int), self._batch.states["events"]
        for k in np.flatnonzero(going & (a["happened"] > b["happened"])):
            count = np.zeros(2, int)
            for number in range(b["happened"][k], a["happened"][k]):
                event = events[k, number % events.shape[1]]
                kinds[k, event["who"], count[event["who"]]] = event["kind"]
                count[event["who"]] += 1
        return kinds

    def _half(self, a):
        return self._cast["half"][a["character"]] * UNIT

    def _bounds(self, b, a):
        half, state = self._half(a), a["state"]
        gap = np.abs(a["x"][:, 0] - a["x"][:, 1])
        near = np.abs(a["y"][:, 0] - a["y"][:, 1]) < PUSH_HEIGHT * UNIT
        solid = ~np.isin(state, (THROWN, THROWING, KO)).any(axis=1)
        return {
            "a fighter leaves the stage": (a["x"] < half) | (a["x"] > STAGE - half) | (a["y"] < 0),
            "bodies overlap": solid & near & (gap < half.sum(axis=1) - 1),
            "health rises": a["hp"] > b["hp"],
            "the meter leaves its bounds": (a["meter"] < 0) | (a["meter"] > METER),
            "who stands is in the air": np.isin(state, GROUNDED) & (a["y"] > 0),
            "who dashes in the air is on the floor": (state == DASH_F) & (a["dashing"] != 0) & (a["y"] == 0),
            "a juggle goes on": a["juggle"] > JUGGLES,
            "a combo outlives its victim's freedom": (state <= CROUCH) & ((a["combo"] > 0) | (a["juggle"] > 0)),
        }

    def _clocks(self, b, a, struck):
        """Stun, hit-stop, attacks, and states that end by themselves."""
        runs, frozen = ~struck & (b["stop"] == 0), ~struck & (b["stop"] > 0)
        state, was = a["state"], b["state"]
        dizzy = np.isin(was, (HIT, *BLOCKS)) & (b["stun"] > 0) & ~struck
        same = runs & (was == ATTACK) & (state == ATTACK) & (a["serial"] == b["serial"])
        moved = (a["frame"] != b["frame"]) | (a["y"] != b["y"]) | (a["age"] != b["age"])
        ended = (was == ATTACK) & (state != ATTACK) & ~np.isin(state, (LANDING, THROWING))
        rules = {
            "stun does not count down": dizzy & (a["stun"] != b["stun"] - (b["stop"] == 0)),
            "somebody acts in stun": dizzy & ((state != was) & ~(np.isin(state, BLOCKS) & np.isin(was, BLOCKS))),
            "somebody attacks in stun": dizzy & (a["serial"] != b["serial"]),
            "hit-stop does not count down": frozen & (a["stop"] != b["stop"] - 1),
            "somebody moves in hit-stop": frozen & moved,
            "an attack does not go on": same & (a["frame"] != b["frame"] + 1),
            "an attack is too long": same & (b["frame"] >= b["total"]),
            "an attack is too short": runs & ended & (b["frame"] < b["total"]),
        }  # fmt: skip
        for one, frames in LASTING.items():
            stays = (state == one) & (a["age"] == b["age"] + 1)
            rules[f"state {one} is too short"] = (
                runs & (was == one) & (b["age"] < frames) & ~stays & (state != THROWING)
            )
            rules[f"state {one} is too long"] = runs & (was == one) & (b["age"] >= frames) & stays
        dash = runs & (was == DASH_F) & (b["dashing"] == 0)
        rules["a dash is too short"] = dash & (b["age"] < DASH_FRAMES) & (state != DASH_F)
        return rules

    def _beginnings(self, b, a, struck):
        """Who begins something may do so, and faces the other."""
        state, was, begun = a["state"], b["state"], a["serial"] != b["serial"]
        side = np.where(b["x"][:, 1] != b["x"][:, 0], np.sign(b["x"][:, 1] - b["x"][:, 0]), b["side"])
        towards = np.stack([side, -side], axis=1)
        away = a["facing"] != towards
        moves = self._cast["moves"][a["character"], a["move"]]
        cancels = begun & (was == ATTACK) & (b["frame"] < b["total"]) & (a["move"] != REPLY)
        ground = begun & ~cancels & (state == ATTACK) & (moves["air"] == 0) & (a["move"] != REPLY)
        turned = (a["facing"] != b["facing"]) & ~struck
        teleports = (moves["type"] == SHIFT) & (a["frame"] == a["first"])
        jumps = (was == PREJUMP) & (state != PREJUMP) & (a["vx"] != 0) & ~struck & ~begun
        return {
            "an attack begins with the back to the other": ground & away,
            "a free fighter shows its back": (state <= CROUCH) & away,
            "an attack is cancelled before it met": cancels & (b["hit"] == 0),
            "a fighter turns in its attack": turned & (was == ATTACK) & (state == ATTACK) & ~begun & ~teleports,
            "a fighter turns about to jump": turned & (was == PREJUMP) & (state == PREJUMP),
            "a jump goes another way": jumps & (state != DASH_F) & (np.sign(a["vx"]) != b["facing"] * b["jump_to"]),
        }

    def _contacts(self, b, a, blows):
        """Blows have a cause, and what meets a body that can be hit has its effect."""
        half, other = self._half(a), slice(None, None, -1)
        moves = self._cast["moves"][a["character"], a["move"]]
        reach = self._overlap(a, half, moves, STAND_HEIGHT)
        shot = self._shot_near(b, a, half)
        struck = np.isin(blows, (HURT, BLOCKED, ABSORBED)).any(axis=2)
        replied = (a["move"] == REPLY)[:, other]
        # after a trade the attacks are gone, but not the bodies
        was = self._cast["moves"][b["character"], b["move"]]
        reach_before = self._overlap(a, half, was, STAND_HEIGHT)
        seized = (blows == SEIZED).any(axis=2)
        thrown = (a["state"] == THROWN) & (a["age"] == THROW_HURTS)
        active = (a["state"] == ATTACK) & (a["frame"] >= a["first"]) & (a["frame"] <= a["last"]) & (a["hit"] == 0)
        active &= (a["stop"] == 0) & (moves["type"] == STRIKE) & (moves["height"] != GRAB)
        safe = (a["state"] >= DOWN) & (a["state"] <= THROWN) | (a["state"] > DASH_B)
        safe |= (a["state"] == AIR_HIT) & (a["juggle"] >= JUGGLES)
        safe |= (a["state"] == ATTACK) & (moves["safe_from"] <= a["frame"]) & (a["frame"] <= moves["safe_to"])
        throwable = (*range(CROUCH + 1), ATTACK, DASH_F, DASH_B, LANDING)
        fits = np.zeros_like(struck)
        for i in range(2):
            strike = was[:, 1 - i]
            by_strike = (a["hit"][:, 1 - i] != 0) & (b["hit"][:, 1 - i] == 0) & (a["state"][:, 1 - i] == ATTACK)
            by_strike &= (a["serial"] == b["serial"])[:, 1 - i] & ~replied[:, i]
            hurt = by_strike & (blows[:, i, 0] == HURT) & (a["state"][:, i] == HIT)
            extra = a["stun"][:, i] - strike["hit_stun"]
            attacked = (b["state"] == ATTACK)[:, i] & (b["frame"] < b["total"])[:, i]
            attacked &= was["air"][:, i] == 0  # who is hit standing has landed
            fits[:, i] = hurt & (extra != 2 * attacked) & (a["serial"] == b["serial"])[:, i]
            fits[:, i] |= by_strike & (blows[:, i, 0] == BLOCKED) & (a["stun"][:, i] != strike["block_stun"])
        lost = b["hp"] != a["hp"]
        return {
            "a blow without a cause": struck & ~reach & ~reach_before & ~shot & ~replied,
            "damage without a cause": lost & ~struck & ~thrown & ~(blows == HURT).any(axis=2),
            "a strike passes through a body": active[:, other] & self._body_met(a, half, moves) & ~safe,
            "a throw from too far": seized & ~reach_before & ~reach,
            "a throw of someone who cannot be thrown": seized & ~np.isin(b["state"], throwable),
            "a throw in the air": seized & (a["y"] > 0),
            "stun is not that of the table": fits,
        }  # fmt: skip

    def _overlap(self, a, half, moves, height):
        """(n, 2) whether the other's box, wherever it is in its move, meets each body of this height."""
        m, other = moves[:, ::-1], slice(None, None, -1)
        near = a["x"][:, other] + a["facing"][:, other] * m["x0"] * UNIT
        far = a["x"][:, other] + a["facing"][:, other] * m["x1"] * UNIT
        low, high = a["y"][:, other] + m["y0"] * UNIT, a["y"][:, other] + m["y1"] * UNIT
        across = (np.minimum(near, far) <= a["x"] + half) & (np.maximum(near, far) >= a["x"] - half)
        return across & (low <= a["y"] + height * UNIT) & (high >= a["y"])

    def _body_met(self, a, half, moves):
        crouches = np.isin(a["state"], (CROUCH, BLOCK_CROUCH)) | ((a["state"] == ATTACK) & (a["move"] // 6 == 1))
        return np.where(crouches, self._overlap(a, half, moves, 48), self._overlap(a, half, moves, 78))

    def _shot_near(self, b, a, half):
        """(n, 2) whether a projectile of the other, there before this frame, touches each body."""
        wide = np.where(a["shot_mine"][:, ::-1] != 0, 12, 8) * UNIT
        gone = np.abs(a["shot_x"][:, ::-1] - a["x"][:, :, None]) <= half[:, :, None] + wide
        thrower = self._cast["moves"][b["character"], b["move"]]
        now = (b["state"] == ATTACK) & (thrower["type"] == SHOT) & (b["frame"] + 1 == b["first"])
        there = ((b["shot_on"] | a["shot_on"]) != 0)[:, ::-1] | now[:, ::-1, None]
        return (gone & there).any(axis=2)
