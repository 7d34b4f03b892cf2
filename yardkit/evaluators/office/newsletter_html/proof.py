"""Solutions and near misses of office/newsletter_html."""

import re
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses.edits import Leaves
from yardkit.evaluators.office.newsletter_html.reading import Plan, plan_of
from yardkit.evaluators.proof import Agent, Miss, Solved

FOLDER = "site/newsletter/2026-04"
FILE = f"{FOLDER}/newsletter.html"
LINK = re.compile(r"\[([^\]]+)\]\(([^)]+)\)")
FIT = """
.banner { width: 100%; height: auto; }
.box { width: auto; max-width: 560px; }
@media (max-width: 1000px) {
  .masthead h1 { font-size: 32px; white-space: normal; }
  .stamp { position: static; display: inline-block; transform: none; margin: 4px 0; }
  .lead { height: auto; overflow: visible; }
  .facts { grid-template-columns: 1fr; }
  .events table { min-width: 0; }
  .events th, .events td { padding: 6px 4px; font-size: 14px; white-space: normal; }
  .box .address { font-size: 17px; white-space: normal; overflow-wrap: anywhere; }
}
"""
CARDS = """
img { max-width: 100%; height: auto; }
figure { margin: 0; }
h1, p, td, a { white-space: normal !important; overflow-wrap: anywhere; }
.masthead h1 { font-size: clamp(26px, 7vw, 44px); }
.stamp { position: static !important; display: inline-block; transform: none !important; }
.lead { height: auto !important; overflow: visible !important; }
.facts { display: block !important; }
.facts div { margin-bottom: 8px; }
.banner { display: block; width: 960px; height: auto; }
.box { width: auto !important; }
.events table { min-width: 0 !important; }
@media (max-width: 700px) {
  .events thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .events tr, .events td { display: block; border: 0; }
  .events tr { border-bottom: 2px solid; padding: 8px 0; }
  .events td { padding: 0; }
}
"""


def solve(agent: Agent) -> str:
    """Edit the template element by element, put the fitting rules into the page, look."""
    plan = plan_of(agent)
    agent.call("edit_page", path=FILE, edits=_list_edits(plan))
    agent.call("insert_page_table", path=FILE, selector="#events", rows=_list_event_rows(plan))
    agent.call("render_web_page", path=FILE, widths=[375, 1200])
    return f"The newsletter is finished and fits both widths.\n\n{len(plan.events)}"


def alternative_written_anew(agent: Agent, _files: Path) -> str:
    """Other markup altogether, the table as cards on a phone, pictures with captions; looked at one after the other."""
    plan = plan_of(agent)
    agent.call("write_file", path=FILE, content=_write_new_page(agent, plan))
    for width in (375, 1200):
        agent.call("render_web_page", path=FILE, widths=[width], selector="main")
    return f"Events in the table: {len(plan.events)}\n**{len(plan.events)}**"


def alternative_saved_by_another_program(agent: Agent, files: Path) -> str:
    """The same page parsed and written by another library, its rules in the attributes of elements too."""
    import html5lib

    plan = plan_of(agent)
    agent.call("edit_page", path=FILE, edits=_list_edits(plan))
    agent.call("insert_page_table", path=FILE, selector="#events > h2", rows=_list_event_rows(plan), where="after")
    tree = html5lib.parse((files / FILE).read_text("utf-8"), treebuilder="etree", namespaceHTMLElements=False)
    tree.set("lang", "en-GB")
    for table in tree.iter("table"):
        table.set("style", "min-width: 0; font-size: 15px")
    text = html5lib.serialize(tree, tree="etree", omit_optional_tags=False, quote_attr_values="always")
    (files / FILE).write_text(f"<!DOCTYPE html>\n{text}", "utf-8")
    agent.call("render_pages", path=FILE, pages="1")
    return str(len(plan.events))


def alternative_step_by_step(agent: Agent, _files: Path) -> str:
    """Many small edits, section after section; text blocks with other elements inside."""
    plan = plan_of(agent)
    for edit in _list_edits(plan):
        agent.call("edit_page", path=FILE, edits=[edit])
    rows = _list_event_rows(plan)
    body = "".join(f"<tr><td>{'</td><td>'.join(map(escape, row))}</td></tr>" for row in rows[1:])
    head = "".join(f'<th scope="col">{name}</th>' for name in rows[0])
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    agent.call("edit_page", path=FILE, edits=[{"op": "insert", "selector": "#events", "value": table}])
    agent.call("check_page", path=FILE, widths=[1200, 375])
    agent.call("render_web_page", path=FILE, widths=[1200, 375])
    return f"Done.\n{len(plan.events)}"


