"""Animations from frames: GIF through Pillow, MP4 through imageio and ffmpeg (extra ``video``)."""

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

_GIF_FPS = 50  # browsers slow down anything with a delay below 20 ms
_PALETTE_FRAMES = 12


def write_video(path: str | os.PathLike, frames: Sequence[np.ndarray], fps: float) -> None:
    """Write an animation in the format that the suffix of `path` names.

    Args:
        path: ends in ``.gif`` or ``.mp4``; an existing file is replaced when the new one is complete.
        frames: uint8 arrays (height, width, 3), all of one shape, at least one.
        fps: frames a second.

    Raises:
        ValueError: the suffix, the frames or the pace are not as above.
        ModuleNotFoundError: a package for MP4 is missing; the message tells how to install it.
    """
    writers = {".gif": write_gif, ".mp4": write_mp4}
    suffix = Path(path).suffix.lower()
    if suffix not in writers:
        raise ValueError(f"{os.fspath(path)!r} ends in {suffix!r}, expected .gif or .mp4")
    writers[suffix](path, frames, fps)


def write_gif(path: str | os.PathLike, frames: Sequence[np.ndarray], fps: float) -> None:
    """Write a looping GIF with one palette for all frames.

    A GIF counts time in hundredths of a second: delays vary by one of them to keep the pace on average, and above
    50 frames a second frames are left out.

    Args:
        path: file to write.
        frames: as for `write_video`.
        fps: frames a second.
    """
    _check(frames, fps)
    skip = ceil(fps / _GIF_FPS)
    frames = frames[::skip]
    ticks = np.rint(np.arange(len(frames) + 1) * 100 * skip / fps).astype(int)
    palette = _palette(frames)
    pictures = [
        Image.fromarray(frame).quantize(palette=palette, dither=Image.Dither.NONE) for frame in map(np.asarray, frames)
    ]
    with _replacing(path) as partial:
        pictures[0].save(
            partial,
            format="GIF",
            save_all=True,
            append_images=pictures[1:],
            duration=[int(delay) * 10 for delay in np.diff(ticks)],
            loop=0,
        )


def write_mp4(path: str | os.PathLike, frames: Sequence[np.ndarray], fps: float) -> None:
    """Write an H.264 video that browsers play; an odd width or height gets one more column or row.

    Args:
        path: file to write.
        frames: as for `write_video`.
        fps: frames a second.

    Raises:
        ModuleNotFoundError: imageio or imageio-ffmpeg is missing.
    """
    _check(frames, fps)
    try:
        import imageio.v2 as imageio
        import imageio_ffmpeg  # noqa: F401 (imageio finds it by itself, and says less clearly that it is missing)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('MP4 needs imageio and ffmpeg: pip install "envsuite[video]"') from error
    height, width, _ = frames[0].shape
    odd = ((0, height % 2), (0, width % 2), (0, 0))
    with _replacing(path) as partial:
        writer: Any = imageio.get_writer(partial, format="FFMPEG", fps=fps, codec="libx264", macro_block_size=2)
        with writer:
            for frame in frames:
                writer.append_data(np.pad(frame, odd, mode="edge"))


def _check(frames: Sequence[np.ndarray], fps: float) -> None:
    if not fps > 0:
        raise ValueError(f"fps is {fps}, expected more than 0")
    if len(frames) == 0:
        raise ValueError("no frames to write")
    for i, frame in enumerate(frames):
        shape, kind = np.shape(frame), np.asarray(frame).dtype
        if len(shape) != 3 or shape[2] != 3 or kind != np.uint8:
            raise ValueError(f"frame {i} is {kind} {shape}, expected uint8 (height, width, 3)")
        if shape != np.shape(frames[0]):
            raise ValueError(f"frame {i} has shape {shape}, the first has {np.shape(frames[0])}")


def _palette(frames: Sequence[np.ndarray]) -> Image.Image:
    """256 colours that suit frames taken evenly from all of them."""
    chosen = np.unique(np.linspace(0, len(frames) - 1, _PALETTE_FRAMES).astype(int))
    strip = np.concatenate([np.asarray(frames[i])[::2, ::2] for i in chosen])
    return Image.fromarray(strip).quantize(256, method=Image.Quantize.MEDIANCUT)


@contextmanager
def _replacing(path: str | os.PathLike) -> Generator[Path, None, None]:
    """A temporary path beside `path` that takes its place on success and vanishes on failure."""
    path = Path(path)
    partial = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
