"""A newsletter as a web page: what it says, where its links lead, and how it looks on a phone and on a desk."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote, urlsplit

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, define_leaf, make_finding, make_group
from yardkit.evaluators.readers.web.browser import View, browse_page
from yardkit.evaluators.readers.web.html import read_html, show_text
from yardkit.evaluators.submission import Submission

FOLDER = "site/newsletter/2026-04"
FILE = f"{FOLDER}/newsletter.html"
STYLE = "site/brand/newsletter.css"
CONTENTS, EVENTS, BOX = "In this issue", "Events in April", "Write to us"
COLUMNS = ("Date", "Time", "Event", "Place")
PHONE, DESK, SMALLEST_PX = 375, 1200, 12.0
PREVIOUS = "site/newsletter/2026-03/newsletter.html"
_LEAST_PX = 160.0
"""How wide a picture of an article is at least; the prompt says it."""
_SIGNS = str.maketrans(
    {"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "} | dict.fromkeys("\u00ad\u200b\u2060")
)
_TEXT = ("p", "div", "span", "td", "li", "section", "article")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def _normalize_text(text: str) -> str:
    return " ".join(text.translate(_SIGNS).split())


def _resolve_address(address: str) -> str:
    """The path in the workspace that an address on the page leads to; of other addresses the address itself."""
    parts = urlsplit(address.strip())
    if parts.scheme or parts.netloc or not parts.path:
        return address.strip()
    if parts.path.startswith("/"):
        return f"not relative: {parts.path}"
    return posixpath.normpath(f"{FOLDER}/{unquote(parts.path)}")


@dataclass
class Part:
    """What stands between a heading and the next one of level 1 or 2."""

    heading: str
    lines: list[str] = field(default_factory=list)
    pictures: list[tuple[str, str]] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


def _get_tree(submission: Submission) -> Any:
    return read_html(submission, FILE).tree


def _list_parts(submission: Submission) -> list[Part]:
    """The page by its headings of level 1 and 2, or any other that is no subheading of an article."""
    tree = deepcopy(_get_tree(submission))
    for element in [figure for figure in tree.iter("figure") if figure.find("img") is not None]:
        _drop_captions(element)
    parts = [Part("")]
    for number, element in enumerate(candidate for candidate in tree.iter() if isinstance(candidate.tag, str)):
        if element.tag in ("h1", "h2"):
            parts.append(Part(_normalize_text(show_text(element))))
            element.text = f"\ue000{element.text or ''}"
        elif element.tag == "img" and number:
            parts[-1].pictures.append(
                (_resolve_address(element.get("src", "")), _normalize_text(element.get("alt", "")))
            )
        elif element.tag == "a" and element.get("href"):
            parts[-1].links.append((_normalize_text(show_text(element)), element.get("href")))
    at = 0
    for line in _without_footer(tree):
        at += line.startswith("\ue000")
        if not line.startswith("\ue000"):
            parts[min(at, len(parts) - 1)].lines.append(line)
    return parts


def _drop_captions(figure: Any) -> None:
    """A caption that repeats the alternative text is another way of saying it."""
    alt = _normalize_text(figure.find(".//img").get("alt", ""))
    for caption in figure.findall("figcaption"):
        if _normalize_text(show_text(caption)) == alt:
            caption.text, caption[:] = "", []


def _without_footer(tree: Any) -> list[str]:
    for footer in tree.iter("footer"):
        footer.set("hidden", "")
    return [line for name in show_text(tree).splitlines() if (line := _normalize_text(name))]


def _find_part(submission: Submission, heading: str) -> Part:
    matching_parts = [part for part in _list_parts(submission) if part.heading == _normalize_text(heading)]
    if len(matching_parts) != 1:
        raise InvalidArtifact(f"{len(matching_parts)} headings of level 2 read {heading!r}; there should be one")
    return matching_parts[0]


def _list_expected_headings(facts: Facts) -> list[tuple[int, str]]:
    expected_headings = [(1, facts["title"]), (2, CONTENTS)]
    for article in facts["articles"]:
        expected_headings += [(2, article["headline"]), *((3, sub) for sub in article["subs"])]
    return [*expected_headings, (2, EVENTS), (2, BOX)]


@define_leaf("order", "The headlines are right and in order", f"headings:{FILE}", f"words:{FILE}", weight=2)
def _check_order(submission: Submission, facts: Facts) -> Finding:
    """The headlines, whatever their level, are those that hold, in their order."""
    subs = {sub for article in facts["articles"] for sub in article["subs"]}
    headings = [_normalize_text(text) for _, text in read_html(submission, FILE).headings]
    headings = [text for text in headings if text not in {*subs, CONTENTS, BOX, facts["title"]}]
    expected_headlines = [*(article["headline"] for article in facts["articles"]), EVENTS]
    return make_finding(headings == expected_headlines, f"headlines: {headings}; expected {expected_headlines}")


@define_leaf("outline", "Headings have their levels", f"headings:{FILE}", f"words:{FILE}")
def _check_outline(submission: Submission, facts: Facts) -> Finding:
    headings = [(level, _normalize_text(text)) for level, text in read_html(submission, FILE).headings]
    expected_outline = _list_expected_headings(facts)
    unexpected = [pair for pair in headings if pair not in expected_outline] + [
        pair for pair in expected_outline if pair not in headings
    ]
    return make_finding(
        headings == expected_outline,
        f"{len(headings)} headings for {len(expected_outline)}; other or missing: {unexpected[:6]}",
    )


@define_leaf("texts", "The articles are those of the drafts", f"words:{FILE}", f"headings:{FILE}", weight=3)
def _check_texts(submission: Submission, facts: Facts) -> Finding:
    """Each article is the text of the draft that holds, and nothing else."""
    wrong = []
    for article in facts["articles"]:
        article_lines = _find_part(submission, article["headline"]).lines
        if article_lines != [_normalize_text(line) for line in article["lines"]]:
            unexpected = [line for line in article_lines if line not in article["lines"]]
            wrong.append(
                f"{article['headline']}: {len(article_lines)} lines for {len(article['lines'])}, other:"
                f" {unexpected[:2]}"
            )
    more = _count_extra_letters(submission, facts)
    wrong += [f"more text on the page than requested: {more} letters more"] if more else []
    return make_finding(not wrong, "; ".join(wrong) or "all articles are those of their drafts")


def _count_extra_letters(submission: Submission, facts: Facts) -> int:
    """Letters and digits on the page, its footer and captions aside, that nothing of what it should say has."""
    tree = deepcopy(_get_tree(submission))
    for figure in [candidate for candidate in tree.iter("figure") if candidate.find(".//img") is not None]:
        _drop_captions(figure)
    for caption in tree.iter("caption"):
        caption.text, caption[:] = "", []
    heads = [article["headline"] for article in facts["articles"]]
    known_texts = [*_list_required_texts(facts), *heads, EVENTS, *COLUMNS]
    return (_count_letters(" ".join(_without_footer(tree))) - _count_letters(" ".join(known_texts))).total()


def _count_letters(text: str) -> Counter[str]:
    return Counter(sign for sign in _normalize_text(text).casefold() if sign.isalnum())


@define_leaf("pictures", "Pictures are with their texts", f"pictures:{FILE}", f"headings:{FILE}", weight=2)
def _check_pictures(submission: Submission, facts: Facts) -> Finding:
    """Each article has its picture, and each picture its text."""
    part_pictures = [picture for part in _list_parts(submission) for picture in part.pictures]
    lost = [article["picture"] for article in facts["articles"] if not _has_picture(submission, article)]
    unexpected = [picture for picture in part_pictures if facts["pictures"].get(picture[0]) != picture[1]]
    missing = [path for path in facts["pictures"] if path not in {path for path, _ in part_pictures}]
    many = len(part_pictures) != len(facts["pictures"])
    late = [article["headline"] for article in facts["articles"] if not _comes_first(submission, article)]
    holds = not lost and not unexpected and not missing and not many and not late
    evidence = f"not in their article: {lost}; below its text: {late}; other files or texts: {unexpected[:5]}"
    return make_finding(holds, f"{evidence}; missing: {missing}")


def _comes_first(submission: Submission, article: dict[str, Any]) -> bool:
    """Whether the picture of an article stands between its headline and its text, as far as they are there."""
    marks = {"img": article["picture"], "h2": _normalize_text(article["headline"])}
    order: list[str] = []
    for element in _get_tree(submission).iter():
        if element.tag == "img" and _resolve_address(element.get("src", "")) == marks["img"]:
            order.append("img")
        elif element.tag == "h2" and _normalize_text(show_text(element)) == marks["h2"]:
            order.append("h2")
        elif element.tag in _TEXT and _normalize_text(show_text(element)) == _normalize_text(article["lines"][0]):
            order.append("text")
    return [name for n, name in enumerate(order) if name not in order[:n]] in (["h2", "img", "text"], ["h2", "img"])


def _has_picture(submission: Submission, article: dict[str, Any]) -> bool:
    return [path for path, _ in _find_part(submission, article["headline"]).pictures] == [article["picture"]]


@define_leaf("events", "The table lists the events of the month", f"rows:{FILE}", f"words:{FILE}", weight=3)
def _check_events(submission: Submission, facts: Facts) -> Finding:
    """One table below its heading, with header cells and the rows that hold, in order."""
    tables = read_html(submission, FILE).tables
    if len(tables) != 1 or tuple(map(_normalize_text, tables[0][0] if tables[0] else ())) != COLUMNS:
        return make_finding(holds=False, evidence=f"{len(tables)} tables; one with {', '.join(COLUMNS)} was expected")
    event_rows = [[_normalize_text(cell) for cell in row] for row in tables[0][1:]]
    expected_rows = [[_normalize_text(cell) for cell in row] for row in facts["events"]]
    unexpected = [row for row in event_rows if row not in expected_rows] + [
        row for row in expected_rows if row not in event_rows
    ]
    heads = [_normalize_text(show_text(cell)) for cell in _get_tree(submission).iter("th")]
    holds = (
        event_rows == expected_rows and all(name in heads for name in COLUMNS) and _is_table_below_events(submission)
    )
    return make_finding(
        holds,
        f"{len(event_rows)} rows for {len(expected_rows)}; other or missing: {unexpected[:4]}; header cells: {heads}",
    )


def _is_table_below_events(submission: Submission) -> bool:
    """The table stands between the heading of the events and the next one."""
    order = [element for element in _get_tree(submission).iter() if element.tag in ("h1", "h2", "table")]
    before: list[str] = []
    for element in order:
        if element.tag == "table":
            return bool(before) and before[-1] == EVENTS
        before.append(_normalize_text(show_text(element)))
    return False


@define_leaf("contents", "The list at the top leads to all", f"links:{FILE}", f"words:{FILE}", f"headings:{FILE}")
def _check_contents(submission: Submission, facts: Facts) -> Finding:
    """The list at the top leads to each heading in order."""
    expected_headlines = [*(article["headline"] for article in facts["articles"]), EVENTS]
    links = _find_part(submission, CONTENTS).links
    leads = [(text, _led_to(submission, address)) for text, address in links]
    return make_finding(
        leads == [(name, name) for name in expected_headlines], f"links and the headings that they lead to: {leads}"
    )


def _led_to(submission: Submission, address: str) -> str:
    """The heading of level 2 that an address within the page shows: at its target, around it, or next after it."""
    name, reached = unquote(urlsplit(address).fragment), False
    if not name or not (address.startswith("#") or _resolve_address(address) == FILE):
        return f"not within the page: {address}"
    for element in _get_tree(submission).iter():
        headed = element.tag == "h2"
        reached = reached or name in (element.get("id"), element.get("name"))
        inside = headed and any(name in (descendant.get("id"), descendant.get("name")) for descendant in element.iter())
        if headed and (reached or inside):
            return _normalize_text(show_text(element))
    return "nowhere"


@define_leaf("links", "Links lead where they should", f"links:{FILE}", f"words:{FILE}", weight=1.5)
def _check_links(submission: Submission, facts: Facts) -> Finding:
    """Links lead to files that are there, those of the drafts to theirs, the one to the issue before to March."""
    wrong = [address for address in _list_addresses(submission) if not _is_there(submission, address)]
    page_links = {
        (_normalize_text(text), _resolve_address(address)) for text, address in read_html(submission, FILE).links
    }
    expected_links = [tuple(link) for article in facts["articles"] for link in article["links"]]
    expected_links += [("Previous issue", PREVIOUS), ("All issues", "site/newsletter/index.html")]
    lost = [link for link in expected_links if link not in page_links]
    allowed = {FILE, "site/pages/unsubscribe.html", "site/pages/imprint.html", "site/pages/privacy.html"}
    unexpected = [
        link for link in page_links - set(expected_links) if link[1].endswith(".html") and link[1] not in allowed
    ]
    return make_finding(
        not wrong and not lost and not unexpected, f"wrong: {wrong[:5]}; lost: {lost}; not asked for: {unexpected}"
    )


def _list_addresses(submission: Submission) -> Iterator[str]:
    for element in _get_tree(submission).iter():
        if isinstance(element.tag, str):
            yield from (
                element.get(name) for name in ("href", "src", "data", "poster") if element.get(name) is not None
            )


def _is_there(submission: Submission, address: str) -> bool:
    """Whether an address is relative and leads to a file, or to a place on the page; that of mail is as it was."""
    parts = urlsplit(address.strip())
    if parts.scheme == "mailto":
        return address in {name for _, name in read_html(submission.untouched, FILE).links}
    if parts.scheme in ("data",) and not parts.path.startswith("text/html"):
        return True
    if address.startswith("#"):
        return address == "#" or any(
            parts.fragment in (element.get("id"), element.get("name")) for element in _get_tree(submission).iter()
        )
    return (submission.files / _resolve_address(address)).is_file()


@define_leaf("clean", "Nothing comes from other sites", f"file:{FILE}", kind="format")
def _check_clean(submission: Submission, _facts: Facts) -> Finding:
    """Nothing comes from other sites, by whatever way, and no script is there."""
    views = browse_page(submission, FILE, (PHONE, DESK))
    asked = sorted({address for view in views for address in (*view.outside, *view.missing)})
    elements = [(element.tag, dict(element.attrib)) for element in _get_tree(submission).iter()]
    scripts = [
        tag for tag, names in elements if tag == "script" or any(name.lower().startswith("on") for name in names)
    ]
    return make_finding(not asked and not scripts, f"asked for in vain: {asked[:5]}; scripts: {scripts[:5]}")


@define_leaf("head", "Title, language and viewport are stated", f"file:{FILE}", kind="format")
def _check_head(submission: Submission, facts: Facts) -> Finding:
    page = read_html(submission, FILE)
    metas = {meta.get("name", "").lower(): meta.get("content", "") for meta in page.tree.iter("meta")}
    viewport = re.sub(r"\s", "", metas.get("viewport", "").lower())
    title, english = _normalize_text(page.title), page.language.lower().split("-")[0] == "en"
    scale = re.search(r"initial-scale=(\d+(?:\.\d+)?)", viewport)
    fits = "width=device-width" in viewport and (scale is None or float(scale[1]) == 1)
    holds = title == facts["title"] and english and fits
    return make_finding(holds, f"title {title!r}, language {page.language!r}, viewport {viewport!r}")


def _check_fit(submission: Submission, facts: Facts, width: int) -> Finding:
    """All that the page has to say is seen at a width, and all of it fits."""
    view = next(candidate for candidate in browse_page(submission, FILE, (PHONE, DESK)) if candidate.width == width)
    visible_text = _squeeze_text(" ".join(word.text for word in view.words if word.state == "seen"))
    unseen = [text for text in (*_list_required_texts(facts), "Unsubscribe") if _squeeze_text(text) not in visible_text]
    small = [word.text[:30] for word in view.words if word.state == "seen" and _is_small(word.size_px, word.boxes)]
    hidden = [picture.source for picture in view.pictures if picture.state == "hidden"]
    wrong = [*view.list_misfits(), *(f"picture {source!r} is hidden" for source in hidden)]
    stamps = _list_small_pictures(view, facts)
    holds = not unseen and not small and not wrong and not stamps
    evidence = f"at {width} px: {wrong[:6]}; not seen: {unseen[:4]}; small: {small[:4]}; small pictures: {stamps}"
    return make_finding(holds, evidence)


def _is_small(size_px: float, boxes: Sequence[tuple[float, ...]]) -> bool:
    """Type below the limit, or type that is drawn smaller than it says."""
    return size_px < SMALLEST_PX - 0.1 or any(box[3] - box[1] < SMALLEST_PX - 1 for box in boxes)


def _list_small_pictures(view: View, facts: Facts) -> list[str]:
    """Pictures of articles that are too small."""
    paths = [article["picture"] for article in facts["articles"]]
    return [
        picture.source
        for picture in view.pictures
        if _resolve_address(picture.source) in paths and picture.box[2] - picture.box[0] < _LEAST_PX - 0.5
    ]


def _list_required_texts(facts: Facts) -> Iterator[str]:
    yield facts["title"]
    for article in facts["articles"]:
        yield from (article["headline"], *article["lines"])
    yield from (cell for row in facts["events"] for cell in row)
    yield from (CONTENTS, EVENTS, BOX, *facts["given"])


def _squeeze_text(text: str) -> str:
    return "".join(text.translate(_SIGNS).split())


@define_leaf("phone", "It fits at 375 px", f"file:{FILE}", kind="format", weight=4)
def _check_phone(submission: Submission, facts: Facts) -> Finding:
    return _check_fit(submission, facts, PHONE)


@define_leaf("desk", "It fits at 1200 px", f"file:{FILE}", kind="format")
def _check_desk(submission: Submission, facts: Facts) -> Finding:
    return _check_fit(submission, facts, DESK)


@define_leaf("footer", "The footer is as it was", f"words:{FILE}", f"links:{FILE}", kind="guardrail")
def _check_footer(submission: Submission, _facts: Facts) -> Finding:
    """The footer says what it said and leads where it led."""
    was, now = (_footer_of(state) for state in (submission.untouched, submission))
    return make_finding(now == was, f"the footer was {was} and is {now}"[:600])


def _footer_of(submission: Submission) -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (
            _normalize_text(show_text(node)),
            [(_normalize_text(show_text(a)), _resolve_address(a.get("href", ""))) for a in node.iter("a")],
        )
        for node in _get_tree(submission).iter("footer")
    ]


@define_leaf("given", "The text of the template is kept", f"words:{FILE}", kind="guardrail")
def _check_template_texts(submission: Submission, facts: Facts) -> Finding:
    """What the template said is said still, and the brand's style sheet is used."""
    tree = deepcopy(_get_tree(submission))
    for footer in tree.iter("footer"):
        footer.set("hidden", "")
    text = _squeeze_text(show_text(tree))
    lost = [phrase for phrase in facts["given"] if _squeeze_text(phrase) not in text]
    sheets = [_resolve_address(link.get("href", "")) for link in tree.iter("link") if _is_used(link)]
    return make_finding(not lost and STYLE in sheets, f"no longer there: {lost}; style sheets: {sheets}")


def _is_used(link: Any) -> bool:
    """Whether a style sheet is one for screens."""
    kinds = link.get("rel", "").lower().split()
    media = link.get("media", "all").lower()
    on = link.get("disabled") is None and any(name in media for name in ("all", "screen"))
    return "stylesheet" in kinds and "alternate" not in kinds and (on or not media.strip())


CHECKS = make_group(
    "newsletter_html",
    "The newsletter is finished, and it can be read on a phone",
    make_group(
        "content",
        "It says what the brief asks for",
        _check_order,
        _check_texts,
        _check_events,
        _check_pictures,
        _check_contents,
        _check_links,
        _check_outline,
        leaves.answer_number("The answer counts the events", lambda facts: len(facts["events"])),
        weight=4,
    ),
    make_group("look", "It can be read at both widths", _check_phone, _check_desk, _check_clean, _check_head, weight=3),
    leaves.check_looked_at("The page was looked at", FILE),
    _check_footer,
    _check_template_texts,
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
