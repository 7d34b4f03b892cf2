"""Near misses of events."""

from collections.abc import Callable

from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.proof import Miss, Solved
from yardkit.evaluators.readers.content_lines import unfold_lines


def event_changed(path: Callable[[Solved], str], change: Callable[[str, Solved], str], caught_by: Leaves) -> Miss:
    """The text of a calendar's file, below the apps, is changed; its lines are passed unfolded."""

    def corrupt_world(work: Solved) -> None:
        file = work.apps / path(work)
        text = "\n".join(unfold_lines(file.read_bytes())) + "\n"
        file.write_bytes(change(text, work).replace("\n", "\r\n").encode())

    return make_miss(caught_by, corrupt_world)


def event_file(work: Solved, title: str) -> str:
    """Find the path, below the apps, of the only event with this title in all calendars."""
    paths = sorted((work.apps / "calendar").glob("*/*/*.ics"))
    matching_paths = [
        path for path in paths if f"SUMMARY:{title}\n" in "\n".join(unfold_lines(path.read_bytes())) + "\n"
    ]
    if len(matching_paths) != 1:
        raise LookupError(f"expected one event with the title {title!r}, found {len(matching_paths)}")
    return matching_paths[0].relative_to(work.apps).as_posix()
