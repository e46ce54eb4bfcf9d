"""Default classes: attributes that elements of a kind inherit."""

from envsuite.rigid.mjcf.nodes import Node

MAIN = "main"
ACTUATORS = ("motor", "position", "velocity")
OWN = ("kp", "kv")  # gains, which depend on the kind of actuator
KINDS = ("joint", "geom", "site", "pair", "equality", "tendon", *ACTUATORS)
COSMETIC = ("camera", "light", "material", "mesh")
# Vectors of which the first numbers may be given; the rest stays as inherited.
PARTIAL = (
    "friction",
    "gear",
    "size",
    "solimp",
    "solimpfriction",
    "solimplimit",
    "solref",
    "solreffriction",
    "solreflimit",
)

Attributes = dict[str, str]


def merged(inherited: Attributes, own: Attributes) -> Attributes:
    """Attributes over those that were inherited."""
    found = {**inherited, **own}
    for name in PARTIAL:
        if name in inherited and name in own:
            given = own[name].split()
            found[name] = " ".join(given + inherited[name].split()[len(given) :])
    return found


class Defaults:
    """All classes of a document.

    Args:
        sections: the top elements ``default``, in order.
    """

    def __init__(self, sections: list[Node]):
        self.classes: dict[str, dict[str, Attributes]] = {MAIN: {}}
        for section in sections:
            self._read(section, section.attributes.get("class", MAIN), {}, True)

    def _read(self, node: Node, name: str, inherited: dict[str, Attributes], top: bool) -> None:
        node.allow("class")
        if not top and (not name or name in self.classes):
            raise node.error(f"class is {name!r}, expected a name that no other class has")
        if top and name != MAIN:
            self.classes[name] = self.classes[MAIN]  # another name of the main class
        own = self.classes[MAIN] if top else {kind: dict(values) for kind, values in inherited.items()}
        self.classes[name] = own
        for child in node.children:
            if child.tag in KINDS:
                self._add(own, child)
            elif child.tag != "default" and child.tag not in COSMETIC:
                raise child.error(f"no defaults of this kind, expected one of {', '.join(KINDS)}")
        for child in node.all("default"):
            self._read(child, child.attributes.get("class", ""), own, False)

    def _add(self, own: dict[str, Attributes], child: Node) -> None:
        if child.tag not in ACTUATORS:
            own[child.tag] = merged(own.get(child.tag, {}), child.attributes)
            return
        # All actuators share one default, in which a gain is a gain, whether it is called kp or kv.
        gain, damping = own.get("position", {}).get("kp", "1"), own.get("position", {}).get("kv", "0")
        if child.tag == "motor":
            gain = "1"
        elif child.tag == "position":
            gain, damping = child.attributes.get("kp", gain), child.attributes.get("kv", damping)
        else:
            gain = damping = child.attributes.get("kv", gain)
        shared = {name: value for name, value in child.attributes.items() if name not in OWN}
        gains = {"motor": {}, "position": {"kp": gain, "kv": damping}, "velocity": {"kv": gain}}
        for kind, values in gains.items():
            own[kind] = merged(own.get(kind, {}), {**shared, **values})

    def applied(self, node: Node, childclass: str | None, kind: str = "") -> Node:
        """An element with what it inherits.

        Args:
            node: the element.
            childclass: class of the elements in this body; None for the main one.
            kind: whose defaults; by default those of its tag.

        Raises:
            ValueError: there is no such class.
        """
        name = node.attributes.get("class", childclass or MAIN)
        if name not in self.classes:
            raise node.error(f"class is {name!r}, expected the name of a default class")
        own = {key: value for key, value in node.attributes.items() if key != "class"}
        return Node(node.tag, merged(self.classes[name].get(kind or node.tag, {}), own), node.line, node.children)