def alternative_beside_the_text_with_soft_hyphens(agent: Agent, files: Path) -> str:
    """Pictures stand beside their text on a desk; words may be parted; links within the page name its file."""
    answer = solve(agent)
    text = (files / FILE).read_text("utf-8")
    rules = "@media (min-width: 900px) { .story img { float: left; width: 40%; margin-right: 16px; } }\n</style>"
    for old, new in (
        ("</style>", rules),
        ("colleagues", "col&shy;leagues"),
        ('href="#', 'href="newsletter.html#'),
        ("<table>", "<table>\n<caption>All times are those of our site</caption>"),
    ):
        text = text.replace(old, new)
    (files / FILE).write_text(re.sub(r"<td>(\d+ April)</td>", r"<td><time>\1</time></td>", text), "utf-8")
    agent.call("render_web_page", path=FILE, widths=[375, 1200])
    return answer


on_page = partial(misses.text_changed, FILE)


def with_rules(rules: str, caught_by: Leaves) -> Miss:
    """The page has further rules of style."""
    return on_page(("</style>", f"{rules}\n</style>"), caught_by)


def on_phone(rules: str) -> Miss:
    """The page has further rules for a phone."""
    return with_rules(f"@media (max-width: 600px) {{ {rules} }}", "phone")


def _move_last_section(text: str, _work: Solved) -> str:
    """The last article moved up to the second place, as if a mail had not been read."""
    sections = re.findall(r'<section class="story".*?</section>\n', text, re.S)
    return text.replace(sections[-1], "").replace(sections[1], sections[-1] + sections[1])


def _take_other_version(text: str, work: Solved) -> str:
    """One article begins as in a version that does not hold."""
    first = next(article["lines"][0] for article in work.facts["articles"] if "run_" in article["picture"])
    bodies = [path.read_text("utf-8").split("\n\n") for path in sorted((work.files / "drafts").glob("run*.md"))]
    old = next(body[1] for body in bodies if body[1] != first)
    return text.replace(escape(first, quote=False), escape(old, quote=False))


def _swap_first_rows(text: str, _work: Solved) -> str:
    rows = re.findall(r"<tr>.*?</tr>", text, re.S)[1:3]
    return text.replace(rows[0], "\0").replace(rows[1], rows[0]).replace("\0", rows[1])


def _take_other_picture(text: str, work: Solved) -> str:
    names = sorted(path.name for path in (work.files / FOLDER / "images").glob("*.jpg"))
    used = work.facts["articles"][0]["picture"].rsplit("/", 1)[1]
    return text.replace(f"images/{used}", f"images/{next(name for name in names if name != used)}")


