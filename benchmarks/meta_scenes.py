"""Writes `envsuite/manipulation/meta/scenes/original.py` from what metaworld 3.1.1 compiles to.

Wants metaworld with MuJoCo 3.3, beside the suite: ``python benchmarks/meta_scenes.py``, then ``ruff format``. Bodies
without joints become parts of those that they hang on where this changes nothing: where either side has neither mass
nor shapes. Bodies get the names of our scenes, by kind and order, so that tasks find them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import MISSING, fields, replace
from math import cos, sin
from pathlib import Path
from typing import Any

import metaworld
import numpy as np

from envsuite.manipulation.meta.scenes.parts import HARD
from envsuite.manipulation.meta.tasks import TASKS
from envsuite.rigid import Body, Box, Capsule, Cylinder, Exclude, Free, Geom, Hinge, Inertial, Site, Slide, Sphere
from envsuite.rigid.poses import IDENTITY, matrix, multiply

OUT = Path(__file__).parents[1] / "envsuite/manipulation/meta/scenes"
KINDS = {2: (Sphere, 1), 3: (Capsule, 2), 5: (Cylinder, 2), 6: (Box, 3)}
ALONE = {"right_hand", "hand", "rightpad", "leftpad"}
"""Bodies of the hand that contacts and the weld look at: their inverse weights are their own."""
ARM = {*(f"right_l{k}" for k in range(7)), *ALONE, "rightclaw", "leftclaw"}
GROUND = {"tablelink": "table", "RetainingWall": "rail"}
FIXED = {"base", *GROUND}
PALM = Box("palm", size=(0.034, 0.049, 0.0245), pos=(0.007, 0, 0.052))
"""In place of the hull of the hand, as in our scenes."""
HULLS = {"stand": ("stand_-1", "stand_1", "stand_back"), "net": ("net_x-1", "net_x1", "net_back", "net_top")}
HULLS_OF_SOCCER = ("side_-1", "side_1", "back", "top")
EXCLUDES = {"faucet": ("faucet", "handle"), "lever": ("stand", "lever"), "coffee": ("mug", "button")}
"""Cylinders of one piece of furniture that meet nothing else there, by scene."""


def numbers(values: Any) -> tuple[float, ...]:
    """As floats."""
    return tuple(float(one) for one in values)


def moved(frame: Any, pos: Sequence[float], quat: Sequence[float]) -> tuple[Any, Any]:
    """A pose in a frame, in what the frame is in."""
    if frame is None:
        return tuple(pos), tuple(quat)
    turn = np.array(matrix(frame[1])).reshape(3, 3)
    return numbers(np.array(frame[0]) + turn @ np.array(pos)), numbers(multiply(frame[1], quat))


def turned(quat: Sequence[float]) -> Any:
    """A quaternion, None for none."""
    return None if tuple(quat) == IDENTITY else tuple(quat)


class Reader:
    """One compiled task.

    Args:
        task: its name.
    """

    def __init__(self, task: str):
        self.scene = TASKS[task].scene
        self.m = m = metaworld.MT1(f"{task}-v3", seed=42).train_classes[f"{task}-v3"]().model
        self.names = [m.body(b).name or f"body_{b}" for b in range(m.nbody)]
        self.shapes = [[g for g in range(m.ngeom) if m.geom_bodyid[g] == b and self._meets(g)] for b in range(m.nbody)]
        self.still, self.root, self.frame = [True], [0], [None]
        for b in range(1, m.nbody):
            self._join(b)
        self.ours = self._match()

    def _meets(self, g: int) -> bool:
        return bool(self.m.geom_contype[g] or self.m.geom_conaffinity[g])

    def _solid(self, b: int) -> list[int]:
        return [g for g in self.shapes[b] if self.m.geom_type[g] in KINDS]

    def members(self, b: int) -> list[int]:
        """Bodies that became part of one."""
        return [k for k in range(1, len(self.root)) if self.root[k] == b]

    def _join(self, b: int) -> None:
        m, parent = self.m, int(self.m.body_parentid[b])
        fixed = m.body_jntnum[b] == 0
        self.still.append(self.still[parent] and fixed)
        joined = bool(fixed and parent and self.names[b] not in ALONE and m.body_mocapid[b] < 0)
        if joined and not self.still[b]:
            group = self.members(self.root[parent])
            empty = all(m.body_mass[k] == 0 and not self._solid(k) for k in group)
            joined = empty or not self._solid(b)
        own = (numbers(m.body_pos[b]), numbers(m.body_quat[b]))
        self.root.append(self.root[parent] if joined else b)
        self.frame.append(moved(self.frame[parent], *own) if joined else None)

    def _match(self) -> dict[int, Body]:
        """Our bodies, by number of theirs."""
        m, found = self.m, {}
        left = [
            b
            for b in range(1, m.nbody)
            if self.root[b] == b and self.names[b] not in ARM | FIXED and m.body_mocapid[b] < 0
        ]
        for one in self.scene.bodies[4:]:
            if one.joints or one.mocap:
                likely = [b for b in left if self._kind(b) == ("none" if one.mocap else one.joints[0].type)]
                likely.sort(key=lambda b: np.linalg.norm(m.body_pos[b][:2] - np.array(one.pos)[:2]))
                found[likely[0]] = one
                left.remove(likely[0])
        return found

    def _kind(self, b: int) -> str:
        joints = {0: "free", 2: "slide", 3: "hinge"}
        return joints[int(self.m.jnt_type[self.m.body_jntadr[b]])] if self.m.body_jntnum[b] else "none"

    def name(self, b: int) -> str:
        """Of a body, as in our scenes."""
        return self.ours[b].name if b in self.ours else self.names[b]

    def _geom(self, g: int, frame: Any, name: str = "") -> Geom:
        m = self.m
        kind, count = KINDS[int(m.geom_type[g])]
        pos, quat = moved(frame, numbers(m.geom_pos[g]), numbers(m.geom_quat[g]))
        return kind(
            name,
            size=numbers(m.geom_size[g][:count]),
            pos=pos,
            quat=turned(quat),
            friction=numbers(m.geom_friction[g]),
            condim=int(m.geom_condim[g]),
            contype=int(m.geom_contype[g]),
            conaffinity=int(m.geom_conaffinity[g]),
            margin=float(m.geom_margin[g]),
            solref=numbers(m.geom_solref[g]),
            solimp=numbers(m.geom_solimp[g]),
        )

    def _joints(self, b: int) -> Iterator[Any]:
        m = self.m
        for k, j in enumerate(range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b])):
            dof, place = m.jnt_dofadr[j], m.jnt_qposadr[j]
            shared = {"damping": float(m.dof_damping[dof]), "armature": float(m.dof_armature[dof])}
            name = self.ours[b].joints[k].name if b in self.ours else m.joint(j).name
            if m.jnt_type[j] == 0:
                yield Free(name, **shared)
                continue
            yield {2: Slide, 3: Hinge}[int(m.jnt_type[j])](
                name,
                axis=numbers(m.jnt_axis[j]),
                pos=numbers(m.jnt_pos[j]),
                range=numbers(m.jnt_range[j]) if m.jnt_limited[j] else None,
                ref=float(m.qpos0[place]),
                stiffness=float(m.jnt_stiffness[j]),
                springref=float(m.qpos_spring[place]),
                solreflimit=numbers(m.jnt_solref[j]),
                solimplimit=numbers(m.jnt_solimp[j]),
                **shared,
            )

    def _inertial(self, b: int) -> Inertial:
        m = self.m
        parts = [
            (float(m.body_mass[k]), *moved(self.frame[k], numbers(m.body_ipos[k]), numbers(m.body_iquat[k])), k)
            for k in self.members(b)
            if m.body_mass[k] > 0
        ]
        if not parts:
            return Inertial(0.0, pos=numbers(m.body_ipos[b]), diaginertia=(0, 0, 0))
        if len(parts) == 1:
            mass, pos, quat, k = parts[0]
            return Inertial(mass, pos=pos, quat=quat, diaginertia=numbers(m.body_inertia[k]))
        mass = sum(one[0] for one in parts)
        centre = sum(one[0] * np.array(one[1]) for one in parts) / mass
        tensor = np.zeros((3, 3))
        for own, pos, quat, k in parts:
            axes, away = np.array(matrix(quat)).reshape(3, 3), np.array(pos) - centre
            tensor += axes @ np.diag(m.body_inertia[k]) @ axes.T
            tensor += own * (away @ away * np.eye(3) - np.outer(away, away))
        entries = [tensor[i, k] for i, k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
        return Inertial(mass, pos=numbers(centre), fullinertia=numbers(entries))

    def ground(self) -> list[Geom]:
        """Shapes that never move."""
        found = []
        for b in range(1, self.m.nbody):
            top = self.root[b]
            if self.still[top] and top not in self.ours and self.m.body_mocapid[top] < 0:
                own = (numbers(self.m.body_pos[top]), numbers(self.m.body_quat[top]))
                frame = own if self.frame[b] is None else moved(own, *self.frame[b])
                word = GROUND.get(self.names[top], "fixture")
                table = ["table", *(f"slab_{k}" for k in range(1, 9))] if word == "table" else []
                found += [
                    self._geom(g, frame, table[k] if table else f"{word}_{b}_{k}") for k, g in enumerate(self._solid(b))
                ]
        return found

    def bodies(self) -> list[Body]:
        """All that move or are put somewhere, in MuJoCo's order."""
        m, found = self.m, []
        for b in range(1, m.nbody):
            if self.root[b] != b or (self.still[b] and b not in self.ours and m.body_mocapid[b] < 0):
                continue
            parent = int(m.body_parentid[b])
            pos, quat = moved(self.frame[parent], numbers(m.body_pos[b]), numbers(m.body_quat[b]))
            top = self.root[parent]
            if self.still[top] and top not in self.ours and top:
                pos, quat = moved((numbers(m.body_pos[top]), numbers(m.body_quat[top])), pos, quat)
                top = 0
            placed = b in self.ours and self.ours[b].mocap
            found.append(
                Body(
                    self.name(b),
                    self.name(top) if top else "world",
                    pos=pos,
                    quat=(1, 0, 1, 0) if self.names[b] == "mocap" else turned(quat),
                    joints=[*self._joints(b)],
                    geoms=self._geoms(b),
                    sites=self._sites(b),
                    mocap=bool(placed or m.body_mocapid[b] >= 0),
                    inertial=None if self.still[b] else self._inertial(b),
                )
            )
        return found + [one for one in self.scene.bodies[4:] if not one.joints and not one.mocap]

    def _geoms(self, b: int) -> list[Geom]:
        name = self.name(b)
        held = {"rightclaw": "rightclaw", "leftclaw": "leftclaw", "rightpad": "rightpad", "leftpad": "leftpad"}
        held["stick"] = "stick"
        found = [self._geom(g, self.frame[k], held.get(name, "")) for k in self.members(b) for g in self._solid(k)]
        if name == "right_hand":
            found.append(PALM)
        if name in HULLS and len(self.shapes_of(b)) > len(found):
            wanted = {*HULLS[name], *HULLS_OF_SOCCER}
            boxes = [one for one in self.ours[b].geoms if one.name in wanted]
            found += [replace(one, name="", contype=1, conaffinity=1) for one in boxes]
        return [one for geom in found for one in self._closed(name, geom)]

    def shapes_of(self, b: int) -> list[int]:
        """Shapes of a body and its members, hulls too."""
        return [g for k in self.members(b) for g in self.shapes[k]]

    def _closed(self, body: str, geom: Geom) -> list[Geom]:
        """What stands for a cylinder that meets capsules or cylinders."""
        if geom.type != "cylinder":
            return [geom]
        own = {one.name: getattr(geom, one.name) for one in fields(geom)}
        scene = self.scene.name
        if scene == "nut":
            low = body == "peg"  # a round top, as high as the flat one
            return [Capsule(**own | ({"size": (0.02, 0.04), "pos": (0, 0, -0.01)} if low else {}))]
        if (scene, body) == ("hammer", "nail"):
            own |= {"size": (0.03, 0.009, 0.03), "quat": None, "conaffinity": 0}
            return [Box(**own)] if geom.size[0] > 0.02 else []
        if (scene, body) == ("coffee", "machine"):
            return [Box(**own | {"size": (0.016, 0.016, 0.041)})] if geom.size[0] > 0.01 else []
        return [geom]

    def _sites(self, b: int) -> Sequence[Site]:
        name = self.name(b)
        if name in ("rightclaw", "leftclaw"):
            return [Site(name.replace("claw", "tip"), (0.045, 0, 0))]
        if name in ("rightpad", "leftpad"):
            return [Site(name)]
        if b not in self.ours:
            return ()
        sites = self.ours[b].sites
        if self.scene.name.startswith("button_topdown"):  # observed above the button, which leans by 0.0008
            sites = [replace(one, pos=(0.0, one.pos[1] * sin(1.57), -one.pos[1] * cos(1.57))) for one in sites]
        return sites


