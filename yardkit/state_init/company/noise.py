"""Mail that has nothing to do with anything: newsletters, machines, offers, and what colleagues write each other."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count as counting

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import at_work, choose_later_moment
from yardkit.state_init.company.letters import File, Letter, Rows, join_paragraphs, link_thread, write_note
from yardkit.state_init.company.persons import Colleague

_YEAR_DAYS = 365


def make_noise(cast: Cast, rng: random.Random, now: datetime, count: int, files: int) -> list[Letter]:
    """So many mails of the last year, of which about so many have files."""
    kinds = (_make_newsletters, _make_machine_mails, _make_offers, _make_talk, _make_talk, _make_reports)
    streams = [kind(cast, rng, now) for kind in kinds]
    noise_letters: list[Letter] = []
    weights = (24, 30, 4, 12, 12, 6)
    while len(noise_letters) < count:
        noise_letters += next(rng.choices(streams, weights)[0])
    noise_letters = noise_letters[:count]
    bare = [place for place, letter in enumerate(noise_letters) if not letter.files and not letter.bulk]
    missing = max(0, files - sum(bool(letter.files) for letter in noise_letters))
    for place in rng.sample(bare, min(missing, len(bare))):
        noise_letters[place] = replace(noise_letters[place], files=(_some_file(rng, noise_letters[place]),))
    return noise_letters


Batches = Iterator[list[Letter]]


def _choose_moment(rng: random.Random, now: datetime, zone: str, first_days: int = _YEAR_DAYS) -> datetime:
    """At work on some day of the last year, but before now."""
    day = (now - timedelta(days=rng.uniform(0.3, first_days))).date()
    return min(at_work(rng, day, zone), now - timedelta(minutes=rng.randint(20, 900)))


_PUBLISHERS = (
    ("Workplace Weekly", "letters@workplaceweekly.example", ("seating", "light", "noise", "plants", "hybrid work")),
    ("The Stockroom", "news@thestockroom.example", ("pallets", "stock counts", "returns", "barcodes", "lead times")),
    ("Retail Minute", "minute@retailminute.example", ("checkout", "gift cards", "reviews", "bundles", "winter sales")),
    (
        "Ledger & Co",
        "digest@ledgerandco.example",
        ("reverse charge", "late payers", "archives", "e-invoices", "audits"),
    ),
    ("Cloudbench", "product@cloudbench.example", ("single sign-on", "exports", "webhooks", "dark mode", "dashboards")),
    ("Chamber of Commerce", "info@chamber-events.example", ("apprentices", "energy", "customs", "grants", "safety")),
)
_HEADS = (
    "What nobody tells you about {0}",
    "{1} and {0}: five numbers",
    "Is {0} worth it?",
    "The end of {0} as we know it",
    "{0}, {1} and a reader's question",
)
_SENTENCES = (
    "Our readers keep asking about {0}, so we went and looked.",
    "Three companies tell how they deal with {0}, and what it costs them.",
    "Last month we wrote about {1}; some of you disagreed, with good reasons.",
    "There is a webinar on {0} next week, places are few.",
    "If you read one thing on {1} this month, then this.",
    "A study with 412 companies finds that {0} pays off after two years.",
)


def _make_newsletters(cast: Cast, rng: random.Random, now: datetime) -> Batches:
    for number in counting(1):
        name, address, subjects = rng.choice(_PUBLISHERS)
        about = rng.sample(subjects, 2)
        head = rng.choice(_HEADS).format(*about)
        head = head[0].upper() + head[1:]
        lines = [sentence.format(*about) for sentence in rng.sample(_SENTENCES, 3)]
        text = join_paragraphs(head, *lines, f"You get {name} because you signed up. Unsubscribe at any time.")
        body = "".join(f"<p>{line}</p>" for line in lines)
        html = (
            f"<html><body style='font-family:sans-serif'><h1>{head}</h1>{body}"
            f"<p><a href='https://{address.partition('@')[2]}/read/{number}'>Read on</a></p>"
            f"<p style='color:#888;font-size:11px'>You get {name} because you signed up. "
            f"<a href='https://{address.partition('@')[2]}/unsubscribe'>Unsubscribe</a></p></body></html>"
        )
        sent = _choose_moment(rng, now, "UTC")
        folder = "Newsletters" if now - sent > timedelta(days=45) and rng.random() < 0.7 else ""
        to, by = (cast.owner.mailbox,), f"{name} <{address}>"
        yield [Letter(f"news/{number}", by, to, head, text, sent, html=html, folder=folder, bulk=True)]


_ALARMS = (
    ("Disk usage on {0} at {1} %", "Disk /var on {0} is {1} % full (limit 80 %).", "{0} is back below its limit."),
    ("{0} answers slowly", "Median answer time of {0} is {1}0 ms over 5 minutes.", "{0} answers as usual again."),
    ("Certificate of {0} ends in {1} days", "Renew the certificate of {0}.", "The certificate of {0} was renewed."),
)
_MACHINE_NOTICES = (
    ("Backup", "backup", "Nightly backup finished", "{1} GB in {2} min, no errors. The next one starts at 01:00."),
    (
        "Print service",
        "print",
        "Toner of the printer on floor {2} is low",
        "Cyan has {1} % left. A new one is ordered.",
    ),
    ("Door system", "doors", "Weekly report of visitors", "{1} visitors, {2} badges were not given back."),
    ("Time recording", "time", "Please close your week", "Your week has {2} open days. Close it by Monday, 10:00."),
    ("Travel desk", "travel", "Your booking is confirmed", "Train, second class, seat {2} in coach {1}."),
    ("Expenses", "expenses", "Your expense report was approved", "{1}.{2}0 EUR are paid with the next salary."),
    ("Learning", "learning", "Reminder: fire safety", "Your yearly course takes {2} minutes. It is open until Friday."),
    ("Calendar", "calendar", "Reminder: weekly {3}", "Today at {2}:30, room {1}. Four people accepted."),
    ("Helpdesk", "helpdesk", "[Helpdesk] Your ticket was closed", "We think that the {2} devices work again."),
)


def _make_machine_mails(cast: Cast, rng: random.Random, now: datetime) -> Batches:
    for number in counting(1):
        sent, filed = _choose_moment(rng, now, cast.owner.time_zone), rng.random() < 0.6
        target_folder = "Trash" if rng.random() < 0.1 else "Archive"
        folder = target_folder if filed and now - sent > timedelta(days=60) else ""
        yield (
            _write_alarm(cast, rng, number, sent, folder)
            if rng.random() < 0.25
            else _write_notice(cast, rng, number, sent, folder)
        )


def _write_alarm(cast: Cast, rng: random.Random, number: int, sent: datetime, folder: str) -> list[Letter]:
    """A warning and its end, in one thread."""
    values = (f"{rng.choice(('app', 'db', 'web', 'files'))}-{rng.randint(1, 6):02d}", rng.randint(81, 97))
    subject, bad, good = (text.format(*values) for text in rng.choice(_ALARMS))
    by, to = f"Monitoring <monitor@{cast.domain}>", (cast.owner.mailbox,)
    first = Letter(f"alarm/{number}/1", by, to, f"[monitor] {subject}", bad, sent, folder=folder, bulk=True)
    after = sent + timedelta(minutes=rng.randint(3, 19))
    return [*link_thread(first, Letter(f"alarm/{number}/2", by, to, "", good, after, folder=folder, bulk=True))]


def _write_notice(cast: Cast, rng: random.Random, number: int, sent: datetime, folder: str) -> list[Letter]:
    name, local, subject, text = rng.choice(_MACHINE_NOTICES)
    values = ("", rng.randint(12, 96), rng.randint(2, 9), cast.owner.department)
    by, to = f"{name} <{local}@{cast.domain}>", (cast.owner.mailbox,)
    return [
        Letter(
            f"notice/{number}", by, to, subject.format(*values), text.format(*values), sent, folder=folder, bulk=True
        )
    ]


_SPAM = (
    (
        "Rank first on every search page",
        "Dear Sir or Madam, we saw your website and can make it first. No result, no fee.",
    ),
    ("Your mailbox is full", "Your mailbox has reached its limit. Confirm your password within 24 hours to keep it."),
    ("Re: container from Ningbo", "Good day, we are factory of best quality with 15 years. Kindly see our catalogue."),
    ("Unpaid toll", "You have an unpaid toll. Settle it today to avoid a fine."),
)


def _make_offers(cast: Cast, rng: random.Random, now: datetime) -> Batches:
    for number in counting(1):
        subject, text = rng.choice(_SPAM)
        name = rng.choice(("Info", "Support", "Lily", "Service"))
        by = f"{name} <mail{rng.randint(10, 99)}@bulk-{rng.randint(1, 9)}.example>"
        sent = _choose_moment(rng, now, "UTC", 60)
        yield [Letter(f"spam/{number}", by, (cast.owner.mailbox,), subject, text, sent, folder="Junk", bulk=True)]


_TALK = (
    (
        "Kitchen on floor {1}",
        ("the dishwasher is full again. Whose turn is it this week?", "mine, sorry. I will do it after lunch."),
    ),
    (
        "Lunch on {0}?",
        ("shall we try the new place at the corner on {0}?", "I am in. Half past twelve?", "count me in, too."),
    ),
    (
        "Room for the workshop",
        ("is the big room free on {0} afternoon?", "until three. After that it is taken by {2}."),
    ),
    (
        "Parking on {0}",
        ("the car park is closed on {0}: they paint the lines.", "thanks for telling. I will take the bus."),
    ),
    (
        "Slides for {0}",
        ("could you look over the slides for {0}?", "page {1} has two titles, the rest is fine.", "fixed, thank you."),
    ),
    ("Desk move", ("{2} moves to floor {1} next month. Could you tell facilities?", "done. They come on {0}.")),
    (
        "Holiday rota",
        ("please enter your holidays by {0}.", "done.", "I will be away for the first week.", "noted, thank you."),
    ),
    (
        "Old printer",
        ("may I give the old printer away?", "please ask {2} first, it is on their list.", "asked; they agree."),
    ),
    (
        "Minutes of {0}",
        (
            "the minutes of {0} are on the drive. Any objections?",
            "item {1} was postponed, not dropped.",
            "right, changed.",
        ),
    ),
    ("Cake", ("it is my birthday: there is cake on floor {1} from three on.", "happy birthday!", "all the best!")),
)
_MORE = (
    "thank you.",
    "fine with me.",
    "let us talk about it tomorrow.",
    "I will have a look.",
    "agreed.",
    "same here.",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")


def _make_talk(cast: Cast, rng: random.Random, now: datetime) -> Batches:
    """Threads among colleagues of two to nine mails, some about a project, whose folder they are filed in."""
    for number in counting(1):
        project = rng.choice(cast.projects) if rng.random() < 0.25 else None
        members = [colleague for colleague in cast.colleagues if not project or colleague.email in project.members]
        subject, lines = rng.choice(_TALK)
        subject = f"[{project.name}] {subject}" if project else subject
        values = (rng.choice(_DAYS), rng.randint(1, 5), rng.choice(cast.departments))
        length = max(len(lines), min(9, 1 + int(rng.expovariate(0.5))))
        texts = [subject, *lines, *rng.choices(_MORE, k=length - len(lines))]
        talkers = _choose_talkers(cast, rng, rng.sample(members, min(rng.randint(1, 4), len(members))), length)
        key = f"talk/{number}/{rng.randrange(10**6)}"
        turns = link_thread(*_write_turns(cast, rng, now, key, [text.format(*values) for text in texts], talkers))
        filed = f"Projects/{project.name}" if project and now - turns[0].sent > timedelta(days=30) else ""
        own = cast.owner.mailbox
        yield [replace(turn, folder="" if turn.sender == own else filed) for turn in turns if turn.sent < now]


def _choose_talkers(cast: Cast, rng: random.Random, people: Sequence[Colleague], length: int) -> list[Colleague]:
    """Who writes each mail: never the same twice in a row."""
    talkers: list[Colleague] = []
    while len(talkers) < length:
        talkers.append(rng.choice([colleague for colleague in (cast.owner, *people) if colleague not in talkers[-1:]]))
    return talkers


def _write_turns(
    cast: Cast, rng: random.Random, now: datetime, key: str, texts: Sequence[str], talkers: Sequence[Colleague]
) -> Iterator[Letter]:
    """Mails of a thread, each to whom wrote before and with a copy to the others; the first text is the subject."""
    subject, *turn_texts = texts
    everybody = list(dict.fromkeys([*talkers, cast.owner]))
    sent = _choose_moment(rng, now - timedelta(days=len(turn_texts)), talkers[0].time_zone)
    for place, (text, by) in enumerate(zip(turn_texts, talkers, strict=True), 1):
        before = talkers[place - 2] if place > 1 else everybody[1]
        others = tuple(colleague.mailbox for colleague in everybody if colleague not in (by, before))
        turn_text = write_note(before.first, text, by.first)
        yield Letter(f"{key}/{place}", by.mailbox, (before.mailbox,), subject, turn_text, sent, others)
        sent = choose_later_moment(rng, sent, rng.choice((0, 0, 0, 1)), by.time_zone)


def _make_reports(cast: Cast, rng: random.Random, now: datetime) -> Batches:
    """What the building tells every week, as a file."""
    for number in counting(1):
        sent = _choose_moment(rng, now, cast.offices[0].time_zone)
        week, form = sent.isocalendar().week, rng.choice((".csv", ".xlsx"))
        head = ("Office", "Power (kWh)", "Heat (kWh)", "Water (l)")
        used: Rows = tuple((office.city, *(rng.randint(200, 4_000) for _ in range(3))) for office in cast.offices)
        file = File(f"energy_{sent:%Y}_week_{week:02d}{form}", f"Energy, week {week}", (head, *used))
        by, text = f"Facilities <facilities@{cast.domain}>", f"The figures of week {week} are attached."
        subject = f"Energy report, week {week}"
        yield [Letter(f"energy/{number}", by, (cast.owner.mailbox,), subject, text, sent, files=(file,), bulk=True)]


def _some_file(rng: random.Random, letter: Letter) -> File:
    """A file that somebody adds to a letter."""
    day = f"{letter.sent:%Y-%m-%d}"
    tasks: Rows = tuple((f"Person {number}", rng.choice(_MORE)[:-1], day) for number in range(1, 5))
    hours: Rows = tuple((number, rng.randint(20, 44)) for number in range(1, 9))
    tasks, hours = (("Who", "What", "Until"), *tasks), (("Week", "Hours"), *hours)
    seat = f"{rng.randint(10, 99)}-{rng.randint(100, 999)}"
    return rng.choice(
        (
            File(f"minutes_{day}.pdf", f"Minutes of {day}", tasks, (f"Subject: {letter.subject}",)),
            File(f"minutes_{day}.pdf", f"Minutes of {day}", tasks, (f"Subject: {letter.subject}",)),
            File(f"rota_{day}.xlsx", f"Rota {day}", hours),
            File(f"hours_{day}.csv", f"Hours {day}", hours),
            File(f"ticket_{seat}.png", f"SEAT {seat}"),
        )
    )