near_miss_order_of_the_brief = on_page(_move_last_section, "order")
near_miss_paragraph_of_another_version = on_page(_take_other_version, "texts")
near_miss_a_closing_line_too_many = on_page(
    lambda text, _: text.replace("</section>", "<p>More about it soon.</p></section>", 1), "texts"
)
near_miss_note_to_the_editor = on_page(("</aside>", "<p>TODO: ask for the photos.</p></aside>"), "texts")
near_miss_event_that_was_cancelled = on_page(
    (
        "</table>",
        "<tr><td>30 April</td><td>09:30</td><td>Flea market of the sports club</td><td>Gate 2</td></tr></table>",
    ),
    "events",
)
near_miss_events_out_of_order = on_page(_swap_first_rows, "events")
near_miss_dates_in_another_form = on_page(
    lambda text, _: re.sub(r"(<td[^>]*>)(\d+) April<", r"\g<1>\2.04.2026<", text), "events"
)
near_miss_picture_of_a_near_name = on_page(_take_other_picture, "pictures")
near_miss_alt_text_of_the_file_name = on_page(("Hills under a spring sky", "banner"), "pictures")
near_miss_picture_below_its_text = on_page(
    lambda text, _: re.sub(
        r"(article-1.*?)(<img[^>]*>\n)(.*?)</section>", r"\1\3\2</section>", text, count=1, flags=re.S
    ),
    "pictures",
)
near_miss_contents_lead_to_one_place = on_page(
    lambda text, _: re.sub(r'href="#[^"]+"', 'href="#article-1"', text), "contents"
)
near_miss_links_as_the_drafts_have_them = on_page(
    lambda text, _: re.sub(r'"\.\./\.\./pages/(travel|staff_cards|lending_shelf)', r'"../site/pages/\1', text), "links"
)
near_miss_link_to_another_site = on_page(
    ("the page of the organisers", '<a href="https://www.riverrun.example/course">the page of the organisers</a>'),
    "links",
)
near_miss_previous_issue_is_february = on_page(("../2026-03/", "../2026-02/"), "links")
near_miss_two_headings_of_level_one = on_page(
    lambda text, _: re.sub(r"<h2>(.*?)</h2>", r"<h1>\1</h1>", text, count=2), "outline"
)
near_miss_faults_of_the_template = on_page((FIT.strip(), ""), "phone")
near_miss_overflow_hidden = on_page((FIT.strip(), "html, body { overflow-x: hidden; }"), "phone")
near_miss_table_in_a_scrolling_box = with_rules(
    ".events { overflow-x: auto; }\n.events table { min-width: 640px !important; }", "phone"
)
near_miss_squeezed_banner = with_rules(".banner { width: 100% !important; height: 300px !important; }", "phone")
near_miss_column_hidden_on_the_phone = on_phone(".events tr > :last-child { display: none; }")
near_miss_page_shrunk_on_the_phone = on_phone("body { zoom: 0.6; }")
near_miss_stamp_over_the_headline = with_rules(
    ".stamp { position: absolute !important; left: 20px; top: 90px; }", "phone"
)
near_miss_events_in_white = with_rules(".events td { color: #fdfdfd; }", ("phone", "desk"))
near_miss_text_that_shines_through = with_rules(".lead { opacity: 0.1; }", ("phone", "desk"))
near_miss_pictures_as_stamps = with_rules(".story img { width: 30px !important; }", ("phone", "desk"))
near_miss_pictures_in_circles = with_rules(".story img { border-radius: 50%; }", ("phone", "desk"))
near_miss_pictures_clipped = with_rules(".story img { clip-path: inset(40% 0 0 0); }", ("phone", "desk"))
near_miss_desk_too_wide = with_rules("@media (min-width: 1000px) { .page { max-width: none; width: 1320px; } }", "desk")
near_miss_font_of_another_site = on_page(("<style>", '<style>\n@import "https://fonts.webtype.example/css";'), "clean")
near_miss_language_not_stated = on_page(lambda text, _: re.sub(r"<html[^>]*>", "<html>", text), "head")
near_miss_page_begins_small = on_page(("initial-scale=1", "initial-scale=0.4"), "head")
near_miss_style_sheet_for_paper_only = on_page(
    ('brand/newsletter.css"', 'brand/newsletter.css" media="print"'), "given"
)
near_miss_footer_made_shorter = on_page(
    lambda text, _: re.sub(r"<p>Printed on demand only.*?</p>\n", "", text), "footer"
)
near_miss_first_text_changed = on_page(("Dear colleagues,", "Dear all,"), "given")
near_miss_style_sheet_of_all_issues_changed = misses.text_changed(
    "site/brand/newsletter.css", lambda text, _: f"{text}.lead {{ height: auto; }}\n", "others"
)
near_miss_never_looked = misses.never_looked()
near_miss_rows_of_the_sheet_events_only = misses.change_answer(lambda work: len(work.facts["events"]) - 3)


def _list_event_rows(plan: Plan) -> list[list[str]]:
    return [["Date", "Time", "Event", "Place"], *plan.events]


def _to_html(line: str) -> str:
    """A line of a draft as HTML; links lead from the place of the page, those to other sites are words."""
    if line.startswith("## "):
        return f"<h3>{escape(line[3:], quote=False)}</h3>"
    return f"<p>{LINK.sub(_format_link, escape(line, quote=False))}</p>"


def _format_link(match: re.Match[str]) -> str:
    if "://" in match[2]:
        return match[1]
    return f'<a href="{match[2].replace("../site/", "../../")}">{match[1]}</a>'


def _build_sections(plan: Plan) -> str:
    section_parts = []
    for number, (headline, lines, picture) in enumerate(plan.articles, 1):
        image = f'<img src="images/{picture}" alt="{escape(plan.alts[picture])}">'
        body = "\n".join(map(_to_html, lines))
        head = f"<h2>{escape(headline, quote=False)}</h2>"
        section_parts.append(f'<section class="story" id="article-{number}">\n{head}\n{image}\n{body}\n</section>\n')
    section_parts.append('<section class="events" id="events">\n<h2>Events in April</h2>\n</section>\n')
    return "".join(section_parts)


def _build_contents(plan: Plan) -> str:
    places = [*(f"article-{number}" for number, _ in enumerate(plan.articles, 1)), "events"]
    items = [
        f'<li><a href="#{at}">{escape(head, quote=False)}</a></li>' for at, head in zip(places, plan.heads, strict=True)
    ]
    return "\n".join(items)


