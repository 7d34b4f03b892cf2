"""Web addresses that somebody gave: taken apart, or refused in words."""

from urllib.parse import SplitResult, urlsplit

from yardkit.world import Problem


def split_address(url: str) -> SplitResult:
    """The parts of an address, whose port may be asked for.

    Raises:
        Problem: it is not an address, such as ``http://[x``.
    """
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - it raises where it is not a number
    except ValueError as error:
        raise Problem(
            f"{url[:200]!r} is not a valid address ({error}); use one such as https://example.org/page"
        ) from error
    return parts
