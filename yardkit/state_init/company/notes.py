"""The notes of a seeded company: handbook, minutes, projects, and five tables that lead to each other.

A rule of the handbook has older versions with other numbers, a draft that never came to hold and a page of nearly the
same title; the newest text of the page itself holds. What minutes decide stands in the table of decisions, but for some
that nobody entered.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from yardkit.apps.notes import APP, RECORDS, Page, Person, Table
from yardkit.apps.store import Store, open_store
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.note_pages import Kinds, Notebook
from yardkit.state_init.company.notes_texts import DECISIONS, POLICIES, TASKS, Part, Policy, make_part, policy_lines
from yardkit.state_init.company.persons import Colleague
from yardkit.state_init.company.stories import Stories
from yardkit.world import World

_STATUS = ("Open", "Doing", "Waiting", "Done")
_DECIDED = ("Decided", "Overturned", "Proposed")
_STATES = ("Processing", "Shipped", "Closed", "Cancelled")


@dataclass(frozen=True)
class NotesFilled:
    """What tasks point at: numbers of pages by title, of tables by title, of rows by table and title."""

    pages: dict[str, int]
    tables: dict[str, int]
    rows: dict[tuple[str, str], int]
    undecided: tuple[str, ...] = ()
    """Decisions of minutes that stand in no row."""


def fill_notes(
    world: World, cast: Cast, rng: random.Random, stories: Stories | None = None, *, minutes: int = 36, tasks: int = 80
) -> NotesFilled:
    """The notes of a company: everybody of the staff writes them, the owner first."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        return _Writer(Notebook(store), cast, rng, world.now).fill(stories, minutes, tasks)


