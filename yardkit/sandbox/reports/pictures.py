"""Pictures, sounds and films as data URIs of bounded size."""

import base64
import io
import mimetypes
from dataclasses import dataclass
from pathlib import Path

from yardkit.kit.markup import Html, make_tag
from yardkit.world import Problem
from yardkit.world.limits import MAX_FILE_BYTES, check_pixels

MAX_INLINE_BYTES = 150_000
"""A picture up to this size is shown as it is, a larger one as a thumbnail."""
MAX_SOUND_BYTES, MAX_FILM_BYTES = 1_000_000, 2_000_000
"""Larger sounds and films lie in the run directory only."""
MAX_PAGE_BYTES = 30_000_000
"""Bytes of pictures, sounds and films in one page; what comes after is named only."""
_SIDE = 1000
_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
_SUFFIXES = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff"}
_SOUNDS = {".wav", ".mp3", ".mpeg", ".ogg", ".flac", ".x-wav", ".m4a"}
_FILMS = {".mp4", ".webm"}


def is_media(name: str) -> bool:
    """Whether a file with this name is shown as a picture, sound or film."""
    return Path(name).suffix.lower() in _SUFFIXES | _SOUNDS | _FILMS


@dataclass
class Gallery:
    """Embeds media into one page and keeps count of their size."""

    left_bytes: int = MAX_PAGE_BYTES

    def build_figure(self, path: Path, name: str, *, caption: bool = True) -> Html:
        """Build the picture, sound or film with its name as caption, or the reason why it is not shown."""
        suffix = path.suffix.lower()
        try:
            if suffix in _SOUNDS:
                media_player = self._build_player(path, "audio", MAX_SOUND_BYTES)
            elif suffix in _FILMS:
                media_player = self._build_player(path, "video", MAX_FILM_BYTES)
            else:
                media_player = self._build_picture(path, name)
        except Problem as problem:
            media_player = make_tag("p", f"not shown: {problem}", class_="quiet")
        except OSError as error:
            media_player = make_tag("p", f"not shown: {error.strerror or error}", class_="quiet")
        return make_tag("figure", media_player, make_tag("figcaption", name) if caption else None)

    def _build_picture(self, path: Path, name: str) -> Html:
        data, media_type = _load_displayable(path)
        return make_tag("img", src=self._make_uri(data, media_type), alt=name, loading="lazy")

    def _build_player(self, path: Path, element: str, limit: int) -> Html:
        """Build a sound or film with the browser's controls."""
        if path.stat().st_size > limit:
            raise Problem(f"{path.stat().st_size:,} bytes; see the run directory")
        media_type = mimetypes.guess_type(path.name)[0] or f"{element}/{path.suffix.lower().strip('.')}"
        return make_tag(element, src=self._make_uri(path.read_bytes(), media_type), controls=True)

    def _make_uri(self, data: bytes, media_type: str) -> str:
        self.left_bytes -= len(data)
        if self.left_bytes < 0:
            raise Problem(f"the page already holds {MAX_PAGE_BYTES:,} bytes of media; see the run directory")
        return f"data:{media_type};base64,{base64.b64encode(data).decode()}"


def _load_displayable(path: Path) -> tuple[bytes, str]:
    """Load a picture as bytes that a browser shows: unchanged if small, else as a thumbnail."""
    try:
        import PIL.Image
    except ModuleNotFoundError:
        raise Problem("showing pictures needs Pillow; pip install 'yardkit[suites]'") from None
    if path.stat().st_size > MAX_FILE_BYTES:
        raise Problem(f"{path.stat().st_size:,} bytes")
    try:
        with PIL.Image.open(path, formats=_FORMATS) as image:
            check_pixels(*image.size, path.name)
            small = path.stat().st_size <= MAX_INLINE_BYTES and max(image.size) <= 2 * _SIDE
            if small and image.format in ("PNG", "JPEG", "GIF", "WEBP"):
                return path.read_bytes(), f"image/{image.format.lower()}"
            image.thumbnail((_SIDE, _SIDE))
            buffer = io.BytesIO()
            image.convert("RGB").save(buffer, "JPEG", quality=80)
    except (ValueError, SyntaxError, OSError, PIL.Image.DecompressionBombError) as error:
        # Pillow's message may contain a path on this machine, which must not get into a report.
        raise Problem(f"it cannot be read as a picture ({type(error).__name__})") from error
    return buffer.getvalue(), "image/jpeg"