def said(part: Any) -> str:
    """The code that declares a part."""
    kind, shared = type(part).__name__, {}
    if isinstance(part, Geom) and all(tuple(getattr(part, n))[: len(v)] == v for n, v in HARD.items()):
        kind, shared = kind.lower(), HARD
    words = []
    for one in fields(part):
        value = getattr(part, one.name)
        default = () if one.default is MISSING else one.default
        if value == default or one.name in shared or (one.name == "inertial" and value is None):
            continue
        if isinstance(value, (tuple, list)) and value and not isinstance(value[0], float):
            text = f"[{', '.join(said(k) for k in value)}]"
        else:
            text = said(value) if isinstance(value, Inertial) else told(value)
        bare = one.name in ("name", "mass") or (one.name == "parent")
        words.append(text if bare and len(words) < 2 else f"{one.name}={text}")
    return f"{kind}({', '.join(words)})"


def told(value: Any) -> str:
    """A value, with whole numbers short."""
    if isinstance(value, tuple):
        return f"({', '.join(told(one) for one in value)}{',' if len(value) == 1 else ''})"
    return str(int(value)) if isinstance(value, float) and value == int(value) else repr(value)


def main() -> None:
    """Write both files."""
    arm: list[Body] | None = None
    known: dict[str, str] = {}
    table: dict[str, str] = {}
    for task in TASKS:
        reader = Reader(task)
        bodies = reader.bodies()
        own = [one for one in bodies if one.name in ARM]
        assert arm is None or own == arm, task
        arm = own
        start = next(k for k, one in enumerate(bodies) if one.name in ARM)
        before = [said(one) for one in bodies[:start]]
        after = [said(one) for one in bodies if one.name not in {*ARM, "mocap"}][len(before) :]
        excludes = [said(Exclude(*pair)) for scene, pair in EXCLUDES.items() if reader.scene.name == scene]
        words = [repr(reader.scene.name), *after]
        ground = [said(one) for one in reader.ground()]
        for name, many in (("ground", ground), ("before", before), ("excludes", excludes)):
            if many:
                words.append(f"{name}=[{', '.join(many)}]")
        text = f"scene({', '.join(words)})"
        name = known.setdefault(text, f"_{task.replace('-', '_')}")
        table[task] = name
    made = "\n\n".join(f"def {name}() -> Scene:\n    return {text}" for text, name in known.items())
    listed = ", ".join(f"{task!r}: {name}" for task, name in table.items())
    (OUT / "original.py").write_text(f"{HEAD}\n{made}\n\nORIGINAL = {{{listed}}}\n{FOOT}")
    parts = ", ".join(said(one) for one in arm or ())
    (OUT / "sawyer.py").write_text(f"{SAWYER}\nARM = ({parts})\n{SCENE}")


