"""A window on the screen for render_mode="human" and for playing; needs the extra ``play``."""

import os
import warnings
from collections.abc import Generator
from contextlib import contextmanager

import numpy as np

_SPEEDS = (1, 2, 4, 8)


@contextmanager
def _hushed() -> Generator[None]:
    """Nothing on standard error: SDL speaks there, past Python, of what is no fault; faults are exceptions."""
    try:
        kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # there is no standard error
        yield
        return
    os.dup2(nowhere, 2)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


class Window:
    """Shows frames at their pace and collects pressed keys and clicks; return pauses, tab changes the pace.

    Args:
        title: caption of the window.
        fps: frames a second; `show` waits to keep it.
        zoom: integer magnification of frames.

    Attributes:
        fps: frames a second.

    Raises:
        ModuleNotFoundError: pygame is missing; the message tells how to install it.
        OSError: there is no screen.
    """

    def __init__(self, title: str, fps: float, zoom: int = 1):
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        try:
            with _hushed():
                import pygame
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError('a window needs pygame: pip install "envsuite[play]"') from error
        self._pygame = pygame
        try:
            with _hushed():
                pygame.display.init()
        except pygame.error as error:
            raise OSError(f"there is no screen for a window ({error}); a policy can be recorded without one") from error
        pygame.display.set_caption(title)
        self._clock = pygame.time.Clock()
        self._surface = None
        self.fps = fps
        self._zoom = zoom
        self._speed = 0
        self._paused = False
        self._clicks: list[tuple[float, float]] = []
        self.closed = False

    def show(self, frame: np.ndarray) -> None:
        """Show a frame, uint8 (H, W, 3), and wait until it is time for the next."""
        pygame = self._pygame
        height, width = frame.shape[:2]
        if self._surface is None:
            self._surface = pygame.display.set_mode((width * self._zoom, height * self._zoom))
        picture = pygame.image.frombuffer(np.ascontiguousarray(frame).tobytes(), (width, height), "RGB")
        self._surface.blit(pygame.transform.scale_by(picture, self._zoom), (0, 0))
        pygame.display.flip()
        self._clock.tick(self.fps * _SPEEDS[self._speed])
        self._listen()
        while self._paused and not self.closed:
            self._clock.tick(self.fps)
            self._listen()

    def _listen(self) -> None:
        """Take in what has happened since the last frame."""
        pygame = self._pygame
        for event in pygame.event.get():
            if event.type == pygame.QUIT or (event.type == pygame.KEYDOWN and event.key == pygame.K_ESCAPE):
                self.closed = True
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_RETURN:
                self._paused = not self._paused
            elif event.type == pygame.KEYDOWN and event.key == pygame.K_TAB:
                self._speed = (self._speed + 1) % len(_SPEEDS)
            elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and self._surface is not None:
                width, height = self._surface.get_size()
                self._clicks.append((event.pos[0] / width, event.pos[1] / height))

    def clicked(self) -> tuple[float, float] | None:
        """The earliest click that nobody has asked for, as shares of the frame's width and height, or None."""
        return self._clicks.pop(0) if self._clicks else None

    def pressed(self) -> set[str]:
        """Names of the keys held down, as pygame names them: ``"w"``, ``"left"``, ``"space"``, ``"escape"``."""
        pygame = self._pygame
        held = pygame.key.get_pressed()
        names = (
            "up",
            "down",
            "left",
            "right",
            "space",
            "return",
            "escape",
            "left shift",
            "right shift",
            "tab",
        )
        keys = [pygame.key.key_code(name) for name in names]
        keys += [ord(letter) for letter in "abcdefghijklmnopqrstuvwxyz0123456789"]
        return {pygame.key.name(key) for key in keys if held[key]}

    def close(self) -> None:
        """Close the window."""
        self._pygame.display.quit()
        self.closed = True
