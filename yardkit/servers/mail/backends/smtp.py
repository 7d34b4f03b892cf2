"""Mail handed over to a real server. Source: RFC 5321, 6409."""

import smtplib
import ssl
from collections.abc import Sequence

from yardkit.servers.mail.backends.settings import (
    TIMEOUT_S,
    Settings,
    explain_error,
    make_encryption_problem,
    parse_endpoint,
)
from yardkit.world import Problem, Unavailable


def hand_over(settings: Settings, recipients: Sequence[str], message: bytes) -> list[str]:
    """Send a message; the addresses that the server refused.

    Raises:
        Unavailable: no server is named, or the settings allow no sending.
        Problem: it cannot be reached, or refuses the message.
    """
    if settings.sending == "never" or not settings.smtp_url:
        raise Unavailable("sending is not configured: set YARDKIT_MAIL_SMTP_URL to a server, and YARDKIT_MAIL_SEND=ask")
    try:
        with _connect_server(settings) as connection:
            return sorted(connection.sendmail(settings.address, list(recipients), message))
    except (OSError, smtplib.SMTPException) as error:
        raise Problem(
            f"the mail server {settings.smtp_url} rejected the message: {explain_error(error)}; nothing was sent"
        ) from error


def _connect_server(settings: Settings) -> smtplib.SMTP:
    server, secure = parse_endpoint(settings.smtp_url, "smtp"), ssl.create_default_context()
    if server.encrypted:
        connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, context=secure, timeout=TIMEOUT_S)
    else:
        connection = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)
    try:
        connection.ehlo_or_helo_if_needed()
        if not server.encrypted and not server.plaintext:
            if not connection.has_extn("starttls"):
                raise make_encryption_problem(settings.smtp_url)
            connection.starttls(context=secure)
            connection.ehlo()
        if settings.password and connection.has_extn("auth"):
            connection.login(settings.user, settings.password)
    except (OSError, smtplib.SMTPException, Problem):
        connection.close()
        raise
    return connection
