"""A half-finished newsletter as a web page, its brief with later mails, drafts in several versions, an events book."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from yardkit.state_init.documents import Paper
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import read_texts
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.state_init.office.newsletter_html import newsletters
from yardkit.state_init.office.newsletter_html.flats import draw_illustration, draw_letter_logo
from yardkit.state_init.office.newsletter_html.newsletters import ARTICLES, EVENTS, MONTH, PLACES, Article
from yardkit.state_init.rendering.ink import save_image
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

FOLDER = "site/newsletter/2026-04"
ACCENTS = (((31, 86, 120), "e6eff5"), ((122, 52, 84), "f6e9ef"), ((38, 96, 72), "e6f2ec"), ((92, 64, 132), "efeaf6"))
LINKING = ("canteen", "library", "shuttle")
WEEKDAYS = ("Tuesday", "Wednesday", "Thursday")
_TEXTS = read_texts(__file__, "brief.toml")
STATUS = _TEXTS["status"]
PAGES = _TEXTS["pages"]


@dataclass(frozen=True)
class Story:
    """An article of this world: its lines as they hold, the file of its picture, whether its drafts are for Word."""

    article: Article
    headline: str
    lines: list[str]
    picture: str
    word: bool


@dataclass(frozen=True)
class Issue:
    """What the issue is made of. `listed` stands in the brief, `final` is what holds after the mails."""

    name: str
    firm: Company
    staff: Sequence[Person]
    stories: Mapping[str, Story]
    listed: list[str]
    final: list[str]
    withdrawn: str
    taken: str
    renamed: str
    number: int

    @property
    def title(self) -> str:
        return f"{self.name}, {MONTH} 2026"

    @property
    def editor(self) -> Person:
        return self.staff[0]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the site with its half-finished page, the brief, the mails, the drafts and the events."""
    issue = _make_issue(rng)
    for key, story in issue.stories.items():
        _write_drafts(world, rng, issue, story, with_uncleared=key not in {*issue.listed, issue.taken})
    given = _write_site(world, rng, issue)
    events = _write_events(world, rng)
    _write_brief(world, issue)
    _write_mails(world, rng, issue)
    picture_subjects = {f"{FOLDER}/images/{story.picture}": story.article.shows for story in issue.stories.values()}
    final = [issue.stories[key] for key in issue.final]
    return {
        "prompt": {"editor": issue.editor.name},
        "title": issue.title,
        "articles": [_describe_story(story) for story in final],
        "events": events,
        "pictures": _list_fixed_pictures(issue)
        | {
            path: picture_subjects[path] for path in (f"{FOLDER}/images/{final_story.picture}" for final_story in final)
        },
        "given": given,
        "listed": [issue.stories[key].headline for key in issue.listed],
    }


def _describe_story(story: Story) -> dict[str, Any]:
    lines = story.lines
    inner = [(text, f"site/{address.removeprefix('../site/')}") for text, address in newsletters.list_links(lines)]
    return {
        "headline": story.headline,
        "lines": [newsletters.strip_markdown(line) for line in lines],
        "subs": [line.removeprefix("## ") for line in lines if line.startswith("## ")],
        "picture": f"{FOLDER}/images/{story.picture}",
        "links": [list(pair) for pair in inner if "://" not in pair[1]],
    }


def _list_fixed_pictures(issue: Issue) -> dict[str, str]:
    return {"site/brand/logo.png": f"Logo of {issue.name}", f"{FOLDER}/images/banner.png": "Hills under a spring sky"}


def _make_issue(rng: random.Random) -> Issue:
    staff, firm = make_people(rng, 12), make_companies(rng, 1)[0]
    others = [article.key for article in ARTICLES if article.key not in (*LINKING, "run")]
    rng.shuffle(others)
    listed = ["run", *rng.sample(LINKING, 2), *others[:3]]
    rng.shuffle(listed)
    withdrawn, taken = others[0], others[3]
    final = [taken if key == withdrawn else key for key in listed]
    first = rng.choice(final[2:])
    final = [first, *(key for key in final if key != first)]
    words, renamed = set(others[1:3]), others[2]
    stories = {article.key: _make_story(rng, article, staff, firm, article.key in words) for article in ARTICLES}
    old = stories[renamed]
    stories[renamed] = Story(old.article, f"{old.headline}: what you need to know", old.lines, old.picture, old.word)
    name = rng.choice(newsletters.NAMES)
    return Issue(name, firm, staff, stories, listed, final, withdrawn, taken, renamed, rng.randint(21, 78))


