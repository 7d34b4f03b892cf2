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
    wanted = list(parts)
    for fold in (False, True):
        found = _matching(catalog.tables(), wanted, fold=fold)
        at_home = [name for name in found if name.database == catalog.database]
        if len(found) > 1 and len(at_home) == 1:
            found = at_home
        if len(found) > 1:
            raise Problem(f"{'.'.join(parts)!r} is ambiguous: {', '.join(map(str, found[:_NAMED]))}; use the full name")
        if found:
            return found[0]
    raise Problem(f"there is no table {'.'.join(parts)!r}; {_near('.'.join(parts), map(str, catalog.tables()))}")


def find_schema(catalog: Catalog, parts: Sequence[str]) -> tuple[str, str]:
    """The database and the schema of a name of one or two parts, or of none where there is one schema.

    Raises:
        Problem: there is none, or there are several.
    """
    known = [
        (database, schema) for database, schemas in sorted(catalog.databases.items()) for schema in sorted(schemas)
    ]
    for fold in (False, True):
        found = _matching(known, list(parts), fold=fold)
        at_home = [name for name in found if name[0] == catalog.database]
        found = at_home if len(found) > 1 and at_home else found
        if len(found) > 1:
            names = ", ".join(".".join(name) for name in found[:_NAMED])
            raise Problem(f"{'.'.join(parts) or 'it'!r} is ambiguous: {names}; use the full name")
        if found:
            return found[0]
    told = _near(".".join(parts), (".".join(name) for name in known)) if known else _EMPTY
    raise Problem(f"there is no schema {'.'.join(parts)!r}; {told}")


def find_database(catalog: Catalog, name: str = "") -> str:
    """A database, by default the one where names without one are looked for.

    Raises:
        Problem: there is none.
    """
    name = name or catalog.database or (next(iter(catalog.databases)) if len(catalog.databases) == 1 else "")
    for fold in (False, True):
        found = [known for known in catalog.databases if _same(known, name, fold=fold)]
        if found:
            return found[0]
    told = _near(name, catalog.databases) if catalog.databases else _EMPTY
    raise Problem(f"there is no database {name!r}; {told}")


def new_table(catalog: Catalog, parts: Sequence[str]) -> TableName:
    """The whole name of a table that is to be made.

    Raises:
        Problem: there is no such schema, or it is not a valid name.
    """
    database, schema = find_schema(catalog, parts[:-1])
    return TableName(database, schema, checked_name("table", parts[-1]))


def spelled(known: Iterable[str], name: str) -> str | None:
    """How a name is spelled among those that are known, whatever its case; None if it is not."""
    there = list(known)
    return next((one for fold in (False, True) for one in there if _same(one, name, fold=fold)), None)


def _matching(known: Iterable[Parts], wanted: list[str], *, fold: bool) -> list[Parts]:
    """Those that end with the wanted parts, all where none is wanted."""
    return [name for name in known if len(wanted) <= len(name) and _ends(name, wanted, fold=fold)]


def _ends(name: tuple[str, ...], wanted: list[str], *, fold: bool) -> bool:
    last = name[len(name) - len(wanted) :]
    return all(_same(one, other, fold=fold) for one, other in zip(last, wanted, strict=True))


def _same(one: str, other: str, *, fold: bool) -> bool:
    return one.casefold() == other.casefold() if fold else one == other


def _near(name: str, known: Iterable[str]) -> str:
    there = sorted(known)
    if len(there) <= _NAMED:
        return f"there are: {', '.join(there) or 'none'}"
    last = name.rpartition(".")[2].casefold()
    near = [one for one in there if last and last in one.casefold()] or get_close_matches(name, there, _NAMED)
    return f"there are {len(there)}, such as {', '.join((near or there)[:_NAMED])}"
