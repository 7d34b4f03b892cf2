"""The configuration files of MCP clients: their paths, their entries, and adding an entry safely."""

import json
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from yardkit.world import Problem, reason_of, save_atomically, save_text
from yardkit.world.extras import read_extras

BACKUP_SUFFIX = ".yardkit-backup"
"""Added to the name of a configuration file for the copy that is kept of its previous content."""


@dataclass(frozen=True)
class Client:
    """An MCP client and its configuration file.

    Attributes:
        title: its usual name.
        section: the key that contains the servers.
        typed: whether an entry states its transport.
        next_step: what the user must do for the change to take effect.
    """

    title: str
    section: str
    typed: bool
    next_step: str


CLIENTS = {
    "claude-desktop": Client("Claude Desktop", "mcpServers", typed=False, next_step="Quit Claude Desktop and start it"),
    "claude-code": Client("Claude Code", "mcpServers", typed=True, next_step="Start `claude` in this directory"),
    "cursor": Client("Cursor", "mcpServers", typed=False, next_step="Open this directory in Cursor"),
    "vscode": Client("VS Code", "servers", typed=True, next_step="Open this directory in VS Code"),
}


@dataclass(frozen=True)
class Change:
    """A planned change of a configuration file.

    Attributes:
        before: the text of the file; empty if it does not exist.
        after: the new text.
        replaces: the existing entry of that name if it differs, else None.
    """

    path: Path
    before: str
    after: str
    replaces: Any

    def save(self) -> None:
        """Write the file atomically and keep its previous content beside it.

        Raises:
            Problem: it cannot be written, or another program changed it after it was read.
        """
        if _read_config(self.path) != self.before:
            raise Problem(f"{str(self.path)!r} is being changed by another program; try again")
        if self.before:
            with save_atomically(self.path.with_name(self.path.name + BACKUP_SUFFIX)) as draft:
                shutil.copy2(self.path, draft)
        save_text(self.path, self.after)


def config_path(
    client: str, *, platform: str = sys.platform, home: Path | None = None, environ: Mapping[str, str] = os.environ
) -> Path:
    """Where `client` reads its configuration: the user's folder for Claude Desktop, else the current directory."""
    if client == "claude-desktop":
        return _claude_desktop(platform, home or Path.home(), environ)
    return {"claude-code": Path(".mcp.json"), "cursor": Path(".cursor/mcp.json"), "vscode": Path(".vscode/mcp.json")}[
        client
    ].absolute()


def server_entry(
    client: str, servers: list[str], workspace: Path, dialect: str = "", tools: Sequence[str] = ()
) -> dict[str, Any]:
    """Make the entry that starts `servers`, or `tools` of them, over `workspace`, from any working directory."""
    if not workspace.is_dir():
        raise Problem(f"the workspace {str(workspace)!r} is not a directory; make it or name another one")
    spoken = ["--dialect", dialect] if dialect else []
    spoken += ["--tools", ",".join(tools)] if tools else []
    line = [*_build_launcher(servers), "serve", *servers, "--workspace", str(workspace.resolve()), *spoken]
    kind = {"type": "stdio"} if CLIENTS[client].typed else {}
    return {**kind, "command": line[0], "args": line[1:]}


def plan_change(client: str, path: Path, name: str, entry: dict[str, Any]) -> Change:
    """Plan the change that sets `entry` under `name` in the configuration at `path` and keeps everything else.

    Raises:
        Problem: the client could not read the file: it is not JSON, has comments, or has wrong types.
    """
    path = path.resolve()  # keep a configuration that is a symlink, as in dotfiles
    before = _read_config(path)
    config = _parse_config(before, path, entry)
    section = config.setdefault(CLIENTS[client].section, {})
    if not isinstance(section, dict):
        raise Problem(
            f"{CLIENTS[client].section!r} in {str(path)!r} is {type(section).__name__}, not an object; correct the file"
        )
    old = section.get(name)
    section[name] = entry
    after = before if old == entry else json.dumps(config, indent=_detect_indent(before), ensure_ascii=False) + "\n"
    return Change(path, before, after, replaces=None if old == entry else old)


def _claude_desktop(platform: str, home: Path, environ: Mapping[str, str]) -> Path:
    if platform == "darwin":
        folder = home / "Library" / "Application Support"
    elif platform == "win32":
        folder = Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    else:
        folder = Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
    return folder / "Claude" / "claude_desktop_config.json"


def _read_config(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"cannot read {str(path)!r} ({reason_of(error)}); name the right file with --config") from error


def _parse_config(text: str, path: Path, entry: dict[str, Any]) -> dict[str, Any]:
    try:
        config = json.loads(text, object_pairs_hook=_require_unique) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        raise Problem(
            f"{str(path)!r} is not plain JSON ({error}) and was left as it is; correct it "
            f"(comments and commas at the end of a list cannot be kept), or add this entry by hand: {json.dumps(entry)}"
        ) from error
    if not isinstance(config, dict):
        raise Problem(f"{str(path)!r} holds {type(config).__name__}, not an object; name the right file with --config")
    return config


def _require_unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError(f"a key occurs twice among {', '.join(key for key, _ in pairs)}")
    return fields


def _detect_indent(text: str) -> int | str:
    """Detect the file's indentation, so that a change touches few lines."""
    match = re.search(r"\n([ \t]+)\S", text)
    return match[1] if match else 2


def _build_launcher(servers: list[str]) -> list[str]:
    if not in_uv_cache():
        # -P: Python must not import modules from its working directory, which may be the workspace.
        return [sys.executable, "-P", "-m", "yardkit"]
    # `uv cache prune` deletes the environments of uvx, so name the package instead of this interpreter.
    needed = [name for name in servers if name in read_extras()]
    package = "yardkit" + (f"[{','.join(needed)}]" if needed else "")
    return [shutil.which("uvx") or "uvx", "--from", package + _find_origin(), "yardkit"]


def in_uv_cache() -> bool:
    """Whether uvx started this process, in an environment that may be deleted at any time."""
    return re.search(r"[/\\]uv[/\\](?:.*[/\\])?(archive|environments)-v\d+[/\\]", sys.prefix) is not None


def _find_origin() -> str:
    """Return `` @ URL`` if the package was installed from a path or a repository instead of an index (PEP 610)."""
    text = metadata.distribution("yardkit").read_text("direct_url.json")
    if not text:
        return ""
    origin = json.loads(text)
    vcs = origin.get("vcs_info")
    url = f"{vcs['vcs']}+{origin['url']}@{vcs['commit_id']}" if vcs else origin["url"]
    return f" @ {url}" if urlsplit(url).scheme else ""
