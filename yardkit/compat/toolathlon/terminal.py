"""Commands in the dialect of Toolathlon's terminal, which is cli-mcp-server."""

from yardkit.servers.terminal import engine
from yardkit.world import current_world

MAX_COMMAND = 2_048
SECONDS = 60
MAX_OUTPUT = 8_192


def run_command(command: str) -> str:
    done = engine.run_command(current_world(), command, current_world().files, SECONDS)
    printed = [text[:MAX_OUTPUT] for text in (done.output, done.errors, *done.notes) if text]
    return "\n".join([*printed, f"\nCommand completed with return code: {done.exit_code}"])


def show_security_rules() -> str:
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
    return "\n".join([*rules, ""])
