"""The exceptions for failures that we foresee."""

import errno


class Problem(Exception):
    """What is wrong, with the value; and what to do instead.

    An engine raises it, the tool surface turns it into a tool error (``isError: true``) and the command line into one
    line and exit code 2. Everything else that is raised is a crash, that is, a fault of ours.
    """


def reason_of(error: Exception) -> str:
    """Why it failed, in words for a `Problem`: of an `OSError` without its number and the path that it repeats."""
    if is_full(error):
        return "the disk is full"
    return (isinstance(error, OSError) and error.strerror) or str(error)


def is_full(error: BaseException | None) -> bool:
    """Whether it failed because the disk, or this user's share of it, is full."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


class Unavailable(Problem):
    """What the call needs is not set up on this machine: a package, bubblewrap, the right to make namespaces.

    A problem of whoever runs Yardkit, not of the caller: a run in which an agent meets it is invalid, not failed.
    """
