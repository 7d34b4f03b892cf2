"""Leaves about a web page that shows a picture, and what it leads to."""

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.web.browser import browse_page
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission

_LEAST = 0.6
"""Which part of the window, or of its own width, a picture is wide at least."""


def page_shows(
    id: str, says: str, page: str, picture: str, widths: Sequence[int], *, weight: float = 1.0
) -> Checkpoint:
    """In windows of these widths a page shows a picture in a size to read it, and nothing of it is cut or stretched."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        wrong = []
        for view in browse_page(submission, page, widths):
            seen = [one for one in view.pictures if _is(one.source, picture) and one.state == "seen"]
            large = any(one.shown[0] >= _LEAST * min(view.width, one.size[0]) for one in seen)
            lacking = [] if large else [f"no {picture} in a size to read it"]
            wrong += [f"at {view.width} px: {text}" for text in (*view.misfits(), *lacking)]
        return finding(not wrong, f"{wrong[:4] or f'whole at {list(widths)} px'}")

    return leaf(id, says, check, observes=_targets(page, "pictures"), weight=weight)


def alternative(
    id: str, says: str, page: str, picture: str, text: Callable[[Facts], str], *, weight: float = 1.0
) -> Checkpoint:
    """Wherever a page shows a picture, this is its alternative text."""

    def check(submission: Submission, facts: Facts) -> Finding:
        told = [alt for source, alt in read_html(submission, page).pictures if _is(source, picture)]
        return finding(
            bool(told) and all(fold(alt) == fold(text(facts)) for alt in told), f"{picture} is called {told}"
        )

    return leaf(id, says, check, observes=_targets(page, "pictures"), weight=weight)


def links_to(id: str, says: str, page: str, address: Callable[[Facts], str], *, weight: float = 1.0) -> Checkpoint:
    """A page has a link to this address, such as ``mailto:ada@example.com``; what is behind a ``?`` is free."""

    def check(submission: Submission, facts: Facts) -> Finding:
        found = [to for text, to in read_html(submission, page).links if text]
        return finding(any(fold(to.partition("?")[0]) == fold(address(facts)) for to in found), f"links to {found}")

    return leaf(id, says, check, observes=_targets(page, "links"), weight=weight)


def _is(source: str, picture: str) -> bool:
    return PurePosixPath(source.partition("?")[0]).name == PurePosixPath(picture).name


def _targets(page: str, kind: str) -> tuple[str, ...]:
    return f"file:{page}", f"text:{page}", f"{kind}:{page}"
