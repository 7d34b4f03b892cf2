"""Commands in the dialect of Toolathlon's terminal, which is cli-mcp-server."""

from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Text
from yardkit.kit.surface import make_server, tool
from yardkit.servers.terminal import engine
from yardkit.world import current_world

mcp = make_server("terminal", "Runs command lines in the workspace, with shell operators.")

MAX_COMMAND = 2_048
SECONDS = 60
MAX_OUTPUT = 8_192


@tool(mcp, writes=True, destructive=True, idempotent=False)
def run_command(
    command: Annotated[
        str, Field(description="Command to execute, such as 'ls -l' or 'cat file.txt'.", max_length=MAX_COMMAND)
    ],
) -> Text:
    """Run a command in the workspace; the shell operators &&, ||, |, >, >>, <, << and ; are supported."""
    done = engine.run_command(current_world(), command, current_world().files, SECONDS)
    printed = [text[:MAX_OUTPUT] for text in (done.output, done.errors, *done.notes) if text]
    return Text("\n".join([*printed, f"\nCommand completed with return code: {done.exit_code}"]))


@tool(mcp)
def show_security_rules() -> Text:
    """Show which commands and operations are allowed."""
    rules = [
        "Security Configuration:",
        "==================",
        "Working Directory: .",
        "\nAllowed Commands:",
        "----------------",
        ", ".join(engine.list_commands().commands),
        "\nAllowed Flags:",
        "-------------",
        "All flags allowed",
        "\nSecurity Limits:",
        "---------------",
        f"Max Command Length: {MAX_COMMAND} characters",
        f"Command Timeout: {SECONDS} seconds",
    ]
    return Text("\n".join([*rules, ""]))
