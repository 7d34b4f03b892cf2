"""Leaves about forms that were sent from the pages of a world's sites, as recorded by its browser."""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.files import parse_once, require_file_in
from yardkit.evaluators.submission import Submission
from yardkit.evaluators.watching import watch_reading

_SESSION = "browser/session.json"
_MAX_BYTES = 20_000_000


@dataclass(frozen=True)
class Post:
    """A form that was sent. fields: the values by name; of several with one name, the last."""

    url: str
    fields: Mapping[str, str]


def sent_once(id: str, statement: str, url: str, *, weight: float = 1.0) -> Checkpoint:
    """Exactly one form was sent from all pages, to this address."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        sent = [post.url for post in read_posts(submission)]
        return make_finding(sent == [url], f"sent: {sent}")

    return make_checkpoint(id, statement, check, covers=("post:sent",), weight=weight)


def filled_in(
    id: str,
    statement: str,
    url: str,
    expected: Callable[[Facts], Mapping[str, str]],
    *,
    numbers: Collection[str] = (),
    weight: float = 1.0,
) -> Checkpoint:
    """The last form sent to this address has exactly these fields; for `numbers`, only the number counts."""

    def value_of(name: str, text: str) -> object:
        return find_numbers(text)[:1] if name in numbers else squeeze_text(text)

    def check(submission: Submission, facts: Facts) -> Finding:
        sent = [post.fields for post in read_posts(submission) if post.url == url]
        if not sent:
            return make_finding(holds=False, evidence=f"nothing was sent to {url}")
        sent_fields, truth = sent[-1], expected(facts)
        problems = [
            f"{name}: {sent_fields.get(name)!r}, expected {truth.get(name)!r}"
            for name in sorted({*sent_fields, *truth})
            if name not in sent_fields
            or name not in truth
            or value_of(name, sent_fields[name]) != value_of(name, truth[name])
        ]
        return make_finding(not problems, "; ".join(problems) or "all fields are right")

    return make_checkpoint(id, statement, check, covers=("post:fields",), weight=weight)


def squeeze_text(text: str) -> str:
    """Remove blanks and letter case from a text."""
    return "".join(simplify_text(text).split())


def read_posts(submission: Submission) -> list[Post]:
    """Read all forms that were sent, in order; none if no page was opened.

    Raises:
        InvalidArtifact: the state of the browser cannot be read.
    """
    if not (submission.apps / _SESSION).exists():
        return []
    path = require_file_in(submission.apps, _SESSION, _MAX_BYTES)
    try:
        with watch_reading(path):
            return parse_once(_read_posts, path)
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidArtifact(f"{_SESSION} cannot be read ({error})") from error


def _read_posts(path: Path) -> list[Post]:
    sent = json.loads(path.read_bytes())["posts"]
    return [Post(str(post["url"]), dict(parse_qsl(str(post["body"]), keep_blank_values=True))) for post in sent]
