"""The hosts of pages that are drawn from apps: a request comes in, a page or a way to go on comes out."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

from yardkit.apps import courses as courses_app
from yardkit.apps import forms as forms_app
from yardkit.apps import shop as shop_app
from yardkit.apps.sites import host_of
from yardkit.kit.markup import tag
from yardkit.servers.browser.engine.app_pages import courses, forms, shop
from yardkit.servers.browser.engine.app_pages.requests import NoPage, Page, Request, Sent, notice
from yardkit.world import Problem, World

MAX_BODY, MAX_PAGE = 4_000_000, 2_000_000
"""Characters of what a form sends, and of a page."""
_LOOK = "/look.css"
_HTML = "text/html; charset=utf-8"
_FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Host:
    """A host.

    Attributes:
        app: whose records it shows; noun: what they are, for a world that has none.
        head: what stands above each page; links: paths there with their words.
        show: draws the page of a request, and changes nothing; take: does what a form was sent for.
    """

    app: str
    noun: str
    head: str | Callable[[World], str]
    show: Callable[[World, Request], Page]
    take: Callable[[World, Request], Sent]
    links: Sequence[tuple[str, str]] = ()


HOSTS = {
    forms_app.HOST: Host(forms_app.APP, "forms", "Forms", forms.show, forms.take),
    shop_app.HOST: Host(
        shop_app.APP, "products", shop.name_of, shop.show, shop.take, (("/", "Products"), ("/cart", "Cart"))
    ),
    courses_app.HOST: Host(
        courses_app.APP, "courses", courses.name_of, courses.show, courses.take, (("/", "Courses"),)
    ),
}


def answer(world: World, wanted: dict[str, Any]) -> dict[str, Any] | None:
    """What a browser is given for a request; None where no app has this host.

    Args:
        world: whose apps are shown.
        wanted: ``method``, ``url``, and of a request for the page of a tab itself ``top`` (true), ``body``, ``kind`` of
            the body, ``cookies`` by name, and ``origin`` of the page that sends, which is of this host where it is left
            out. Parts of pages are given the style alone.
    """
    url = wanted["url"]
    host = HOSTS.get(host_of(url)) or _shop_with(world, host_of(url))
    if host is None:
        return None
    if wanted["method"] == "GET" and urlsplit(url).path == _LOOK:
        return {"status": 200, "type": "text/css", "body": _style()}
    if not wanted.get("top"):
        return {"status": 403, "type": "text/plain", "body": "Open this address as a separate page."}
    if wanted["method"] in ("GET", "HEAD"):
        return _shown(world, host, wanted)
    return _taken(world, host, wanted) if _is_of_own_page(wanted) else _drawn(world, host, _foreign(wanted))


def _shop_with(world: World, name: str) -> Host | None:
    """The shop, where it has an address of its own with this host."""
    host = HOSTS[shop_app.HOST]
    try:
        return host if name and _has_app(world, host) and name == host_of(shop.address_of(world)) else None
    except Problem:  # of a damaged shop, whose usual address says so
        return None


def _is_of_own_page(wanted: dict[str, Any]) -> bool:
    return host_of(wanted.get("origin", wanted["url"])) == host_of(wanted["url"])


def _foreign(wanted: dict[str, Any]) -> Page:
    here, there = host_of(wanted["url"]), host_of(wanted["origin"]) or "a page without an address"
    text = f"{here} takes what its own pages send; this came from {there}. Open {here} and fill in the form there."
    return Page("Not taken", notice("This was not accepted", text), 403)


def _shown(world: World, host: Host, wanted: dict[str, Any]) -> dict[str, Any]:
    try:
        _require_app(world, host)
        page = host.show(world, _request(wanted))
    except NoPage as error:
        page = Page("Not found", notice("There is no such page", str(error)), 404)
    except Problem as error:
        page = Page("Out of order", notice("This page is out of order", str(error)), 500)
    return _drawn(world, host, page)


def _taken(world: World, host: Host, wanted: dict[str, Any]) -> dict[str, Any]:
    parts = urlsplit(wanted["url"])
    try:
        _require_app(world, host)
        if wanted["method"] != "POST" or wanted["kind"].split(";")[0] != _FORM:
            raise Problem("This site accepts only its own forms.")
        sent = host.take(world, _request(wanted))
    except NoPage as error:
        sent = Sent(parts.path, Page("Not found", notice("There is no such page", str(error)), 404))
    except Problem as error:
        sent = Sent(parts.path, Page("Not taken", notice("This was not accepted", str(error)), 400))
    page = _drawn(world, host, sent.page) if sent.page is not None else None
    url = f"{parts.scheme}://{parts.netloc}{sent.path}"
    return {"status": 204, "then": {"url": url, "page": page, "cookies": dict(sent.cookies)}}


def _request(wanted: dict[str, Any]) -> Request:
    if len(wanted["body"]) > MAX_BODY:
        raise Problem(f"The form data has {len(wanted['body']):,} characters; this site accepts at most {MAX_BODY:,}.")
    try:
        return Request.of(wanted["url"], wanted["body"], wanted["cookies"])
    except ValueError as error:
        raise Problem("The form data cannot be read.") from error


def _has_app(world: World, host: Host) -> bool:
    return (world.root / "apps" / host.app / f"{host.app}.sqlite").is_file()


def _require_app(world: World, host: Host) -> None:
    if not _has_app(world, host):
        raise NoPage(f"There are no {host.noun} here yet.")


def _drawn(world: World, host: Host, page: Page) -> dict[str, Any]:
    """A whole document; the browser keeps it as that of its tab."""
    try:
        head = host.head if isinstance(host.head, str) else host.head(world)
    except Problem:  # what is wrong stands on the page
        head = ""
    links = [tag("a", words, href=path) for path, words in host.links]
    html = tag(
        "html",
        tag("head", tag("meta", charset="utf-8"), tag("title", page.title), tag("link", rel="stylesheet", href=_LOOK)),
        tag("body", tag("header", tag("strong", head), tag("nav", links) if links else None), tag("main", page.body)),
        lang="en",
    )
    if len(html) > MAX_PAGE:
        return _drawn(world, host, Page("Too long", notice("This page is too long", "It cannot be shown."), 500))
    return {"status": page.status, "type": _HTML, "body": f"<!doctype html>{html}", "kept": True}


def _style() -> str:
    return (files(__package__) / "look.css").read_text("utf-8")