def _make_story(rng: random.Random, article: Article, staff: Sequence[Person], firm: Company, word: bool) -> Story:
    values = _choose_values(rng, staff, firm)
    return Story(article, article.headline, article.fill(values), f"{article.key}_{rng.randint(11, 48)}.jpg", word)


def _choose_values(rng: random.Random, staff: Sequence[Person], firm: Company) -> dict[str, Any]:
    first_person, two = rng.sample(list(staff[2:]), 2)
    return {
        "who": first_person.name,
        "who2": two.name,
        "n": rng.randint(21, 68),
        "m": rng.randint(3, 9),
        "day": rng.randint(8, 28),
        "month": MONTH,
        "weekday": rng.choice(WEEKDAYS),
        "firm": firm.name,
    }


def _write_drafts(world: World, rng: random.Random, issue: Issue, story: Story, *, with_uncleared: bool) -> None:
    """The version that holds, an older one that was cleared too, and now and then a newer one that is not cleared."""
    key, article = story.article.key, story.article
    names = [f"{key}", f"{key}_final"]
    rng.shuffle(names)
    version = rng.randint(3, 5)
    older = [*article.fill(_choose_values(rng, issue.staff, issue.firm)), article.late]
    _write_draft(world, f"{names[0]}", story, story.lines, (version, "draft" if with_uncleared else "cleared"))
    _write_draft(world, f"{names[1]}", story, older, (version - 1, "cleared" if not with_uncleared else "draft"))
    if rng.random() < 0.4:
        newer = [*article.fill(_choose_values(rng, issue.staff, issue.firm)), "To be continued."]
        _write_draft(world, f"{key}_new", story, newer, (version + 1, "draft"))


def _write_draft(world: World, name: str, story: Story, lines: Sequence[str], state: tuple[int, str]) -> None:
    on = world.now.date() - datetime.timedelta(days=30 - 3 * state[0])
    head = {"Title": story.article.title, "Version": str(state[0]), "Status": state[1], "Date": on.isoformat()}
    if not story.word:
        top = "\n".join(f"{key}: {value}" for key, value in head.items())
        body = "\n\n".join(lines)
        save_text(world.files / f"drafts/{name}.md", f"{top}\n\n{body}\n")
        return
    paper = Paper(story.article.title, author="Newsletter", now=world.now - datetime.timedelta(days=10), font="Carlito")
    paper.table([[key, value] for key, value in head.items()], header=False, widths_mm=[40, 100])
    for line in lines:
        if line.startswith("## "):
            paper.add_heading(line.removeprefix("## "), 2)
        else:
            paper.add_paragraph(line)
    paper.save(world.files / f"drafts/{name}.docx")


def _write_site(world: World, rng: random.Random, issue: Issue) -> list[str]:
    """The site with the page to be finished; the texts on it that stay."""
    accent, pale = rng.choice(ACCENTS)
    wrong = [*rng.sample(newsletters.FAULTS, 3), rng.choice(newsletters.HIDING)]
    own, brand = wrong[:1] + wrong[3:], wrong[1:3]
    if rng.random() < 0.5:
        own, brand = brand, own
    colour = f"#{''.join(f'{index:02x}' for index in accent)}"
    sheet = newsletters.style_sheet(colour, f"#{pale}", brand)
    save_text(world.files / "site/brand/newsletter.css", sheet)
    save_image(draw_letter_logo(issue.name.removeprefix("The ")[0], accent), world.files / "site/brand/logo.png")
    _write_images(world, rng, issue)
    lead, labels = rng.choice(newsletters.LEADS), rng.choice(newsletters.FACTS)
    facts = [(str(rng.randint(12, 98)), label) for label in labels]
    for name, title in PAGES.items():
        _write_simple_page(world, f"site/pages/{name}.html", title, issue, [f"{title} of {issue.firm.full}."])
    stale = issue.stories[rng.choice(issue.final)]
    values = _page_values(rng, issue, lead, stale) | {
        "rules_html": newsletters.page_rules(own),
        "facts_html": "\n".join(f"<div><b>{number}</b>{label}</div>" for number, label in facts),
    }
    save_text(world.files / f"{FOLDER}/newsletter.html", newsletters.render_page(values))
    _older_issues(world, rng, issue)
    numbered_labels = [f"{number} {label}" for number, label in facts]
    return [
        lead,
        *numbered_labels,
        values["box"],
        values["address"],
        f"Issue {issue.number}",
        "Previous issue",
        "All issues",
    ]


