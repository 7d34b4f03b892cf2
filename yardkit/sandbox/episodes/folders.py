"""The folder of an episode, removed again if the episode cannot be made."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from yardkit.sandbox.episodes.ids import ALL, Share
from yardkit.world import Problem, reason_of, remove_world, skip_syncing


def new_directory(runs: Path, share: Share = ALL) -> Path:
    """Make a new folder below `runs` for one episode, readable only by this user."""
    runs.mkdir(parents=True, exist_ok=True)
    directory = runs / share.new_id()
    directory.mkdir(mode=0o700)
    return directory


@contextmanager
def make_episode_folder(runs: Path, share: Share) -> Iterator[Path]:
    """Make a new episode folder for the block; remove it if the block fails."""
    try:
        directory = new_directory(runs, share)
    except OSError as error:
        raise _problem_of(error) from error
    try:
        with skip_syncing():
            yield directory
    except OSError as error:
        remove_world(directory)
        raise _problem_of(error) from error
    except BaseException:
        remove_world(directory)
        raise


def _problem_of(error: OSError) -> Problem:
    # Without the path, since an agent may read this.
    reason = reason_of(error) if error.strerror else type(error).__name__
    return Problem(f"cannot make the episode: {reason}; free disk space or keep episodes elsewhere (--runs)")
