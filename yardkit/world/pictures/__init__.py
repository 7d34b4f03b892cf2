"""Pictures as cameras, scanners and other programs write them: one reader for every server.

What is read is eight bits, sRGB and upright; `PictureContents` says what else the file has. A hostile file can keep
Pillow busy for ever or fill the memory, so callers read in a process of its own.
"""

from yardkit.world.pictures.contents import PictureContents, describe_losses, describe_page, read_contents
from yardkit.world.pictures.kinds import READ_FORMATS, READ_SUFFIXES
from yardkit.world.pictures.reading import (
    LoadedPicture,
    flatten_picture,
    flatten_with_contrast,
    load_frames,
    load_picture,
)

__all__ = [
    "READ_FORMATS",
    "READ_SUFFIXES",
    "LoadedPicture",
    "PictureContents",
    "describe_losses",
    "describe_page",
    "flatten_picture",
    "flatten_with_contrast",
    "load_frames",
    "load_picture",
    "read_contents",
]
