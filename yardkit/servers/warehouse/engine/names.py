"""Which table, schema or database a name in SQL means."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TypeVar

from yardkit.apps.warehouse import Catalog, TableName, checked_name
from yardkit.world import Problem

_NAMED = 8
_EMPTY = "there is none yet: create a schema first, such as main.sales"
Parts = TypeVar("Parts", bound=tuple[str, ...])


def find_table(catalog: Catalog, parts: Sequence[str]) -> TableName:
    """The table of a name of one to three parts; as it is spelled, else whatever its case.

    Raises:
        Problem: there is none, or there are several.
    """
    requested_parts = list(parts)
    for ignore_case in (False, True):
        matching_names = _find_matching(catalog.tables(), requested_parts, ignore_case=ignore_case)
        at_home = [name for name in matching_names if name.database == catalog.database]
        if len(matching_names) > 1 and len(at_home) == 1:
            matching_names = at_home
        if len(matching_names) > 1:
            raise Problem(
                f"{'.'.join(parts)!r} is ambiguous: {', '.join(map(str, matching_names[:_NAMED]))}; use the full name"
            )
        if matching_names:
            return matching_names[0]
    raise Problem(
        f"there is no table {'.'.join(parts)!r}; {_suggest_near('.'.join(parts), map(str, catalog.tables()))}"
    )


def find_schema(catalog: Catalog, parts: Sequence[str]) -> tuple[str, str]:
    """The database and the schema of a name of one or two parts, or of none where there is one schema.

    Raises:
        Problem: there is none, or there are several.
    """
    known = [
        (database, schema) for database, schemas in sorted(catalog.databases.items()) for schema in sorted(schemas)
    ]
    for ignore_case in (False, True):
        matching_names = _find_matching(known, list(parts), ignore_case=ignore_case)
        at_home = [name for name in matching_names if name[0] == catalog.database]
        matching_names = at_home if len(matching_names) > 1 and at_home else matching_names
        if len(matching_names) > 1:
            names = ", ".join(".".join(name) for name in matching_names[:_NAMED])
            raise Problem(f"{'.'.join(parts) or 'it'!r} is ambiguous: {names}; use the full name")
        if matching_names:
            return matching_names[0]
    hint = _suggest_near(".".join(parts), (".".join(name) for name in known)) if known else _EMPTY
    raise Problem(f"there is no schema {'.'.join(parts)!r}; {hint}")


def find_database(catalog: Catalog, name: str = "") -> str:
    """A database, by default the one where names without one are looked for.

    Raises:
        Problem: there is none.
    """
    name = name or catalog.database or (next(iter(catalog.databases)) if len(catalog.databases) == 1 else "")
    for ignore_case in (False, True):
        matching_databases = [
            known for known in catalog.databases if _is_same_name(known, name, ignore_case=ignore_case)
        ]
        if matching_databases:
            return matching_databases[0]
    hint = _suggest_near(name, catalog.databases) if catalog.databases else _EMPTY
    raise Problem(f"there is no database {name!r}; {hint}")


def new_table(catalog: Catalog, parts: Sequence[str]) -> TableName:
    """The whole name of a table that is to be made.

    Raises:
        Problem: there is no such schema, or it is not a valid name.
    """
    database, schema = find_schema(catalog, parts[:-1])
    return TableName(database, schema, checked_name("table", parts[-1]))


def find_spelling(known: Iterable[str], name: str) -> str | None:
    """How a name is spelled among those that are known, whatever its case; None if it is not."""
    there = list(known)
    return next(
        (
            known_name
            for ignore_case in (False, True)
            for known_name in there
            if _is_same_name(known_name, name, ignore_case=ignore_case)
        ),
        None,
    )


def _find_matching(known: Iterable[Parts], requested_parts: list[str], *, ignore_case: bool) -> list[Parts]:
    """Those that end with the wanted parts, all where none is wanted."""
    return [
        name
        for name in known
        if len(requested_parts) <= len(name) and _ends_with_parts(name, requested_parts, ignore_case=ignore_case)
    ]


def _ends_with_parts(name: tuple[str, ...], requested_parts: list[str], *, ignore_case: bool) -> bool:
    last = name[len(name) - len(requested_parts) :]
    return all(
        _is_same_name(known_part, other, ignore_case=ignore_case)
        for known_part, other in zip(last, requested_parts, strict=True)
    )


def _is_same_name(first_name: str, other: str, *, ignore_case: bool) -> bool:
    return first_name.casefold() == other.casefold() if ignore_case else first_name == other


def _suggest_near(name: str, known: Iterable[str]) -> str:
    there = sorted(known)
    if len(there) <= _NAMED:
        return f"there are: {', '.join(there) or 'none'}"
    last = name.rpartition(".")[2].casefold()
    near = [known_name for known_name in there if last and last in known_name.casefold()] or get_close_matches(
        name, there, _NAMED
    )
    return f"there are {len(there)}, such as {', '.join((near or there)[:_NAMED])}"
