"""The exceptions for expected failures."""

import errno


class Problem(Exception):
    """An expected failure: what is wrong, with the value, and what to do instead.

    An engine raises it, the tool surface turns it into a tool error (``isError: true``) and the command line into one
    line and exit code 2. Everything else that is raised is a crash, that is, a fault of ours.
    """


def reason_of(error: Exception) -> str:
    """Return the reason of an error for a `Problem`; for an `OSError`, without its number and path."""
    if is_full(error):
        return "the disk is full"
    return (isinstance(error, OSError) and error.strerror) or str(error)


def is_full(error: BaseException | None) -> bool:
    """Whether the reason is that the disk, or this user's quota, is full."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


class Unavailable(Problem):
    """A requirement of the call is missing on this machine: a package, bubblewrap, permission to make namespaces.

    It is the operator's problem, not the caller's: a run in which an agent meets it is invalid, not failed.
    """
