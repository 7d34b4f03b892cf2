"""Leaves about a web page that shows a picture and has links."""

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.web.browser import browse_page
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission

_LEAST = 0.6
"""Which part of the window, or of its own width, a picture is wide at least."""


def page_shows(
    id: str, statement: str, page: str, picture: str, widths: Sequence[int], *, weight: float = 1.0
) -> Checkpoint:
    """In windows of these widths a page shows a picture at a legible size, neither cropped nor stretched."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        wrong = []
        for view in browse_page(submission, page, widths):
            seen = [
                view_picture
                for view_picture in view.pictures
                if _is_picture(view_picture.source, picture) and view_picture.state == "seen"
            ]
            large = any(
                view_picture.displayed_size[0] >= _LEAST * min(view.width, view_picture.size[0])
                for view_picture in seen
            )
            problems = [] if large else [f"no {picture} in a size to read it"]
            wrong += [f"at {view.width} px: {text}" for text in (*view.list_misfits(), *problems)]
        return make_finding(not wrong, f"{wrong[:4] or f'whole at {list(widths)} px'}")

    return make_checkpoint(id, statement, check, covers=_list_targets(page, "pictures"), weight=weight)


def check_alternative_text(
    id: str, statement: str, page: str, picture: str, text: Callable[[Facts], str], *, weight: float = 1.0
) -> Checkpoint:
    """Every use of a picture on a page has this alternative text."""

    def check(submission: Submission, facts: Facts) -> Finding:
        alternatives = [alt for source, alt in read_html(submission, page).pictures if _is_picture(source, picture)]
        return make_finding(
            bool(alternatives) and all(simplify_text(alt) == simplify_text(text(facts)) for alt in alternatives),
            f"{picture} is called {alternatives}",
        )

    return make_checkpoint(id, statement, check, covers=_list_targets(page, "pictures"), weight=weight)


def links_to(id: str, statement: str, page: str, address: Callable[[Facts], str], *, weight: float = 1.0) -> Checkpoint:
    """A page has a link to this address, such as ``mailto:ada@example.com``; anything after a ``?`` is free."""

    def check(submission: Submission, facts: Facts) -> Finding:
        link_targets = [to for text, to in read_html(submission, page).links if text]
        return make_finding(
            any(simplify_text(to.partition("?")[0]) == simplify_text(address(facts)) for to in link_targets),
            f"links to {link_targets}",
        )

    return make_checkpoint(id, statement, check, covers=_list_targets(page, "links"), weight=weight)


def _is_picture(source: str, picture: str) -> bool:
    return PurePosixPath(source.partition("?")[0]).name == PurePosixPath(picture).name


def _list_targets(page: str, kind: str) -> tuple[str, ...]:
    return f"file:{page}", f"text:{page}", f"{kind}:{page}"