def _page_values(rng: random.Random, issue: Issue, lead: str, stale: Story) -> dict[str, str]:
    old = stale.article.fill(_choose_values(rng, issue.staff, issue.firm))
    rows = [(f"{rng.randint(2, 27)} March", "10:00", rng.choice(EVENTS), rng.choice(PLACES)) for _ in range(2)]
    firm, editor = issue.firm, issue.editor
    return {
        "old_title": "Untitled page",
        "old_month": "March",
        "name": issue.name,
        "issue": str(issue.number),
        "lead": lead,
        "stale_headline": stale.article.title,
        "stale_picture": f"{stale.article.key}_old",
        "stale_html": "\n".join(f"<p>{escape(newsletters.strip_markdown(line))}</p>" for line in old),
        "old_events_html": "\n".join(f"<tr>{''.join(f'<td>{escape(c)}</td>' for c in row)}</tr>" for row in rows),
        "box": f"You know something that others should read? {editor.name} and the team take texts and pictures until "
        "the middle of each month, by mail or at the desk beside the library.",
        "address": f"newsletter.editors@{firm.domain}",
        "imprint": f"{issue.name} is published by {firm.full}, {', '.join(firm.address)}. VAT {firm.vat}.",
        "firm": firm.name,
        "editor": editor.name,
    }


def _write_images(world: World, rng: random.Random, issue: Issue) -> None:
    folder = world.files / FOLDER / "images"
    save_image(draw_illustration("", rng, 960, 300), folder / "banner.png")
    for key, story in issue.stories.items():
        save_image(draw_illustration(key, rng), folder / story.picture, 84)
    for key in rng.sample(sorted(issue.stories), 5):
        save_image(draw_illustration(key, rng, 640, 400), folder / f"{key}_{rng.randint(50, 88)}.jpg", 84)


def _write_simple_page(world: World, path: str, title: str, issue: Issue, paragraphs: Sequence[str]) -> None:
    up = "../" * (path.count("/") - 1)
    body = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs)
    page = (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<link rel="stylesheet" href="{up}brand/newsletter.css">\n</head>\n<body>\n<div class="page">\n<main>\n'
        f"<h1>{escape(title)}</h1>\n{body}\n</main>\n<footer><p>{escape(issue.firm.full)}</p></footer>\n</div>\n"
        "</body>\n</html>\n"
    )
    save_text(world.files / path, page)


def _older_issues(world: World, rng: random.Random, issue: Issue) -> None:
    for number, month in ((2, "February"), (3, "March")):
        keys = rng.sample(sorted(issue.stories), 3)
        texts = [
            newsletters.strip_markdown(line)
            for key in keys
            for line in ARTICLES_BY_KEY[key].fill(_choose_values(rng, issue.staff, issue.firm) | {"month": month})
        ]
        title = f"{issue.name}, {month} 2026"
        _write_simple_page(world, f"site/newsletter/2026-{number:02}/newsletter.html", title, issue, texts)
    _write_simple_page(world, "site/newsletter/index.html", "All issues", issue, ["February 2026", "March 2026"])


ARTICLES_BY_KEY = {article.key: article for article in ARTICLES}


