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
from yardkit.kit.markup import make_tag
from yardkit.servers.browser.engine.app_pages import courses, forms, shop
from yardkit.servers.browser.engine.app_pages.requests import NoPage, Page, Request, Sent, build_notice
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
    forms_app.HOST: Host(forms_app.APP, "forms", "Forms", forms.show_page, forms.take_form),
    shop_app.HOST: Host(
        shop_app.APP, "products", shop.name_of, shop.show_page, shop.take_form, (("/", "Products"), ("/cart", "Cart"))
    ),
    courses_app.HOST: Host(
        courses_app.APP, "courses", courses.name_of, courses.show_page, courses.take_form, (("/", "Courses"),)
    ),
}


def answer_request(world: World, request_data: dict[str, Any]) -> dict[str, Any] | None:
    """What a browser is given for a request; None where no app has this host.

    Args:
        world: whose apps are shown.
        request_data: ``method``, ``url``, of a request for a tab's page ``top`` (true), ``body``, ``kind`` of the body,
            ``cookies`` by name, and ``origin`` of the sending page, which defaults to this host.
            Parts of pages get the style alone.
    """
    url = request_data["url"]
    host = HOSTS.get(host_of(url)) or _shop_with(world, host_of(url))
    if host is None:
        return None
    if request_data["method"] == "GET" and urlsplit(url).path == _LOOK:
        return {"status": 200, "type": "text/css", "body": _read_style()}
    if not request_data.get("top"):
        return {"status": 403, "type": "text/plain", "body": "Open this address as a separate page."}
    if request_data["method"] in ("GET", "HEAD"):
        return _show_host(world, host, request_data)
    return (
        _take_submission(world, host, request_data)
        if _is_of_own_page(request_data)
        else _draw_document(world, host, _build_foreign_page(request_data))
    )


def _shop_with(world: World, name: str) -> Host | None:
    """The shop, where it has an address of its own with this host."""
    host = HOSTS[shop_app.HOST]
    try:
        return host if name and _has_app(world, host) and name == host_of(shop.address_of(world)) else None
    except Problem:  # of a damaged shop, whose usual address says so
        return None


def _is_of_own_page(request_data: dict[str, Any]) -> bool:
    return host_of(request_data.get("origin", request_data["url"])) == host_of(request_data["url"])


def _build_foreign_page(request_data: dict[str, Any]) -> Page:
    here, there = host_of(request_data["url"]), host_of(request_data["origin"]) or "a page without an address"
    text = f"{here} takes what its own pages send; this came from {there}. Open {here} and fill in the form there."
    return Page("Not taken", build_notice("This was not accepted", text), 403)


def _show_host(world: World, host: Host, request_data: dict[str, Any]) -> dict[str, Any]:
    try:
        _require_app(world, host)
        page = host.show(world, _parse_request(request_data))
    except NoPage as error:
        page = Page("Not found", build_notice("There is no such page", str(error)), 404)
    except Problem as error:
        page = Page("Out of order", build_notice("This page is out of order", str(error)), 500)
    return _draw_document(world, host, page)


def _take_submission(world: World, host: Host, request_data: dict[str, Any]) -> dict[str, Any]:
    parts = urlsplit(request_data["url"])
    try:
        _require_app(world, host)
        if request_data["method"] != "POST" or request_data["kind"].split(";")[0] != _FORM:
            raise Problem("This site accepts only its own forms.")
        sent = host.take(world, _parse_request(request_data))
    except NoPage as error:
        sent = Sent(parts.path, Page("Not found", build_notice("There is no such page", str(error)), 404))
    except Problem as error:
        sent = Sent(parts.path, Page("Not taken", build_notice("This was not accepted", str(error)), 400))
    page = _draw_document(world, host, sent.page) if sent.page is not None else None
    url = f"{parts.scheme}://{parts.netloc}{sent.path}"
    return {"status": 204, "then": {"url": url, "page": page, "cookies": dict(sent.cookies)}}


def _parse_request(request_data: dict[str, Any]) -> Request:
    if len(request_data["body"]) > MAX_BODY:
        raise Problem(
            f"The form data has {len(request_data['body']):,} characters; this site accepts at most {MAX_BODY:,}."
        )
    try:
        return Request.parse(request_data["url"], request_data["body"], request_data["cookies"])
    except ValueError as error:
        raise Problem("The form data cannot be read.") from error


def _has_app(world: World, host: Host) -> bool:
    return (world.root / "apps" / host.app / f"{host.app}.sqlite").is_file()


def _require_app(world: World, host: Host) -> None:
    if not _has_app(world, host):
        raise NoPage(f"There are no {host.noun} here yet.")


def _draw_document(world: World, host: Host, page: Page) -> dict[str, Any]:
    """A whole document; the browser keeps it as that of its tab."""
    try:
        head = host.head if isinstance(host.head, str) else host.head(world)
    except Problem:  # what is wrong stands on the page
        head = ""
    links = [make_tag("a", words, href=path) for path, words in host.links]
    html = make_tag(
        "html",
        make_tag(
            "head",
            make_tag("meta", charset="utf-8"),
            make_tag("title", page.title),
            make_tag("link", rel="stylesheet", href=_LOOK),
        ),
        make_tag(
            "body",
            make_tag("header", make_tag("strong", head), make_tag("nav", links) if links else None),
            make_tag("main", page.body),
        ),
        lang="en",
    )
    if len(html) > MAX_PAGE:
        return _draw_document(
            world, host, Page("Too long", build_notice("This page is too long", "It cannot be shown."), 500)
        )
    return {"status": page.status, "type": _HTML, "body": f"<!doctype html>{html}", "kept": True}


def _read_style() -> str:
    return (files(__package__) / "look.css").read_text("utf-8")