def _list_edits(plan: Plan) -> list[dict[str, Any]]:
    title = escape(plan.title, quote=False)
    view = '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    return [
        {"op": "set_attribute", "selector": "html", "name": "lang", "value": "en"},
        {"op": "set_text", "selector": "title", "value": plan.title},
        {"op": "insert", "selector": "title", "value": view, "where": "before"},
        {"op": "remove", "selector": 'link[href^="https"]'},
        {"op": "remove", "selector": 'img[src^="https"]'},
        {"op": "insert", "selector": "style", "value": f"{FIT.strip()}\n"},
        {"op": "remove", "selector": "h1.month"},
        {"op": "replace", "selector": "h1", "value": f"<h1>{title}</h1>"},
        {"op": "set_attribute", "selector": ".logo", "name": "alt", "value": plan.alts["logo.png"]},
        {"op": "set_attribute", "selector": ".banner", "name": "alt", "value": plan.alts["banner.png"]},
        {
            "op": "set_attribute",
            "selector": 'a[href*="2026-02"]',
            "name": "href",
            "value": "../2026-03/newsletter.html",
        },
        {"op": "replace", "selector": ".contents > h4", "value": "<h2>In this issue</h2>"},
        {"op": "set_html", "selector": ".contents > ul", "value": f"\n{_build_contents(plan)}\n"},
        {"op": "set_html", "selector": "main", "value": f"\n{_build_sections(plan)}"},
        {"op": "replace", "selector": ".box > h4", "value": "<h2>Write to us</h2>"},
    ]


def _write_new_page(agent: Agent, plan: Plan) -> str:
    """The page written from nothing but what stays of the template."""
    old = agent.call("read_file", path=FILE)["content"]
    template_parts = {name: re.findall(pattern, old, re.S)[0] for name, pattern in _TEMPLATE_PATTERNS.items()}
    stories = []
    for headline, lines, picture in plan.articles:
        alt = escape(plan.alts[picture])
        figure = (
            f"<figure><img loading='lazy' src='./images/{picture}' alt='{alt}'><figcaption>{alt}</figcaption></figure>"
        )
        body = "\n".join(map(_to_html, lines))
        stories.append(f"<h2 id='{_make_slug(headline)}'>{escape(headline)}</h2>\n{figure}\n{body}\n")
    head, *rows = _list_event_rows(plan)
    cells = "".join(f"<tr>{''.join(f'<td>{escape(cell)}' for cell in row)}" for row in rows)
    table = f"<table><thead><tr>{''.join(f'<th>{name}' for name in head)}<tbody>{cells}</table>"
    listed = "".join(f"<li><a href='#{_make_slug(name)}'>{escape(name)}</a>" for name in plan.heads)
    return (
        f"<!doctype html>\n<html lang=en-GB>\n<head>\n<meta charset=utf-8>\n<title>{escape(plan.title)}</title>\n<meta"
        " name=viewport content='initial-scale=1,width=device-width'>\n<link rel=stylesheet"
        f" href='../../brand/newsletter.css'>\n<style>{CARDS}</style>\n</head>\n<body>\n<div class=page>\n<div"
        " class=masthead><img class=logo src='../../brand/logo.png'"
        f" alt='{escape(plan.alts['logo.png'])}'>\n<h1>{escape(plan.title)}</h1>\n{template_parts['stamp']}\n<p><a"
        " href='../2026-03/newsletter.html'>Previous issue</a> <a href='../index.html'>All issues</a></p></div>\n<img"
        " class=banner src='images/banner.png'"
        f" alt='{escape(plan.alts['banner.png'])}'>\n{template_parts['lead']}\n{template_parts['facts']}\n<div"
        f" class=contents><h2>In this issue</h2><ol>{listed}</ol></div>\n<main class=story>\n{''.join(stories)}<h2"
        f" id='{_make_slug(plan.heads[-1])}'>Events in April</h2>\n<div class=events>{table}</div>\n</main>\n<div"
        " class=box><h2>Write to"
        f" us</h2>{template_parts['box']}</div>\n{template_parts['footer']}\n</div>\n</body>\n</html>\n"
    )


_TEMPLATE_PATTERNS = {
    "stamp": r'<p class="stamp">.*?</p>',
    "lead": r'<p class="lead">.*?</p>',
    "facts": r'<div class="facts">.*?</div>\n</div>',
    "box": r"Write to us</h4>\n(.*?)</aside>",
    "footer": r"<footer>.*?</footer>",
}


def _make_slug(text: str) -> str:
    return re.sub(r"[^a-z]+", "-", text.lower())
