"""Pictures show what an agent sees; ``view="all"`` also what it has to remember."""

from typing import Any, ClassVar

from envsuite.core import Pictures
from envsuite.core.canvas import Canvas, Color


class MemoryPictures(Pictures):
    """What is seen, or all there is.

    Attributes:
        ground: colour behind everything.
    """

    views: ClassVar[tuple[str, ...]] = ("seen", "all")
    ground: Color = (255, 255, 255)

    def draw(self, state, size):
        """Draw one instance."""
        canvas = Canvas(*size, self.ground)
        self.paint(canvas, state, self.view == "all")
        return canvas.to_array()

    def paint(self, canvas: Canvas, state: Any, all_seen: bool) -> None:
        """Draw one instance.

        Args:
            canvas: to draw on.
            state: one record of the world's ``state_dtype``.
            all_seen: whether to draw what the agent has to remember.
        """
        raise NotImplementedError
