"""Near misses of mails: a mail is changed, moved or missing."""

from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.misses.edits import Leaves, make_miss
from yardkit.evaluators.mutations.mails import edit_message
from yardkit.evaluators.proof import Miss, Solved
from yardkit.evaluators.readers.mails import Mail, mail_paths, read_mail

Which = Callable[[Mail, Facts], bool]


def mail_edited(which: Which, change: Callable[[EmailMessage, Facts], object], caught_by: Leaves) -> Miss:
    """Some messages, in all mailboxes, are changed through the library's objects."""

    def corrupt_world(work: Solved) -> None:
        for path in _choose_mails(work, which):
            edit_message(path, lambda message: change(message, work.facts))

    return make_miss(caught_by, corrupt_world)


def mail_moved(which: Which, folder: str, caught_by: Leaves) -> Miss:
    """Some messages are in another folder of their mailbox, given by its name in the file system (``.Archive``)."""

    def corrupt_world(work: Solved) -> None:
        for path in _choose_mails(work, which):
            box = next(parent for parent in path.parents if parent.parent == work.apps / "mail")
            target = box / folder / "cur" / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            path.rename(target)

    return make_miss(caught_by, corrupt_world)


def mail_removed(which: Which, caught_by: Leaves) -> Miss:
    """Some messages are missing."""

    def corrupt_world(work: Solved) -> None:
        for path in _choose_mails(work, which):
            path.unlink()

    return make_miss(caught_by, corrupt_world)


def mails_joined(caught_by: Leaves, folder: str = "Sent") -> Miss:
    """Each message of a folder's last day contains the texts of all of them."""

    def corrupt_world(work: Solved) -> None:
        mails = [read_mail(work.apps, path) for path in mail_paths(work.apps)]
        last = max(mail.date[:10] for mail in mails if mail.folder == folder)
        ours = [mail for mail in mails if mail.folder == folder and mail.date.startswith(last)]

        def set_joined_text(message: EmailMessage) -> None:
            message.clear_content()
            message.set_content("\n".join(mail.text for mail in ours))

        for mail in ours:
            edit_message(work.apps / mail.path, set_joined_text)

    return make_miss(caught_by, corrupt_world)


def _choose_mails(work: Solved, which: Which) -> list[Path]:
    """Choose the files of the messages, at least one."""
    mails = [read_mail(work.apps, path) for path in mail_paths(work.apps)]
    mail_files = [work.apps / mail.path for mail in mails if which(mail, work.facts)]
    if not mail_files:
        raise LookupError("no mail is the one that the near miss should change; this is a defect of the task")
    return mail_files