def _write_events(world: World, rng: random.Random) -> list[list[str]]:
    """The workbook, its copy of February, and the rows that the table must have."""
    first = datetime.date(2026, 1, 5)
    days = [first + datetime.timedelta(days=number) for number in range(165) if number % 7 < 5]
    inside = sorted(rng.sample([day for day in days if day.month == 4], 14))
    other = [day for day in days if day.month != 4]
    titles = rng.sample(EVENTS, len(EVENTS))
    good = [(day, rng.choice((8, 9, 11, 13, 16, 17)), title) for day, title in zip(inside[:10], titles, strict=False)]
    good.append((good[3][0], good[3][1] + 1, titles[10]))
    bad = [(day, rng.randint(8, 17), title) for day, title in zip(inside[8:], titles[11:17], strict=False)]
    rows = [_make_event_row(rng, day, hour, title, "confirmed") for day, hour, title in good]
    expected_rows = [
        [f"{day.day} {MONTH}", f"{hour:02}:30", title, row[4]]
        for (day, hour, title), row in zip(good, rows, strict=True)
    ]
    dropped = [_make_event_row(rng, day, hour, title, rng.choice(STATUS)) for day, hour, title in bad]
    far = [
        _make_event_row(rng, rng.choice(other), rng.randint(8, 17), rng.choice(EVENTS), "confirmed") for _ in range(58)
    ]
    late = rng.sample(rows, 3)
    main = [row for row in rows if row not in late] + dropped + far
    rng.shuffle(main)
    late = [*late, *(_make_event_row(rng, rng.choice(other), 9, title, "confirmed") for title in titles[17:20])]
    rng.shuffle(late)
    _save_events(world, rng, main, late, days)
    order = sorted(range(len(good)), key=lambda number: (good[number][0], good[number][1]))
    return [expected_rows[number] for number in order]


def _make_event_row(rng: random.Random, day: datetime.date, hour: int, title: str, status: str) -> list[Any]:
    """Number (set later), day in one of the forms that people write, time, title, place, contact, status."""
    forms = (day, day, f"{day:%d.%m.%Y}", f"{day.day} {day:%B} 2026", f"{day:%a}, {day:%d.%m.%Y}", day.isoformat())
    times = (f"{hour}:30", f"{hour:02}:30", f"{hour}.30", f"{hour:02}:30 h")
    state = rng.choice((status, status.capitalize(), f"{status} "))
    return [
        0,
        rng.choice(forms),
        rng.choice(times),
        title,
        rng.choice(PLACES),
        rng.choice(("HR", "Club", "Site")),
        state,
    ]


def _save_events(
    world: World, rng: random.Random, main: list[list[Any]], late: list[list[Any]], days: Sequence[datetime.date]
) -> None:
    head = ["No.", "Date", "Start", "Event", "Place", "Contact", "Status"]
    for number, row in enumerate([*main, *late], 1001):
        row[0] = number
    april = [day.replace(year=2025) for day in days if day.month in (3, 4)]
    past = [
        _make_event_row(rng, rng.choice(april), rng.randint(8, 17), rng.choice(EVENTS), "confirmed") for _ in range(30)
    ]
    past = [
        [n, f"{row[1]}" if isinstance(row[1], datetime.date) else row[1], *row[2:]] for n, row in enumerate(past, 801)
    ]
    for row in past:
        row[1] = str(row[1]).replace("2026", "2025")
    legend: list[list[Any]] = [
        ["Column", "Meaning"],
        ["Date", "day before month, as in 03.04.2026 for 3 April; a weekday may stand before it"],
        ["Start", "24 hours; 9.30 and 9:30 h are 09:30"],
        ["Status", "confirmed, tentative, postponed or cancelled; capitals and spaces mean nothing"],
        ["Late entries", "events that were handed in after the sheet Events was sorted; they count as the others"],
    ]
    sheets = {"Events": [head, *main], "Late entries": [head, *late], "2025": [head, *past], "Legend": legend}
    save_workbook(world.files / "events/events_2026.xlsx", sheets, world.now)
    stale = [[*row[:1], rng.choice(days), *row[2:6], "confirmed"] for row in main]
    old = world.now - datetime.timedelta(days=40)
    save_workbook(world.files / "events/old/events_2026_february.xlsx", {"Events": [head, *stale]}, old)


