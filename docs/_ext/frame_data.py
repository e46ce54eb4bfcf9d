"""Sphinx extension: the frame data of all characters, generated from their tables."""

from pathlib import Path

from environments import table
from PIL import Image

from envsuite.fighting.characters import CAST, block_advantage, cast
from envsuite.fighting.params import COUNTER, GRAB, MOVE_NAMES, NO_MOVE, REPLY, SHIFT, SHOT, UNIT

_HEADER = (
    "move", "start-up", "active", "recovery", "damage", "on hit", "on block", "reach (px)", "height", "cannot be hit",
)  # fmt: skip
_HEIGHTS = ("mid", "overhead", "low", "throw")
_KINDS = {SHOT: "projectile", SHIFT: "teleport", COUNTER: "counter stance"}


def row(number: int, move) -> tuple[str, ...]:
    """One line of a character's table."""
    strike = int(move["type"]) == 0 and move["height"] != GRAB and not move["air"]
    late = int(move["active"]) - 1 + int(move["recovery"])
    on_hit = "knock-down" if move["knockdown"] else f"{int(move['hit_stun']) - late:+d}"
    special = dict(zip(("236", "623", "214", "22"), range(19, 23), strict=True))
    name = next((motion for motion, k in special.items() if k == number), MOVE_NAMES[number])
    return (
        name,
        str(int(move["startup"])),
        str(int(move["active"])) if move["active"] else "",
        "until landing" if move["air"] else str(int(move["recovery"])),
        str(int(move["damage"])) if move["damage"] else "",
        on_hit if strike else "",
        f"{block_advantage(move):+d}" if strike else "",
        str(int(move["x1"])) if move["x1"] else "",
        _KINDS.get(int(move["type"]), _HEIGHTS[int(move["height"])]),
        f"{int(move['safe_from'])} to {int(move['safe_to'])}" if move["safe_to"] else "",
    )


def portrait(number: int, path: Path) -> None:
    """A picture of a character in its standing heavy punch, with boxes."""
    import numpy as np

    from envsuite.core.world import allocate
    from envsuite.fighting.kernel import DuelVersusWorld
    from envsuite.fighting.params import ATTACK, STAGE
    from envsuite.fighting.render import draw

    world = DuelVersusWorld()
    state = allocate(world, 1)
    for i, x in enumerate((STAGE // 2 - 34 * UNIT, STAGE // 2 + 34 * UNIT)):
        fighter = state["fighters"][:, i]
        fighter["character"], fighter["x"], fighter["facing"] = (number, (number + 1) % len(CAST))[i], x, 1 - 2 * i
        fighter["hp"] = fighter["full"] = 1000
    hits = world.params[0]["characters"]["moves"][number, 2]
    fighter = state["fighters"][:, 0]
    fighter["state"], fighter["move"], fighter["frame"] = ATTACK, 2, hits["startup"]
    fighter["first"], fighter["last"] = hits["startup"], hits["startup"] + hits["active"] - 1
    frame = draw(state[0], world.params[0], (768, 448), boxes=True)
    Image.fromarray(np.ascontiguousarray(frame[150:410, 220:548])).save(path)


def generate(app) -> None:
    """Write what the page includes."""
    folder = Path(app.srcdir) / "_generated"
    folder.mkdir(exist_ok=True)
    parts = []
    for number, (one, made) in enumerate(zip(CAST, cast(), strict=True)):
        portrait(number, folder / f"fighter-{one.name.lower()}.png")
        facts = (
            f"{one.style}; {int(made['hp'])} HP, walks {one.walk[0]} and {one.walk[1]} px a frame, "
            f"body {2 * one.half} px wide, damage {one.damage} %."
        )
        rows = [row(k, made["moves"][k]) for k in range(NO_MOVE) if k != REPLY or made["moves"][k]["damage"]]
        picture = f"![{one.name}](_generated/fighter-{one.name.lower()}.png)\n"
        parts += [f"### {one.name}\n", f"{facts[0].upper()}{facts[1:]}\n", picture, table(_HEADER, rows)]
    (folder / "frame-data.md").write_text("\n".join(parts), encoding="utf-8")


def setup(app) -> dict:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True}
