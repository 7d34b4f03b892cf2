"""Run as a script within walls, before what they are for: limits, forbidden system calls, another user.

It is called with its settings in JSON and with the program that it becomes. It knows nothing of this package, which is
hidden there.
"""

import ctypes
import json
import os
import resource
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_EPERM, _ENOSYS, _NOT_SUPPORTED, _NO_SUCH_FAMILY = 1, 38, 95, 97
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
_NEW_USER = 0x10000000
_SET_PIPE_SIZE = 1031
_NOBODY = 65534

# The audit number of a machine's kind, then the numbers of calls there; those of two names are the same on both.
_MACHINES = {"x86_64": (0xC000003E, 0), "aarch64": (0xC00000B7, 1)}
_NAMESPACES = {"unshare": (272, 97), "setns": (308, 268)}
_MISSING = {
    # Keys of the kernel are those of our own session, the same for all that runs.
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # No filter sees what clone3 and a ring of io_uring are asked for.
    "clone3": (435, 435),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    # What few programs need, and where the kernel was broken out of most.
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
}
_HIDDEN_MEMORY = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    # Whoever is told when a folder is opened moves its files past the count; whoever traces cannot be stopped for it.
    "inotify_init": (253, 26),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
    "ptrace": (101, 117),
}
"""Calls whose memory no process need show, since it stays where nobody has it open or mapped, or that evade a count."""
_ATTRIBUTES = {
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
}
"""Calls that keep bytes beside a file, which count as no file's size."""
_CLONE, _FCNTL, _SOCKET = (56, 220), (72, 25), (41, 198)
_INTERNET = (1, 2, 10)
"""Families of sockets within this machine (AF_UNIX) or in a network that can be parted from the machine's."""
_NETLINK = 16
_LINE = "=HBBI"
_Line = tuple[int, int, int, int]


def _build_filter(machine: str, *, bounded: bool) -> list[_Line]:
    """The lines of a filter of system calls (seccomp(2))."""
    architecture, kind = _MACHINES[machine]
    missing = {**_MISSING, **(_HIDDEN_MEMORY if bounded else {})}
    lines = [
        *((_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _ERROR | _EPERM)),
        *((_LOAD, 0, 0, _NUMBER), (_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _ERROR | _EPERM)),
    ]
    attributes = _ATTRIBUTES if bounded else {}
    for calls, error in ((missing, _ENOSYS), (_NAMESPACES, _EPERM), (attributes, _NOT_SUPPORTED)):
        for numbers in calls.values():
            lines += [(_EQUAL, 0, 1, numbers[kind]), (_RETURN, 0, 0, _ERROR | error)]
    lines += _forbid_argument(_CLONE[kind], 0, _ANY_BIT, _NEW_USER)
    if bounded:
        lines += _forbid_argument(_FCNTL[kind], 1, _EQUAL, _SET_PIPE_SIZE)
    lines += _allow_families(_SOCKET[kind], _INTERNET if bounded else (*_INTERNET, _NETLINK))
    return [*lines, (_RETURN, 0, 0, _ALLOW)]


def _forbid_argument(number: int, place: int, test: int, value: int) -> Iterator[_Line]:
    yield from ((_EQUAL, 0, 4, number), (_LOAD, 0, 0, _ARGUMENTS + 8 * place))
    yield from ((test, 0, 1, value), (_RETURN, 0, 0, _ERROR | _EPERM), (_LOAD, 0, 0, _NUMBER))


def _allow_families(number: int, families: tuple[int, ...]) -> Iterator[_Line]:
    """Other sockets, such as those to the host of a virtual machine (AF_VSOCK), know no network to be parted from."""
    yield from ((_EQUAL, 0, len(families) + 3, number), (_LOAD, 0, 0, _ARGUMENTS))
    for place, family in enumerate(families):
        yield (_EQUAL, len(families) - place, 0, family)
    yield from ((_RETURN, 0, 0, _ERROR | _NO_SUCH_FAMILY), (_LOAD, 0, 0, _NUMBER))


def build_filter_code(*, bounded: bool) -> bytes:
    """The filter of system calls for this machine as the kernel reads it; empty if the machine's calls are unknown.

    Args:
        bounded: whether memory that no process shows is forbidden, too.
    """
    machine = os.uname().machine
    lines = _build_filter(machine, bounded=bounded) if machine in _MACHINES else []
    return b"".join(struct.pack(_LINE, *line) for line in lines)


def _forbid_calls(*, bounded: bool) -> None:
    program = build_filter_code(bounded=bounded)
    if not program:
        return
    code = ctypes.create_string_buffer(program)
    filters = ctypes.create_string_buffer(
        struct.pack("HP", len(program) // struct.calcsize(_LINE), ctypes.addressof(code))
    )
    if ctypes.CDLL(None, use_errno=True).prctl(22, 2, ctypes.c_void_p(ctypes.addressof(filters)), 0, 0):
        raise OSError(ctypes.get_errno(), "seccomp is not possible here")


def _become_nobody() -> None:
    """Be nobody in a user namespace of its own: without any right over what was there before."""
    user, group = os.getuid(), os.getgid()
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(_NEW_USER):
        raise OSError(ctypes.get_errno(), "a user namespace is not possible here")
    for name, line in (("setgroups", "deny"), ("uid_map", f"{_NOBODY} {user} 1"), ("gid_map", f"{_NOBODY} {group} 1")):
        Path("/proc/self", name).write_text(line, "ascii")


def build_inside_command(python: Path, script: str, settings: dict[str, Any], command: list[str]) -> list[str]:
    """The command line that becomes `command`, for within the walls.

    Args:
        python: the interpreter there.
        script: where this file is seen there.
        settings: `limits` (of setrlimit, by the ends of their names), `bounded` where memory has to be counted, and
            `user`, the number of another user, or `nobody`, to become nobody in a user namespace of its own.
        command: program, with its path, and arguments.
    """
    return [str(python), "-I", "-S", "-B", script, json.dumps(settings), *command]


def main() -> None:
    settings, command = json.loads(sys.argv[1]), sys.argv[2:]
    for name, (soft, hard) in settings.get("limits", {}).items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (soft, hard))
    if settings.get("nobody"):
        _become_nobody()
    _forbid_calls(bounded=settings.get("bounded", False))
    if user := settings.get("user", 0):
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    if settings.get("limits"):
        os.umask(0o022)
    os.execv(command[0], command)  # noqa: S606 - what we were given


if __name__ == "__main__":
    main()
