"""Web pages in a headless Chromium of this process, without network: pictures, PDF, measurements.

It is started at the first call, works on one page at a time (another one is started if a page takes long), is killed at
the time limit, restarted after a crash or many pages, and ended when idle.
"""

import atexit
import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from yardkit.kit.pages.page_files import find_file, prepare_copy
from yardkit.kit.pages.undated import strip_dates
from yardkit.kit.pictures import PageImage
from yardkit.programs.chromium import browser_command, browser_environment, browser_jail
from yardkit.programs.keeper import Keeper, take_free_turn
from yardkit.programs.worker import Gone, Overrun, WorkerProcess
from yardkit.world import Problem
from yardkit.world.limits import check_bytes
from yardkit.world.tree import clone_file

PAGE_S = 45.0
"""Time that one page may take, scripts included."""
MAX_SHOT_HEIGHT = 12_000
"""Pixels of height of a picture of a whole page; the rest is cut off."""
_WORKER = Path(__file__).with_name("browser_worker.py")


@dataclass(frozen=True)
class Shot:
    """A requested picture: the complete page (`full`), the first screen, or the first element matching `selector`."""

    full: bool = True
    selector: str = ""
    max_height: int = MAX_SHOT_HEIGHT


@dataclass(frozen=True)
class Paper:
    """A requested PDF; lengths in CSS units, such as ``20mm``. A page's own @page size takes precedence."""

    size: Literal["A3", "A4", "A5", "Letter", "Legal"] = "A4"
    landscape: bool = False
    margin: str = "15mm"
    scale: float = 1.0
    backgrounds: bool = True


@dataclass(frozen=True)
class View:
    """The window for a page; sizes in CSS pixels."""

    width: int = 1280
    height: int = 800
    scale: float = 1.0
    dark: bool = False
    media: Literal["screen", "print"] = "screen"
    javascript: bool = True


@dataclass(frozen=True)
class Visit:
    """The result of opening a page.

    Attributes:
        width_px: the width of its content; if larger than the view's width, it overflows sideways.
        height_px: the height of its content.
        values: the results of the scripts, in order.
        picture: the picture, if requested.
        cut: whether the picture ends before the page.
        pdf: the PDF, if requested.
        missing: files of the workspace that it requested and that do not exist.
        blocked: addresses outside the workspace, whose requests were refused.
        console: errors that it logged.
    """

    title: str
    width_px: int
    height_px: int
    values: list[Any] = field(default_factory=list)
    picture: PageImage | None = None
    cut: bool = False
    pdf: bytes = field(default=b"", repr=False)
    missing: list[str] = field(default_factory=list)
    blocked: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)


def visit_page(
    page: Path,
    root: Path,
    *,
    content: str | None = None,
    view: View = View(),
    scripts: Sequence[tuple[str, Any]] = (),
    shot: Shot | None = None,
    paper: Paper | None = None,
    seconds: float = PAGE_S,
) -> Visit:
    """Open a page and take pictures or measurements.

    Args:
        page: an HTML, SVG or picture file below `root`.
        root: the only folder that the page can load from.
        content: HTML to show instead of the file, as if it were in the same folder.
        view: the width, height, scale ... of the window.
        scripts: JavaScript functions with one argument each, whose results are returned.
        shot: the requested picture.
        paper: the requested PDF.
        seconds: the time limit.

    Raises:
        Problem: the page cannot be opened, takes too long, or a script fails.
        Unavailable: Chromium or playwright is not installed.
    """
    if content is None:
        check_bytes(page)
    job = {
        "url_path": "/" + quote(page.relative_to(root).as_posix()) + ("" if content is None else "~page"),
        "content": content,
        "content_type": "text/html; charset=utf-8",
        "scripts": [list(script) for script in scripts],
        "seconds": seconds,
        **asdict(view),
    }
    once = partial(_visit_once, page.name, root, job, shot, paper, seconds)
    with take_free_turn(_keepers) as keeper:
        for _ in range(2):
            try:
                return once(keeper)
            except Gone:
                keeper.stop()
    raise Problem(f"the browser crashes on {page.name!r}; simplify the page")