HEAD = '''"""Scenes of metaworld 3.1.1 as they are compiled, but for what the engine has no contacts for.

Written by ``benchmarks/meta_scenes.py``: sizes, places, masses and contact parameters, all digits, under the names of
our scenes. Hulls, cylinders that meet capsules, and cylinders that meet cylinders are replaced as in our scenes.
"""

from envsuite.manipulation.meta.scenes.parts import box, capsule, cylinder, sphere
from envsuite.manipulation.meta.scenes.sawyer import scene
from envsuite.rigid import Body, Box, Capsule, Exclude, Free, Hinge, Inertial, Scene, Site, Slide

'''
FOOT = '"""By task: functions that declare its scene."""\n'
SAWYER = '''"""The arm of metaworld 3.1.1, a Sawyer, as it is compiled; written by ``benchmarks/meta_scenes.py``."""

from collections.abc import Sequence

from envsuite.rigid import Body, Box, Exclude, Geom, Hinge, Inertial, Option, Position, Scene, Site, Slide, Weld

SIZE = "arm-rims"
"""Size class of all scenes with the arm."""
'''
SCENE = '''"""Seven links, the hand with a box for the hull of its palm, two fingers with pads."""

MOCAP = Body("mocap", quat=(1, 0, 1, 0), mocap=True)


def scene(
    name: str,
    *bodies: Body,
    ground: Sequence[Geom] = (),
    before: Sequence[Body] = (),
    excludes: Sequence[Exclude] = (),
) -> Scene:
    """The arm and other bodies, stepped as the original.

    Args:
        name: of the scene.
        *bodies: beside the arm.
        ground: shapes that never move.
        before: bodies that are numbered before the arm.
        excludes: bodies that do not touch.
    """
    return Scene(
        name,
        option=Option(timestep=0.0025, cone="elliptic", iterations=50, tolerance=1e-10, multiccd=False),
        geoms=list(ground),
        bodies=[*before, *ARM, MOCAP, *bodies],
        actuators=[Position(side, kp=400, ctrlrange=(-1, 1)) for side in ("r_close", "l_close")],
        equalities=[Weld("mocap", "hand", relpose=(0, 0, 0, -1, 0, 0, 0), torquescale=5)],
        excludes=list(excludes),
    )
'''

if __name__ == "__main__":
    main()
