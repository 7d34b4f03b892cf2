"""A guardrail about the files that are left on the way to what is handed in."""

from collections.abc import Callable
from pathlib import PurePosixPath

from toolyard.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from toolyard.evaluators.readers.files import require_file
from toolyard.evaluators.readers.media.compositions import read_shown
from toolyard.evaluators.readers.media.films import read_film
from toolyard.evaluators.readers.media.sounds import read_sound
from toolyard.evaluators.submission import Submission

_READERS: dict[str, Callable[[Submission, str], object]] = {
    ".png": read_shown,
    ".wav": read_sound,
    ".mp4": read_film,
}


def drafts_open(folder: str = "generated", *, id: str = "drafts", weight: float = 0.5) -> Checkpoint:
    """What lies in a folder for drafts can be opened: pictures, sounds, films by their kind, all else as files."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        changed = submission.changed().items()
        drafts = [path for path, how in changed if path.startswith(f"{folder}/") and how != "deleted"]
        for path in drafts:
            _READERS.get(PurePosixPath(path).suffix, require_file)(submission, path)
        return finding(holds=True, evidence=f"{len(drafts)} drafts, all can be opened")

    return leaf(
        id,
        "What is left as a draft can be opened",
        check,
        observes=(f"file:{folder}/*",),
        kind="guardrail",
        weight=weight,
    )
