"""The work of the image_editing server, without MCP."""

from collections.abc import Sequence
from pathlib import Path

from yardkit.models.chat import encode_picture
from yardkit.models.embedded.running import run_in_process
from yardkit.models.generation import GeneratedPicture, ask_leniently, note_of, picture_format, save_picture
from yardkit.models.service import ServiceChoice, require_service
from yardkit.world import FileRef, Problem

NEEDS = "a model that changes pictures by instructions"
LONGEST_PX = 2048
_MAY_LACK = ("seed", "strength", "response_format")


def edit_picture(
    path: Path,
    instruction: str,
    target: Path,
    *,
    references: Sequence[Path] = (),
    strength: float | None = None,
    seed: int = 0,
    backend: ServiceChoice = "auto",
) -> GeneratedPicture:
    """Change a picture as words say.

    Args:
        path: of the picture.
        instruction: what is to change.
        target: where the new picture is saved, in the format of its name.
        references: pictures that show what the words speak of, such as a style or a thing.
        strength: how far the result may go from the picture, in (0, 1]; by default the model's own.
        seed: of the chance in it.
        backend: which tier.

    Raises:
        ModelUnavailable: no model is set up.
        Problem: a picture cannot be read or written, or the service refuses the words.
        Unavailable: no picture came.
    """
    picture_format(target)
    if target in (path, *references):
        raise Problem(f"target {target.name!r} is one of the input pictures; use another file name")
    service = require_service("image_edits", NEEDS, backend)
    wishes = {"prompt": instruction, "n": 1, "seed": seed, "response_format": "b64_json"}
    if strength is not None:
        wishes["strength"] = strength
    files = _build_form_files([path, *references])
    answer, left_out = ask_leniently(lambda sent: service.send("/images/edits", sent, files), wishes, _MAY_LACK)
    width, height = save_picture(answer, service, target)
    used = None if "seed" in left_out else seed
    return GeneratedPicture(FileRef.from_path(target), width, height, used, str(service.origin), note_of(left_out))


def _build_form_files(pictures: Sequence[Path]) -> list[tuple[str, tuple[str, bytes, str]]]:
    """The files of the form: one picture is `image`, several are `image[]`, as OpenAI has it."""
    field = "image" if len(pictures) == 1 else "image[]"
    return [(field, _build_form_file(picture)) for picture in pictures]


def _build_form_file(picture: Path) -> tuple[str, bytes, str]:
    data = run_in_process(encode_picture, picture, LONGEST_PX)
    return ("picture.png", data, "image/png") if data.startswith(b"\x89PNG") else ("picture.jpg", data, "image/jpeg")