@contextmanager
def more_notes(world: World, cast: Cast, rng: random.Random, filled: NotesFilled) -> Iterator["_Writer"]:
    """The notes that were filled, for what a task adds to them: its `page`, `table` and `row`, behind those there."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        people = {person.email: person.id for person in store.find(Person)}
        yield _Writer(Notebook(store), cast, rng, world.now, people, filled.pages, filled.tables, filled.rows)


@dataclass
class _Writer:
    """Writes at times of working days that chance picks, of which callers say about how long ago they are."""

    notes: Notebook
    cast: Cast
    rng: random.Random
    now: datetime
    people: dict[str, int] = field(default_factory=dict)
    pages: dict[str, int] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    rows: dict[tuple[str, str], int] = field(default_factory=dict)

    @property
    def store(self) -> Store:
        return self.notes.store

    def fill(self, stories: Stories | None, minutes: int, tasks: int) -> NotesFilled:
        """Everything, in an order in which numbers grow with time."""
        for number, colleague in enumerate(self.cast.staff, 1):
            self.people[colleague.email] = number
            self.store.put(Person(number, colleague.name, colleague.email))
        self.store.put(Person(len(self.people) + 1, "Notes integration", f"notes@{self.cast.domain}", "bot"))
        home = self.add_page(
            "Home",
            None,
            900,
            [make_part("paragraph", f"The notes of {self.cast.company.name}. Ask before you move pages.")],
        )
        self._write_handbook()
        self._make_tables(home)
        self._rows_of_customers()
        self._rows_of_projects()
        self._add_tasks(tasks)
        undecided = self._write_minutes(minutes)
        self._add_sales(stories)
        self._lose_old_pages()
        return NotesFilled(self.pages, self.tables, self.rows, tuple(undecided))

    def add_page(
        self, title: str, parent: int | None, days: float, parts: list[Part], by: Colleague | None = None
    ) -> int:
        """A page that was made so many days ago."""
        who = (by or self.rng.choice(self.cast.staff)).email
        number = self.notes.add_page(title, parent, self._choose_time(days), who, parts).id
        self.pages.setdefault(title, number)
        return number

    def table(self, title: str, columns: Kinds, parent: int) -> int:
        """An empty table in a page."""
        self.tables[title] = self.notes.table(title, columns, self._choose_time(700), parent).id
        return self.tables[title]

    def row(
        self, table: str, title: str, days: float, values: dict[str, object], parts: list[Part] | None = None
    ) -> int:
        """A row of a table."""
        target_table, by = self.store.get(Table, self.tables[table]), self.cast.owner.email
        self.rows[table, title] = self.notes.row(
            target_table, title, self._choose_time(days), by, values, parts or []
        ).id
        return self.rows[table, title]

    def _choose_time(self, days: float) -> datetime:
        """A time of a working day, about so many days ago."""
        day = self.now - timedelta(days=days)
        day -= timedelta(days=max(0, day.weekday() - 4))
        at = day.replace(hour=self.rng.randint(8, 16), minute=self.rng.randint(0, 59), second=0, microsecond=0)
        return min(at, self.now)

    def _write_handbook(self) -> None:
        book = self.add_page(
            "Handbook",
            None,
            880,
            [make_part("paragraph", "What holds for all of us. The page itself holds, not its copies.")],
        )
        groups: dict[str, int] = {}
        for policy in POLICIES:
            if policy.group not in groups:
                groups[policy.group] = self.add_page(policy.group, book, 860, [])
            self._write_policy(policy, groups[policy.group])

    def _write_policy(self, policy: Policy, parent: int) -> None:
        """A rule with an older version, a draft and a page of nearly the same title."""
        number, older, draft = self.rng.sample(policy.numbers, 3)
        author = self.cast.find_head(policy.department)
        policy_page = self.add_page(
            policy.title, parent, self.rng.randint(300, 800), policy_lines(policy, number), author
        )
        page = self.store.get(Page, policy_page)
        self.notes.add_older_page(
            page, self._choose_time(self.rng.randint(20, 120)), author.email, policy_lines(policy, older)
        )
        if self.rng.random() < 0.5:
            days, by = self.rng.randint(5, 60), self.rng.choice(self.cast.staff)
            self.notes.add_draft(policy.title, parent, self._choose_time(days), by.email, policy_lines(policy, draft))
        if policy.like:
            self.add_page(
                policy.like, parent, self.rng.randint(100, 700), policy_lines(policy, draft, of=policy.like), author
            )
        if self.rng.random() < 0.4:
            comment_text = self.rng.choice(("Does this hold for the office abroad, too?", "Thanks, clear now."))
            by = self.rng.choice(self.cast.staff)
            self.notes.comment(page.id, self._choose_time(self.rng.randint(1, 90)), by.email, comment_text)

    def _make_tables(self, home: int) -> None:
        at = self._choose_time(820)
        kinds: dict[str, Kinds] = {
            "Customers": {"Company": "title", "Number": "text", "Account manager": "people", "Payment days": "number",
                          "Discount %": "number", "City": "text", "Since": "date"},
            "Projects": {"Project": "title", "Code": "text", "Lead": "people", "Team": "people",
                         "Status": ("status", ("Planned", "Running", "Closed")), "Time": "date", "Budget": "number",
                         "Customer": ("relation", "Customers")},
            "Tasks": {"Task": "title", "Status": ("status", _STATUS), "Owner": "people", "Due": "date",
                      "Priority": ("select", ("High", "Normal", "Low")), "Hours": "number",
                      "Project": ("relation", "Projects")},
            "Decisions": {"Decision": "title", "Date": "date", "Status": ("status", _DECIDED),
                          "Owner": "people", "Project": ("relation", "Projects")},
            "Orders by mail": {"Order": "title", "Customer": ("relation", "Customers"), "Ordered": "date",
                               "Total": "number", "Invoice": "text", "State": ("select", _STATES)},
        }  # fmt: skip
        for title, columns in kinds.items():
            self.tables[title] = self.notes.table(title, columns, at, home).id

    def _rows_of_customers(self) -> None:
        for firm in self.cast.customers:
            self.row("Customers", firm.name, 700, {
                "Number": firm.number, "Account manager": [firm.account_manager], "Payment days": firm.payment_days,
                "Discount %": firm.discount_percent, "City": firm.company.city, "Since": firm.since.isoformat(),
            })  # fmt: skip

    def _rows_of_projects(self) -> None:
        parent = self.add_page(
            "Projects", None, 800, [make_part("paragraph", "A page for each project; the table says how it stands.")]
        )
        for project in self.cast.projects:
            firm = self.cast.customer(project.customer)
            self.row("Projects", project.name, 400, {
                "Code": project.code, "Lead": [project.lead], "Team": [*project.members],
                "Status": project.status.capitalize(),
                "Time": f"{project.begins.isoformat()}/{project.ends.isoformat()}", "Budget": project.budget // 100,
                "Customer": [self.rows["Customers", firm.name]],
            })  # fmt: skip
            page = self.add_page(
                f"{project.code} {project.name}",
                parent,
                390,
                [
                    make_part("paragraph", f"For {firm.name}, led by @{project.lead}."),
                    make_part("heading_2", "Aims"),
                    *(make_part("bulleted_list_item", text) for text in self.rng.sample(TASKS, 3)),
                    make_part("heading_2", "Risks"),
                    *(make_part("to_do", text, checked=self.rng.random() < 0.5) for text in self.rng.sample(TASKS, 3)),
                ],
            )
            for week in range(1, 6):
                author = self.cast.find_colleague(self.rng.choice(project.members))
                self.add_page(
                    f"{project.code} week {week}",
                    page,
                    300 - 20 * week,
                    [
                        make_part(
                            "paragraph", f"{self.rng.choice(TASKS)} is done, {self.rng.choice(TASKS).lower()} is late."
                        ),
                        make_part("quote", f"Spent: {self.rng.randint(2, 18)} % of the budget."),
                    ],
                    author,
                )

    def _add_tasks(self, count: int) -> None:
        for place in range(count):
            project = self.rng.choice(self.cast.projects)
            due = self.now.date() + timedelta(days=self.rng.randint(-120, 40))
            late = due < self.now.date()
            status = self.rng.choices(_STATUS, (8, 6, 6, 80) if late else (50, 30, 12, 8))[0]
            title = f"{self.rng.choice(TASKS)} ({place + 1})"
            owner = self.rng.choice((project.lead, *project.members))
            self.row("Tasks", title, 130 - place, {
                "Status": status, "Owner": [owner], "Due": due.isoformat(), "Hours": self.rng.randint(1, 24),
                "Priority": self.rng.choice(("High", "Normal", "Normal", "Low")),
                "Project": [self.rows["Projects", project.name]],
            })  # fmt: skip

    def _write_minutes(self, count: int) -> list[str]:
        """Minutes of a year, week by week; the decisions of most of them have a row. Those that have none."""
        parent = self.add_page(
            "Minutes", None, 800, [make_part("paragraph", "One page a meeting. Decisions go into the table.")]
        )
        missing: list[str] = []
        for place in range(count):
            days = (count - place) * 350 / count
            day = (self.now - timedelta(days=days)).date()
            day -= timedelta(days=max(0, day.weekday() - 4))
            department = self.rng.choice(self.cast.departments[1:])
            present = self.rng.sample(self.cast.staff, 4)
            project = self.rng.choice(self.cast.projects)
            decided = [
                text.format(number=self.rng.randint(2, 40))
                for text in self.rng.sample(DECISIONS, self.rng.randint(1, 2))
            ]
            self.add_page(f"Minutes {day.isoformat()} {department}", parent, days, [
                make_part("paragraph", f"Present: {', '.join(f'@{person.email}' for person in present)}."),
                make_part("paragraph", f"About [[{project.code} {project.name}]]."),
                make_part("heading_2", "Decisions"),
                *(make_part("bulleted_list_item", text) for text in decided),
                make_part("heading_2", "Actions"),
                *(self._make_action(person, done=days > 60) for person in present[:2]),
            ], present[0])  # fmt: skip
            for text in decided:
                if self.rng.random() < 0.2:
                    missing.append(text)
                elif ("Decisions", text) not in self.rows:
                    status = self.rng.choices(_DECIDED, (80, 12, 8))[0]
                    self.row("Decisions", text, days, {
                        "Date": day.isoformat(), "Status": status, "Owner": [present[0].email],
                        "Project": [self.rows["Projects", project.name]],
                    })  # fmt: skip
        return missing

    def _make_action(self, who: Colleague, *, done: bool) -> Part:
        return make_part("to_do", f"@{who.email}: {self.rng.choice(TASKS).lower()}", checked=done)

    def _add_sales(self, stories: Stories | None) -> None:
        """The orders of the story lines, each with its number and sum."""
        states = {"processing": "Processing", "shipped": "Shipped", "cancelled": "Cancelled"}
        for sale in stories.sales if stories else ():
            days = (self.now - sale.ordered).total_seconds() / 86_400
            complaint_text = sale.complaint.says if sale.complaint else ""
            self.row(
                "Orders by mail",
                f"Order {sale.order}",
                max(days, 0.5),
                {
                    "Customer": [self.rows["Customers", sale.customer.name]],
                    "Ordered": sale.ordered.date().isoformat(),
                    "Total": sale.total / 100,
                    "Invoice": sale.invoice,
                    "State": states.get(sale.ending, "Closed"),
                },
                [make_part("paragraph", f"{sale.complaint.line.sku} {complaint_text}.")] if sale.complaint else [],
            )

    def _lose_old_pages(self) -> None:
        """Pages that were archived long ago and say what held then."""
        old = self.add_page("Old handbook", None, 870, [make_part("paragraph", "Replaced by [[Handbook]].")])
        for policy in self.rng.sample(POLICIES, 5):
            self.add_page(policy.title, old, 850, policy_lines(policy, self.rng.choice(policy.numbers)))
        self.store.change(self.store.get(Page, old), archived=self._choose_time(400).isoformat())
