"""XML as elements that know their line. Document types, and with them entities, are refused."""

from dataclasses import dataclass, field
from math import isfinite
from xml.parsers import expat

LONGEST = 2_000_000  # characters
DEEPEST = 200  # elements in elements


@dataclass
class Node:
    """An element.

    Attributes:
        tag: its kind.
        attributes: as written.
        line: where it begins.
        children: in order.
    """

    tag: str
    attributes: dict[str, str]
    line: int
    children: list["Node"] = field(default_factory=list)

    @property
    def place(self) -> str:
        """How messages call it."""
        name = f" name={self.attributes['name']!r}" if self.attributes.get("name") else ""
        return f"MJCF line {self.line}, <{self.tag}{name}>"

    def error(self, words: str) -> ValueError:
        """An error that says where it is."""
        return ValueError(f"{self.place}: {words}")

    def all(self, *tags: str) -> list["Node"]:
        """The children of some kinds."""
        return [one for one in self.children if one.tag in tags]

    def numbers(self, name: str, least: int, most: int) -> tuple[float, ...] | None:
        """An attribute as numbers; None where it is missing.

        Args:
            name: of the attribute.
            least: how many there have to be.
            most: how many there may be.

        Raises:
            ValueError: others than that.
        """
        if name not in self.attributes:
            return None
        text = self.attributes[name]
        try:
            found = tuple(float(one) for one in text.split())
        except ValueError:
            found = ()
        if not least <= len(found) <= most or not all(map(isfinite, found)):
            count = f"{least}" if least == most else f"{least} to {most}"
            raise self.error(f"{name} is {text!r}, expected {count} finite number{'s' * (most > 1)}")
        return found

    def number(self, name: str, default: float) -> float:
        """An attribute as a number."""
        found = self.numbers(name, 1, 1)
        return default if found is None else found[0]

    def word(self, name: str, default: str, *among: str) -> str:
        """An attribute that is one of some words."""
        found = self.attributes.get(name, default)
        if found not in among:
            raise self.error(f"{name} is {found!r}, expected one of {', '.join(map(repr, among))}")
        return found

    def flag(self, name: str, default: bool = False) -> bool:
        """An attribute that is true or false."""
        return self.word(name, "true" if default else "false", "true", "false") == "true"

    def allow(self, *names: str) -> None:
        """Refuse other attributes than these."""
        for name in self.attributes:
            if name not in names:
                raise self.error(f"attribute {name} is not supported")


def parse(text: str) -> Node:
    """The root of a document.

    Args:
        text: the document.

    Raises:
        ValueError: it is no XML, too long or too deep, or has a document type.
    """
    if len(text) > LONGEST:
        raise ValueError(f"MJCF has {len(text)} characters, expected at most {LONGEST}")
    root = Node("", {}, 0)
    open_nodes = [root]
    parser = expat.ParserCreate()

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(open_nodes) > DEEPEST:
            raise ValueError(f"MJCF line {parser.CurrentLineNumber}: more than {DEEPEST} elements in one another")
        node = Node(tag, attributes, parser.CurrentLineNumber)
        open_nodes[-1].children.append(node)
        open_nodes.append(node)

    def refuse(*_: object) -> None:
        raise ValueError(f"MJCF line {parser.CurrentLineNumber}: document types and entities are not supported")

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: open_nodes.pop()
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as error:
        raise ValueError(f"MJCF line {error.lineno}: {expat.ErrorString(error.code)}, expected XML") from None
    return root.children[0]
