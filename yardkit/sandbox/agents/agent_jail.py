"""The bubblewrap sandbox of a ``command:`` agent, which reaches only its episode, the model and the files it needs.

It sees no host files, no network except the named addresses, no processes except its own, and none of our packages:
with the solvers and seed scripts in them it could derive the facts of its task from the seed.
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import yardkit
from yardkit.programs.jail import find_bwrap, is_usable, list_namespace_options
from yardkit.programs.socket_proxies import SEEN_AT, Door, build_door_command, open_doors
from yardkit.world import Problem, Unavailable

_ETC = (
    *("alternatives", "ca-certificates", "fonts", "ld.so.cache", "localtime", "mime.types", "pki", "ssl"),
    *("crypto-policies", "nodejs"),
)
"""What of ``/etc`` programs need that tells nothing of this machine."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# Listening below this port needs the capability CAP_NET_BIND_SERVICE.
_PRIVILEGED_PORTS = 1024


@dataclass(frozen=True)
class AgentJail:
    """The parts of this machine that a jailed agent may use.

    Attributes:
        endpoints: URLs of the model's service.
        visible_folders: folders that it sees read-only, such as the one with its own program.
        passed: environment variables that are passed on to it, such as the key of the service.
    """

    endpoints: tuple[str, ...]
    visible_folders: tuple[Path, ...]
    passed: tuple[str, ...]

    @classmethod
    def from_settings(cls, endpoints: str, visible_paths: str, passed: str) -> "AgentJail":
        """Make it from settings; several values are separated by commas.

        Raises:
            Problem: an address or a folder is wrong.
            Unavailable: bubblewrap is missing or does not work here.
        """
        if not is_usable():
            find_bwrap()
            raise Unavailable("bubblewrap may not make namespaces on this machine, so no agent can be sandboxed")
        folders = tuple(Path(name).expanduser().absolute() for name in _split_list(visible_paths))
        for folder in folders:
            if not folder.exists():
                raise Problem(f"show={str(folder)!r}: there is no such file or folder; name what the agent needs")
            if folder.resolve() == Path("/"):
                raise Problem("show='/': that is the entire machine; name the folder of the agent's program")
        for endpoint in _split_list(endpoints):
            _parse_address(endpoint)
        return cls(_split_list(endpoints), folders, _split_list(passed))

    @contextmanager
    def wrap_command(
        self, command: Sequence[str], start: Path, writable: Sequence[Path], episode_url: str
    ) -> Iterator[list[str]]:
        """Yield the command line that runs `command` in the jail, valid until the block ends.

        Args:
            command: the program, as returned by `program`, and its arguments.
            start: its working directory.
            writable: the folders that it may change: its own, and the workspace if it gets that.
            episode_url: the address of its episode.

        """
        addresses = [Door(*_parse_address(episode_url), "127.0.0.1")]
        addresses += [_make_door(endpoint, number) for number, endpoint in enumerate(self.endpoints, 2)]
        addresses = list({(door.inside, door.port): door for door in addresses}.values())
        with tempfile.TemporaryDirectory(prefix="yardkit-doors-") as name:
            folder = Path(name)
            for file, lines in _build_etc_files(addresses).items():
                (folder / file).write_text("".join(f"{line}\n" for line in lines), "utf-8")
            walls = [*self._build_walls(folder, writable), *_list_port_options(addresses), "--chdir", str(start)]
            with open_doors(addresses, folder):
                yield [find_bwrap(), *walls, "--", *build_door_command(_find_python(), addresses, command)]

    def build_environment(self, own: Path, agent_values: Mapping[str, str]) -> dict[str, str]:
        """Build the agent's complete environment: its own values, the variables passed on, and its home folder."""
        passed = {name: os.environ[name] for name in self.passed if name in os.environ}
        return {
            "PATH": self._build_path(),
            "HOME": str(own),
            "TMPDIR": "/tmp",  # noqa: S108 - the jail's own
            "LANG": "C.UTF-8",
            **passed,
            **agent_values,
        }

    def program(self, name: str) -> str:
        """Return the full path of a program that must be visible in the jail.

        Raises:
            Problem: the program was not found.
        """
        program_path = shutil.which(name, path=self._build_path())
        seen = [Path("/usr"), Path(sys.base_prefix).resolve(), *(folder.resolve() for folder in self.visible_folders)]
        real = Path(program_path).resolve() if program_path else None
        if program_path and real and any(real.is_relative_to(folder) for folder in seen):
            return program_path
        raise Problem(f"the program {name!r} is in no folder that the sandbox shows; add --set show=FOLDER")

    def _build_path(self) -> str:
        folders = [str(folder / "bin") for folder in self.visible_folders if (folder / "bin").is_dir()]
        return ":".join([*folders, _PATH])

    def _build_walls(self, folder: Path, writable: Sequence[Path]) -> list[str]:
        prefix = Path(sys.base_prefix).resolve()
        visible_paths = [Path("/usr"), *(() if prefix.is_relative_to("/usr") else (prefix,)), *self.visible_folders]
        private = ["/tmp", "/run", "/dev/shm"]  # noqa: S108
        return [
            *("--die-with-parent", "--new-session", "--unshare-cgroup-try", "--hostname", "agent"),
            # Root needs no user namespace.
            *(["--unshare-user"] if os.geteuid() else []),
            *(*list_namespace_options(), "--cap-drop", "ALL", "--proc", "/proc", "--dev", "/dev"),
            *(word for place in private for word in ("--tmpfs", place)),
            *(word for path in visible_paths for word in ("--ro-bind", str(path), str(path))),
            *_system_links(),
            *_list_hiding_options(visible_paths),
            *(word for name in _ETC for word in ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")),
            *(word for name in _build_etc_files([]) for word in ("--ro-bind", str(folder / name), f"/etc/{name}")),
            *("--ro-bind", str(folder), SEEN_AT),
            *(word for path in writable for word in ("--bind", str(path), str(path))),
        ]


def _system_links() -> list[str]:
    words = []
    for name in ("bin", "lib", "lib32", "lib64", "libx32", "sbin"):
        path = Path("/") / name
        if path.is_symlink():
            words += ["--symlink", str(path.readlink()), f"/{name}"]
        elif path.is_dir():
            words += ["--ro-bind", str(path), f"/{name}"]
    return words


def _list_hiding_options(visible_paths: Sequence[Path]) -> list[str]:
    """The options that hide our own package wherever a visible folder contains it."""
    own = _own_directory()
    places = [path / own.relative_to(path.resolve()) for path in visible_paths if own.is_relative_to(path.resolve())]
    return [word for place in places for word in ("--tmpfs", str(place))]


def _own_directory() -> Path:
    package = Path(yardkit.__file__).resolve().parent
    return package.parent if (package.parent / "pyproject.toml").exists() else package


def _find_python() -> Path:
    """Find the real interpreter behind any virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _build_etc_files(addresses: Sequence[Door]) -> dict[str, list[str]]:
    """Build the files of ``/etc`` that are made for the agent instead of shown from the host."""
    names = [f"{door.inside} {door.host}" for door in addresses if door.host != door.inside]
    return {
        "hosts": ["127.0.0.1 localhost agent", *names],
        "nsswitch.conf": ["passwd: files", "group: files", "hosts: files"],
        "passwd": [f"agent:x:{os.geteuid()}:{os.getegid()}::/tmp:/bin/sh"],
        "group": [f"agent:x:{os.getegid()}:"],
    }


def _list_port_options(addresses: Sequence[Door]) -> list[str]:
    low = any(door.port < _PRIVILEGED_PORTS for door in addresses)
    return ["--cap-add", "CAP_NET_BIND_SERVICE"] if low else []


def _make_door(endpoint: str, number: int) -> Door:
    """Keep loopback addresses; give each other host its own loopback address, since several may use the same port."""
    host, port = _parse_address(endpoint)
    if host.startswith("127.") or host == "localhost":
        return Door(host, port, host.replace("localhost", "127.0.0.1"))
    return Door(host, port, f"127.0.0.{number}")


def _parse_address(url: str) -> tuple[str, int]:
    parts = urlsplit(url if "://" in url else f"https://{url}")
    try:
        port = parts.port or (80 if parts.scheme == "http" else 443)
    except ValueError:
        port = 0
    host = parts.hostname or ""
    is_address = not host.startswith("127.") and host.replace(".", "").isdigit()
    if not host or not port or is_address or ":" in host:
        raise Problem(
            f"endpoint={url!r}: give the address of the model's service with a host name, such as https://api.example"
        )
    return host, port


def _split_list(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())
