"""The environment variables that FastMCP reads on import, set before it is imported."""

import os

_DEFAULTS = {
    # Otherwise a `.env` file in the current directory, which is the user's folder, would configure our server.
    "FASTMCP_ENV_FILE": os.devnull,
    "FASTMCP_CHECK_FOR_UPDATES": "off",
    "FASTMCP_SHOW_SERVER_BANNER": "false",
    "FASTMCP_ENABLE_RICH_LOGGING": "false",
    "FASTMCP_ENABLE_RICH_TRACEBACKS": "false",
    "FASTMCP_LOG_LEVEL": "WARNING",
    # Run-time type checks inside a dependency; they add 0.1 s to every start.
    "PY_KEY_VALUE_DISABLE_BEARTYPE": "true",
}


def quiet_fastmcp() -> None:
    """Set plain logging, no banner, no update check and no `.env`. The user's own variables are kept."""
    for name, value in _DEFAULTS.items():
        os.environ.setdefault(name, value)
