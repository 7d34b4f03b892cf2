"""Rules for the courses of a seeded school in the handbook of the company that looks after them."""

from collections.abc import Sequence
from datetime import timedelta

from yardkit.state_init.company.cast import Cast, get_stream
from yardkit.state_init.company.note_pages import open_notebook
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.notes_texts import Part, make_part
from yardkit.world import World

_DAY = timedelta(days=1)


def write_course_rule(
    world: World, cast: Cast, title: str, parts: Sequence[Part], older: Sequence[Part], draft: Sequence[Part]
) -> None:
    """The company's notes, and in their handbook a rule for courses: with an older version, and a draft beside it."""
    handbook, by = fill_notes(world, cast, get_stream(world, "notes")).pages["Handbook"], cast.owner.email
    with open_notebook(world) as notes:
        created_at, changed, drafted = (world.now - days * _DAY for days in (500, 70, 12))
        first = [make_part("paragraph", f"How we look after the courses of {cast.school.name}.")]
        group = notes.add_page("Courses", handbook, created_at, by, first).id
        notes.add_older_page(notes.add_page(title, group, created_at, by, parts), changed, by, older)
        notes.add_draft(title, group, drafted, by, draft)
        evening = [make_part("paragraph", "Evening courses give no grades, and nobody is counted there.")]
        notes.add_page(f"{title} in evening courses", group, created_at, by, evening)
