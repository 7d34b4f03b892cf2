"""What differs between mailboxes as they were and as they are, message by message, by Message-ID.

- ``mail:<address>/<folder>#<Message-ID>``: added or removed; ``...#<Message-ID>.folder``: moved, named by the folder in
  which it was; ``.content`` and ``.flagged``. Each also by its areas ``mail:<address>/<folder>``, ``mail:<address>``
  and ``mail``;
- ``mail:sent``: what the owner sent, in Sent and wherever it was delivered;
- ``mail:answers``: what came in answer to that: answers to it, and notices of the mail system;
- ``mail:drafts``: what the owner keeps as drafts.

Whether a message was read, answered or passed on is no difference: it follows from what was done with it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path

from yardkit.evaluators.readers.mails import Mail, folder_name, is_mail, read_accounts, read_mail
from yardkit.evaluators.side_effects.inventory import Difference

LAST = ".last"
"""The file with the highest number of a mailbox, which is no state that anybody sees."""
_FREE = str.maketrans("", "", "SRP")


def of_mailboxes(path: str) -> bool:
    """Whether a path below the apps belongs to a mailbox and is compared here."""
    return is_mail(path) or (path.startswith("mail/") and path.endswith(f"/{LAST}"))


def mail_differences(before: Path, after: Path, changed: Sequence[str]) -> Iterator[Difference]:
    """All differences between the messages of which the files at the paths `changed` came, went or changed.

    Raises:
        InvalidArtifact: one cannot be read.
    """
    paths = [path for path in changed if is_mail(path)]
    if not paths:
        return
    old, new = (_by_id(apps, paths) for apps in (before, after))
    owner = folder_name(str(read_accounts(before if old else after)["owner"]))
    came = [mail for key, mails in new.items() for mail in mails[len(old.get(key, [])) :]]
    sent = {mail.message_id for mail in came if (mail.address, mail.folder) == (owner, "Sent")}
    for key in dict.fromkeys([*old, *new]):
        for was, now in zip_longest(old.get(key, []), new.get(key, [])):
            yield from _of_mail(was, now, sent, owner)


def _by_id(apps: Path, paths: Sequence[str]) -> Mapping[tuple[str, str], list[Mail]]:
    """By mailbox and Message-ID; a message without one goes by its content."""
    mails_by_id: dict[tuple[str, str], list[Mail]] = {}
    for path in paths:
        if (apps / path).exists() or (apps / path).is_symlink():
            mail = read_mail(apps, path)
            mails_by_id.setdefault((mail.address, mail.message_id or mail.subject), []).append(mail)
    return mails_by_id


def _of_mail(was: Mail | None, now: Mail | None, sent: set[str], owner: str) -> Iterator[Difference]:
    mail = was or now
    assert mail  # noqa: S101 - one of the two is there
    areas = (f"mail:{mail.address}/{mail.folder}", f"mail:{mail.address}", "mail")
    name = f"{areas[0]}#{mail.message_id}"
    if was is None or now is None:
        also = _list_mail_kinds(mail, sent, owner) if was is None else ()
        yield Difference((name, *also, *areas), "added" if was is None else "removed")
        return
    pairs = (
        ("folder", was.folder, now.folder),
        ("content", _describe_content(was), _describe_content(now)),
        ("flagged", was.flags.translate(_FREE), now.flags.translate(_FREE)),
    )
    for field, before, after in pairs:
        if before != after:
            yield Difference((f"{name}.{field}", name, *areas), "changed", str(before), str(after))


def _list_mail_kinds(mail: Mail, sent: set[str], owner: str) -> Iterator[str]:
    """What an added message is called besides."""
    if mail.message_id in sent:
        yield "mail:sent"
    elif mail.address == owner and (sent & {*mail.thread} or (mail.automatic and mail.sender.startswith("mailer-"))):
        yield "mail:answers"
    elif mail.address == owner and mail.folder == "Drafts":
        yield "mail:drafts"


def _describe_content(mail: Mail) -> tuple[object, ...]:
    files = sorted(Counter((file.name, file.digest) for file in mail.files).items())
    return (mail.sender, mail.to, mail.cc, mail.bcc, mail.subject, mail.date, mail.thread, mail.text, tuple(files))
