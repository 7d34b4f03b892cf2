"""Reading delivered pictures as arrays."""

import io
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers import files
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import watch_reading
from yardkit.world import Problem
from yardkit.world.limits import check_pixels

MAX_PIXELS = 40_000_000


def read_picture(submission: Submission, relative: str) -> Any:
    """Read a delivered picture as an array of shape (height, width, 3), uint8, RGB, with transparency on white.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a decodable picture, or over `MAX_PIXELS`.
    """
    path = files.require_file(submission, relative)
    with watch_reading(path):
        return _decode_picture(path.read_bytes(), relative)


@files.keeps_outcomes(2)
def _decode_picture(data: bytes, relative: str) -> Any:
    """Decode a picture once for all leaves."""
    import numpy
    import PIL.Image

    try:
        with PIL.Image.open(io.BytesIO(data)) as image:
            check_pixels(*image.size, relative, MAX_PIXELS)
            rgba = image.convert("RGBA")
    except Problem as problem:
        raise InvalidArtifact(str(problem)) from problem
    except PIL.UnidentifiedImageError as error:
        # The error's message contains a memory address, which would make the evidence differ each time.
        raise InvalidArtifact(f"{relative} is not a readable picture (of no known type)") from error
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError) as error:
        raise InvalidArtifact(f"{relative} is not a readable picture ({error})") from error
    white = PIL.Image.new("RGBA", rgba.size, "white")
    return numpy.asarray(PIL.Image.alpha_composite(white, rgba).convert("RGB"))
