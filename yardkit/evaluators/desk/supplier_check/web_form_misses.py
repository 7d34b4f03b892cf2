"""Near misses of forms that were sent from the pages of a world's sites."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.proof import Miss, Solved

Posts = list[dict[str, Any]]
"""What pages sent, each with ``url`` and ``body``."""


def posts_changed(change: Callable[[Posts, Facts], object], caught_by: Leaves) -> Miss:
    """Other forms were sent."""

    def corrupt_world(work: Solved) -> None:
        path = work.apps / "browser/session.json"
        session = json.loads(path.read_bytes())
        change(session["posts"], work.facts)
        path.write_text(json.dumps(session), "utf-8")

    return make_miss(caught_by, corrupt_world)


def field_changed(field: str, fact: str, caught_by: Leaves) -> Miss:
    """A field of the first sent form has the value of a fact."""

    def change(posts: Posts, facts: Facts) -> None:
        posts[0]["body"] = urlencode({**dict(parse_qsl(posts[0]["body"])), field: str(facts[fact])})

    return posts_changed(change, caught_by)
