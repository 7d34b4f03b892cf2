"""Names in double quotes: SQLite takes one that it does not know for a text, and finds nothing without a word."""

import re
import sqlite3

from yardkit.servers.database.engine.cells import Parameters

_TOKENS = re.compile(
    r"""'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|$)|"((?:[^"]|"")*)\"""", re.DOTALL
)


def check_quoted_names(connection: sqlite3.Connection, sql: str, parameters: Parameters) -> None:
    """Compile a statement with its names in quotes that stand for nothing but names.

    Raises:
        sqlite3.OperationalError: a name in double quotes is no column.
    """
    if '"' not in sql:
        return
    try:
        connection.execute("EXPLAIN " + _TOKENS.sub(_as_name, sql), parameters).close()
    except sqlite3.Error as error:
        if str(error).startswith("no such column"):
            raise  # any other fault is found again when the statement itself is run


def _as_name(token: re.Match[str]) -> str:
    """A name in backticks, which SQLite never takes for a text; what is no name in double quotes stays."""
    if token[1] is None:
        return token[0]
    return "`" + token[1].replace('""', '"').replace("`", "``") + "`"
