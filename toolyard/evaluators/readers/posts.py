"""What the pages of a world's sites sent: the forms that were posted in its browser."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl

from toolyard.evaluators.checkpoints import InvalidArtifact
from toolyard.evaluators.readers.files import parse_once, require_file_in
from toolyard.evaluators.submission import Submission
from toolyard.evaluators.watching import reading

_SESSION = "browser/session.json"
_MAX_BYTES = 20_000_000


@dataclass(frozen=True)
class Post:
    """A form that was sent. fields: by name; of several of one name the last."""

    url: str
    fields: Mapping[str, str]


def read_posts(submission: Submission) -> list[Post]:
    """All that was sent, in order; nothing where no page was opened.

    Raises:
        InvalidArtifact: the state of the browser cannot be read.
    """
    if not (submission.apps / _SESSION).exists():
        return []
    path = require_file_in(submission.apps, _SESSION, _MAX_BYTES)
    try:
        with reading(path):
            return parse_once(_posts, path)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidArtifact(f"{_SESSION} cannot be read ({error})") from error


def _posts(path: Path) -> list[Post]:
    sent = json.loads(path.read_bytes())["posts"]
    return [Post(str(one["url"]), dict(parse_qsl(str(one["body"]), keep_blank_values=True))) for one in sent]
