"""What the copies of a solved world have printed by LibreOffice, printed at once: a start of it takes longest."""

from collections.abc import Mapping
from pathlib import Path

from toolyard.evaluators.readers.rendered import print_ahead, printed_at, show_slides_ahead, slides_shown
from toolyard.evaluators.submission import Submission
from toolyard.sandbox.episode import Episode


def printed_files(episode: Episode, files: Path) -> dict[str, list[int]]:
    """The delivered files of a graded workspace that leaves had printed, or the slides of them that they looked at."""
    delivered = Submission(files.parent, initial=episode.seeded.initial).changed()
    scratch = episode.directory / "scratch"
    found: dict[str, list[int]] = {}
    for relative in (each for each, how in delivered.items() if how != "deleted"):
        path = files / relative
        slides = slides_shown(path, scratch) if path.suffix == ".pptx" and (scratch / "slides").exists() else []
        if slides or (path.is_file() and not path.is_symlink() and printed_at(path, scratch).exists()):
            found[relative] = slides
    return found


def print_copies(episode: Episode, workspaces: list[Path], printed: Mapping[str, list[int]]) -> None:
    """Print what `printed_files` says of copies of a workspace; what fails is printed when it is asked for."""
    scratch = episode.directory / "scratch"
    whole = [files / each for files in workspaces for each, slides in printed.items() if not slides]
    decks = [(files / each, slides) for files in workspaces for each, slides in printed.items() if slides]
    print_ahead(whole, scratch)
    show_slides_ahead(decks, scratch)
