"""A guardrail about the intermediate files in a folder for drafts."""

from collections.abc import Callable
from pathlib import PurePosixPath

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.readers.media.compositions import read_upright_picture
from yardkit.evaluators.readers.media.films import read_film
from yardkit.evaluators.readers.media.sounds import read_sound
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count


def _require_complete_sound(submission: Submission, path: str) -> None:
    """Read a WAV file and check that it is as long as its header says."""
    read_sound(submission, path)
    data = require_file(submission, path).read_bytes()
    stated_size = int.from_bytes(data[4:8], "little") + 8
    if stated_size != len(data):
        raise InvalidArtifact(f"{path} says that it has {stated_size:,} bytes, and has {len(data):,}")


_READERS: dict[str, Callable[[Submission, str], object]] = {
    ".png": read_upright_picture,
    ".wav": _require_complete_sound,
    ".mp4": read_film,
}


def drafts_open(folder: str = "generated", *, id: str = "drafts", weight: float = 0.5) -> Checkpoint:
    """The files in a folder for drafts can be opened: pictures, sounds and films by their type, others as files."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        drafts = [
            draft_path.relative_to(submission.files).as_posix() for draft_path in (submission.files / folder).glob("*")
        ]
        for path in drafts:
            _READERS.get(PurePosixPath(path).suffix, require_file)(submission, path)
        return make_finding(holds=True, evidence=f"{format_count(len(drafts), 'draft')}, all can be opened")

    return make_checkpoint(
        id,
        "The drafts can be opened",
        check,
        covers=(f"file:{folder}/*",),
        kind="guardrail",
        weight=weight,
    )
