"""Mutants of forms that the solver sent from the pages of sites.

Targets are ``post:sent#https://shop.example/order`` (not sent, sent twice, sent to another address) and
``post:fields#pieces`` (another value, left out). Forms sent to the page of an app are in the app's records.
"""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

from yardkit.apps import sites
from yardkit.apps.sites import host_of, site_of
from yardkit.evaluators.mutations.answers import changed_number, changed_word
from yardkit.evaluators.mutations.mutant import Mutant, on_apps
from yardkit.evaluators.submission import Submission

MAX_POSTS = 4
"""Forms of one world that are mutated."""
MAX_FIELDS = 6
"""Fields of one form that are mutated, each in every way."""
_SESSION = "browser/session.json"
Posts = list[dict[str, Any]]
Fields = list[tuple[str, str]]


def post_mutants(submission: Submission, rng: random.Random) -> Iterator[Mutant]:
    """Generate all mutants of the forms sent in a solved submission, with its untouched world; none without forms."""
    if not (submission.apps / _SESSION).is_file():
        return
    posts = _read_posts(submission.apps)
    known = len(_read_posts(submission.untouched.apps))
    sent = [place for place in range(known, len(posts)) if _is_of_site(submission.apps, str(posts[place]["url"]))]
    for place in sorted(rng.sample(sent, min(MAX_POSTS, len(sent)))):
        yield from _of_post(place, str(posts[place]["url"]))
        yield from _of_fields(place, parse_qsl(str(posts[place]["body"]), keep_blank_values=True), rng)


def _is_of_site(apps: Path, url: str) -> bool:
    return site_of(apps / sites.APP, host_of(url)) is not None


def _of_post(place: int, url: str) -> Iterator[Mutant]:
    other = f"{url.rstrip('/')}-2"
    changes: dict[str, tuple[str, Callable[[Posts], object]]] = {
        "drop_post": ("was not sent", lambda posts: posts.pop(place)),
        "send_post_twice": ("was sent twice", lambda posts: posts.insert(place, dict(posts[place]))),
        "readdress_post": (f"went to {other}", lambda posts: posts[place].update(url=other)),
    }
    for operator, (description, change) in changes.items():
        yield Mutant(operator, f"post:sent#{url}", f"the form for {url} {description}", on_apps(_resend_posts(change)))


def _of_fields(place: int, fields: Fields, rng: random.Random) -> Iterator[Mutant]:
    for number in sorted(rng.sample(range(len(fields)), min(MAX_FIELDS, len(fields)))):
        name, value = fields[number]
        other = _other_value(value, rng)
        changed = [*fields[:number], (name, other), *fields[number + 1 :]]
        yield _make_field_mutant("change_field", place, name, f"is {other!r} instead of {value!r}", changed)
        left = [*fields[:number], *fields[number + 1 :]]
        yield _make_field_mutant("drop_field", place, name, "was not sent", left)


def _other_value(value: str, rng: random.Random) -> str:
    """Change the first number of a value, else its words; fill an empty value."""
    if any(character in "0123456789" for character in value):
        return _with_other_number(value, rng)
    return " ".join(map(changed_word, value.split())) or "x"


def _with_other_number(text: str, rng: random.Random) -> str:
    start = next(place for place, character in enumerate(text) if character in "0123456789")
    end = next((place for place in range(start, len(text)) if text[place] not in "0123456789"), len(text))
    return text[:start] + changed_number(text[start:end], rng) + text[end:]


def _make_field_mutant(operator: str, place: int, name: str, description: str, fields: Fields) -> Mutant:
    change = _resend_posts(lambda posts: posts[place].update(body=urlencode(fields)))
    return Mutant(operator, f"post:fields#{name}", f"the field {name} {description}", on_apps(change))


def _resend_posts(change: Callable[[Posts], object]) -> Callable[[Path], None]:
    def apply(apps: Path) -> None:
        session = json.loads((apps / _SESSION).read_bytes())
        change(session["posts"])
        (apps / _SESSION).write_text(json.dumps(session), "utf-8")

    return apply


def _read_posts(apps: Path) -> Posts:
    path = apps / _SESSION
    posts: Posts = json.loads(path.read_bytes())["posts"] if path.is_file() else []
    return posts
