"""Reading contacts of the app `contacts`, with code of our own."""

from dataclasses import dataclass

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers.content_lines import content_lines
from yardkit.evaluators.readers.files import require_file_in, same_file
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import reading

MAX_BYTES = 5_000_000


@dataclass(frozen=True)
class SeenContact:
    """A contact. user: in whose address book it is; values: the texts of each property, by its name in capitals."""

    user: str
    uid: str
    name: str
    values: dict[str, list[str]]


def read_contacts(submission: Submission, user: str = "*") -> list[SeenContact]:
    """All contacts of a world, or of one person.

    Raises:
        InvalidArtifact: a file that was none before, or was another, cannot be read.
    """
    found = []
    for path in sorted((submission.apps / "contacts").glob(f"{user}/*.vcf")):
        relative = path.relative_to(submission.apps).as_posix()
        try:
            found.append(_read(submission, relative))
        except InvalidArtifact:
            old = submission.untouched.apps / relative if submission.before else path
            if not same_file(old, path):
                raise
    return found


def _read(submission: Submission, relative: str) -> SeenContact:
    path = require_file_in(submission.apps, relative, MAX_BYTES)
    values: dict[str, list[str]] = {}
    with reading(path):
        for line in content_lines(path.read_bytes()):
            texts = line.texts(";") if line.name in ("N", "ADR", "ORG") else [line.text.strip()]
            values.setdefault(line.name, []).append(", ".join(text for text in texts if text))
    if "UID" not in values or "FN" not in values:
        raise InvalidArtifact(f"{relative} is not a valid card: it has no UID or no FN")
    return SeenContact(relative.split("/")[1], values["UID"][0], values["FN"][0], values)
