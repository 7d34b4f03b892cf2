"""Whose mailbox it is: that of the world, or a real one on the servers that the settings name.

A seeded world never leaves itself: the settings count for a user's own folder alone.
"""

import os
from typing import get_args

from yardkit.apps.mail import Mailbox, read_accounts
from yardkit.servers.mail.backends.live_mailbox import LiveMailbox
from yardkit.servers.mail.backends.settings import Sending, Settings
from yardkit.world import Problem, World

URL, SMTP_URL = "YARDKIT_MAIL_URL", "YARDKIT_MAIL_SMTP_URL"
USER, PASSWORD, ADDRESS = "YARDKIT_MAIL_USER", "YARDKIT_MAIL_PASSWORD", "YARDKIT_MAIL_ADDRESS"
WRITE, SEND, MOST = "YARDKIT_MAIL_WRITE", "YARDKIT_MAIL_SEND", "YARDKIT_MAIL_MOST"


def live_settings(world: World) -> Settings | None:
    """The settings of a real mailbox; None in a seeded world, and where none is named.

    Raises:
        Problem: they are not valid settings.
    """
    url = os.environ.get(URL, "")
    if not url or world.frozen_now:
        return None
    sending, most = os.environ.get(SEND, "ask"), os.environ.get(MOST, "500")
    if sending not in get_args(Sending) or not most.isdigit():
        raise Problem(
            f"{SEND} is {sending!r} and {MOST} is {most!r}; set {SEND} to ask, always or never, and {MOST} "
            "to a number of messages"
        )
    user = os.environ.get(USER, "")
    address = os.environ.get(ADDRESS) or user
    if "@" not in address:
        raise Problem(f"{ADDRESS}={address!r} is not a valid mail address; set it to the mailbox's address")
    known: Sending = next(word for word in get_args(Sending) if word == sending)
    return Settings(
        *(url, os.environ.get(SMTP_URL, ""), user, os.environ.get(PASSWORD, ""), address),
        *(os.environ.get(WRITE, "") not in ("", "0"), known, int(most)),
    )


def owners_mailbox(world: World) -> Mailbox:
    """The mailbox of the owner, as it is now.

    Raises:
        Problem: the server of a real one cannot be reached, or refuses.
    """
    settings = live_settings(world)
    return LiveMailbox(world, settings) if settings else Mailbox(world, read_accounts(world).owner)
