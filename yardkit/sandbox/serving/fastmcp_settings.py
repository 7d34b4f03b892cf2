"""What FastMCP reads from the environment when it is imported, set before that."""

import os

_DEFAULTS = {
    # Without it a `.env` file in the current directory, which is the user's folder, would configure our server.
    "FASTMCP_ENV_FILE": os.devnull,
    "FASTMCP_CHECK_FOR_UPDATES": "off",
    "FASTMCP_SHOW_SERVER_BANNER": "false",
    "FASTMCP_ENABLE_RICH_LOGGING": "false",
    "FASTMCP_ENABLE_RICH_TRACEBACKS": "false",
    "FASTMCP_LOG_LEVEL": "WARNING",
    # Run-time type checks of a dependency's internals; they cost 0.1 s of every start.
    "PY_KEY_VALUE_DISABLE_BEARTYPE": "true",
}


def quiet_fastmcp() -> None:
    """Plain logging, no banner, no update check, no `.env`. What the user set in the environment stays."""
    for name, value in _DEFAULTS.items():
        os.environ.setdefault(name, value)
