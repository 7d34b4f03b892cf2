"""What a page is asked for and what it answers, and the pieces that pages share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlsplit

from yardkit.kit.markup import Html, make_tag


@dataclass(frozen=True)
class Request:
    """A request for a page.

    Attributes:
        path: its parts.
        query, fields: texts by name, of the address and of the form that was sent; in their order.
        cookies: by name.
    """

    path: tuple[str, ...]
    query: Mapping[str, Sequence[str]] = field(default_factory=dict)
    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, url: str, body: str, cookies: Mapping[str, str]) -> "Request":
        """The request for an address with what a form sent."""
        parts = urlsplit(url)
        path = tuple(unquote(name) for name in parts.path.split("/") if name)
        return cls(path, _parse_form(parts.query), _parse_form(body), cookies)

    def get_query_text(self, name: str) -> str:
        """A text of the address; empty where there is none."""
        return next(iter(self.query.get(name, ())), "")

    def get_form_text(self, name: str) -> str:
        """A text of the form that was sent; empty where there is none."""
        return next(iter(self.fields.get(name, ())), "")


@dataclass(frozen=True)
class Page:
    """A page. body: what stands below the head of the site."""

    title: str
    body: Html
    status: int = 200


@dataclass(frozen=True)
class Sent:
    """What came of a form that was sent: the browser goes on to an address.

    Attributes:
        path: of the address, on the same host.
        page: what stands there this once, such as the form with what is wrong; else what is always there.
        cookies: that the browser keeps from now on.
    """

    path: str
    page: Page | None = None
    cookies: Mapping[str, str] = field(default_factory=dict)


class NoPage(Exception):
    """There is no such page; the words say what there is instead."""


def number_of(text: str) -> int:
    """The number of a record in an address.

    Raises:
        NoPage: it is not valid.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise NoPage(f"{text[:60]!r} is not a valid number.")
    return int(text)


def build_notice(title: str, text: str) -> Html:
    """A page's body that says one thing."""
    return make_tag("section", make_tag("h1", title), make_tag("p", text), class_="card")


def build_error(text: str) -> Html | None:
    """That something is wrong; nothing where nothing is."""
    return make_tag("p", text, role="alert", class_="wrong") if text else None


def build_hint(text: str) -> Html | None:
    """What helps to fill in a field."""
    return make_tag("p", text, class_="hint") if text else None


def split_paragraphs(text: str) -> list[Html]:
    """A text of several lines."""
    return [make_tag("p", part) for part in text.split("\n") if part.strip()]


def _parse_form(encoded: str) -> dict[str, list[str]]:
    return parse_qs(encoded, keep_blank_values=True, errors="replace", max_num_fields=5_000)
