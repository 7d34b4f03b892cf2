"""Leaves about forms that were sent from the pages of a world's sites, as its browser has noted them."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, finding, leaf
from yardkit.evaluators.readers.answers import find_numbers, fold
from yardkit.evaluators.readers.files import parse_once, require_file_in
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import reading

_SESSION = "browser/session.json"
_MAX_BYTES = 20_000_000


@dataclass(frozen=True)
class Post:
    """A form that was sent. fields: by name; of several of one name the last."""

    url: str
    fields: Mapping[str, str]


def sent_once(id: str, says: str, url: str, *, weight: float = 1.0) -> Checkpoint:
    """One form was sent, to this address, and nothing else from any page."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        sent = [post.url for post in read_posts(submission)]
        return finding(sent == [url], f"sent: {sent}")

    return leaf(id, says, check, observes=("post:sent",), weight=weight)


def filled_in(
    id: str,
    says: str,
    url: str,
    wanted: Callable[[Facts], Mapping[str, str]],
    *,
    numbers: Collection[str] = (),
    weight: float = 1.0,
) -> Checkpoint:
    """What was sent last to this address has these fields and no others; of `numbers` the number counts alone."""

    def value_of(name: str, text: str) -> object:
        return find_numbers(text)[:1] if name in numbers else squeezed(text)

    def check(submission: Submission, facts: Facts) -> Finding:
        sent = [post.fields for post in read_posts(submission) if post.url == url]
        if not sent:
            return finding(holds=False, evidence=f"nothing was sent to {url}")
        held, truth = sent[-1], wanted(facts)
        odd = [
            f"{name}: {held.get(name)!r}, expected {truth.get(name)!r}"
            for name in sorted({*held, *truth})
            if name not in held or name not in truth or value_of(name, held[name]) != value_of(name, truth[name])
        ]
        return finding(not odd, "; ".join(odd) or "all fields are right")

    return leaf(id, says, check, observes=("post:fields",), weight=weight)


def squeezed(text: str) -> str:
    """A text without blanks, whatever its case."""
    return "".join(fold(text).split())


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
