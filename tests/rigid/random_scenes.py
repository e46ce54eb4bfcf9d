"""Scenes made from a seed, with everything that can be declared."""

import numpy as np

from envsuite.rigid import (
    Ball,
    Body,
    Box,
    Capsule,
    Connect,
    Cylinder,
    Exclude,
    Free,
    Hinge,
    Inertial,
    Motor,
    Option,
    Pair,
    Plane,
    Position,
    Scene,
    Site,
    Slide,
    Sphere,
    Velocity,
    Weld,
)


def random_scene(seed: int) -> Scene:
    """A tree of up to seven bodies and some that stand alone."""
    return _Maker(np.random.default_rng(seed)).scene(f"random{seed}")


class _Maker:
    def __init__(self, rng: np.random.Generator):
        self.rng = rng
        self.names: list[str] = []

    def point(self, size: float = 0.5) -> np.ndarray:
        return self.rng.uniform(-size, size, 3)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def turned(self) -> dict:
        kind = self.rng.integers(3)
        angles = self.rng.uniform(-3, 3, 3)
        return [{}, {"quat": self.rng.normal(size=4)}, {"euler": angles}][kind]

    def solver(self, *suffixes: str) -> dict:
        found = {}
        for suffix in suffixes:
            if self.chance(0.3):
                direct = self.chance(0.3)
                found[f"solref{suffix}"] = (
                    (-self.rng.uniform(50, 500), -5) if direct else (self.rng.uniform(0.01, 0.1), 0.8)
                )
            if self.chance(0.3):
                found[f"solimp{suffix}"] = (self.rng.uniform(0, 0.9), 0.97, 0.002)
        return found

    def geom(self, name: str):
        rng = self.rng
        more = {
            "friction": rng.uniform(0, 1, rng.integers(1, 4)),
            "condim": int(rng.choice([1, 3, 4, 6])),
            "contype": int(rng.integers(4)),
            "conaffinity": int(rng.integers(4)),
            "margin": rng.choice([0, 0.01, 0.03]),
            "solmix": rng.choice([0, 1, 2.5]),
            "priority": int(rng.integers(2)),
            **self.solver(""),
        }
        more |= {"gap": 0.005} if more["margin"] else {}
        more |= {"mass": rng.uniform(0.1, 2)} if self.chance(0.3) else {"density": rng.uniform(100, 2000)}
        kind = rng.choice([Sphere, Capsule, Cylinder, Box])
        size = rng.uniform(0.02, 0.2, {Sphere: 1, Box: 3}.get(kind, 2))
        if kind in (Capsule, Cylinder) and self.chance(0.4):
            return kind(name, size=size[:1], fromto=rng.uniform(-0.5, 0.5, 6), **more)
        return kind(name, size=size, pos=self.point(0.2), **self.turned(), **more)

    def joints(self, name: str, root: bool) -> list:
        rng = self.rng
        dof = {"damping": rng.uniform(0, 1), "armature": rng.choice([0, 0.1]), "frictionloss": rng.choice([0, 0.5])}
        dof |= self.solver("friction")
        if root and self.chance(0.4):
            return [Free(f"{name}_free", **dof)]
        limit = self.solver("limit")
        if self.chance(0.2):
            range_ = {"range": (0, rng.uniform(0.1, 2))} if self.chance(0.5) else {}
            return [Ball(f"{name}_ball", pos=self.point(0.1), **range_, **dof, **limit)]
        found = []
        for kind in rng.choice([Slide, Hinge], rng.integers(3)):
            more = {"range": (-rng.uniform(0, 1), rng.uniform(0.1, 1))} if self.chance(0.5) else {}
            more |= {"stiffness": 3.0, "springref": 0.2} if self.chance(0.3) else {}
            more |= {"ref": rng.uniform(-1, 1)} if self.chance(0.3) else {}
            more |= {"actfrcrange": (-3, 4)} if self.chance(0.2) else {}
            joint = f"{name}_{len(found)}"
            self.names.append(joint)
            found.append(kind(joint, pos=self.point(0.1), axis=rng.normal(size=3), margin=0.01, **more, **dof, **limit))
        return found

    def body(self, name: str, parent: str) -> Body:
        inertial = None
        if self.chance(0.3):
            # That of a box, so that it is one that a body can have.
            moments = Box(size=self.rng.uniform(0.05, 0.5, 3)).size
            a, b, c = (side**2 for side in moments)
            diagonal = {"diaginertia": (b + c, a + c, a + b), "quat": self.rng.normal(size=4)}
            full = {"fullinertia": (b + c, a + c, a + b, 0.01 * a, 0.01 * b, 0.01 * c)}
            inertial = Inertial(self.rng.uniform(0.5, 3), pos=self.point(0.1), **diagonal if self.chance(0.5) else full)
        geoms = [self.geom(f"{name}_geom{k}") for k in range(self.rng.integers(1, 3))]
        return Body(
            name,
            parent,
            pos=self.point(),
            joints=self.joints(name, parent == "world"),
            geoms=geoms,
            inertial=inertial,
            sites=[Site(f"{name}_site", self.point())] if self.chance(0.2) else [],
            **self.turned(),
        )

    def actuator(self, joint: str):
        kind = self.rng.choice([Motor, Position, Velocity])
        more = {"ctrlrange": (-1, 2)} if self.chance(0.5) else {}
        more |= {"forcerange": (-5, 3)} if self.chance(0.5) else {}
        gains = {Motor: {}, Position: {"kp": 30, "kv": 2}, Velocity: {"kv": 4}}[kind]
        return kind(joint, gear=self.rng.uniform(0.5, 50), **gains, **more)

    def scene(self, name: str) -> Scene:
        rng = self.rng
        bodies = []
        for k in range(rng.integers(2, 7)):
            parent = "world" if not bodies or self.chance(0.3) else rng.choice([one.name for one in bodies])
            bodies.append(self.body(f"b{k}", str(parent)))
        if self.chance(0.3):
            bodies.append(Body("hand", mocap=True, pos=self.point(), **self.turned()))
        pairs = [(str(a), str(b)) for a, b in [rng.choice([one.name for one in bodies], 2, replace=False)]]
        geoms = [(f"{one.name}_geom0", one.name) for one in bodies if one.geoms]
        (first, one), (second, two) = (geoms[k] for k in rng.choice(len(geoms), 2, replace=False))
        kind = rng.choice([Weld, Connect])
        more = {"torquescale": 0.3} if kind is Weld else {}
        more |= {"relpose": (*self.point(), *rng.normal(size=4))} if kind is Weld and self.chance(0.3) else {}
        return Scene(
            name,
            option=Option(
                timestep=0.003,
                integrator=str(rng.choice(["Euler", "RK4", "implicitfast"])),
                cone=str(rng.choice(["pyramidal", "elliptic"])),
                impratio=rng.uniform(0.5, 3),
                gravity=self.point(9),
            ),
            geoms=[Plane("floor", pos=(0, 0, -1), **self.turned()), self.geom("block")],
            bodies=[bodies[k] for k in rng.permutation(len(bodies))],
            actuators=[self.actuator(joint) for joint in self.names[:4]],
            equalities=[kind(*pairs[0], anchor=self.point(), **self.solver(""), **more)] if self.chance(0.5) else [],
            excludes=[Exclude(*pairs[0])] if self.chance(0.5) else [],
            pairs=[Pair(first, second, condim=4, margin=0.02, friction=(0.5, 0.4))]
            if self.chance(0.3) and one != two
            else [],
            settotalmass=7 if self.chance(0.2) else None,
            boundmass=0.2 if self.chance(0.2) else 0,
            boundinertia=0.01 if self.chance(0.2) else 0,
        )