def _visit_once(
    name: str, root: Path, job: dict[str, Any], shot: Shot | None, paper: Paper | None, seconds: float, keeper: Keeper
) -> Visit:
    process = keeper.get_worker()
    picture, pdf = process.base / "shot.png", process.base / "page.pdf"
    try:
        supply = partial(_copy_file, root, process.base)
        answer = process.ask({**job, **_build_request(picture, pdf, shot, paper)}, seconds, supply)
    except Overrun as error:
        keeper.stop()
        raise Problem(f"{name!r} needed more than {error} in the browser and was given up") from None
    if "failed" in answer:
        raise _make_problem(name, answer, shot)
    return _read_result(answer["result"], picture, pdf)


def _copy_file(root: Path, base: Path, path: str) -> tuple[str, str] | None:
    """Copy a file of `root` to where the browser sees it; return the copy and its content type, or None."""
    file = find_file(root, path)
    if file is None:
        return None
    copy = base / f"shown{next(_numbers)}"
    clone_file(file, copy)
    copy.chmod(0o600)
    return str(copy), prepare_copy(copy, file)


def _build_request(picture: Path, pdf: Path, shot: Shot | None, paper: Paper | None) -> dict[str, Any]:
    browser_request: dict[str, Any] = {}
    if shot:
        values = {"full": shot.full, "selector": shot.selector, "max_height": shot.max_height}
        browser_request |= {"picture": str(picture), **values}
    if paper:
        sides = dict.fromkeys(("top", "right", "bottom", "left"), paper.margin)
        browser_request |= {"pdf": str(pdf), "pdf_options": _paper_options(paper) | {"margin": sides}}
    return browser_request


def _paper_options(paper: Paper) -> dict[str, Any]:
    return {
        "format": paper.size,
        "landscape": paper.landscape,
        "scale": paper.scale,
        "print_background": paper.backgrounds,
        "prefer_css_page_size": True,
    }


def _read_result(page_facts: dict[str, Any], picture: Path, pdf: Path) -> Visit:
    clip = page_facts.pop("clip")
    image = _read_image(picture) if clip else None
    printed = strip_dates(pdf.read_bytes()) if pdf.is_file() else b""
    picture.unlink(missing_ok=True)
    pdf.unlink(missing_ok=True)
    return Visit(**page_facts, picture=image, pdf=printed)


def _read_image(path: Path) -> PageImage:
    data = path.read_bytes()
    # a PNG's header has the width and height at fixed offsets
    return PageImage(data, "image/png", int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))


def _make_problem(name: str, answer: dict[str, Any], shot: Shot | None) -> Problem:
    if answer["failed"] == "time" and shot and shot.selector:
        return Problem(f"no visible element of {name!r} matches {shot.selector!r}; query the page first")
    if answer["failed"] == "time":
        return Problem(f"{name!r} was not loaded in time ({answer['message']}); simplify the page")
    return Problem(f"the browser could not do this with {name!r}: {answer['message']}")


def _start_browser() -> WorkerProcess:
    return WorkerProcess("Chromium", partial(browser_command, driver=_WORKER), browser_environment, jail=browser_jail())


_numbers = itertools.count()
_MOST = 3
"""Browsers that work at a time; the second is started where a page keeps the first busy."""
_keepers = tuple(
    Keeper("Chromium", _start_browser, wait_s=120, max_jobs=200, max_idle_bytes=1_500_000_000) for _ in range(_MOST)
)
_keeper = _keepers[0]


@atexit.register
def stop_browser() -> None:
    """End the browser; the next call starts it again."""
    for keeper in _keepers:
        keeper.stop()


def warm_browser() -> None:
    """Start the browser now, so that the first call does not wait for it."""
    with _keeper.take_turn():
        _keeper.get_worker()