def _write_brief(world: World, issue: Issue) -> None:
    sent = world.now - datetime.timedelta(days=8)
    paper = Paper(f"Brief for {MONTH}", author=issue.editor.name, now=sent, font="Carlito", accent="1F5678")
    paper.add_heading(f"Brief: {issue.title}", 0)
    paper.add_paragraph(f"{issue.editor.name}, {sent.day} March 2026")
    paper.add_heading("Title")
    paper.add_paragraph(f'The heading of level 1 and the title of the page (in its head) are "{issue.title}".')
    paper.add_heading("Articles")
    paper.add_paragraph(
        "In this order and with these headlines. The drafts lie in the folder drafts; the names of their files begin "
        "with the word in the column Draft. Take the highest version whose status is cleared."
    )
    rows = [
        [str(n), _listed_headline(issue, key), key, issue.stories[key].picture] for n, key in enumerate(issue.listed, 1)
    ]
    paper.table([["No.", "Headline", "Draft", "Picture"], *rows], widths_mm=[12, 80, 30, 38])
    paper.add_heading("Pictures")
    paper.add_paragraph("The alternative text of each picture is what stands here, word for word.")
    picture_rows = [[path.rsplit("/", 1)[-1], alt] for path, alt in _list_fixed_pictures(issue).items()]
    picture_rows += [[story.picture, story.article.shows] for story in issue.stories.values()]
    paper.table([["File", "Shows"], *sorted(picture_rows)], widths_mm=[50, 110])
    paper.add_heading("Events")
    paper.add_paragraph(
        f'Under the heading "Events in {MONTH}" stands one table with the header cells (th) Date, Time, Event and '
        f"Place, and all events of {MONTH} 2026 that are confirmed, from events/events_2026.xlsx (see its sheet "
        f"Legend), sorted by date and time. Dates as in 7 {MONTH}, times as in 09:30; event and place as they stand "
        "in the workbook."
    )
    paper.add_heading("The page")
    paper.add_bullets(_RULES)
    paper.save(world.files / "brief/brief_2026-04.docx")
    old = Paper("Brief for March", author=issue.editor.name, now=sent - datetime.timedelta(days=30), font="Carlito")
    old.add_heading(f"Brief: {issue.name}, March 2026", 0)
    past = [[str(n), ARTICLES_BY_KEY[key].headline, key] for n, key in enumerate(sorted(issue.stories)[:5], 1)]
    old.table([["No.", "Headline", "Draft"], *past], widths_mm=[12, 100, 40])
    old.save(world.files / "brief/old/brief_2026-03.docx")


def _listed_headline(issue: Issue, key: str) -> str:
    return issue.stories[key].article.headline if key == issue.renamed else issue.stories[key].headline


_RULES = _TEXTS["rules"]


def _write_mails(world: World, rng: random.Random, issue: Issue) -> None:
    """Mails with how many days ago they were sent; two of the editor's change the brief."""
    editor, me, other = issue.staff[:3]
    wrong = [issue.stories[key].article.headline for key in sorted(issue.listed)]
    changed, renamed = _list_changes(issue)
    photos = f"{rng.choice(issue.staff).first} has taken them."
    letters = (
        (14, editor, "Order of the articles", ["I think of this order:", *wrong, "The brief follows on Wednesday."]),
        (6, other, "Canteen on Friday", ["The canteen is closed on Friday.", "Soup is sold at gate 2."]),
        (3, editor, "Changes to the brief", changed),
        (1, editor, "One more headline", renamed),
        (1, other, "Photos", ["There are more photos of the run on the drive.", photos]),
    )
    for number, (days, sender, subject, lines) in enumerate(letters, 1):
        sent = world.now - datetime.timedelta(days=days, hours=number)
        body = f"Hello,\n\n{chr(10).join(lines)}\n\nBest regards\n{sender.name}\n"
        send_mail(world.files / f"mail/{sent:%Y-%m-%d}_{number}.eml", sender, me, subject, body, sent)


def _list_changes(issue: Issue) -> tuple[list[str], list[str]]:
    """The lines of the two mails that change the brief."""
    swap = issue.stories[issue.taken]
    changed = [
        f'Please leave out "{issue.stories[issue.withdrawn].headline}":',
        "we still wait for the works council. Its place is taken by",
        f'"{swap.headline}"',
        f"(draft: {issue.taken}, picture: {swap.picture}).",
        "And, after that, one article moves to the very top:",
        f'"{_listed_headline(issue, issue.final[0])}".',
    ]
    renamed = [
        f'The headline "{_listed_headline(issue, issue.renamed)}"',
        f'becomes "{issue.stories[issue.renamed].headline}".',
        "Everything else stays as I wrote on Monday.",
    ]
    return changed, renamed
