"""Pages in the browser of a world, for tests."""

import json
import re
from typing import Any

from yardkit.world import World


def find_ref(page: Any, element: str) -> str:
    """The ref of an element of a page, such as ``button "Add"``."""
    match = re.search(rf"{re.escape(element)}.*?\[ref=(\w+)\]", page["tree"])
    assert match, page["tree"]
    return match[1]


def session_of(world: World) -> Any:
    """What the browser of a world keeps."""
    return json.loads((world.root / "apps/browser/session.json").read_text("utf-8"))
