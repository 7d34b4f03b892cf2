"""Near misses of delivered sounds."""

from collections.abc import Callable
from typing import Any

from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.proof import Miss, Solved
from yardkit.evaluators.readers.media.sounds import Sound, decode_sound
from yardkit.evaluators.sound_files import save_again


def sound_changed(path: str, change: Callable[[Sound], dict[str, Any]], caught_by: Leaves) -> Miss:
    """A sound has other `samples`, `tags` or `chapters`: those that `change` returns for the sound."""

    def corrupt_world(work: Solved) -> None:
        sound = decode_sound(work.files / path)
        save_again(work.files / path, sound, **change(sound))

    return make_miss(caught_by, corrupt_world)
