"""What differs between the apps as they were and as they are, and whether it is only what was asked for.

Differences are named, and allowed by patterns, as in `yardkit.evaluators.side_effects`:

- records: ``forms:questions#12`` (added or removed), ``forms:questions#12.text`` (a field of it), ``forms:questions+``
  (any that was added), ``forms:questions`` (anything in the table), ``forms`` (anything in the app);
- mails: ``mail:anna@example.org/INBOX#<id>``, ``mail:sent``, ``mail:answers``, ``mail``, and more
  (`yardkit.evaluators.side_effects.mailboxes`);
- events: ``calendar:anna@example.org/work/<uid>``, ``calendar:anna@example.org/work``, ``calendar``, and more
  (`yardkit.evaluators.side_effects.agendas`);
- other files: ``contacts:anna@example.org/1.vcf`` (added, removed or changed), ``contacts``.

An app with files of another kind adds a function to `_COMPARERS`; without one its files are compared by their bytes.
"""

from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from yardkit.evaluators.checkpoints import Finding, make_finding
from yardkit.evaluators.readers.app_records import Row, Table, read_tables_in
from yardkit.evaluators.side_effects.agendas import event_differences
from yardkit.evaluators.side_effects.inventory import Difference
from yardkit.evaluators.side_effects.mailboxes import mail_differences, of_mailboxes
from yardkit.evaluators.submission import Submission, build_manifest

Compare = Callable[[Path, Path, str], Iterator[Difference]]
"""How a file, named by its path relative to both, differs between the apps before and after; it may lack in one."""
_MOST_LISTED = 12


def check_unchanged_apps(submission: Submission, *allowed: str) -> Finding:
    """The guardrail of tasks with apps: nothing in any app changed but what matches one of the patterns `allowed`.

    Raises:
        InvalidArtifact: the state of an app cannot be read.
    """
    unexpected = [difference for difference in app_differences(submission) if not difference.matches(allowed)]
    if not unexpected:
        return make_finding(holds=True, evidence="nothing else in the apps changed")
    more = f" and {len(unexpected) - _MOST_LISTED} more" if len(unexpected) > _MOST_LISTED else ""
    return make_finding(holds=False, evidence=f"also changed: {'; '.join(map(str, unexpected[:_MOST_LISTED]))}{more}")


def app_differences(submission: Submission) -> list[Difference]:
    """All differences in meaning between the apps as they are and as the agent found them.

    Raises:
        InvalidArtifact: the state of an app cannot be read.
    """
    before, after = (
        build_manifest(apps) if apps.is_dir() else {} for apps in (submission.untouched.apps, submission.apps)
    )
    changed = [relative for relative in sorted({*before, *after}) if before.get(relative) != after.get(relative)]
    places = submission.untouched.apps, submission.apps
    differences = list(mail_differences(*places, changed))
    for relative in (path for path in changed if not of_mailboxes(path)):
        compare = next(how for pattern, how in _COMPARERS if fnmatchcase(relative, pattern))
        differences += compare(*places, relative)
    return differences


def _of_records(before: Path, after: Path, relative: str) -> Iterator[Difference]:
    old, new = (_read_tables(folder, relative) for folder in (before, after))
    app = relative.partition("/")[0]
    for table in sorted({*old, *new}):
        was, now = (tables[table].by_key if table in tables else {} for tables in (old, new))
        for key in dict.fromkeys([*was, *now]):
            yield from _of_record(app, table, key, was.get(key), now.get(key))


def _of_record(app: str, table: str, key: str, was: Row | None, now: Row | None) -> Iterator[Difference]:
    areas = (f"{app}:{table}", app)
    name = f"{app}:{table}#{key}"
    if was is None or now is None:
        names = (name, f"{app}:{table}+", *areas) if was is None else (name, *areas)
        yield Difference(names, "added" if was is None else "removed", before=str(was), after=str(now))
    else:
        for field in dict.fromkeys([*was, *now]):
            if was.get(field) != now.get(field):
                yield Difference((f"{name}.{field}", name, *areas), "changed", was.get(field), now.get(field))


def _read_tables(folder: Path, relative: str) -> dict[str, Table]:
    there = (folder / relative).exists() or (folder / relative).is_symlink()
    return read_tables_in(folder, relative) if there else {}


def _of_bytes(before: Path, after: Path, relative: str) -> Iterator[Difference]:
    app, _, rest = relative.partition("/")
    was, now = ((folder / relative).exists() or (folder / relative).is_symlink() for folder in (before, after))
    yield Difference((f"{app}:{rest}", app), "changed" if was and now else "added" if now else "removed")


_COMPARERS: tuple[tuple[str, Compare], ...] = (
    ("*/*.sqlite", _of_records),
    ("calendar/*/*/*.ics", event_differences),
    ("*", _of_bytes),
)
