"""Walls of its own around a ``command:`` agent: it reaches its episode and the model, and sees only what it needs.

It has no host files, no network but the addresses that are named, no process but its own, and no package of ours: the
solvers and seed scripts in it would let it make the facts of its task anew from the seed.
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
_PRIVILEGED_PORTS = 1024


@dataclass(frozen=True)
class AgentJail:
    """What a jailed agent may use of this machine.

    Attributes:
        endpoints: addresses, as URLs, of the model's service.
        visible_folders: folders that it sees, read-only, such as that of its own program.
        passed: variables of our environment that it gets, such as the key of the service.
    """

    endpoints: tuple[str, ...]
    visible_folders: tuple[Path, ...]
    passed: tuple[str, ...]

    @classmethod
    def from_settings(cls, endpoints: str, visible_paths: str, passed: str) -> "AgentJail":
        """From settings, with commas between several.

        Raises:
            Problem: an address or a folder is wrong.
            Unavailable: there is no bubblewrap here that works.
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
        """The command line that runs `command` in the jail, while the body lasts.

        Args:
            command: program, as `program` gives it, and arguments.
            start: where it starts.
            writable: the folders that it may change: its own, and the workspace if it was handed out.
            episode_url: where its episode is.

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
        """All of the agent's environment: what it is told, what was passed, and where it is at home."""
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
        """The full path of a program that is to be seen in there.

        Raises:
            Problem: there is none.
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
    """Our own package, blotted out wherever it lies in what is shown."""
    own = _own_directory()
    places = [path / own.relative_to(path.resolve()) for path in visible_paths if own.is_relative_to(path.resolve())]
    return [word for place in places for word in ("--tmpfs", str(place))]


def _own_directory() -> Path:
    package = Path(yardkit.__file__).resolve().parent
    return package.parent if (package.parent / "pyproject.toml").exists() else package


def _find_python() -> Path:
    """The interpreter below any virtual environment."""
    return Path(getattr(sys, "_base_executable", sys.executable)).resolve()


def _build_etc_files(addresses: Sequence[Door]) -> dict[str, list[str]]:
    """The files of ``/etc`` that the agent has of its own."""
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
    """Loopback addresses stand for themselves, each name for another one: several may have the same port."""
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
