"""Near misses of films."""

from typing import Any

from yardkit.evaluators.misses.edits import FilePath, Leaves, make_miss
from yardkit.evaluators.mutations.film_edits import FilmEdit, rewrite_film
from yardkit.evaluators.proof import Miss, Solved


def film_edited(path: FilePath, caught_by: Leaves, *, source: FilePath | None = None, **changes: Any) -> Miss:
    """A near miss that encodes a film again, or from another film, with the changes of a `FilmEdit`.

    A change that is a function of one argument gets the solved world and returns the change.
    """

    def corrupt_world(work: Solved) -> None:
        source_name, target = (name if isinstance(name, str) else name(work) for name in (source or path, path))
        resolved_changes = {
            name: value(work) if _takes_one_argument(value) else value for name, value in changes.items()
        }
        rewrite_film(work.files / source_name, work.files / target, FilmEdit(**resolved_changes))

    return make_miss(caught_by, corrupt_world)


def _takes_one_argument(change: Any) -> bool:
    return callable(change) and change.__code__.co_argcount == 1
