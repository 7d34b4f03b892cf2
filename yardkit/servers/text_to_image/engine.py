"""The work of the text_to_image server, without MCP."""

from functools import partial
from pathlib import Path

from yardkit.models.generation import GeneratedPicture, ask_leniently, note_of, picture_format, save_picture
from yardkit.models.service import ServiceChoice, require_service
from yardkit.world import FileRef

NEEDS = "a model that makes pictures from words"
_MAY_LACK = ("seed", "negative_prompt", "num_inference_steps", "response_format")


def generate_picture(
    prompt: str,
    target: Path,
    *,
    width_px: int = 1024,
    height_px: int = 1024,
    seed: int = 0,
    negative_prompt: str = "",
    steps: int | None = None,
    backend: ServiceChoice = "auto",
) -> GeneratedPicture:
    """Make a picture from words.

    Args:
        prompt: what it shows.
        target: where it is saved, in the format of its name.
        width_px: wanted; a model may round it.
        height_px: likewise.
        seed: of the chance in it.
        negative_prompt: what it must not show.
        steps: of denoising; by default the model's own.
        backend: which tier.

    Raises:
        ModelUnavailable: no model is set up.
        Problem: the name is not that of a picture, or the service refuses the words.
        Unavailable: no picture came.
    """
    picture_format(target)
    service = require_service("images", NEEDS, backend)
    optional = {"negative_prompt": negative_prompt or None, "num_inference_steps": steps}
    wishes = {"prompt": prompt, "n": 1, "size": f"{width_px}x{height_px}", "seed": seed, "response_format": "b64_json"}
    wishes |= {name: wish for name, wish in optional.items() if wish is not None}
    answer, left_out = ask_leniently(partial(service.ask, "/images/generations"), wishes, _MAY_LACK)
    width, height = save_picture(answer, service, target)
    used = None if "seed" in left_out else seed
    return GeneratedPicture(FileRef.from_path(target), width, height, used, str(service.origin), note_of(left_out))
