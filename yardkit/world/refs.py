"""Files of a world as parts of results."""

import mimetypes
from dataclasses import dataclass
from pathlib import Path

from yardkit.world.world import current_world


@dataclass(frozen=True)
class FileRef:
    """A file in the workspace as part of a result; a picture or a sound is shown.

    Attributes:
        path: relative to the workspace.
        media_type: such as ``image/png``.
        size_bytes: its size.
    """

    path: str
    media_type: str
    size_bytes: int

    @classmethod
    def from_path(cls, path: Path) -> "FileRef":
        """Describe the existing file `path` of the current world."""
        media_type = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return cls(current_world().to_relative(path), media_type, path.stat().st_size)

    def __str__(self) -> str:
        return f"{self.path} ({self.media_type}, {self.size_bytes:,} bytes)"
