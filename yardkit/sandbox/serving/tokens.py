"""Tokens in requests."""

import base64
import hmac

from starlette.requests import Request


def token_of(request: Request) -> str:
    """Return the bearer token of a request, empty if there is none.

    A client that only accepts an address can send it as a password: ``http://operator:TOKEN@host:port``.
    """
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "basic":
        return _extract_password(token.strip())
    return token.strip() if scheme.lower() == "bearer" else ""


def same_token(given: str, expected: str) -> bool:
    """Whether two tokens are the same, compared in constant time."""
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), expected.encode())


def _extract_password(pair: str) -> str:
    try:
        return base64.b64decode(pair, validate=True).decode().partition(":")[2]
    except ValueError:
        return ""
